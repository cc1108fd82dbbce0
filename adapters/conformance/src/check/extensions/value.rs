//! Exact values: of positions with few men, of their moves, and of finished games.

use leap_client::notation::Placement;
use leap_protocol::ErrorCode;
use leap_protocol::payload::{Effect, Exact, ExactResult, GameResult, MoveList, Values, YesNo};

use super::{Walk, along, along_a_whole_game, step};
use crate::check::context::Context;
use crate::check::engine::{CheckedEngine, quoted};
use crate::check::outcome::{StepResult, ensure, fail};
use crate::check::step::Step;

/// Plies of the random games.
const PLIES: usize = 24;
/// Positions with few men made from each position of a random game.
const THINNED: usize = 3;
/// The most men of such a position.
const FEW: usize = 5;
/// Moves made in each position.
const MOVES: usize = 4;

pub(super) fn steps() -> Vec<Step> {
    let needs = &["value", "moves", "fen"];
    vec![
        step("4.50", "value-changes-nothing", changes_nothing).needs(needs),
        step("4.51", "values-are-of-legal-moves", of_legal_moves).needs(needs),
        step("4.51", "values-within-reach-are-known", known_within_reach).needs(needs),
        step("4.51", "values-of-moves-are-those-after-them", as_after_the_move).needs(needs),
        step("4.52", "value-is-that-of-the-best-move", of_the_best_move).needs(needs),
        step("4.53", "value-of-a-finished-game", of_a_finished_game).needs(needs),
    ]
}

fn changes_nothing(ctx: &Context<'_>) -> StepResult {
    let mut engine = ctx.set_up()?;
    engine.refused("query value now", &[ErrorCode::BadArgument])?;
    along(&mut engine, 31, PLIES, |engine, _, list| {
        let before = engine.ask("fen")?;
        let _: Values = engine.ask_for("value")?;
        let after = engine.ask("fen")?;
        ensure(before == after, format!("the same position as before: {before}"), after)?;
        let moves: MoveList = engine.ask_for("moves")?;
        ensure(moves == *list, format!("the same moves as before: {list}"), moves.to_string())
    })
}

/// A position with few men.
struct Few {
    fen: String,
    men: usize,
    values: Values,
    list: MoveList,
}

