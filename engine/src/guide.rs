//! `query rules` and `query problems`: the texts of the registry, with what the engine knows by itself (SPEC 4.34, 4.47).

use std::fmt::Display;
use std::ops::ControlFlow;

use leap_protocol::payload::{Example, Guide, PayloadError, Task};
use leap_protocol::{ErrorCode, ErrorReply, Reply};

use super::turn;
use leap_core::record::Record;
use leap_core::{GameResult, Position};
use leap_games::{Row, guide};

/// Describes a game under its default rules, in the language nearest to the requested one.
pub(super) fn rules<G: Row>(language: Option<&str>) -> Result<Vec<Reply>, ErrorReply> {
    let language = language.map_or(guide::DEFAULT, guide::nearest);
    let mut rules = texts::<G>(language).map_err(broken)?;
    for clause in &mut rules.clauses {
        clause.examples.iter_mut().try_for_each(enact::<G>)?;
        clause.tasks.iter_mut().try_for_each(solve::<G>)?;
    }
    let lines = rules.lines().into_iter().map(Reply::Rules);
    Ok(lines.chain([Reply::RulesOk]).collect())
}

/// A fault in the texts. Tests find it before a release.
fn broken(error: impl Display) -> ErrorReply {
    ErrorReply::new(ErrorCode::Internal, error.to_string())
}

/// The texts of the game together with the texts of all games. The game's own prompt or word replaces the common one.
fn texts<G: Row>(language: &str) -> Result<Guide, PayloadError> {
    let mut rules = read(guide::lines(G::ID, language))?;
    let mut common = read(guide::common_lines(language))?;
    override_texts(&mut rules.prompts, &mut common.prompts);
    rules.prompts = common.prompts;
    rules.options.splice(..0, common.options);
    override_texts(&mut rules.words, &mut common.words);
    rules.words.append(&mut common.words);
    override_texts(&mut rules.loss_words, &mut common.loss_words);
    rules.loss_words = common.loss_words;
    rules.title = G::ID.title().to_owned();
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
fn enact<G: Row>(example: &mut Example) -> Result<(), ErrorReply> {
    let game = G::default();
    let position = game.parse_position(&example.fen).map_err(broken)?;
    if let Some((mv, effects)) = &mut example.mv {
        *effects = turn::effects(&Record::new(game, position), mv).map_err(broken)?;
    }
    Ok(())
}

/// Finds the moves that do what a task asks for.
fn solve<G: Row>(task: &mut Task) -> Result<(), ErrorReply> {
    let game = G::default();
    let record = Record::new(game.clone(), game.parse_position(&task.fen).map_err(broken)?);
    let mut fault = None;
    let mut moves = Vec::new();
    let _ = record.visit_legal(|mv| {
        let text = game.move_text(record.current(), mv);
        match turn::effects(&record, &text) {
            Ok(effects) if task.is_done(&effects, wins(&record, mv)) => moves.push(text),
            Ok(_) => {}
            Err(error) => fault = Some(error),
        }
        ControlFlow::Continue(())
    });
    task.moves = moves;
    fault.map_or(Ok(()), |fault| Err(broken(fault)))
}

/// Whether a move wins the game.
fn wins<G: Row>(record: &Record<G>, mv: G::Move) -> bool {
    let mut after = record.clone();
    after.push(mv);
    let winner = after.outcome().map(|outcome| outcome.result);
    winner == Some(GameResult::Win(record.current().side()))
}

/// The problems of a game, under its default rules.
pub(super) fn problems<G: Row>() -> Vec<Reply> {
    let lines = G::ID.problems().lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Reply::Problems(line.to_owned())).chain([Reply::ProblemsOk]).collect()
}
