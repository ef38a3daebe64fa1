//! The solver against plain minimax, against what is published of Connect Four, and within its limits.

use proptest::prelude::*;
use search_core::{
    Ends, Foresight, Game, Goal, Insight, Limits, Payoffs, Player, Record, RulesOnly, Score, SearchRng,
    Solution, Solver, SolverSettings, StopReason, TurnBased, Zero, reference,
};
use toys::connect_four::{Board, Column, ConnectFour};
use toys::connect_four_insight::Threats;
use toys::random::Tree;
use toys::textbook_tree;
use toys::tic_tac_toe::TicTacToe;

fn settings(goal: Goal, table_bytes: usize) -> SolverSettings {
    SolverSettings { goal, table_bytes, ..SolverSettings::default() }
}

/// Whether a score means the same outcome.
fn same_outcome(one: Score, two: Score) -> bool {
    (one.is_win(), one.is_loss()) == (two.is_win(), two.is_loss())
}

/// The line is legal and ends as the score says.
fn follow<G: TurnBased>(record: &Record<G>, solution: &Solution<G::Move>) {
    let mut game = record.clone();
    let mover = record.position().to_move();
    for &mv in &solution.line {
        game.play(mv).expect("the moves of the line are legal");
    }
    let end = game.end().expect("the line goes to the end");
    let score = Score::of_outcome(end.outcome, mover, solution.line.len() as u32);
    assert_eq!(Some(score), solution.score());
    assert_eq!(solution.line.first().copied(), solution.best);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn random_games_are_solved_as_minimax_solves_them(
        seed: u64,
        states in 0_u64..40,
        ends in 0_u64..12,
        irregular: bool,
        cap in 1_u32..7,
        table_bytes in prop_oneof![Just(0_usize), Just(1 << 12), Just(1 << 18)],
    ) {
        let record = Record::new(Tree::new(seed, states, 4, ends, irregular, cap));
        prop_assume!(record.end().is_none());
        let truth = reference::minimax(&record, cap, &Zero, Ends::Outcome);

        let mut solver = Solver::new(RulesOnly, settings(Goal::Distance, table_bytes));
        let solution = solver.solve(&record, Limits::default());
        prop_assert_eq!(solution.stop, StopReason::Proven);
        prop_assert_eq!((solution.lower, solution.upper), (truth.score, truth.score));
        follow(&record, &solution);

        let mut solver = Solver::new(Foresight, settings(Goal::Distance, table_bytes));
        let solution = solver.solve(&record, Limits::default());
        prop_assert_eq!(solution.score(), Some(truth.score), "two plies ahead");
        follow(&record, &solution);

        let mut solver = Solver::new(RulesOnly, settings(Goal::Outcome, table_bytes));
        let solution = solver.solve(&record, Limits::default());
        let score = solution.score().expect("solved");
        prop_assert!(same_outcome(score, truth.score), "{score} instead of {}", truth.score);
        prop_assert!(same_outcome(solution.upper, truth.score) && solution.best.is_some());
    }

    #[test]
    fn what_threats_prove_of_small_boards_is_true(seed: u64, stones in 0_u32..14) {
        threats_agree::<4, 4>(seed, stones)?;
        threats_agree::<5, 4>(seed, stones + 4)?;
        threats_agree::<4, 5>(seed, stones + 3)?;
    }

    #[test]
    fn mirrored_boards_have_one_key_and_one_score(seed: u64, stones in 6_u32..14) {
        let mut rng = SearchRng::new(seed, "moves");
        let (mut one, mut two) = (Board::<5, 4>::EMPTY, Board::<5, 4>::EMPTY);
        for _ in 0..stones {
            let Some(column) = one.sample(one.to_move(), &mut rng) else { break };
            one.play(column);
            two.play(Column::new(4 - column.index()).expect("a column of the board"));
        }
        prop_assert_eq!(Insight::key(&Threats, &one), Insight::key(&Threats, &two));
        if one.end().is_none() {
            let [one, two] = [one, two].map(|board| score(Threats, &board));
            prop_assert_eq!(one, two);
        }
    }
}

/// The score of a position, in plies.
fn score<G: TurnBased, I: Insight<G>>(insight: I, position: &G) -> Score {
    let mut solver = Solver::new(insight, settings(Goal::Distance, 1 << 20));
    solver.solve(&Record::new(position.clone()), Limits::default()).score().expect("solved")
}

fn threats_agree<const WIDTH: usize, const HEIGHT: usize>(
    seed: u64,
    stones: u32,
) -> Result<(), TestCaseError> {
    let mut rng = SearchRng::new(seed, "moves");
    let mut board = Board::<WIDTH, HEIGHT>::EMPTY;
    for _ in 0..stones {
        let Some(column) = board.sample(board.to_move(), &mut rng) else { break };
        board.play(column);
    }
    if board.end().is_none() {
        let [with, ahead, without] =
            [score(Threats, &board), score(Foresight, &board), score(RulesOnly, &board)];
        prop_assert_eq!((with, ahead), (without, without), "{}", board);
    }
    Ok(())
}