/// Visits positions with few men, which have no history. They are those of a random game without most of the men. An
/// engine need not accept them all.
fn along_few(
    ctx: &Context<'_>,
    seed: u64,
    mut visit: impl FnMut(&mut CheckedEngine<'_>, &mut Walk, &Few) -> StepResult,
) -> StepResult {
    along(&mut ctx.set_up()?, seed, PLIES, |engine, walk, _| {
        let fen = engine.ask("fen")?;
        for _ in 0..THINNED {
            let Some((fen, men)) = thinned(walk, &fen) else {
                return fail("a position text that begins with a board", quoted(&fen));
            };
            if engine.tolerated(&format!("position fen {fen}"))?.is_empty() {
                let (values, list) = (engine.ask_for("value")?, engine.ask_for("moves")?);
                visit(engine, walk, &Few { fen, men, values, list })?;
            }
        }
        Ok(())
    })
}

/// The position without some of its men, at the beginning of a game, and the number of men left.
fn thinned(walk: &mut Walk, fen: &str) -> Option<(String, usize)> {
    let (board, rest) = fen.split_once(' ')?;
    let mut board = Placement::parse(board)?;
    let is_taken = |square: &String| board.get(square).is_some();
    let mut men: Vec<String> = board.squares().into_iter().filter(is_taken).collect();
    let left = 2 + walk.below(FEW - 1);
    while men.len() > left {
        let square = men.swap_remove(walk.below(men.len()));
        board.apply(&[Effect::Removed(square)]).ok()?;
    }
    let [side, extra, ..] = rest.split(' ').collect::<Vec<_>>()[..] else { return None };
    Some((format!("{board} {side} {extra} 0 0"), men.len()))
}

fn of_legal_moves(ctx: &Context<'_>) -> StepResult {
    along_few(ctx, 32, |_, _, Few { values, list, .. }| {
        let shown = || quoted(&values.to_string());
        let is_known = |exact: &Exact| exact.result != ExactResult::Unknown;
        let knows_all = values.moves.iter().all(|(_, exact)| is_known(exact));
        ensure(knows_all, "only moves whose value is known", shown())?;
        if !list.more {
            let mut legal = list.moves.iter();
            let is_ordered = values.moves.iter().all(|(mv, _)| legal.any(|known| known == mv));
            ensure(is_ordered, format!("moves of {list}, each once and in this order"), shown())?;
        }
        let is_over = list.moves.is_empty();
        let knows_nothing = values.moves.is_empty() && (is_over || !is_known(&values.position));
        ensure(values.reach > 0 || knows_nothing, "no values, as the reach is 0", shown())
    })
}

fn known_within_reach(ctx: &Context<'_>) -> StepResult {
    along_few(ctx, 33, |_, _, Few { men, values, list, fen }| {
        if values.reach == 0 || *men as u64 > values.reach {
            return Ok(());
        }
        let is_known = values.position.result != ExactResult::Unknown;
        let knows_all = values.more || list.more || values.moves.len() == list.moves.len();
        let expected = format!("values of {fen} and of its moves {list}");
        ensure(is_known && knows_all, expected, quoted(&values.to_string()))
    })
}

/// The result that the other side sees.
const fn flipped(result: ExactResult) -> ExactResult {
    match result {
        ExactResult::Win => ExactResult::Loss,
        ExactResult::Loss => ExactResult::Win,
        other => other,
    }
}

fn as_after_the_move(ctx: &Context<'_>) -> StepResult {
    along_few(ctx, 34, |engine, walk, Few { fen, values, .. }| {
        let YesNo(was_p1) = engine.ask_for("p1turn")?;
        let mut moves: Vec<&(String, Exact)> = values.moves.iter().collect();
        while moves.len() > MOVES {
            moves.remove(walk.below(moves.len()));
        }
        for (mv, told) in moves {
            engine.send(&format!("position fen {fen} moves {mv}"))?;
            let Values { position: after, .. } = engine.ask_for("value")?;
            let YesNo(is_p1) = engine.ask_for("p1turn")?;
            let wanted = if is_p1 == was_p1 { after.result } else { flipped(after.result) };
            // After a capture a new count of plies begins.
            let plies = [Some(1), after.plies.map(|plies| plies + 1)];
            let fits =
                told.result == wanted && (told.plies.is_none() || plies.contains(&told.plies));
            let expected = format!("a value of {mv} in {fen} that fits the one after it: {after}");
            ensure(fits || after.result == ExactResult::Unknown, expected, told.to_string())?;
        }
        Ok(())
    })
}

fn of_the_best_move(ctx: &Context<'_>) -> StepResult {
    along_few(ctx, 35, |_, _, Few { fen, values, list, .. }| {
        let position = values.position;
        let is_complete = !values.more && values.moves.len() == list.moves.len();
        if position.result == ExactResult::Unknown || values.moves.is_empty() || !is_complete {
            return Ok(());
        }
        let results = [ExactResult::Win, ExactResult::Draw, ExactResult::Loss].into_iter();
        let has =
            |result: &ExactResult| values.moves.iter().any(|(_, exact)| exact.result == *result);
        let best = results.into_iter().find(has).unwrap_or_default();
        let shown = || quoted(&values.to_string());
        ensure(
            position.result == best,
            format!("the best value of a move, {best}, of {fen}"),
            shown(),
        )?;
        let plies = values.moves.iter().filter(|(_, exact)| exact.result == best);
        let plies = plies.filter_map(|(_, exact)| exact.plies);
        let (fewest, most) = (plies.clone().min(), plies.max());
        // Who wins has made progress, and who loses has not. In a draw it may be either side.
        let fits = match best {
            ExactResult::Win => position.plies == fewest,
            ExactResult::Loss => position.plies == most,
            _ => position.plies == fewest || position.plies == most,
        };
        let expected = format!("the plies of a best move of {fen}");
        ensure(fits || position.plies.is_none(), expected, shown())
    })
}

fn of_a_finished_game(ctx: &Context<'_>) -> StepResult {
    along_a_whole_game(&mut ctx.set_up()?, 36, |engine, _, list| {
        if !list.moves.is_empty() {
            return Ok(());
        }
        let result: GameResult = engine.ask_for("result")?;
        let YesNo(is_p1) = engine.ask_for("p1turn")?;
        let won = match result {
            GameResult::P1Win if is_p1 => ExactResult::Win,
            GameResult::P2Win if !is_p1 => ExactResult::Win,
            GameResult::P1Win | GameResult::P2Win => ExactResult::Loss,
            GameResult::Draw => ExactResult::Draw,
            GameResult::None => return fail("a result where there are no moves", "none"),
        };
        let values: Values = engine.ask_for("value")?;
        let is_right =
            values.position == Exact { result: won, plies: Some(0) } && values.moves.is_empty();
        ensure(is_right, format!("'{won} 0' and no moves"), quoted(&values.to_string()))
    })
}
