//! `query rules` and `query problems`: the texts of a game, with what the engine knows by itself (SPEC 4.34, 4.47).
//!
//! The lines of a text are the answer to `query rules` (SPEC 4.35), without the word `rules`. They leave out what the
//! engine knows by itself: languages, title, the effects of moves, and the moves that do a task. A line that begins with
//! a blank continues the line before it. Empty lines mean nothing.

use std::fmt::Display;
use std::ops::ControlFlow;

use leap_protocol::payload::{Example, Guide, PayloadError, Task};
use leap_protocol::{ErrorCode, ErrorReply, Reply};

use super::turn;
use leap_core::{Game, GameResult, Position};
use leap_search::Playable;

/// The texts that all games share, by language, in alphabetical order.
const SHARED: &[(&str, &str)] =
    &[("en", include_str!("../guide/en.txt")), ("es", include_str!("../guide/es.txt"))];
/// The language of people who have not chosen one.
const DEFAULT: &str = "en";

/// The tags of all languages, in alphabetical order.
///
/// ```
/// assert!(leap_engine::guide::languages().any(|tag| tag == "en"));
/// ```
pub fn languages() -> impl Iterator<Item = &'static str> {
    SHARED.iter().map(|(tag, _)| *tag)
}

/// The language that is nearest to a tag. The case of letters does not matter.
///
/// It is the language itself, or the language of the tag's first part (`es` for `es-AR`), or English.
///
/// ```
/// use leap_engine::guide::nearest;
///
/// assert_eq!((nearest("ES"), nearest("es-AR"), nearest("tlh")), ("es", "es", "en"));
/// ```
#[must_use]
pub fn nearest(tag: &str) -> &'static str {
    let first = tag.split('-').next().unwrap_or_default();
    let known = |tag: &str| languages().find(|language| language.eq_ignore_ascii_case(tag));
    known(tag).or_else(|| known(first)).unwrap_or(DEFAULT)
}

/// Describes a game under its default rules, in the language nearest to the requested one.
pub(super) fn rules<R: Playable>(language: Option<&str>) -> Result<Vec<Reply>, ErrorReply> {
    let language = language.map_or(DEFAULT, nearest);
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
fn texts<R: Playable>(language: &str) -> Result<Guide, PayloadError> {
    let mut rules = read(R::GUIDE, language)?;
    let mut common = read(SHARED, language)?;
    override_texts(&mut rules.prompts, &mut common.prompts);
    rules.prompts = common.prompts;
    rules.options.splice(..0, common.options);
    override_texts(&mut rules.words, &mut common.words);
    rules.words.append(&mut common.words);
    override_texts(&mut rules.loss_words, &mut common.loss_words);
    rules.loss_words = common.loss_words;
    rules.title = R::TITLE.to_owned();
    rules.language = language.to_owned();
    rules.languages = languages().map(str::to_owned).collect();
    Ok(rules)
}

/// Merges the texts of a game into the common pairs. An equal word is replaced.
fn override_texts(own: &mut Vec<(String, String)>, common: &mut [(String, String)]) {
    own.retain_mut(|(word, text)| {
        let usual = common.iter_mut().find(|(known, _)| known == word);
        usual.map(|(_, usual)| std::mem::swap(usual, text)).is_none()
    });
}

/// The text in a language. Empty if there is none.
fn read(texts: &[(&str, &str)], language: &str) -> Result<Guide, PayloadError> {
    let text = texts.iter().find(|(tag, _)| *tag == language).map_or("", |(_, text)| *text);
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty()) {
        match lines.last_mut().filter(|_| line.starts_with(' ')) {
            Some(last) => last.extend([" ", line.trim()]),
            None => lines.push(line.to_owned()),
        }
    }
    let mut rules = Guide::default();
    lines.iter().try_for_each(|line| rules.push(line))?;
    Ok(rules)
}

/// Makes the move of an example and notes what it does.
fn enact<R: Playable>(example: &mut Example) -> Result<(), ErrorReply> {
    let rules = R::default();
    let position = rules.parse_position(&example.fen).map_err(broken)?;
    if let Some((mv, effects)) = &mut example.mv {
        *effects = turn::effects(&Game::new(rules, position), mv).map_err(broken)?;
    }
    Ok(())
}

/// Finds the moves that do what a task asks for.
fn solve<R: Playable>(task: &mut Task) -> Result<(), ErrorReply> {
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
fn wins<R: Playable>(game: &Game<R>, mv: R::Move) -> bool {
    let mut after = game.clone();
    after.push(mv);
    let winner = after.outcome().map(|outcome| outcome.result);
    winner == Some(GameResult::Win(game.current().side()))
}

/// The problems of a game, under its default rules.
pub(super) fn problems<R: Playable>() -> Vec<Reply> {
    let lines = R::PROBLEMS.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| Reply::Problems(line.to_owned())).chain([Reply::ProblemsOk]).collect()
}
