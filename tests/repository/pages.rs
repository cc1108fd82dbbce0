//! What the pages say of the repository: the games, the picture of the crates, the decisions, the recipes.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;

use leap_core::{Geometry, Rules as _};
use leap_games::alquerque::Alquerque;
use leap_games::eximo::Eximo;
use leap_games::froglet::Froglet;
use leap_games::sapos::Sapos;
use leap_games::tactica::Tactica;
use leap_games::{IDS, TITLES};

use crate::workspace::{self, root};

fn page(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The crates of the workspace, each with the crates of the workspace that it needs.
fn crates() -> BTreeMap<String, BTreeSet<String>> {
    workspace::packages().into_iter().map(|package| (package.name, package.needs)).collect()
}

/// Whether a crate needs another, at first hand or not.
fn reaches(crates: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    crates[from].iter().any(|next| next == to || reaches(crates, next, to))
}

/// The picture of the crates: an arrow for each dependency, except those that follow from other arrows.
fn picture() -> String {
    let crates = crates();
    let mut picture = "```mermaid\ngraph TD\n".to_owned();
    for (from, needs) in &crates {
        for to in needs.iter().filter(|to| !needs.iter().any(|via| reaches(&crates, via, to))) {
            picture += &format!("    {from} --> {to}\n");
        }
    }
    picture + "```\n"
}

/// The files and ranks of each game's board, such as `8x8`.
fn boards() -> [String; 5] {
    let boards = [
        Alquerque::GEOMETRY,
        Eximo::GEOMETRY,
        Sapos::GEOMETRY,
        Froglet::GEOMETRY,
        Tactica::GEOMETRY,
    ];
    boards.map(|Geometry { files, ranks }| format!("{files}x{ranks}"))
}

#[test]
fn readme_has_a_row_for_each_game() {
    let readme = page("README.md").replace("\r\n", "\n");
    let (_, table) =
        readme.split_once("| id | game | board | goal |\n|---|---|---|---|\n").unwrap();
    let mut rows = table.lines().take_while(|line| line.starts_with('|'));
    for ((game, title), board) in IDS.into_iter().zip(TITLES).zip(boards()) {
        let row = rows.next().unwrap_or_else(|| panic!("no row for {game}"));
        let title = title.replace(['“', '”'], "\"");
        let cells: Vec<&str> = row.split(" | ").collect();
        assert_eq!(cells[0], format!("| `{game}`"));
        assert!(cells[1].starts_with(&title), "expected {title}, found {}", cells[1]);
        assert!(cells[2].starts_with(&board), "expected {board}, found {}", cells[2]);
    }
    assert_eq!(rows.next(), None);
}

/// `LEAP_UPDATE=1` writes the picture anew.
#[test]
fn the_picture_of_the_crates_is_that_of_their_manifests() {
    let architecture = page("ARCHITECTURE.md").replace("\r\n", "\n");
    let start = architecture.find("```mermaid\n").expect("ARCHITECTURE.md has a picture");
    let end = start + architecture[start..].find("\n```\n").unwrap() + "\n```\n".len();
    let picture = picture();
    if env::var_os("LEAP_UPDATE").is_some() {
        let updated = format!("{}{picture}{}", &architecture[..start], &architecture[end..]);
        fs::write(root().join("ARCHITECTURE.md"), updated).unwrap();
    } else {
        assert_eq!(architecture[start..end], picture, "LEAP_UPDATE=1 writes it anew");
    }
}

/// A file `docs/decisions/NNNN-title.md` is a decision; the index has a row for each, in order.
#[test]
fn every_decision_has_its_parts_and_a_row_in_the_index() {
    let files = fs::read_dir(root().join("docs/decisions")).unwrap();
    let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let decisions: BTreeSet<String> = files.filter(|name| name != "README.md").collect();
    let index = page("docs/decisions/README.md");
    let mut rows = index.lines().filter(|line| line.starts_with("| [0"));
    for (number, file) in (1..).zip(&decisions) {
        let text = page(&format!("docs/decisions/{file}"));
        let mut lines = text.lines();
        assert_eq!(file[..4].parse(), Ok(number), "decisions are numbered without gaps");
        let (_, title) = lines.next().unwrap().split_once(". ").expect("a number and a title");
        let date = lines.find_map(|line| line.strip_prefix("Date: ")).expect("a date");
        for part in ["\n## Context\n", "\n## Decision\n", "\n## Consequence\n"] {
            assert!(text.contains(part), "{file} lacks {part:?}");
        }
        let row = rows.next().unwrap_or_else(|| panic!("no row for {file}"));
        let start = format!("| [{}]({file}) | {date} | {title} | ", &file[..4]);
        assert!(row.starts_with(&start), "expected {start}, found {row}");
    }
    assert_eq!(rows.next(), None);
}

/// The lines of the justfile that are commands or begin a recipe.
fn code(justfile: &str) -> impl Iterator<Item = &str> {
    justfile.lines().filter(|line| !line.starts_with('#') && !line.starts_with("set "))
}

/// The files in the folder of a file's name: its parts.
fn parts(file: &str) -> String {
    let folder = root().join(file.trim_end_matches(".rs"));
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// A test is in a file that the page names, or in a part of that file.
#[test]
fn the_page_about_security_names_tests_that_there_are() {
    let text = page("docs/security.md");
    let names = text.split('`').skip(1).step_by(2);
    let is_file = |name: &str| name.contains('/') && name.ends_with(".rs");
    let (files, names): (Vec<&str>, Vec<&str>) = names.partition(|name| is_file(name));
    let files: String = files.iter().map(|file| page(file) + &parts(file)).collect();
    let is_test = |name: &str| {
        name.matches('_').count() > 2 && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
    };
    let tests = names.into_iter().filter(|name| is_test(name));
    assert!(tests.clone().count() > 40, "the page names few tests");
    for test in tests {
        assert!(files.contains(&format!("fn {test}(")), "no file of the page has {test}");
    }
}

#[test]
fn every_recipe_is_explained_and_listed() {
    let (justfile, contributing) = (page("justfile"), page("CONTRIBUTING.md"));
    let is_recipe = |line: &str| line.starts_with(|first: char| first.is_ascii_lowercase());
    let lines: Vec<&str> = justfile.lines().filter(|line| !line.starts_with("set ")).collect();
    let recipes = lines.windows(2).filter(|pair| is_recipe(pair[1]));
    assert!(recipes.clone().count() > 10);
    for recipe in recipes {
        let name = recipe[1].split([' ', ':']).next().unwrap();
        assert!(recipe[0].starts_with("# "), "what does '{name}' do?");
        let listed = [format!("`just {name}`"), format!("`just {name} ")];
        let is_listed = listed.iter().any(|command| contributing.contains(command));
        assert!(is_listed || name == "default", "CONTRIBUTING.md lacks `just {name}`");
    }
}

#[test]
fn recipes_name_only_what_there_is() {
    let justfile = page("justfile");
    let crates = crates();
    let exists = |path: &str| root().join(path).exists();
    let words = code(&justfile).flat_map(|line| line.split([' ', '=']));
    let words: Vec<&str> = words.map(|word| word.trim_matches(['\'', '"', '@', ':'])).collect();
    for pair in words.windows(2) {
        let (before, word) = (pair[0], pair[1]);
        let is_known = match before {
            "-p" => word == "$" || crates.contains_key(word),
            "--test" => exists(&format!("tests/{word}/main.rs")),
            "cd" | "--prefix" => exists(word),
            _ => !word.contains('/') || word.starts_with("target/") || exists(word),
        };
        assert!(is_known, "'{before} {word}': there is no such thing");
    }
}
