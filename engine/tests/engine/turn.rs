//! `query turn` agrees with the other queries about a move, however the move is entered.

use leap_core::laws::along_random_games;
use leap_core::{Game, SplitMix64, Square};
use leap_engine::Engine;
use leap_engine::options::Settings;
use leap_games::sapos::Sapos;
use leap_protocol::payload::{Awaited, Effects, Legality, Tokens, Turn, TurnEnd};
use leap_protocol::{ErrorReply, Query, Reply, Start};
use leap_search::Playable;

/// One position in this many is asked about.
const POSITIONS: usize = 12;
/// Moves entered in each position.
const MOVES: usize = 3;

fn agrees_with_the_other_queries<R: Playable>(rules: &R) {
    along_random_games(rules, |game, moves, rng| {
        if rng.below(POSITIONS) > 0 {
            return;
        }
        let engine = Asked(engine_at(game));
        engine.begins_as_next_says("");
        for _ in 0..MOVES {
            let mv = moves[rng.below(moves.len())];
            let steps = rules.route(game.current(), mv).0;
            let mut text = String::new();
            let mut before = Vec::new();
            for step in steps {
                engine.refuses_what_legal_refuses::<R>(&text, rng);
                text.push_str(&step.text(R::GEOMETRY));
                let turn = engine.begins_as_next_says(&text);
                assert!(turn.effects.0.starts_with(&before), "{text}: {turn}");
                before.clone_from(&turn.effects.0);
            }
        }
    });
}

/// An engine in the position of a record, with its history and its rules.
fn engine_at<R: Playable>(game: &Game<R>) -> Box<dyn Engine> {
    let played = game.positions().iter().zip(game.moves());
    let moves: Vec<String> =
        played.map(|(position, mv)| game.rules().print_move(position, *mv)).collect();
    let mut engine = leap_engine::engine(game.rules().clone());
    engine.set_up(&Start::StartPos, &moves).unwrap();
    engine
}

struct Asked(Box<dyn Engine>);

impl Asked {
    fn ask(&self, query: &Query) -> Result<String, ErrorReply> {
        let replies = self.0.answer(query, &Settings::default())?;
        let [Reply::Response(body)] = &replies[..] else { panic!("{query}: {replies:?}") };
        Ok(body.clone())
    }

    fn turn(&self, text: &str) -> Turn {
        let body = self.ask(&Query::Turn(Some(text.to_owned()))).unwrap();
        let turn: Turn = body.parse().unwrap();
        assert_eq!(turn.to_string(), body);
        turn
    }

    /// The beginning of a legal move: what may follow, how it ends, and what is awaited after each token.
    fn begins_as_next_says(&self, text: &str) -> Turn {
        let turn = self.turn(text);
        assert_eq!((turn.entered.as_str(), &turn.refused), (text, &None));
        let next: Tokens = self.ask(&Query::Next(Some(text.to_owned()))).unwrap().parse().unwrap();
        let end = turn.may_end().then(|| Tokens::END.to_owned());
        let tokens: Vec<String> =
            turn.next.iter().map(|next| next.token.clone()).chain(end).collect();
        assert_eq!(tokens, next.0, "{text}");
        assert_eq!(turn.awaits.contains(&Awaited::End), turn.may_end());
        for next in &turn.next {
            assert!(turn.awaits.contains(&next.kind));
            assert_eq!(self.turn(&format!("{text}{}", next.token)).awaits, next.then, "{text}");
        }
        self.ends_as_legal_says(text, &turn);
        turn
    }

    fn ends_as_legal_says(&self, text: &str, turn: &Turn) {
        let query = Query::Effects(text.to_owned());
        match &turn.end {
            TurnEnd::Move { mv, .. } => {
                let effects: Effects = self.ask(&query).unwrap().parse().unwrap();
                assert_eq!(turn.whole_effects(), Some(effects), "{text}");
                assert_eq!(self.turn(mv).end, TurnEnd::Move { mv: mv.clone(), effects: end(turn) });
            }
            TurnEnd::Unfinished { .. } if text.is_empty() => {}
            TurnEnd::Unfinished { reason, at } => {
                assert_eq!(self.legality(text), Some((reason.clone(), at.clone())), "{text}");
                assert!(self.ask(&query).is_err(), "{text}");
            }
        }
    }

    /// Why a text is illegal.
    fn legality(&self, text: &str) -> Option<(String, Option<String>)> {
        match self.ask(&Query::Legal(text.to_owned())).unwrap().parse().unwrap() {
            Legality::Legal => None,
            Legality::Illegal { reason, at, .. } => Some((reason, at)),
        }
    }

    /// A square, a drop or a removal somewhere on the board: it may follow, or the reason is that of `query legal`.
    fn refuses_what_legal_refuses<R: Playable>(&self, text: &str, rng: &mut SplitMix64) {
        let mark = ["", "", "@", "x"][rng.below(4)];
        let square = R::GEOMETRY.name(Square::new(rng.below(R::GEOMETRY.squares())));
        let token = format!("{mark}{square}");
        let wrong = format!("{text}{token}");
        let (before, turn) = (self.turn(text), self.turn(&wrong));
        let offered = before.next.iter().any(|next| next.token == token);
        assert_eq!(turn.refused.is_none(), offered, "{wrong}");
        if let Some(refused) = turn.refused {
            assert_eq!(turn.entered, text, "{wrong}");
            assert_eq!((turn.effects, turn.end), (before.effects, before.end), "{wrong}");
            let (reason, at) = self.legality(&wrong).unwrap();
            // If the piece can end no move, `query legal` only says that the text is too short.
            assert!(
                reason == "incomplete" || (reason, at) == (refused.reason, refused.at),
                "{wrong}"
            );
        }
    }
}

/// What ending the move does.
fn end(turn: &Turn) -> Effects {
    let TurnEnd::Move { effects, .. } = &turn.end else { panic!("{turn}") };
    effects.clone()
}

/// A route of so many squares, to and fro over a friend, in the start position of Sapos.
fn circle(squares: usize) -> String {
    ["d2", "d4"].into_iter().cycle().take(squares).collect()
}

#[test]
fn tokens_lead_to_moves_of_up_to_1024_squares() {
    let asked = Asked(leap_engine::engine(Sapos::default()));
    for squares in 1015..=1023 {
        let text = circle(squares);
        let turn = asked.begins_as_next_says(&text);
        for token in turn.next.iter().map(|next| &next.token) {
            let text = format!("{text}{token}");
            let after = asked.turn(&text);
            let drop = after.next.iter().find(|next| next.token.starts_with('@'));
            let whole = drop.map_or(text.clone(), |drop| format!("{text}{}", drop.token));
            assert_eq!(asked.legality(&whole), None, "{squares} squares, {token}");
        }
        let is_last = squares == 1023;
        assert_eq!(turn.awaits.contains(&Awaited::Step), !is_last, "{squares}: {turn}");
    }
    let whole = circle(1023) + "@c2";
    assert_eq!(asked.turn(&whole).awaits, [Awaited::End]);
    let too_long = circle(1024);
    let refused = asked.ask(&Query::Next(Some(too_long.clone()))).unwrap_err();
    assert!(refused.to_string().contains(" reason too-long at - : "), "{refused}");
    let turn = asked.turn(&too_long);
    assert_eq!(turn.entered, circle(1023));
    assert_eq!(turn.refused.unwrap().reason, "too-long");
}

#[test]
fn every_query_about_a_move_agrees_in_every_game() {
    fn check<R: Playable>() {
        R::variants().iter().for_each(agrees_with_the_other_queries);
    }
    leap_games::games!(check());
}
