//! Among equal moves none repeats, and a win by repetition ranks below a win on the board. Contempt.

use super::*;
use leap_core::RulesExt;

const DRAWN: GameResult = GameResult::Draw;

fn with_contempt<M>(contempt: i32, depth: u32) -> Limits<M> {
    Limits { contempt, ..Limits::depth(depth) }
}

fn walked(rules: Walk, moves: &[(usize, usize)]) -> Game<Walk> {
    let mut game = Game::start(rules);
    moves.iter().for_each(|mv| game.push(*mv));
    game
}

#[test]
fn among_equal_moves_none_repeats() {
    // From 0, both ways lead round and round: to 1, where the token was, and to 3, where it was not.
    let arrows: &[&[usize]] = &[&[1, 3], &[0], &[], &[4], &[3]];
    let game = walked(walk(arrows, Repetition::Ends(3), DRAWN), &[(0, 1), (1, 0)]);
    for depth in 1..10 {
        let (answer, _) = search_fresh(&game, &Limits::depth(depth));
        assert_eq!((answer.best, answer.score), (Some((0, 3)), Score::DRAW), "depth {depth}");
    }
}

#[test]
fn a_win_on_the_board_ranks_above_a_nearer_win_by_repetition() {
    // p1 at 2 can bring about the third occurrence of 1, or go to 3, from where p2 is stuck after three plies.
    let arrows: &[&[usize]] = &[&[1], &[2], &[1, 3], &[4], &[5], &[]];
    let rules = walk(arrows, Repetition::Ends(3), FIRST_WINS);
    let game = walked(rules, &[(0, 1), (1, 2), (2, 1), (1, 2)]);
    for contempt in [0, 10] {
        let (answer, _) = search_fresh(&game, &with_contempt(contempt, 6));
        assert_eq!((answer.best, answer.score), (Some((2, 3)), Score::win_at(3)));
    }
    let (answer, _) = search_fresh(&game, &mate(1));
    assert_eq!((answer.best, answer.score), (Some((2, 1)), Score::win_at(1)), "a win in one move");
}

#[test]
fn with_contempt_a_draw_is_worth_less_to_the_side_that_searches_whatever_the_other_side_searched() {
    // A ring of places, and an evaluation of 0 on the long way out of it.
    let arrows: &[&[usize]] =
        &[&[1, 2], &[0], &[3], &[4], &[5], &[6], &[7], &[8], &[9], &[10], &[]];
    let rules = walk(arrows, Repetition::Ends(3), DRAWN);
    let table = TranspositionTable::new(1).unwrap();
    for contempt in [20, -20, 20] {
        let score = |moves: &[(usize, usize)]| {
            let game = walked(rules.clone(), moves);
            search_quietly(&game, &with_contempt(contempt, 6), &table).score
        };
        // p1 leaves the ring at 0 unless p1 likes draws, or p2 dislikes them.
        let (p1, p2) = if contempt > 0 { (0, -20) } else { (20, 0) };
        assert_eq!([score(&[]), score(&[(0, 1)])], [p1, p2].map(Score::evaluation));
    }
}

#[test]
fn with_contempt_a_win_by_repetition_is_worth_half_a_man_and_a_loss_is_a_loss() {
    let ring = || walk(RING, Repetition::Ends(3), FIRST_WINS);
    let score = |moves: &[(usize, usize)], contempt| {
        search_fresh(&walked(ring(), moves), &with_contempt(contempt, 8)).0.score
    };
    assert_eq!(score(&[], 10), Score::evaluation(50), "p1 wins");
    for contempt in [0, -10] {
        assert_eq!(score(&[], contempt), Score::of_cycle(FIRST_WINS, Side::One));
    }
    assert_eq!(score(&[(0, 1)], 10), Score::of_cycle(FIRST_WINS, Side::Two), "p2 loses");
    let analysis = Limits { infinite: true, ..with_contempt(10, 8) };
    let analysed = search_fresh(&Game::start(ring()), &analysis).0.score;
    assert_eq!(analysed, Score::of_cycle(FIRST_WINS, Side::One), "an analysis has no contempt");
}

/// A game of mandatory captures in which leapd shuffled although other moves were as good.
const SHUFFLED: &str = "b2c3 d4b2 a1c3 a3a1 c3a3 a4a2 b1b2 a1c3 d3b3 b4b2 c1a3a1 c4c3 d2b4 a5c3c1 d1b1 b5b4 b1c1 b4a3 \
    a1b2 c5d4 e3c5 d5b5 e1d2 e4e3 e2e4 e5e3 b2c3 a3a2 d2d1 a2a1 d1e1 b5c5 c1d1 c5b5 d1c1 b5a5 c3b3 a5a4 b3c3 a4a5 c3c2 \
    a5a4";

#[test]
fn a_side_that_is_two_men_up_wins_on_the_board_instead_of_repeating() {
    let rules = alquerque(CaptureRule::Mandatory);
    let position = rules.parse_position("5/5/M1m2/M4/1M3 2 - 0 60").unwrap();
    let mut game = Game::new(rules, position);
    make(&mut game, "c3d3 b1a1 d3c3 a1b1 c3d3 b1a1 d3c3");
    // a1b1 would bring about the third occurrence.
    for contempt in [0, 10] {
        let (answer, _) = search_fresh(&game, &with_contempt(contempt, 6));
        let text = game.rules().print_move(game.current(), answer.best.unwrap());
        assert_eq!((text.as_str(), answer.score.value()), ("a3b3", Value::Mate(2)));
    }
}

#[test]
fn a_drawn_game_is_not_shuffled_to_its_end() {
    let mut game = start(CaptureRule::Mandatory);
    make(&mut game, SHUFFLED);
    for contempt in [0, 10] {
        for nodes in [500, 5_000, 50_000] {
            let limits = Limits { contempt, ..Limits::nodes(nodes) };
            let (answer, _) = search_fresh(&game, &limits);
            let child = game.rules().after(game.current(), answer.best.unwrap());
            let text = game.rules().print_move(game.current(), answer.best.unwrap());
            assert_eq!(game.occurrences(&child), 0, "{text}, contempt {contempt}, {nodes} nodes");
        }
    }
}
