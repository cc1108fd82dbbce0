//! A page or a source with a fault of each kind: what is said of it, and where.

use super::{faults_of_source, rules};

const TWENTY_SIX: &str = "one two three four five six seven eight nine ten eleven twelve thirteen \
     fourteen fifteen sixteen seventeen eighteen nineteen twenty one two three four five six";

/// What is said of a page.
fn told(page: &str) -> Vec<String> {
    rules().faults_of_page(page).iter().map(ToString::to_string).collect()
}

/// These words, three on a line.
fn wrapped(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    words.chunks(3).map(|line| line.join(" ") + "\n").collect()
}

#[test]
fn a_page_is_told_its_faults_in_order_with_lines_and_advice() {
    let page = format!(
        "# Mostly headings\n\nA line.\nWe start at\nonce.\n\n{TWENTY_SIX}.\n\n- Lines of {}\n",
        "x".repeat(111)
    );
    assert_eq!(
        told(&page),
        [
            "1: 'Mostly': write 'usually'",
            "4: 'at once': write 'immediately', or 'at the same time'",
            "7: 160 columns, expected at most 120",
            "7: 26 words, expected at most 25: \
             one two three four five six seven eight nine ten eleven twel",
            "9: 122 columns, expected at most 120",
        ]
    );
}

#[test]
fn a_long_sentence_is_found_where_it_begins() {
    for (before, line) in [("", 1), ("Short.\n", 2), ("Short.\n\n> ", 3), ("1. ", 1), ("A. B\n", 1)]
    {
        let found = told(&format!("{before}{}", wrapped(TWENTY_SIX)));
        let words = if before == "A. B\n" { 27 } else { 26 };
        assert_eq!(found.len(), 1, "{before:?}: {found:?}");
        assert!(found[0].starts_with(&format!("{line}: {words} words")), "{before:?}: {found:?}");
    }
}

#[test]
fn twenty_five_words_and_dashes_are_no_fault() {
    let (_, twenty_five) = TWENTY_SIX.split_once(' ').unwrap();
    assert!(told(&wrapped(twenty_five)).is_empty());
    assert!(told(&wrapped(&twenty_five.replace("ten", "ten –"))).is_empty());
}

#[test]
fn a_sentence_ends_at_a_point_with_a_blank_and_after_quotes_but_not_after_an_abbreviation() {
    let ten = "one two three four five six seven eight nine ten";
    for end in [".", "?", "!", ".)", ".\"", ".**"] {
        let start = if end == ".**" { "**" } else { "" };
        let page = wrapped(&format!("{start}{ten}{end} {ten} {ten}"));
        assert!(told(&page).is_empty(), "{end}: {:?}", told(&page));
    }
    for end in ["", ",", ";", ":", ", e.g.", " (i.e."] {
        let page = wrapped(&format!("{ten}{end} {ten} {ten}"));
        assert_eq!(told(&page).len(), 1, "{end}");
    }
}

#[test]
fn a_code_span_and_an_address_are_one_word_and_a_link_is_its_text() {
    let twenty_four = TWENTY_SIX.rsplit_once(" five").unwrap().0;
    for one in [
        "`at once mostly whom`",
        "<https://example.org/mostly>",
        "https://example.org/one/two",
        "[link](https://example.org/one/two)",
        "[`at once`](whom.md)",
        "![picture](images/mostly.png)",
    ] {
        let page = wrapped(twenty_four) + one + "\n";
        assert!(told(&page).is_empty(), "{one}: {:?}", told(&page));
        assert_eq!(told(&(page + "more words")).len(), 1, "{one}");
    }
}

#[test]
fn code_is_not_read_and_tables_are_as_wide_as_they_are() {
    let code = format!("{TWENTY_SIX} mostly");
    assert!(told(&format!("```text\n{code}\n```\n")).is_empty());
    assert!(told(&format!("~~~~\n```\n{code}\n~~~~\n")).is_empty());
    assert!(told(&format!("Code:\n\n    {code}\n")).is_empty());
    let wide = "x".repeat(130);
    assert!(told(&format!("| a | b |\n|---|---|\n| {wide} | at most |\n")).is_empty());
    assert!(told(&format!("- list\n\n  | a |\n  |---|\n  | {wide} |\n")).is_empty());
    assert_eq!(
        told(&format!("| a |\n|---|\n| {wide} |\n\n{wide}\n")),
        ["5: 130 columns, expected at most 120"]
    );
}

#[test]
fn a_cell_of_a_table_is_read() {
    assert_eq!(told("| a | b |\n|---|---|\n| c | mostly |\n"), ["3: 'mostly': write 'usually'"]);
    let page = format!("| a | b |\n|---|---|\n| c | {TWENTY_SIX} |\n");
    assert!(told(&page)[0].starts_with("3: 26 words"));
}

#[test]
fn words_are_found_whole_and_in_any_case_unless_the_rule_has_capitals() {
    for page in ["whomever", "lesty", "It has so many moves.", "nor does", "pertaining to once"] {
        assert!(told(page).is_empty(), "{page}: {:?}", told(page));
    }
    for page in ["Whom", "foretells", "So many moves", "Nor does it", "It puts off", "AT ONCE"] {
        assert_eq!(told(page).len(), 1, "{page}");
    }
}

#[test]
fn comments_are_read_and_code_is_not() {
    for (path, source, found) in [
        ("a.rs", "//! Mostly.\n", &[1][..]),
        ("a.rs", "fn a() {\n    // A comment at\n    // once.\n}\n", &[2]),
        ("a.rs", "/// First.\n///\n/// ```\n/// at_once(); // mostly\n/// ```\n", &[]),
        ("a.rs", "/// ```\n// mostly\n", &[2]),
        ("a.rs", "let mostly = \"whom\";\nlet a = b\n    * mostly;\n", &[]),
        ("a.js", "/**\n * It is mostly\n * @param a mostly\n */\n* mostly;\n", &[2, 3]),
        ("a.js", "/**\n * @type {{ mostly: {\n *   b: C } }} mostly\n */\n", &[3]),
        ("a.js", "/* mostly */\n* mostly;\n", &[1]),
        ("a.py", "#!/usr/bin/mostly\nmostly = 1\n    # mostly\n", &[3]),
        ("a.toml", "# mostly\n", &[1]),
        ("a.txt", "# mostly\n// mostly\n", &[]),
    ] {
        let faults = faults_of_source(&rules(), path, source);
        let lines = faults.iter().map(|fault| fault.to_string().split(':').next().unwrap().parse());
        let lines: Vec<usize> = lines.map(Result::unwrap).collect();
        assert_eq!(lines, found, "{path}: {source}");
    }
}

#[test]
fn a_long_sentence_of_a_comment_is_found_where_it_begins() {
    let comment: String = wrapped(TWENTY_SIX).lines().map(|line| format!("/// {line}\n")).collect();
    let source = format!("fn a() {{}}\n\n/// Short.\n{comment}fn b() {{}}\n");
    let faults = faults_of_source(&rules(), "a.rs", &source);
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("4: 26 words"), "{told:?}");
    // Comments of two kinds are two.
    let halves = source.replacen("/// ten", "// ten", 1);
    assert!(faults_of_source(&rules(), "a.rs", &halves).is_empty());
}
