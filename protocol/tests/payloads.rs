//! What the bodies of `response` lines mean.

use leap_protocol::payload::{
    Awaited, Effect, Effects, GameInfo, GameResult, Legality, MoveList, NextToken, PayloadError,
    ProtocolInfo, Side, Status, Tally, Tokens, Turn, TurnEnd, Values, YesNo,
};

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn the_questions_of_ugi_have_one_word_answers() {
    assert_eq!("true".parse(), Ok(YesNo(true)));
    assert_eq!(" false ".parse(), Ok(YesNo(false)));
    for (word, result) in [
        ("p1win", GameResult::P1Win),
        ("p2win", GameResult::P2Win),
        ("draw", GameResult::Draw),
        ("none", GameResult::None),
    ] {
        assert_eq!(word.parse(), Ok(result));
        assert_eq!(result.to_string(), word);
    }
}

#[test]
fn pairs_of_a_later_version_are_skipped() {
    assert_eq!("true since 4".parse(), Ok(YesNo(true)));
    assert_eq!("draw agreed true".parse(), Ok(GameResult::Draw));
    assert_eq!("true line a1-b2".parse(), Ok(Legality::Legal));
    let moves = words("a1 b2");
    assert_eq!("2 a1 b2 cut false".parse(), Ok(MoveList { moves: moves.clone(), more: false }));
    assert_eq!("2 a1 b2 start 0".parse(), Ok(MoveList { moves: moves.clone(), more: false }));
    assert_eq!("2+ a1 b2".parse(), Ok(MoveList { moves, more: true }));
}

#[test]
fn a_count_must_be_met_and_allocates_nothing() {
    for body in ["", "2 a1", "18446744073709551615 a1", "-1", "x a1", "99999999999999999999"] {
        assert!(body.parse::<MoveList>().is_err(), "{body:?}");
    }
}

