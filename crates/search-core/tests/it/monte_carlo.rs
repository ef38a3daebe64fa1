//! Monte Carlo tree search: proofs, memory, reproducibility, and what it finds.

use proptest::prelude::*;
use search_core::{
    AlphaBeta, AlphaBetaSettings, Analysis, AtCap, Bot, FinalChoice, Game, Hooks, Limits, Mcts, MctsSettings,
    Player, Record, Score, Search, SearchBot, Selection, StopFlag, StopReason, SystemClock, Task, Zero,
};
use toys::connect_four::ConnectFour;
use toys::random::{Noise, Tree};

fn board(moves: &str) -> Record<ConnectFour> {
    let mut record = Record::new(ConnectFour::EMPTY);
    for mv in moves.split_whitespace() {
        record.play(mv.parse().expect("a column")).expect("a legal move");
    }
    record
}

fn search(
    settings: MctsSettings,
    record: &Record<ConnectFour>,
    playouts: u64,
) -> Analysis<toys::connect_four::Column> {
    let mut mcts = Mcts::new(Hooks::new(Zero), settings);
    mcts.new_game(5);
    mcts.analyse(record, Limits::playouts(playouts))
}

#[test]
fn every_version_takes_a_win_and_parries_a_threat() {
    let versions = [
        MctsSettings::flat(),
        MctsSettings::uct(),
        MctsSettings::default(),
        MctsSettings { expand_best: Some(3), ..MctsSettings::default() },
        MctsSettings { selection: Selection::Puct { c: 2.0 }, ..MctsSettings::default() },
        MctsSettings { bias: 1.0, ..MctsSettings::default() },
        MctsSettings { threads: 2, ..MctsSettings::default() },
        MctsSettings { rollout_plies: Some(6), at_cap: AtCap::Draw, ..MctsSettings::default() },
        MctsSettings {
            final_choice: FinalChoice::BestAverage,
            playouts_per_leaf: 3,
            ..MctsSettings::default()
        },
    ];
    for settings in versions {
        // With few moves kept, all seven must be: the evaluation knows nothing.
        let settings = MctsSettings { expand_best: settings.expand_best.map(|_| 7), ..settings };
        let win = search(settings.clone(), &board("d c d c d c"), 3000);
        assert_eq!(win.best.map(|mv| mv.to_string()).as_deref(), Some("d"), "{settings:?}");
        let threat = search(settings.clone(), &board("d a d a d"), 3000);
        assert_eq!(threat.best.map(|mv| mv.to_string()).as_deref(), Some("d"), "{settings:?}");
        assert_eq!(threat.pv.first(), threat.best.as_ref());
        assert_eq!(threat.root.iter().map(|row| row.visits).sum::<u64>(), threat.stats.playouts);
    }
}

#[test]
fn a_proven_win_ends_the_search_with_its_distance() {
    let win = search(MctsSettings::default(), &board("d c d c d c"), 100_000);
    assert_eq!((win.stop, win.score), (StopReason::Proven, Score::win_in(1)));
    // Three in a row on the ground with both ends open: lost in two.
    let lost = search(MctsSettings::default(), &board("c c d d e"), 100_000);
    assert_eq!((lost.stop, lost.score), (StopReason::Proven, Score::loss_in(2)));
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    let grow = |seed, threads| {
        let settings = MctsSettings { threads, ..MctsSettings::default() };
        let mut mcts = Mcts::new(Hooks::new(Zero), settings);
        mcts.new_game(seed);
        let analysis = mcts.analyse(&board("d d"), Limits::playouts(4000));
        let rows: Vec<_> = analysis.root.iter().map(|row| (row.mv, row.visits, row.score)).collect();
        (rows, mcts.tree_nodes(), analysis.stats.nodes)
    };
    assert_eq!(grow(1, 1), grow(1, 1));
    assert_eq!(grow(1, 2), grow(1, 2));
    assert_ne!(grow(1, 1), grow(2, 1));
}

