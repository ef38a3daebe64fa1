//! Against what is published: values of positions of Connect Four on the usual board, who wins on other boards, and the number of
//! subgames of Goofspiel.
//!
//! Values of Connect Four count as usual: 22 less the stones that the winner needs in all, negative if the player to move loses, 0 for a draw. The
//! longer ones run in `cargo xtask soak oracles`.

use search_core::{Goal, Limits, Record, Score, Solution, Solver, SolverSettings, TurnBased};
use toys::connect_four::{Board, Column, ConnectFour};
use toys::connect_four_insight::Threats;
use toys::goofspiel_random;

fn solver(goal: Goal, megabytes: usize) -> Solver<ConnectFour, Threats> {
    Solver::new(Threats, SolverSettings { goal, table_bytes: megabytes << 20, ..SolverSettings::default() })
}

/// The position after columns from 1.
fn after(columns: &str) -> Record<ConnectFour> {
    let mut record = Record::new(ConnectFour::EMPTY);
    for digit in columns.bytes() {
        let column = Column::new(usize::from(digit - b'1')).expect("a column");
        record.play(column).expect("a legal move");
    }
    record
}

/// The line is legal and ends as the score says.
fn follow(record: &Record<ConnectFour>, solution: &Solution<Column>) {
    let mut game = record.clone();
    let mover = record.position().to_move();
    for &column in &solution.line {
        game.play(column).expect("the moves of the line are legal");
    }
    let end = game.end().expect("the line goes to the end");
    assert_eq!(Some(Score::of_outcome(end.outcome, mover, solution.line.len() as u32)), solution.score());
}

/// Solves each position to its value and follows the line.
fn have_values(megabytes: usize, positions: &[(&str, i32)]) {
    let mut solver = solver(Goal::Distance, megabytes);
    for &(columns, value) in positions {
        let record = after(columns);
        let solution = solver.solve(&record, Limits::default());
        let score = solution.score().expect("solved");
        let found = score.plies_to_end().map_or(0, |plies| {
            let value = 22 - (record.position().stones() + plies).div_ceil(2) as i32;
            if score.is_win() { value } else { -value }
        });
        assert_eq!(found, value, "{columns}");
        follow(&record, &solution);
        assert!(solver.is_exact());
    }
}

/// The outcome on an empty board for the first player: 1, 0 or -1.
fn outcome<const WIDTH: usize, const HEIGHT: usize>() -> i32 {
    let settings = SolverSettings {
        goal: Goal::Outcome,
        table_bytes: 64 << 20,
        line: false,
        ..SolverSettings::default()
    };
    let mut solver = Solver::new(Threats, settings);
    let solution = solver.solve(&Record::new(Board::<WIDTH, HEIGHT>::EMPTY), Limits::default());
    let score = solution.score().expect("solved");
    i32::from(score.is_win()) - i32::from(score.is_loss())
}

#[test]
fn positions_of_the_usual_board() {
    have_values(16, &[("45461667", 11), ("5532336513633", 3), ("716266342611", 5), ("272332566226", -2)]);
}

#[test]
fn small_boards() {
    assert_eq!(outcome::<4, 4>(), 0, "4x4");
    assert_eq!(outcome::<4, 5>(), 0, "4x5");
    assert_eq!(outcome::<4, 6>(), 0, "4x6");
    assert_eq!(outcome::<5, 4>(), 0, "5x4");
    assert_eq!(outcome::<5, 5>(), 0, "5x5");
    assert_eq!(outcome::<6, 4>(), -1, "6x4");
}

#[test]
#[ignore = "a minute: cargo xtask soak oracles"]
fn hard_positions_of_the_usual_board() {
    have_values(64, &[("35333571", -3), ("13333111", 0)]);
}

#[test]
#[ignore = "minutes: cargo xtask soak oracles"]
fn larger_boards() {
    assert_eq!(outcome::<5, 6>(), 0, "5x6");
    assert_eq!(outcome::<6, 5>(), 0, "6x5");
    assert_eq!(outcome::<5, 7>(), 0, "5x7");
    assert_eq!(outcome::<6, 6>(), -1, "6x6");
}

#[test]
#[ignore = "half an hour: cargo xtask soak oracles"]
fn first_moves_of_the_usual_board() {
    // Seen from the second player, who is to move then.
    let values = [("1", 2), ("2", 1), ("3", 0), ("4", -1), ("5", 0), ("6", 1), ("7", 2)];
    have_values(1024, &values);
}

#[test]
#[ignore = "a quarter of an hour: cargo xtask soak oracles"]
fn the_empty_board_is_won_with_the_last_stone_but_one() {
    let record = after("");
    let solution = solver(Goal::Distance, 1024).solve(&record, Limits::default());
    assert_eq!(solution.score(), Some(Score::win_in(41)));
    follow(&record, &solution);
}

#[test]
#[ignore = "seconds: cargo xtask soak oracles"]
fn goofspiel_with_eight_cards_and_random_prizes() {
    let found = goofspiel_random::solve(8, |_| {});
    assert_eq!((found.subgames, found.solved), (739_162, 363_148));
    assert!(found.value.abs() < 1e-9, "both players have the same cards: {}", found.value);
}
