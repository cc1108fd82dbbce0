//! What people are told about the games (SPEC 4.34): complete in every language, and true.

use std::collections::BTreeSet;
use std::fs;

use leap_core::EndReason;
use leap_engine::{Engines, guide};
use leap_games::IDS;
use leap_protocol::line::MAX_LINE_BYTES;
use leap_protocol::payload::{Guide, KeyValues, Status, Task};
use leap_protocol::{Query, Reply};
use leap_search::option::Kind;

use crate::ask::engines;

/// The lines of the answer, `rulesok` not among them.
fn lines(game: &str, language: &str) -> Vec<String> {
    let mut replies = engines(game).answer(&Query::Rules(Some(language.to_owned()))).unwrap();
    assert_eq!(replies.pop(), Some(Reply::RulesOk));
    let body = |reply| match reply {
        Reply::Rules(body) => body,
        other => panic!("{game} {language}: {other}"),
    };
    replies.into_iter().map(body).collect()
}

fn rules(game: &str, language: &str) -> Guide {
    let mut rules = Guide::default();
    for line in lines(game, language) {
        rules.push(&line).unwrap_or_else(|error| panic!("{game} {language}: {error}"));
    }
    rules
}

/// The name of a game for people.
fn title(game: &str) -> &'static str {
    leapd::GAMES.iter().find(|known| known.game.id == game).unwrap().game.title
}

/// Every game in every language.
fn all() -> impl Iterator<Item = (&'static str, &'static str, Guide)> {
    IDS.into_iter()
        .flat_map(|game| guide::languages().map(move |tag| (game, tag, rules(game, tag))))
}

/// What the engine answers to a question about a position.
fn ask(game: &str, fen: &str, query: &Query) -> String {
    let mut engines = engines(game);
    engines.engine_mut().set_up(&leap_protocol::Start::Fen(fen.to_owned()), &[]).unwrap();
    let replies = engines.answer(query).unwrap();
    replies.iter().map(|reply| format!("{reply}\n")).collect()
}

fn is_over_after(game: &str, fen: &str, mv: Option<&String>) -> bool {
    let mut engines = engines(game);
    engines.engine_mut().set_up(&leap_protocol::Start::Fen(fen.to_owned()), &[]).unwrap();
    engines.engine_mut().play(mv.cloned().as_slice()).unwrap();
    engines.answer(&Query::GameOver).unwrap() == [Reply::Response("true".to_owned())]
}

#[test]
fn every_game_is_described_in_every_language() {
    assert!(guide::languages().any(|tag| tag == "en"));
    for game in IDS {
        let folder = format!("{}/games/{game}/guide", env!("CARGO_MANIFEST_DIR"));
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name());
        let texts: BTreeSet<String> = files.map(|file| file.into_string().unwrap()).collect();
        assert_eq!(texts, guide::languages().map(|tag| format!("{tag}.txt")).collect(), "{game}");
    }
    for (game, tag, rules) in all() {
        assert_eq!((rules.language.as_str(), rules.title.as_str()), (tag, title(game)));
        assert!(rules.languages.iter().map(String::as_str).eq(guide::languages()));
        assert!(rules.clauses.len() >= 4, "{game} {tag}");
        let examples = rules.clauses.iter().map(|clause| clause.examples.len()).sum::<usize>();
        assert!(examples >= 5, "{game} {tag}");
    }
}

/// The lines without what is written for people.
fn bare(mut rules: Guide) -> Vec<String> {
    rules.language.clear();
    for clause in &mut rules.clauses {
        (clause.heading, clause.text) = (String::new(), String::new());
        clause.examples.iter_mut().for_each(|example| example.caption.clear());
        clause.tasks.iter_mut().for_each(|task| task.text.clear());
    }
    for option in &mut rules.options {
        (option.label, option.text) = (String::new(), String::new());
        option.values.iter_mut().for_each(|(_, text)| text.clear());
    }
    let pairs = rules.prompts.iter_mut().chain(&mut rules.words).chain(&mut rules.loss_words);
    pairs.for_each(|(_, text)| text.clear());
    let endings = rules.endings.iter_mut().chain(&mut rules.losses);
    endings.for_each(|ending| ending.text.clear());
    rules.lines()
}