#[test]
fn memory_stays_within_its_budget_however_long_it_runs() {
    let budget = 256 << 10;
    let settings = MctsSettings { memory_bytes: budget, reuse_tree: true, ..MctsSettings::default() };
    let mut mcts = Mcts::new(Hooks::new(Zero), settings);
    mcts.new_game(1);
    // A playout adds up to seven nodes of about 50 bytes: ten times the budget.
    let playouts = 10 * budget as u64 / 200;
    let mut record = board("");
    for _ in 0..4 {
        let analysis = mcts.analyse(&record, Limits::playouts(playouts));
        assert!(mcts.tree_bytes() <= budget, "{} bytes", mcts.tree_bytes());
        assert!(mcts.tree_bytes() > budget / 2, "the budget is used");
        assert_eq!(analysis.stats.playouts, playouts);
        record.play(analysis.best.expect("a move")).expect("legal");
    }
    assert!(mcts.recycled() >= 4, "recycled {} times", mcts.recycled());
}

#[test]
fn the_tree_is_kept_from_move_to_move() {
    let settings = MctsSettings::default();
    let mut mcts = Mcts::new(Hooks::new(Zero), settings.clone());
    mcts.new_game(1);
    let first = mcts.analyse(&board(""), Limits::playouts(5000));
    let best = first.best.expect("a move");
    let reply = first.pv[1];
    let record = board(&format!("{best} {reply}"));
    let expected: u64 = 5000 / 50;
    let kept = mcts.analyse(&record, Limits::playouts(10));
    assert!(kept.root.iter().map(|row| row.visits).sum::<u64>() > expected);
    // Another game has nothing to do with it.
    let fresh = mcts.analyse(&board("a b"), Limits::playouts(10));
    assert_eq!(fresh.root.iter().map(|row| row.visits).sum::<u64>(), 10);
}

#[test]
fn a_stop_flag_and_a_finished_game_are_answered_at_once() {
    let record = board("");
    let stop = StopFlag::new();
    stop.stop();
    let clock = SystemClock::new();
    let limits = Limits::default();
    let task = Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
    let mut bot = SearchBot::new(Mcts::new(Hooks::new(Zero), MctsSettings::default()));
    Bot::<ConnectFour>::new_game(&mut bot, Player::One, 1).expect("nothing to fail");
    let answer = bot.choose(&task).expect("a move");
    assert!(record.position().is_legal(Player::One, answer.mv));
    let over = board("a b a b a b a");
    assert_eq!(search(MctsSettings::default(), &over, 10).stop, StopReason::GameOver);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn what_the_solver_proves_is_true(
        seed: u64, width in 1..4_u8, ends in 2..8_u64, irregular: bool, cap in 2..7_u32,
    ) {
        let record = Record::new(Tree::new(seed, 0, width, ends, irregular, cap));
        let settings = MctsSettings { only_move: false, ..MctsSettings::default() };
        let mut mcts = Mcts::new(Hooks::new(Noise), settings);
        mcts.new_game(seed);
        let found = mcts.analyse(&record, Limits::playouts(20_000));
        let mut exact = AlphaBeta::new(Hooks::new(Noise), AlphaBetaSettings::plain());
        let truth = exact.analyse(&record, Limits::depth(8)).score;
        // Trees so small are always solved.
        prop_assert_eq!(found.stop, StopReason::Proven);
        prop_assert_eq!(found.score.is_win(), truth.is_win());
        prop_assert_eq!(found.score.is_loss(), truth.is_loss());
    }
}

#[test]
fn nothing_is_proven_by_moves_that_were_left_out() {
    let mut proven = 0;
    for seed in 0..400 {
        let record = Record::new(Tree::new(seed, 0, 4, 7, false, 6));
        let settings = MctsSettings { only_move: false, expand_best: Some(1), ..MctsSettings::default() };
        // An evaluation that knows nothing: the move that is kept is as good as drawn by lot.
        let mut mcts = Mcts::new(Hooks::new(Zero), settings);
        mcts.new_game(seed);
        for row in mcts.analyse(&record, Limits::playouts(200)).root {
            let mut after = record.clone();
            after.play(row.mv).expect("legal");
            let mut exact = AlphaBeta::new(Hooks::new(Zero), AlphaBetaSettings::plain());
            let outcome = after.end().map(|end| end.outcome.sign(Player::One));
            let reply = exact.analyse(&after, Limits::depth(8)).score;
            let truth = outcome.unwrap_or(if reply.is_win() { -1 } else { i32::from(reply.is_loss()) });
            assert!(!row.score.is_win() || truth == 1, "seed {seed}: {} but {truth}", row.score);
            assert!(!row.score.is_loss() || truth == -1, "seed {seed}: {} but {truth}", row.score);
            proven += u32::from(row.score.is_decided());
        }
    }
    assert!(proven > 30, "{proven} proven moves");
}
