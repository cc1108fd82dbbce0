//! Validating the order of the events in a stream (SPEC 19).

use anyhow::{Context as _, bail, ensure};

use super::games::{Game, Games, State};
use super::{End, Event, Fault, Move, Reason, Resume, Run, Start};
use crate::plan::{self, Plan};

/// The state of a stream that has been read so far.
#[derive(Debug)]
pub(crate) struct Validator {
    engines: usize,
    /// The plan, if it is one of ours and does not depend on results.
    plan: Option<Plan>,
    pub(crate) games: Games,
    /// The last event was `stop`.
    stopped: bool,
}

impl Validator {
    /// Creates the state after the first line.
    pub(crate) fn new(run: &Run) -> anyhow::Result<Self> {
        let (plan, engines) = (planned(run)?, run.config.engines.len());
        Ok(Self { engines, plan, games: Games::default(), stopped: false })
    }

    /// Makes the match longer.
    ///
    /// # Errors
    /// If there is no such match.
    pub(crate) fn grow(&mut self, run: &Run) -> anyhow::Result<()> {
        self.plan = planned(run)?;
        Ok(())
    }

    /// Checks and records the next event.
    ///
    /// # Errors
    /// If the event may not occur here, or refers to something that the match does not have.
    pub(crate) fn next(&mut self, event: &Event) -> anyhow::Result<()> {
        let is_resume = matches!(event, Event::Resume(_));
        ensure!(!self.stopped || is_resume, "expected nothing but 'resume' after 'stop'");
        match event {
            Event::Run(_) => bail!("expected one 'run', found another"),
            Event::Resume(resume) => self.resume(resume),
            Event::Start(start) => self.start(start),
            Event::Move(mv) => self.play(mv),
            Event::Fault(fault) => self.fault(fault),
            Event::End(end) => self.end(end),
            Event::Rating(rating) => self.engine(rating.engine),
            Event::Stop(_) => self.stop(),
        }
    }

    fn start(&mut self, start: &Start) -> anyhow::Result<()> {
        let Start { game: number, pair, attempt, .. } = *start;
        let players = [start.p1, start.p2];
        players.into_iter().try_for_each(|player| self.engine(player))?;
        ensure!(number > 0, "expected games from 1, found 0");
        let due = number.div_ceil(2);
        ensure!(pair == due, "game {number}: expected pair {due}, found {pair}");
        self.is_planned(start)?;
        let game = self.games.game(number, players);
        match game.state {
            State::Open(_) => bail!("expected the end of game {number}, found it begun again"),
            State::Ended(_) => bail!("expected no more of game {number}, found it begun again"),
            State::Due => {}
        }
        let due = game.spent + 1;
        ensure!(attempt == due, "game {number}: expected attempt {due}, found {attempt}");
        let same = game.players == players;
        ensure!(same, "game {number}: expected players {:?}, found {players:?}", game.players);
        game.state = State::Open(start.moves.len() as u64);
        Ok(())
    }

    fn is_planned(&self, start: &Start) -> anyhow::Result<()> {
        let Some(plan) = &self.plan else { return Ok(()) };
        let number = start.game;
        let planned = plan.game(number);
        let planned =
            planned.with_context(|| format!("expected a game of the plan, found {number}"))?;
        let (round, players) = (start.round, [start.p1, start.p2]);
        ensure!(
            planned.round == round && planned.players == players,
            "game {number}: expected round {} and players {:?}, found round {round} and players {players:?}",
            planned.round,
            planned.players
        );
        Ok(())
    }

    fn play(&mut self, mv: &Move) -> anyhow::Result<()> {
        is_side(mv.side)?;
        let (game, plies) = self.open(mv.game)?;
        let (number, due) = (mv.game, plies + 1);
        ensure!(mv.ply == due, "game {number}: expected ply {due}, found {}", mv.ply);
        game.state = State::Open(due);
        Ok(())
    }

    fn fault(&mut self, fault: &Fault) -> anyhow::Result<()> {
        fault.side.map_or(Ok(()), is_side)?;
        fault.engine.map_or(Ok(()), |engine| self.engine(engine))?;
        self.open(fault.game).map(drop)
    }