#[test]
fn an_illegal_move_has_a_reason_and_perhaps_a_square() {
    assert_eq!(
        "false empty-square at c3 : there is no piece on c3".parse(),
        Ok(Legality::Illegal {
            reason: "empty-square".to_owned(),
            at: Some("c3".to_owned()),
            text: "there is no piece on c3".to_owned()
        })
    );
    let nowhere = Legality::Illegal {
        reason: "bad-text".to_owned(),
        at: None,
        text: "expected a square".to_owned(),
    };
    assert_eq!(nowhere.to_string(), "false bad-text at - : expected a square");
    assert_eq!("false bad-text : expected a square".parse(), Ok(nowhere.clone()));
    assert_eq!("false bad-text hint x at - : expected a square".parse(), Ok(nowhere));
    assert!("false".parse::<Legality>().is_err());
    assert!("false blocked at c3".parse::<Legality>().is_err());
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
fn the_protocol_names_its_extensions() {
    let info: ProtocolInfo = "leap 1.0 fen moves".parse().unwrap();
    assert_eq!(info.version, "1.0");
    assert!(info.supports("moves") && !info.supports("eval"));
    assert!("frog 1.0".parse::<ProtocolInfo>().is_err());
    assert!("leap".parse::<ProtocolInfo>().is_err());
}

#[test]
fn next_tokens_say_whether_the_move_may_end() {
    let tokens: Tokens = "c3 @d4 end".parse().unwrap();
    assert_eq!(tokens, Tokens(words("c3 @d4 end")));
    assert!(tokens.may_end());
    assert_eq!("".parse(), Ok(Tokens(vec![])));
    assert!(!Tokens(words("c3")).may_end());
}

#[test]
fn a_game_has_its_options_in_force() {
    let game: GameInfo = "alquerque MaxPlies 400 AlquerqueCapture optional".parse().unwrap();
    assert_eq!(game.game, "alquerque");
    assert_eq!(game.options.get("AlquerqueCapture"), Some("optional"));
    assert_eq!(game.options.get("AlquerqueQuietLimit"), None);
    assert!("".parse::<GameInfo>().is_err());
    assert!("alquerque MaxPlies".parse::<GameInfo>().is_err());
}

#[test]
fn effects_come_in_the_order_they_happen() {
    let effects: Effects =
        "from b2 to d4 captured c3 removed d4 flipped c1=S~ dropped b1=M points 3 sound plop"
            .parse()
            .unwrap();
    assert_eq!(
        effects.0,
        [
            Effect::From("b2".to_owned()),
            Effect::To("d4".to_owned()),
            Effect::Captured("c3".to_owned()),
            Effect::Removed("d4".to_owned()),
            Effect::Changed("flipped".to_owned(), "c1".to_owned(), "S~".to_owned()),
            Effect::Dropped("b1".to_owned(), "M".to_owned()),
            Effect::Points(3),
            Effect::Other("sound".to_owned(), "plop".to_owned()),
        ]
    );
    assert!("from b2 points many".parse::<Effects>().is_err());
}

#[test]
fn a_turn_tells_what_may_follow_what_it_does_and_how_it_ends() {
    let body = "entered a1c3 awaits step,end drops 0 next 2 step e5=step,end step @b2=end effects 3 \
                from a1 to c3 captured b2 end a1c3 points 1 side 2 extra - quiet 0 ply 7";
    let turn: Turn = body.parse().unwrap();
    assert_eq!(turn.awaits, [Awaited::Step, Awaited::End]);
    assert_eq!(
        turn.next[1],
        NextToken { kind: Awaited::Step, token: "@b2".to_owned(), then: vec![Awaited::End] }
    );
    let whole = "from a1 to c3 captured b2 points 1 side 2 extra - quiet 0 ply 7";
    assert_eq!(turn.whole_effects(), Some(whole.parse().unwrap()));
    assert!(turn.may_end() && turn.refused.is_none());
    assert_eq!(turn.to_string(), body);
}

#[test]
fn a_turn_tells_where_and_why_it_goes_wrong() {
    let body = "entered - refused empty-square at c3 awaits first drops 0 next 0 effects 0 \
                unfinished incomplete at - : c3: there is no piece";
    let turn: Turn = body.parse().unwrap();
    let refused = turn.refused.clone().unwrap();
    assert_eq!((turn.entered.as_str(), refused.reason.as_str()), ("", "empty-square"));
    assert_eq!((refused.at.as_deref(), &*refused.text), (Some("c3"), "c3: there is no piece"));
    assert_eq!(turn.end, TurnEnd::Unfinished { reason: "incomplete".to_owned(), at: None });
    assert_eq!(turn.to_string(), body);
    let later = body.replace(" : ", " since 7 : ");
    assert_eq!(later.parse(), Ok(turn), "pairs of a later version are skipped");
}

#[test]
fn a_turn_whose_counts_are_not_met_is_none() {
    for body in [
        "",
        "entered",
        "entered - awaits first drops 0 next 1 effects 0 unfinished incomplete at -",
        "entered - awaits first drops 0 next 99999999999 effects 0 unfinished incomplete at -",
        "entered - awaits first drops 0 next 0 effects 2 from a1 unfinished incomplete at -",
        "entered - awaits perhaps drops 0 next 0 effects 0 unfinished incomplete at -",
        "entered - awaits none drops 0 next 0 effects 0",
        "entered - refused blocked at a1 awaits none drops 0 next 0 effects 0 unfinished blocked at a1",
    ] {
        assert!(body.parse::<Turn>().is_err(), "{body:?}");
    }
}

#[test]
fn a_body_of_the_wrong_kind_is_named_in_the_error() {
    let error: PayloadError = "perhaps".parse::<YesNo>().unwrap_err();
    assert_eq!(error.to_string(), "expected 'true' or 'false', found 'perhaps'");
    let error = "y".repeat(1000).parse::<GameResult>().unwrap_err();
    assert!(error.to_string().len() < 100, "{error}");
}

#[test]
fn values_say_how_far_they_reach_and_which_moves_are_known() {
    let unknown: Values = "unknown - reach 0 moves 0".parse().unwrap();
    assert_eq!(unknown, Values::default());
    let later = "draw - reach 7 moves 1 a1b2 draw - asked 3";
    assert_eq!(later.parse::<Values>().unwrap().moves.len(), 1);
    for body in ["", "good 3 reach 7 moves 0", "win x reach 7 moves 0", "win 3 moves 0"] {
        assert!(body.parse::<Values>().is_err(), "{body}");
    }
    assert!("win 3 reach 7 moves 2 a1b2 win 3".parse::<Values>().is_err(), "one move is missing");
}
