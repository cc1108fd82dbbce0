//! The links of a site: each that stays within it must lead to a file, and to a place in that file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use html5gum::{DefaultEmitter, SpanBound, StartTag, Token, Tokenizer};
use percent_encoding::percent_decode_str;

use crate::paths::{folder, resolve};

/// The links of a page, and the places in it that links can lead to.
#[derive(Debug, Default)]
struct Links {
    targets: BTreeSet<String>,
    places: BTreeSet<String>,
}

/// The links within a site that lead nowhere: `PAGE: LINK`.
///
/// # Errors
/// If a page cannot be read.
pub fn broken_links(dir: &Path) -> Result<Vec<String>> {
    let mut files = BTreeSet::new();
    list(dir, "", &mut files)?;
    let mut pages = BTreeMap::new();
    for path in files.iter().filter(|path| path.ends_with(".html")) {
        let html =
            fs::read_to_string(dir.join(path)).with_context(|| format!("cannot read '{path}'"))?;
        pages.insert(path.as_str(), read(&html));
    }
    let mut broken = Vec::new();
    for (page, links) in &pages {
        let leads = |link: &&String| !leads_somewhere(page, link, &files, &pages);
        broken.extend(links.targets.iter().filter(leads).map(|link| format!("{page}: {link}")));
    }
    Ok(broken)
}

/// The files below a folder.
fn list(dir: &Path, place: &str, files: &mut BTreeSet<String>) -> Result<()> {
    for entry in fs::read_dir(dir.join(place))? {
        let entry = entry?;
        let path = resolve(place, &entry.file_name().to_string_lossy()).unwrap_or_default();
        if entry.path().is_dir() {
            list(dir, &path, files)?;
        } else {
            files.insert(path);
        }
    }
    Ok(())
}

fn read(html: &str) -> Links {
    let mut links = Links::default();
    // What looks like a tag within a script is text.
    let mut emitter = DefaultEmitter::default();
    emitter.naively_switch_states(true);
    for token in Tokenizer::new_with_emitter(html, emitter).flatten() {
        if let Token::StartTag(tag) = token {
            links.targets.extend(["href", "src"].iter().filter_map(|name| attribute(&tag, name)));
            links.places.extend(["id", "name"].iter().filter_map(|name| attribute(&tag, name)));
        }
    }
    links
}

fn attribute<S: SpanBound>(tag: &StartTag<S>, name: &str) -> Option<String> {
    let value = tag.attributes.get(name.as_bytes())?;
    Some(String::from_utf8_lossy(&value.value).into_owned())
}

fn leads_somewhere(
    page: &str,
    link: &str,
    files: &BTreeSet<String>,
    pages: &BTreeMap<&str, Links>,
) -> bool {
    let (file, raw) = link.split_once('#').unwrap_or((link, ""));
    let [file, fragment] = [file, raw].map(|part| percent_decode_str(part).decode_utf8_lossy());
    let file = file.split('?').next().unwrap_or_default();
    let is_outside =
        file.starts_with("//") || file.split('/').next().is_some_and(|first| first.contains(':'));
    // rustdoc refers to a script with a trait's implementations elsewhere, even if it has not written this script.
    let is_optional = file.contains("trait.impl/") && file.ends_with(".js");
    if is_outside || is_optional {
        return true;
    }
    let place = if file.is_empty() { Some(page.to_owned()) } else { resolve(folder(page), file) };
    let Some(place) = place.filter(|_| !file.starts_with('/')) else { return false };
    let index =
        if place.is_empty() { "index.html".to_owned() } else { format!("{place}/index.html") };
    let Some(found) = [place, index].into_iter().find(|path| files.contains(path)) else {
        return false;
    };
    // A game in the address of the playable page is no place, nor is a range of lines of a source.
    let is_place = !fragment.is_empty() && !fragment.contains('=') && !is_lines(&fragment);
    // Browsers look for the fragment as it is written first, then for what it stands for.
    let has = |links: &Links| [raw, &fragment].iter().any(|place| links.places.contains(*place));
    !is_place || pages.get(&*found).is_some_and(has)
}

/// Whether a fragment names lines of a source, as in `3-7`.
fn is_lines(fragment: &str) -> bool {
    fragment.split_once('-').is_some_and(|(first, last)| {
        [first, last]
            .iter()
            .all(|line| !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_must_lead_to_files_and_places() {
        let site = tempfile::tempdir().unwrap();
        let index = "<a href='docs/a.html#x'>1</a> <a href='docs/'>2</a> <img src='docs/none.png'> \
                     <a href='docs/a.html#y'>3</a> <a href=\"https://x/y\">4</a> <a href='#here'>5</a> \
                     <p id=here> <a href='/docs/a.html'>6</a> <a href='docs/a.html#game=x'>7</a> \
                     <a href='docs/a.html#t%C3%A1'>8</a> <a href='../x'>9</a> <a href='docs/a.html#3-7'>10</a> \
                     <a href='docs/a.html#a%3Cb%3E'>11</a> <script>'<a href=\"none\">'</script>";
        for (path, text) in [
            ("index.html", index),
            ("docs/index.html", "<a href='../'>up</a>"),
            (
                "docs/a.html",
                "<h1 id=x></h1><a name='tá'></a><i id='a%3Cb%3E'></i><a href='b.html?q#x'>b</a>",
            ),
        ] {
            crate::write(&site.path().join(path), text).unwrap();
        }
        let expected = [
            "docs/a.html: b.html?q#x",
            "index.html: ../x",
            "index.html: /docs/a.html",
            "index.html: docs/a.html#y",
            "index.html: docs/none.png",
        ];
        assert_eq!(broken_links(site.path()).unwrap(), expected);
    }
}