#[test]
fn all_languages_have_the_same_clauses_examples_options_and_words() {
    for (game, tag, told) in all() {
        assert_eq!(bare(told), bare(rules(game, "en")), "{game} {tag}");
    }
}

#[test]
fn no_text_is_missing_or_holds_a_separator() {
    for (game, tag, rules) in all() {
        let texts = rules.clauses.iter().flat_map(|clause| {
            let captions = clause.examples.iter().map(|example| &example.caption);
            let tasks = clause.tasks.iter().map(|task| &task.text);
            [&clause.heading, &clause.text].into_iter().chain(captions).chain(tasks)
        });
        let options = rules.options.iter().flat_map(|option| {
            [&option.label, &option.text].into_iter().chain(option.values.iter().map(|(_, t)| t))
        });
        let pairs = rules.prompts.iter().chain(&rules.words).chain(&rules.loss_words);
        let pairs = pairs.map(|(_, text)| text);
        let endings = rules.endings.iter().chain(&rules.losses).map(|ending| &ending.text);
        for text in texts.chain(options).chain(pairs).chain(endings) {
            assert!(!text.is_empty() && !text.contains(" : "), "{game} {tag}: '{text}'");
            assert!(!text.contains("  ") && !text.ends_with(' '), "{game} {tag}: '{text}'");
        }
    }
}

#[test]
fn every_line_fits_the_bound() {
    for (game, tag, _) in all() {
        assert!(lines(game, tag).iter().all(|line| line.len() + "rules ".len() <= MAX_LINE_BYTES));
    }
}

#[test]
fn texts_are_sentences_and_prompts_are_parts_of_sentences() {
    for (game, tag, rules) in all() {
        let sentences = rules.clauses.iter().flat_map(|clause| {
            let tasks = clause.tasks.iter().map(|task| &task.text);
            clause.examples.iter().map(|example| &example.caption).chain(tasks)
        });
        for text in sentences.chain(rules.clauses.iter().map(|clause| &clause.text)) {
            assert!(text.ends_with('.'), "{game} {tag}: '{text}'");
        }
        for (_, text) in &rules.prompts {
            assert!(!text.ends_with('.'), "{game} {tag}: '{text}'");
            assert!(text.starts_with(char::is_lowercase), "{game} {tag}: '{text}'");
        }
    }
}

#[test]
fn the_examples_are_legal_and_do_what_is_told() {
    for (game, tag, rules) in all() {
        for example in rules.clauses.iter().flat_map(|clause| &clause.examples) {
            assert_eq!(ask(game, &example.fen, &Query::Fen), format!("response {}\n", example.fen));
            let Some((mv, effects)) = &example.mv else { continue };
            let moves = ask(game, &example.fen, &Query::Moves { limit: None });
            assert!(moves.split_whitespace().any(|listed| listed == mv), "{game} {tag} {mv}");
            let told = ask(game, &example.fen, &Query::Effects(mv.clone()));
            assert_eq!(told, format!("response {effects}\n"), "{game} {tag}");
        }
    }
}

