//! `query rules` and `query problems`: the texts of the registry, with what the engine knows by itself (SPEC 4.34, 4.47).

use std::fmt::Display;
use std::ops::ControlFlow;

use leap_protocol::payload::{Example, Guide, PayloadError, Task};
use leap_protocol::{ErrorCode, ErrorReply, Reply};

use super::turn;
use leap_core::Game;
use leap_core::{GameResult, Position};
use leap_games::{Row, guide};

/// Describes a game under its default rules, in the language nearest to the requested one.
pub(super) fn rules<R: Row>(language: Option<&str>) -> Result<Vec<Reply>, ErrorReply> {
    let language = language.map_or(guide::DEFAULT, guide::nearest);
    let mut rules = texts::<R>(language).map_err(broken)?;
    for clause in &mut rules.clauses {
        clause.examples.iter_mut().try_for_each(enact::<R>)?;
        clause.tasks.iter_mut().try_for_each(solve::<R>)?;
    }
    let lines = rules.lines().into_iter().map(Reply::Rules);
    Ok(lines.chain([Reply::RulesOk]).collect())
}

/// A fault in the texts. Tests find it before a release.
fn broken(error: impl Display) -> ErrorReply {
    ErrorReply::new(ErrorCode::Internal, error.to_string())
}

/// The texts of the game together with the texts of all games. The game's own prompt or word replaces the common one.
fn texts<R: Row>(language: &str) -> Result<Guide, PayloadError> {
    let mut rules = read(guide::lines(R::ID, language))?;
    let mut common = read(guide::common_lines(language))?;
    override_texts(&mut rules.prompts, &mut common.prompts);
    rules.prompts = common.prompts;
    rules.options.splice(..0, common.options);
    override_texts(&mut rules.words, &mut common.words);
    rules.words.append(&mut common.words);
    override_texts(&mut rules.loss_words, &mut common.loss_words);
    rules.loss_words = common.loss_words;
    rules.title = R::ID.title().to_owned();
    rules.language = language.to_owned();
    rules.languages = guide::languages().map(str::to_owned).collect();
    Ok(rules)
}

/// Merges the texts of a game into the common pairs. An equal word is replaced.
fn override_texts(own: &mut Vec<(String, String)>, common: &mut [(String, String)]) {
    own.retain_mut(|(word, text)| {
        let usual = common.iter_mut().find(|(known, _)| known == word);
        usual.map(|(_, usual)| std::mem::swap(usual, text)).is_none()
    });
}

fn read(lines: Vec<String>) -> Result<Guide, PayloadError> {
    let mut rules = Guide::default();
    lines.iter().try_for_each(|line| rules.push(line))?;
    Ok(rules)
}

/// Makes the move of an example and notes what it does.
fn enact<R: Row>(example: &mut Example) -> Result<(), ErrorReply> {
    let rules = R::default();
    let position = rules.parse_position(&example.fen).map_err(broken)?;
    if let Some((mv, effects)) = &mut example.mv {
        *effects = turn::effects(&Game::new(rules, position), mv).map_err(broken)?;
    }
    Ok(())
}

/// Finds the moves that do what a task asks for.
fn solve<R: Row>(task: &mut Task) -> Result<(), ErrorReply> {
    let rules = R::default();
    let game = Game::new(rules.clone(), rules.parse_position(&task.fen).map_err(broken)?);
    let mut fault = None;
    let mut moves = Vec::new();
    let _ = game.visit_legal(|mv| {
        let text = rules.print_move(game.current(), mv);
        match turn::effects(&game, &text) {
            Ok(effects) if task.is_done(&effects, wins(&game, mv)) => moves.push(text),
            Ok(_) => {}
            Err(error) => fault = Some(error),
        }
        ControlFlow::Continue(())
    });
    task.moves = moves;
    fault.map_or(Ok(()), |fault| Err(broken(fault)))
}

/// Whether a move wins the game.
fn wins<R: Row>(game: &Game<R>, mv: R::Move) -> bool {
    let mut after = game.clone();
    after.push(mv);
    let winner = after.outcome().map(|outcome| outcome.result);
    winner == Some(GameResult::Win(game.current().side()))
}

/// The problems of a game, under its default rules.
pub(super) fn problems<R: Row>() -> Vec<Reply> {
    let lines = R::ID.problems().lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Reply::Problems(line.to_owned())).chain([Reply::ProblemsOk]).collect()
}