#[test]
fn tic_tac_toe_is_a_draw_with_a_line_of_nine() {
    let record = Record::new(TicTacToe::initial(&search_core::Standard, 0));
    let mut solver = Solver::new(RulesOnly, settings(Goal::Distance, 1 << 16));
    let solution = solver.solve(&record, Limits::default());
    assert_eq!(solution.score(), Some(Score::DRAW));
    assert_eq!(solution.line.len(), 9);
    follow(&record, &solution);
}

#[test]
fn payoffs_of_the_textbook_tree_are_found() {
    let tree = textbook_tree::Tree::initial(&search_core::Standard, 0);
    let mut solver = Solver::new(Payoffs::<100>, settings(Goal::Payoff, 1 << 12));
    let solution = solver.solve(&Record::new(tree), Limits::default());
    assert_eq!(solution.score(), Some(Score::new(3)));
    assert_eq!(solution.line.len(), 2);
    assert_eq!(solution.stop, StopReason::Proven);
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

#[test]
fn a_solver_goes_on_where_it_stopped() {
    let record = after("272332566226");
    let mut whole = Solver::new(Threats, settings(Goal::Outcome, 16 << 20));
    let truth = whole.solve(&record, Limits::default());
    let mut solver = Solver::new(Threats, settings(Goal::Outcome, 16 << 20));
    let slice = truth.stats.nodes / 4;
    let mut slices = 1;
    let mut solution = solver.solve(&record, Limits::nodes(slice));
    assert_eq!((solution.stop, solution.score()), (StopReason::Nodes, None));
    while solution.stop != StopReason::Proven {
        assert!(slices < 20, "nothing is gained by going on");
        assert_eq!(solution.stats.nodes, slice);
        solution = solver.solve(&record, Limits::nodes(slice));
        slices += 1;
    }
    assert!(same_outcome(solution.lower, truth.lower) && slices > 2);
}

#[test]
fn a_limit_on_nodes_is_reproducible() {
    let record = after("272332566226");
    let solve = || Solver::new(Threats, SolverSettings::default()).solve(&record, Limits::nodes(50_000));
    let timeless = |mut solution: Solution<Column>| {
        solution.stats.time = std::time::Duration::ZERO;
        solution
    };
    assert_eq!(timeless(solve()), timeless(solve()));
}

#[test]
fn foresight_sees_that_the_opponent_can_lose_by_a_move_of_his_own() {
    // Sure of a win in three, there is one in two: by a reply that loses.
    let record = Record::new(Tree::new(3_461_663_215_958_992_002, 0, 4, 2, false, 6));
    let truth = reference::minimax(&record, 6, &Zero, Ends::Outcome);
    let solution = Solver::new(Foresight, SolverSettings::default()).solve(&record, Limits::default());
    assert_eq!(solution.score(), Some(truth.score));
}

#[test]
fn the_line_is_followed_only_where_it_is_wanted() {
    let settings = SolverSettings { line: false, ..settings(Goal::Distance, 1 << 20) };
    let solution = Solver::new(Threats, settings).solve(&after("45461667"), Limits::default());
    assert_eq!((solution.score(), solution.stop), (Some(Score::win_in(13)), StopReason::Proven));
    assert!(solution.line.is_empty() && solution.best.is_none());
}

#[test]
fn the_table_never_exceeds_its_bytes() {
    for bytes in [0, 100, 1 << 12, 1_000_000] {
        let mut solver = Solver::new(Threats, settings(Goal::Outcome, bytes));
        solver.solve(&after("5532336513633"), Limits::nodes(2000));
        assert!(solver.table_bytes() <= bytes.max(128), "{} bytes", solver.table_bytes());
    }
}

#[test]
fn two_threads_find_the_same() {
    let record = after("716266342611");
    let settings = SolverSettings { threads: 2, ..settings(Goal::Distance, 16 << 20) };
    let solution = Solver::new(Threats, settings).solve(&record, Limits::default());
    assert_eq!(solution.score(), Some(Score::win_in(21)));
    follow(&record, &solution);
}

/// Sure that every game is over after three plies.
struct Hasty;

impl<G: TurnBased> Insight<G> for Hasty {
    type Passed = ();

    const LONGEST: u32 = 3;
}

#[test]
fn a_finished_game_and_a_line_that_is_too_long_are_said() {
    let record = after("1212121");
    let solution = Solver::new(Threats, SolverSettings::default()).solve(&record, Limits::default());
    assert_eq!((solution.stop, solution.best), (StopReason::GameOver, None));
    assert_eq!(solution.score(), Some(Score::loss_in(0)));

    let record = Record::new(TicTacToe::initial(&search_core::Standard, 0));
    let solution = Solver::new(Hasty, SolverSettings::default()).solve(&record, Limits::default());
    assert_eq!((solution.stop, solution.score()), (StopReason::Depth, None));
    assert!(solution.lower < Score::DRAW && solution.upper > Score::DRAW);
}

#[test]
fn as_a_search_it_says_what_is_proven_for_whoever_asks() {
    use search_core::Search;
    let record = after("45461667");
    let mut solver = Solver::new(Threats, settings(Goal::Distance, 1 << 20));
    let analysis = solver.analyse(&record, Limits::default());
    assert_eq!((analysis.score, analysis.stop), (Score::win_in(13), StopReason::Proven));
    assert_eq!(analysis.pv.len(), 13);
    assert_eq!(record.position().to_move(), Player::One);
}