    fn end(&mut self, end: &End) -> anyhow::Result<()> {
        end.guilty.map_or(Ok(()), is_side)?;
        let (game, told) = self.open(end.game)?;
        let (number, found, players) = (end.game, end.plies, game.players);
        // A move that the players disagree about is counted without an event of its own.
        let most = told + u64::from(end.reason == Reason::Disagreement);
        ensure!(
            (told..=most).contains(&found),
            "game {number}: expected its end after {told} plies, found it after {found}"
        );
        self.games.close(players, end);
        Ok(())
    }

    fn resume(&mut self, resume: &Resume) -> anyhow::Result<()> {
        let open = self.games.drop_open();
        let mut dropped = resume.dropped.clone();
        dropped.sort_unstable();
        ensure!(dropped == open, "expected the games in flight, {open:?}, found {dropped:?}");
        self.stopped = false;
        Ok(())
    }

    fn stop(&mut self) -> anyhow::Result<()> {
        if let Some(number) = self.games.in_flight() {
            bail!("expected the end of game {number} before 'stop'");
        }
        self.stopped = true;
        Ok(())
    }

    /// A game in progress, and its plies.
    fn open(&mut self, number: u64) -> anyhow::Result<(&mut Game, u64)> {
        let why = match self.games.known(number) {
            None => "has not begun",
            Some(game) => match game.state {
                State::Open(plies) => return Ok((game, plies)),
                State::Due => "is to be begun",
                State::Ended(_) => "has ended",
            },
        };
        bail!("expected a game in play, found {number}, which {why}")
    }

    fn engine(&self, engine: usize) -> anyhow::Result<()> {
        let engines = self.engines;
        ensure!(engine < engines, "expected an engine below {engines}, found {engine}");
        Ok(())
    }
}

/// The plan of a match, if it is one of ours and does not depend on results.
fn planned(run: &Run) -> anyhow::Result<Option<Plan>> {
    run.config.check()?;
    let ours = !run.config.format.follows_results() && plan::hash(&run.config)? == run.plan;
    ours.then(|| Plan::new(&run.config)).transpose()
}

