//! The modules of a crate, and which of them name each other.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A module, as the names that lead to it from the root of its crate.
type Module = Vec<String>;

/// The modules of a crate that reach themselves through modules beside them.
///
/// `files` are the files of the crate with their code, in the folder `source`.
pub(crate) fn in_circle(files: &[(PathBuf, String)], source: &Path) -> Vec<String> {
    let neighbours = neighbours(&modules(files, source));
    let is_in_circle = |module: &&Module| reached(module, &neighbours).contains(*module);
    neighbours.keys().filter(is_in_circle).map(|module| module.join("::")).collect()
}

/// The modules of a crate, each with the modules of the same crate that its code names.
fn modules(files: &[(PathBuf, String)], source: &Path) -> BTreeMap<Module, BTreeSet<Module>> {
    let files = files.iter().map(|(file, code)| {
        let inside = file.strip_prefix(source).unwrap().with_extension("");
        let mut names: Module =
            inside.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
        let is_root = names.len() == 1 && ["lib", "main"].contains(&names[0].as_str());
        if is_root || names.last().is_some_and(|name| name == "mod") {
            names.pop();
        }
        (names, code)
    });
    let mut codes: BTreeMap<Module, String> = BTreeMap::new();
    for (module, code) in files {
        codes.entry(module).or_default().push_str(code);
    }
    let named = |module: &Module, code: &str| {
        paths(code).iter().map(|path| resolve(module, path, &codes)).collect::<BTreeSet<_>>()
    };
    codes.iter().map(|(module, code)| (module.clone(), named(module, code))).collect()
}

/// The module that a path leads to, seen from a module.
fn resolve(from: &Module, path: &[&str], codes: &BTreeMap<Module, String>) -> Module {
    let mut module = if path[0] == "crate" { Vec::new() } else { from.clone() };
    for name in path.iter().skip(usize::from(path[0] == "crate")) {
        if *name == "super" {
            module.pop();
            continue;
        }
        module.push((*name).to_owned());
        if !codes.contains_key(&module) {
            module.pop();
            break;
        }
    }
    module
}

/// The paths in some code that begin with `crate::` or `super::`, those of a group one by one.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            if !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
                unfold(&mut &code[at..], &[], &mut found);
            }
        }
    }
    found
}

/// Reads one path, or all paths of a group in braces, behind a path.
fn unfold<'a>(code: &mut &'a str, before: &[&'a str], found: &mut Vec<Vec<&'a str>>) {
    let mut path = before.to_vec();
    loop {
        let is_end = |c: char| !c.is_alphanumeric() && c != '_';
        let (name, rest) = code.split_at(code.find(is_end).unwrap_or(code.len()));
        path.extend(Some(name).filter(|name| !name.is_empty()));
        let Some(rest) = rest.strip_prefix("::") else { break *code = rest };
        *code = rest;
        if let Some(group) = code.strip_prefix('{') {
            *code = group;
            while !code.is_empty() && !code.starts_with('}') {
                *code = code.trim_start();
                unfold(code, &path, found);
                *code = code.trim_start_matches(|c| c != ',' && c != '}');
                *code = code.strip_prefix(',').unwrap_or(code).trim_start();
            }
            *code = code.strip_prefix('}').unwrap_or(code);
            return;
        }
    }
    found.push(path);
}

/// For each module with others beside it, those others that it names. What is inside a module counts as the module.
fn neighbours(modules: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut neighbours: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, named) in modules {
        for to in named {
            let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
            if shared < from.len() && shared < to.len() {
                let to = to[..=shared].to_vec();
                neighbours.entry(from[..=shared].to_vec()).or_default().insert(to);
            }
        }
    }
    neighbours
}

/// Everything that a module reaches through its neighbours.
fn reached(from: &Module, neighbours: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<Module> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(module) = next.pop() {
        let more = neighbours.get(module).into_iter().flatten();
        next.extend(more.filter(|module| reached.insert((*module).clone())));
    }
    reached
}

#[test]
fn paths_are_read_one_by_one() {
    let code = "use super::{a::{B, c::*}, d}; let x = crate::e::f(super::super::g); mycrate::h();";
    let texts: BTreeSet<String> = paths(code).iter().map(|path| path.join("::")).collect();
    let expected = ["super::a::B", "super::a::c", "super::d", "crate::e::f", "super::super::g"]
        .map(str::to_owned);
    assert_eq!(texts, BTreeSet::from(expected));
}
