//! The engine's options in XBoard's settings dialog.

use leap_client::GAME_OPTIONS;
use leap_protocol::{OptionDecl, OptionKind};

/// The line that declares an option to XBoard; `None` for an option that users should not set.
pub(super) fn feature(option: &OptionDecl) -> Option<String> {
    // These would change the board without XBoard's knowledge.
    if GAME_OPTIONS.iter().any(|game| option.name.eq_ignore_ascii_case(game)) {
        return None;
    }
    let kind = match &option.kind {
        OptionKind::Check { default } => format!("check {}", u8::from(*default)),
        OptionKind::Spin { default, min, max } => format!("spin {default} {min} {max}"),
        OptionKind::Combo { default, vars } => {
            let star = |var: &String| if var == default { format!("*{var}") } else { var.clone() };
            format!("combo {}", vars.iter().map(star).collect::<Vec<_>>().join(" /// "))
        }
        OptionKind::Button => "button".to_owned(),
        OptionKind::String { default } => format!("string {default}"),
    };
    // A quote would end the text.
    let text = format!("{} -{kind}", option.name).replace('"', "'");
    Some(format!("feature option=\"{text}\""))
}

/// Converts a value from XBoard's form to the engine's.
pub(super) fn value<'a>(option: &OptionDecl, value: &'a str) -> &'a str {
    match (&option.kind, value) {
        (OptionKind::Check { .. }, "1") => "true",
        (OptionKind::Check { .. }, _) => "false",
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_declared_in_xboards_words() {
        let declare = |line: &str| match leap_protocol::Reply::parse(line) {
            leap_protocol::Reply::Option(option) => feature(&option),
            other => panic!("{other:?}"),
        };
        for (ours, theirs) in [
            ("option name Hash type spin default 16 min 1 max 64", "Hash -spin 16 1 64"),
            ("option name Clear Hash type button", "Clear Hash -button"),
            ("option name R type combo default a var a var b", "R -combo *a /// b"),
            ("option name S type check default true", "S -check 1"),
            ("option name N type string default <empty>", "N -string "),
        ] {
            assert_eq!(declare(ours), Some(format!("feature option=\"{theirs}\"")));
        }
        assert_eq!(declare("option name Game type combo default a var a"), None);
    }
}
