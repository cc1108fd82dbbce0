//! The games that were played, read from the events.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use leap_match::events::games::Finished;
use leap_match::events::store;
use leap_match::events::{End, Event, Fault, Move, Outcome, Run, Start, StopReason};
use leap_match::plan::MOST_ATTEMPTS;
use leap_match::results::ranking::Ranking;

use super::statistics::Statistics;
use super::times::Times;

/// A match, as far as it has been played.
#[derive(Debug)]
pub(super) struct Match {
    pub(super) run: Run,
    /// The games that have ended, by number.
    pub(super) games: BTreeMap<u64, PlayedGame>,
    pub(super) statistics: Statistics,
    /// The order of the players.
    pub(super) ranking: Ranking,
    /// For each player, the time its moves took.
    pub(super) times: Vec<Times>,
    /// Faults in the order of the events, including those of games that were replayed.
    pub(super) faults: Vec<Fault>,
    /// Why the runner last stopped.
    pub(super) stop: Option<StopReason>,
}

/// A game that has ended.
#[derive(Clone, Debug)]
pub(super) struct PlayedGame {
    pub(super) start: Start,
    pub(super) end: End,
    /// The moves of the players; `None` if they are not kept.
    pub(super) moves: Option<Vec<Move>>,
    pub(super) faulty: bool,
    /// Position texts by ply, with the start at index 0; `None` where unknown. The events tell those after moves of
    /// players; an engine [completes](super::positions::RulesEngine::complete) the list. Empty if no moves are kept.
    pub(super) positions: Vec<Option<String>>,
}

impl PlayedGame {
    /// All moves, those of the opening first, each with its event if it has one.
    pub(super) fn plies(&self) -> impl Iterator<Item = (&str, Option<&Move>)> {
        let opening = self.start.moves.iter().map(|mv| (mv.as_str(), None));
        let played = self.moves.iter().flatten().map(|mv| (mv.mv.as_str(), Some(mv)));
        opening.chain(played)
    }

    fn forget_moves(&mut self) {
        (self.moves, self.positions) = (None, Vec::new());
    }

    /// The player of a side, 1 or 2.
    pub(super) fn player(&self, side: u8) -> usize {
        if side == 1 { self.start.p1 } else { self.start.p2 }
    }
}

/// A game in progress.
#[derive(Debug)]
struct Open {
    start: Start,
    moves: Vec<Move>,
    faulty: bool,
}

/// The half points of p1 and p2 of a game that is not played again.
fn half_points(game: &PlayedGame) -> Option<[u32; 2]> {
    let none = (game.start.attempt >= MOST_ATTEMPTS).then_some([0, 0]);
    game.end.result.half_points().or(none)
}

impl Match {
    /// Reads the events of a match. The moves of `replays` games are kept, preferring those with faults.
    pub(super) fn read(dir: &Path, replays: usize) -> anyhow::Result<Self> {
        let mut reader = Reader { replays, ..Reader::default() };
        let run = store::read(dir, |_, event| {
            reader.note(event);
            Ok(())
        })?;
        let engines = run.config.engines.len();
        let mut times = reader.times;
        times.resize_with(engines, Times::default);
        let mut statistics = Statistics::new(engines);
        for number in &reader.order {
            let PlayedGame { start, end, .. } = &reader.games[number];
            statistics.note(start.pair, &Finished::new([start.p1, start.p2], end));
        }
        let Reader { games, faults, stop, .. } = reader;
        let half_points = |game: u64| half_points(games.get(&game)?);
        let ranking = Ranking::new(&run.config, &statistics.ratings, half_points);
        Ok(Self { run, games, statistics, ranking, times, faults, stop })
    }

    /// The name of a player.
    pub(super) fn name(&self, player: usize) -> &str {
        &self.run.config.engines[player].name
    }
}

#[derive(Debug, Default)]
struct Reader {
    replays: usize,
    open: HashMap<u64, Open>,
    games: BTreeMap<u64, PlayedGame>,
    /// Numbers of games in the order in which they ended.
    order: Vec<u64>,
    /// Games whose moves are kept, without and with faults.
    kept: [Vec<u64>; 2],
    times: Vec<Times>,
    faults: Vec<Fault>,
    stop: Option<StopReason>,
}

impl Reader {
    fn note(&mut self, event: Event) {
        match event {
            Event::Start(start) => {
                // An earlier attempt at the game is void (SPEC 19.7).
                let open = Open { start, moves: Vec::new(), faulty: false };
                self.open.insert(open.start.game, open);
            }
            Event::Move(mv) => {
                if let Some(open) = self.open.get_mut(&mv.game) {
                    open.moves.push(mv);
                }
            }
            Event::Fault(fault) => {
                if let Some(open) = self.open.get_mut(&fault.game) {
                    open.faulty = true;
                }
                self.faults.push(fault);
            }
            Event::End(end) => self.end(end),
            Event::Stop(stop) => self.stop = Some(stop.why),
            Event::Resume(_) => self.stop = None,
            Event::Run(_) | Event::Rating(_) => {}
        }
    }

    fn end(&mut self, end: End) {
        let Some(Open { start, moves, faulty }) = self.open.remove(&end.game) else { return };
        // The first of two ends counts, unless the game was void and replayed.
        match self.games.get(&end.game).map(|game| game.end.result) {
            Some(Outcome::Void) => self.order.retain(|number| *number != end.game),
            Some(_) => return,
            None => {}
        }
        let told = moves.iter().map(|mv| mv.fen.clone());
        let opening = start.moves.iter().map(|_| None);
        let positions = [start.fen.clone()].into_iter().chain(opening).chain(told).collect();
        let mut game = PlayedGame { start, end, moves: Some(moves), faulty, positions };
        self.note_times(&game);
        if !self.keep(&game) {
            game.forget_moves();
        }
        self.order.push(game.end.game);
        self.games.insert(game.end.game, game);
    }

    fn note_times(&mut self, game: &PlayedGame) {
        for mv in game.moves.iter().flatten() {
            let player = game.player(mv.side);
            if self.times.len() <= player {
                self.times.resize_with(player + 1, Times::default);
            }
            self.times[player].note(mv);
        }
    }

    /// Whether the moves of a game can be kept; a game with faults displaces one without.
    fn keep(&mut self, game: &PlayedGame) -> bool {
        let [sound, faulty] = &mut self.kept;
        if sound.len() + faulty.len() >= self.replays {
            let victim = if game.faulty { sound.pop() } else { None };
            let Some(victim) = victim else { return false };
            if let Some(game) = self.games.get_mut(&victim) {
                game.forget_moves();
            }
        }
        self.kept[usize::from(game.faulty)].push(game.end.game);
        true
    }
}