/// Whether a move does what a task asks for, by what the engine says of the move.
fn does(game: &str, task: &Task, mv: &str) -> bool {
    if task.kind == Task::WIN {
        let mut engines = engines(game);
        engines.engine_mut().set_up(&leap_protocol::Start::Fen(task.fen.clone()), &[]).unwrap();
        let agent = engines.answer(&Query::P1Turn).unwrap()[0].to_string();
        engines.engine_mut().play(&[mv.to_owned()]).unwrap();
        let winner = if agent.ends_with("true") { "p1win" } else { "p2win" };
        return engines.answer(&Query::Result).unwrap()[0].to_string().ends_with(winner);
    }
    let effects = ask(game, &task.fen, &Query::Effects(mv.to_owned()));
    let words: Vec<&str> = effects.split_whitespace().collect();
    let values = words.windows(2).filter(|pair| pair[0] == task.kind).map(|pair| pair[1]);
    let counted = match task.kind.as_str() {
        "points" => values.map(|value| value.parse::<u64>().unwrap()).sum(),
        _ => values.count() as u64,
    };
    counted >= task.count
}

#[test]
fn the_tasks_of_a_first_lesson_are_done_by_their_moves_and_by_no_others() {
    for (game, tag, rules) in all() {
        let tasks: Vec<&Task> = rules.clauses.iter().flat_map(|clause| &clause.tasks).collect();
        assert_eq!(tasks.len(), 6, "{game} {tag}");
        assert_eq!(tasks[5].kind, Task::WIN, "{game} {tag}: a lesson ends with a won game");
        for task in tasks {
            assert_eq!(ask(game, &task.fen, &Query::Fen), format!("response {}\n", task.fen));
            let list = ask(game, &task.fen, &Query::Moves { limit: None });
            let legal = list.split_whitespace().skip(2).filter(|mv| does(game, task, mv));
            let done: Vec<&str> = legal.collect();
            assert_eq!(task.moves, done, "{game} {tag}: {}", task.text);
            assert!(!done.is_empty(), "{game} {tag}: {}", task.text);
        }
    }
}

#[test]
fn most_tasks_can_be_missed() {
    for game in IDS {
        let rules = rules(game, "en");
        let tasks = rules.clauses.iter().flat_map(|clause| &clause.tasks);
        let others = tasks.filter(|task| {
            let list = ask(game, &task.fen, &Query::Moves { limit: None });
            list.split_whitespace().count() > task.moves.len() + 2
        });
        assert!(others.count() >= 3, "{game}");
    }
}

/// The kinds of effects in a list of them.
fn kinds(effects: &str) -> BTreeSet<String> {
    effects.parse::<KeyValues>().unwrap().0.into_iter().map(|(kind, _)| kind).collect()
}

/// The kinds of effects in a game played without a plan.
fn kinds_in_a_game(game: &str, salt: usize) -> BTreeSet<String> {
    let mut engines = engines(game);
    let mut found = BTreeSet::new();
    for ply in 0..150 {
        let list = engines.answer(&Query::Moves { limit: Some(100) }).unwrap()[0].to_string();
        let moves: Vec<&str> = list.split(' ').skip(2).collect();
        if moves.is_empty() {
            break;
        }
        let mv = moves[(ply + 1) * salt % moves.len()].to_owned();
        let effects = engines.answer(&Query::Effects(mv.clone())).unwrap()[0].to_string();
        found.extend(kinds(effects.strip_prefix("response ").unwrap()));
        engines.engine_mut().play(&[mv]).unwrap();
    }
    found
}

#[test]
fn the_examples_show_whatever_a_move_can_do_and_an_ending() {
    for game in IDS {
        let rules = rules(game, "en");
        let examples = rules.clauses.iter().flat_map(|clause| &clause.examples);
        let effects = examples.clone().filter_map(|example| Some(&example.mv.as_ref()?.1));
        let shown: BTreeSet<String> = effects.flat_map(|all| kinds(&all.to_string())).collect();
        let possible = (1..=10).flat_map(|salt| kinds_in_a_game(game, salt * 7919)).collect();
        assert!(shown.is_superset(&possible), "{game} shows {shown:?} of {possible:?}");
        let ends = |mv: Option<&String>, fen: &str| is_over_after(game, fen, mv);
        let ending = examples.clone().any(|one| ends(one.mv.as_ref().map(|(mv, _)| mv), &one.fen));
        assert!(ending, "{game} shows no ending");
    }
}

