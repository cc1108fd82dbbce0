//! The configuration for OpenBench (docs/openbench.md) names games, books and options that there are.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use leap_games::IDS;
use serde_json::Value;

use crate::workspace::root;

fn example(name: &str) -> PathBuf {
    root().join("adapters/examples/openbench").join(name)
}

fn json(name: &str) -> Value {
    let text = fs::read_to_string(example(name)).unwrap();
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect()
}

#[test]
fn every_game_has_a_book_and_presets_for_every_kind_of_test() {
    let config = json("Config/config.json");
    let expected: Vec<String> = IDS.iter().map(|game| format!("{game}.epd")).collect();
    assert_eq!(names(&config["books"]), expected);
    let presets = |engine: &str, kind: &str| {
        let all = json(&format!("Engines/{engine}.json"));
        let presets = all[kind].as_object().unwrap().clone();
        presets.into_iter().filter(|(name, _)| name != "default").collect::<Vec<_>>()
    };
    for (engine, kind, each) in [
        ("leapd", "test_presets", 3),
        ("leapd", "datagen_presets", 1),
        ("leapd-tune", "tune_presets", 1),
    ] {
        let presets = presets(engine, kind);
        for game in &IDS {
            let of_game = presets.iter().filter(|(name, _)| name.starts_with(game)).count();
            assert_eq!(of_game, each, "{engine}, {kind}: {game}");
        }
        for (name, preset) in &presets {
            let options = preset["both_options"].as_str().unwrap();
            let game = name.split(' ').next().unwrap();
            assert!(
                options.ends_with(&format!(" Game={game}")),
                "{engine}, {kind}, {name}: {options}"
            );
        }
    }
}

#[test]
fn engines_are_built_where_there_is_a_makefile() {
    for engine in names(&json("Config/config.json")["engines"]) {
        let build = json(&format!("Engines/{engine}.json"))["build"].clone();
        let folder = root().join(build["path"].as_str().unwrap());
        assert!(folder.join("Makefile").is_file(), "{engine}: {}", folder.display());
    }
}

#[test]
fn the_books_are_the_openings_of_the_games() {
    let out = tempfile::tempdir().unwrap();
    let address = "http://127.0.0.1/books";
    let Ok(made) =
        Command::new("python3").arg(example("books")).arg(out.path()).arg(address).output()
    else {
        leap_testing::skip("python3", "Debian: apt-get install python3");
        return;
    };
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for game in &IDS {
        let about = fs::read_to_string(out.path().join(format!("{game}.epd.json"))).unwrap();
        let about: Value = serde_json::from_str(&about).unwrap();
        assert_eq!(about["source"], format!("{address}/{game}.epd.zip"));
        assert_eq!(about["sha"].as_str().unwrap().len(), 64);
        assert!(out.path().join(format!("{game}.epd.zip")).is_file());
    }
}

#[test]
fn the_script_for_a_site_refuses_waits_and_ends_as_its_page_says() {
    let Ok(tested) = Command::new("python3")
        .args(["-m", "unittest", "--quiet", "test_site"])
        .current_dir(example(""))
        .output()
    else {
        leap_testing::skip("python3", "Debian: apt-get install python3");
        return;
    };
    assert!(tested.status.success(), "{}", String::from_utf8_lossy(&tested.stderr));
}
