//! What the bodies of `response` lines mean.

use std::fmt::Debug;
use std::str::FromStr;

use leap_protocol::payload::{
    Effects, GameInfo, GameResult, Legality, MoveList, ProtocolInfo, Side, Status, Tally, Turn,
    Values, YesNo,
};

fn reads_as<T: FromStr<Err: Debug> + ToString>(body: &str, printed: &str) {
    assert_eq!(body.parse::<T>().unwrap().to_string(), printed);
}

#[test]
fn pairs_of_a_later_version_are_skipped() {
    reads_as::<YesNo>(" true since 4", "true");
    reads_as::<GameResult>("draw agreed true", "draw");
    reads_as::<Legality>("true line a1-b2", "true");
    reads_as::<Legality>("false bad-text : a b", "false bad-text at - : a b");
    reads_as::<Legality>("false bad-text hint x at c3 : a b", "false bad-text at c3 : a b");
    reads_as::<MoveList>("2 a1 b2 cut false", "2 a1 b2");
    reads_as::<Values>("draw - reach 7 moves 0 asked 3", "draw - reach 7 moves 0");
    let turn = "entered - refused empty-square at c3 awaits first drops 0 next 0 effects 0 \
                unfinished incomplete at - : c3: there is no piece";
    reads_as::<Turn>(&turn.replace(" : ", " since 7 : "), turn);
}

#[test]
fn a_status_is_typed_and_keeps_what_it_does_not_know() {
    let status: Status =
        "turn p2 over false weather wet result none reason none ply 3 quiet 1 repetitions 2 \
         points 5--4"
            .parse()
            .unwrap();
    assert_eq!(status.turn, Side::P2);
    assert_eq!((status.ply, status.quiet, status.repetitions), (3, 1, 2));
    assert_eq!(status.tally("points"), Some(Tally::Each(5, -4)));
    assert_eq!(status.tally("men"), None);
    assert_eq!(status.other, [("weather".to_owned(), "wet".to_owned())]);
}

#[test]
fn a_status_that_lacks_or_garbles_a_pair_is_refused() {
    let message = |body: &str| body.parse::<Status>().unwrap_err().to_string();
    let good = "over false result none reason none turn p1 ply 0 quiet 0 repetitions 1";
    assert_eq!(message(""), "expected over with 'true' or 'false', found no such pair");
    assert_eq!(message(&good.replace("p1", "p3")), "expected turn with 'p1' or 'p2', found 'p3'");
    assert!(message(&format!("{good} men")).starts_with("expected pairs of a key and a value"));
}

#[test]
fn bodies_of_another_form_are_refused() {
    fn refused<T: FromStr + Debug>(bodies: &[&str]) {
        for body in bodies {
            assert!(body.parse::<T>().is_err(), "{body:?}");
        }
    }
    let most = u64::MAX;
    refused::<MoveList>(&["", "2 a1", &format!("{most} a1"), &format!("{most}9"), "-1", "x a1"]);
    refused::<Legality>(&["false", "false blocked at c3"]);
    refused::<ProtocolInfo>(&["frog 1.0", "leap"]);
    refused::<GameInfo>(&["", "alquerque MaxPlies"]);
    refused::<Effects>(&["from b2 points many"]);
    refused::<Values>(&["", "good 3 reach 7 moves 0", "win x reach 7 moves 0", "win 3 moves 0"]);
    refused::<Values>(&["win 3 reach 7 moves 2 a1b2 win 3"]);
    refused::<Turn>(&[
        "",
        "entered",
        "entered - awaits first drops 0 next 1 effects 0 unfinished incomplete at -",
        "entered - awaits first drops 0 next 99999999999 effects 0 unfinished incomplete at -",
        "entered - awaits first drops 0 next 0 effects 2 from a1 unfinished incomplete at -",
        "entered - awaits perhaps drops 0 next 0 effects 0 unfinished incomplete at -",
        "entered - awaits none drops 0 next 0 effects 0",
        "entered - refused blocked at a1 awaits none drops 0 next 0 effects 0 unfinished blocked at a1",
    ]);
}

#[test]
fn a_body_of_the_wrong_kind_is_named_in_the_error() {
    let error = "perhaps".parse::<YesNo>().unwrap_err();
    assert_eq!(error.to_string(), "expected 'true' or 'false', found 'perhaps'");
    let error = "y".repeat(1000).parse::<GameResult>().unwrap_err();
    assert!(error.to_string().len() < 100, "{error}");
}