#[test]
fn the_examples_do_not_depend_on_the_options_in_force() {
    let mut strict = engines("alquerque");
    strict.set("MaxPlies", Some("1")).unwrap();
    strict.set("AlquerqueCapture", Some("mandatory")).unwrap();
    let query = Query::Rules(None);
    assert_eq!(strict.answer(&query), engines("alquerque").answer(&query));
}

#[test]
fn every_rule_option_and_every_value_has_a_name() {
    for (game, tag, rules) in all() {
        let engines = Engines::new(leapd::GAMES);
        let own: Vec<_> = engines.options().filter(|row| row.scope.rules_of(game)).collect();
        let told = rules.options.iter().map(|option| option.name.as_str());
        assert!(told.eq(own.iter().map(|row| &*row.name)), "{game} {tag}");
        for row in own {
            let values = rules.option(&row.name).unwrap().values.iter().map(|(value, _)| value);
            let words: &[&str] = if let Kind::Combo(words) = &row.kind { words } else { &[] };
            assert!(values.eq(words), "{game} {tag} {}", row.name);
        }
    }
}

#[test]
fn every_word_of_other_answers_is_explained() {
    for (game, tag, rules) in all() {
        let mut words: BTreeSet<String> =
            EndReason::ALL.iter().map(|end| end.code().to_owned()).collect();
        for reply in engines(game).answer(&Query::Board).unwrap() {
            let line = reply.to_string();
            let pairs: Vec<&str> = line.split(' ').collect();
            let names = pairs.windows(2).filter(|pair| ["name", "p1", "p2"].contains(&pair[0]));
            // `owner p1 value`: the pair begins with a value.
            words.extend(names.map(|pair| pair[1].to_owned()).filter(|word| word != "value"));
        }
        let start = engines(game).answer(&Query::Status).unwrap()[0].to_string();
        let tallies = start.split("repetitions 1 ").nth(1).unwrap().split(' ').step_by(2);
        words.extend(tallies.map(str::to_owned));
        let parts = engines(game).engine().evaluation().to_string();
        let parts = parts.split(' ').skip(1).step_by(2).filter(|part| *part != "total");
        words.extend(parts.map(str::to_owned));
        let told: BTreeSet<String> = rules.words.iter().map(|(word, _)| word.clone()).collect();
        assert_eq!(told, words, "{game} {tag}");
        assert_eq!(told.len(), rules.words.len(), "{game} {tag}: a word is told twice");
    }
}

/// The status of a game that is over in this position.
fn over(game: &str, fen: &str) -> Status {
    let status: Status = ask(game, fen, &Query::Status)
        .trim_end()
        .strip_prefix("response ")
        .and_then(|body| body.parse().ok())
        .unwrap();
    assert!(status.over, "{game} {fen}");
    status
}

/// The words for the ending of a game that is over in this position.
fn said(game: &str, language: &str, fen: &str) -> String {
    rules(game, language).ending(&over(game, fen)).to_owned()
}

#[test]
fn a_side_without_pieces_has_lost_them_and_one_that_is_blocked_cannot_move() {
    let cases = [
        ("alquerque", "5/5/3M1/5/5 2 - 0 41", "5/5/M1M2/MM3/mMM2 2 - 4 37"),
        ("eximo", "8/8/8/8/8/8/8/1M6 2 - 0 40", "mmm5/mmm5/M7/8/8/8/8/8 1 - 0 61"),
        ("tactica", "c~7/8/8/8/8/8/8/CH6 2 - 0 40", "cC6/C~7/8/8/8/8/8/8 2 - 0 40"),
    ];
    for (game, captured, blocked) in cases {
        let says = |fen, word| said(game, "en", fen).contains(word);
        assert!(says(captured, "captured"), "{}", said(game, "en", captured));
        assert!(says(blocked, "no legal move"), "{}", said(game, "en", blocked));
        for tag in guide::languages() {
            assert_ne!(said(game, tag, captured), said(game, tag, blocked), "{game} {tag}");
        }
    }
    let frogless = said("sapos", "en", "8/8/8/8/8/8/8/MM6 2 1 0 40");
    assert_eq!(frogless, "the other side has no frog left on the board");
    let stuck = said("sapos", "en", "1m1mm3/3m4/m1m5/8/M2M4/2M5/4M1M1/8 1 1 1 23");
    assert_eq!(stuck, "the other side cannot take its turn");
}