fn is_side(side: u8) -> anyhow::Result<()> {
    ensure!(matches!(side, 1 | 2), "expected side 1 or 2, found {side}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::events::SCHEMA;

    /// A match of two engines and two games, with or without a known plan.
    fn run(ours: bool) -> Run {
        let config = plan::config_of(2, "");
        let plan = if ours { plan::hash(&config).unwrap() } else { "0".repeat(64) };
        let (by, time) = ("leap test".to_owned(), String::new());
        Run { schema: SCHEMA, by, time, plan, games: Some(2), config }
    }

    /// Builds an event from a few words: `start GAME ATTEMPT`, `move GAME PLY`, `end GAME PLIES RESULT`, `fault GAME`,
    /// `resume GAMES...`, `stop`, `rating ENGINE`.
    fn event(words: &str) -> Event {
        let words: Vec<&str> = words.split(' ').collect();
        let number = |at: usize| words[at].parse::<u64>().unwrap();
        let json = match words[0] {
            "start" => {
                let (game, p1) = (number(1), (number(1) + 1) % 2);
                format!(
                    r#""game":{game},"pair":{},"round":1,"p1":{p1},"p2":{},"time":"","attempt":{},"fen":null,"moves":["a"]"#,
                    game.div_ceil(2),
                    1 - p1,
                    number(2)
                )
            }
            "move" => format!(
                r#""game":{},"ply":{},"side":1,"move":"b","time_us":1"#,
                number(1),
                number(2)
            ),
            "end" => format!(
                r#""game":{},"plies":{},"result":"{}","reason":"{}","time_us":1,"time":"""#,
                number(1),
                number(2),
                words[3],
                words.get(4).unwrap_or(&"rules")
            ),
            "fault" => format!(r#""game":{},"kind":"crash","text":"""#, number(1)),
            "resume" => format!(r#""time":"","dropped":[{}]"#, words[1..].join(",")),
            "stop" => r#""time":"","why":"complete""#.to_owned(),
            _ => format!(r#""games":1,"engine":{},"elo":0.0,"error":0.0"#, number(1)),
        };
        serde_json::from_str(&format!(r#"{{"event":"{}",{json}}}"#, words[0])).unwrap()
    }

    /// The first event that is out of order, counted from 1, and why.
    fn fault(run: &Run, events: &[&str]) -> Option<(usize, String)> {
        let mut validator = Validator::new(run).unwrap();
        let mut faults = events.iter().map(|words| validator.next(&event(words)).err()).zip(1..);
        faults.find_map(|(error, number)| Some((number, error?.to_string())))
    }

    #[test]
    fn what_a_match_writes_is_in_order() {
        for events in [
            &[
                "start 1 1",
                "start 2 1",
                "move 2 2",
                "move 1 2",
                "end 2 2 draw",
                "fault 1",
                "end 1 2 p1win",
                "rating 1",
                "stop",
            ][..],
            // Killed and resumed; drained and resumed.
            &[
                "start 1 1",
                "start 2 1",
                "move 1 2",
                "resume 1 2",
                "start 1 1",
                "end 1 1 draw",
                "stop",
                "resume",
                "start 2 1",
            ],
            &[
                "start 1 1",
                "end 1 1 void",
                "start 1 2",
                "end 1 1 void",
                "start 1 3",
                "end 1 1 void",
                "stop",
            ],
            &["start 1 1", "end 1 1 void", "start 1 2", "resume 1", "start 1 2"],
            // Killed twice, the second time before a game started.
            &["start 1 1", "resume 1", "resume", "start 1 1", "end 1 1 draw", "stop"],
            // The move that the players disagree about.
            &["start 1 1", "end 1 2 void disagreement"],
        ] {
            assert_eq!(fault(&run(true), events), None, "{events:?}");
        }
    }

    #[test]
    fn lines_that_are_missing_twice_or_swapped_are_found() {
        for (events, at, expected) in [
            (&["start 1 1", "end 1 1 draw", "end 1 1 draw"][..], 3, "found 1, which has ended"),
            (&["start 1 1", "end 1 1 draw", "move 1 2"], 3, "found 1, which has ended"),
            (&["start 1 1", "end 1 1 draw", "fault 1"], 3, "found 1, which has ended"),
            (&["start 1 1", "end 1 1 draw", "start 1 1"], 3, "no more of game 1"),
            (&["start 1 1", "start 1 1"], 2, "expected the end of game 1"),
            (&["end 1 1 draw"], 1, "found 1, which has not begun"),
            (&["start 1 1", "move 1 2", "move 1 2"], 3, "expected ply 3, found 2"),
            (&["start 1 1", "move 1 3"], 2, "expected ply 2, found 3"),
            (&["start 1 1", "move 1 2", "end 1 3 draw"], 3, "expected its end after 2 plies"),
            (&["start 1 1", "end 1 1 void", "move 1 2"], 3, "which is to be begun"),
            (&["start 1 2"], 1, "expected attempt 1, found 2"),
            (&["start 1 1", "stop"], 2, "expected the end of game 1 before 'stop'"),
            (&["stop", "stop"], 2, "expected nothing but 'resume' after 'stop'"),
            (&["start 1 1", "resume"], 2, "expected the games in flight, [1], found []"),
            (&["start 1 1", "resume 1 2"], 2, "found [1, 2]"),
            (&["start 3 1"], 1, "expected a game of the plan, found 3"),
            (&["rating 2"], 1, "expected an engine below 2, found 2"),
        ] {
            let (found, why) = fault(&run(true), events).unwrap_or_else(|| panic!("{events:?}"));
            assert_eq!(found, at, "{events:?}: {why}");
            assert!(why.contains(expected), "{events:?}: {why}");
        }
    }

    #[test]
    fn only_plans_of_ours_are_known() {
        assert_eq!(fault(&run(false), &["start 3 1"]), None);
        let mut swapped = event("start 1 1");
        if let Event::Start(start) = &mut swapped {
            (start.p1, start.p2) = (start.p2, start.p1);
        }
        assert!(Validator::new(&run(true)).unwrap().next(&swapped).is_err());
    }
}