/// The words for the side that has lost the game which is over in this position.
fn said_to_loser(game: &str, language: &str, fen: &str) -> String {
    rules(game, language).loss(&over(game, fen)).to_owned()
}

#[test]
fn a_loser_is_told_about_their_own_side() {
    for (game, fen, en, es) in [
        (
            "alquerque",
            "5/5/3M1/5/5 2 - 0 41",
            "all your men are captured",
            "todas tus fichas están capturadas",
        ),
        (
            "eximo",
            "8/8/8/8/8/8/8/1M6 2 - 0 40",
            "all your men are captured",
            "todas tus fichas están capturadas",
        ),
        (
            "tactica",
            "c~7/8/8/8/8/8/8/CH6 2 - 0 40",
            "all your pieces are captured",
            "todas tus piezas están capturadas",
        ),
        (
            "eximo",
            "mmm5/mmm5/M7/8/8/8/8/8 1 - 0 61",
            "you have no legal move",
            "no tienes ninguna jugada legal",
        ),
        (
            "sapos",
            "8/8/8/8/8/8/8/MM6 2 1 0 40",
            "you have no frog left on the board",
            "no te queda ningún sapo en el tablero",
        ),
        (
            "sapos",
            "1m1mm3/3m4/m1m5/8/M2M4/2M5/4M1M1/8 1 1 1 23",
            "you cannot take your turn",
            "no puedes completar tu turno",
        ),
    ] {
        assert_eq!(said_to_loser(game, "en", fen), en);
        assert_eq!(said_to_loser(game, "es", fen), es);
    }
    // A count is the same for both sides.
    let counted = "12/12/12/12/12/12/12/12/12/12/12/GY10 1 20-18 0 400";
    let told = said_to_loser("froglet", "en", counted);
    assert_eq!(told, said("froglet", "en", counted));
}

#[test]
fn what_decides_a_game_without_a_last_move_is_named() {
    for (game, fen, word) in [
        ("alquerque", "m4/5/5/5/M4 1 - 5 400", "men"),
        ("froglet", "12/12/12/12/12/12/12/12/12/12/12/GY10 1 20-18 0 400", "points"),
        ("tactica", "8/8/8/8/8/8/8/C1c~4h 1 - 0 400", "Stops"),
    ] {
        let said = said(game, "en", fen);
        assert!(said.contains("greatest length") && said.contains(word), "{game}: {said}");
    }
}

#[test]
fn a_language_is_found_by_its_tag_or_the_first_part_of_it() {
    let language = |tag: &str| rules("alquerque", tag).language;
    for tag in guide::languages() {
        for asked in [tag.to_owned(), tag.to_uppercase(), format!("{tag}-419")] {
            assert_eq!(language(&asked), tag, "{asked}");
        }
    }
    assert_eq!(language("x"), "en");
}

/// The block of SPEC 4.39.
#[test]
fn the_specification_shows_the_beginning_of_a_true_answer() {
    let spec = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/SPEC.md")).unwrap();
    let block = spec.split("```text\n").find(|block| block.starts_with("rules language")).unwrap();
    let shown = block.split("\n```").next().unwrap().lines();
    let answer = lines("eximo", "en");
    assert!(shown.eq(answer[..5].iter().map(|line| format!("rules {line}"))));
}
