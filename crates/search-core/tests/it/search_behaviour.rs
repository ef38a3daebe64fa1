//! What the searches promise besides the right value: hooks, limits, threads, memory, and pinned node counts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use search_core::{
    AlphaBeta, AlphaBetaSettings, Analysis, Bot, ByEvaluation, Clock, Ends, Evaluate, Extend, Game, Hooks,
    Limits, Mcts, MctsSettings, MoveSink, Order, Player, Prune, Quiesce, Record, Reductions, Rollout, Score,
    Search, SearchBot, SearchRng, Standard, StopFlag, StopReason, SystemClock, TableUse, Task, Time,
    TurnBased, Zero, reference,
};
use toys::connect_four::{Column, ConnectFour};
use toys::random::{Choice, Noise, Tree};
use toys::tic_tac_toe::TicTacToe;

fn board(moves: &str) -> Record<ConnectFour> {
    let mut record = Record::new(ConnectFour::EMPTY);
    for mv in moves.split_whitespace() {
        record.play(mv.parse().expect("a column")).expect("a legal move");
    }
    record
}

/// Stones in the middle columns are worth more.
fn middle(position: &ConnectFour, player: Player) -> Score {
    const COLUMNS: [u64; 3] = [0x7f << 21, 0x7f << 14 | 0x7f << 28, 0x7f << 7 | 0x7f << 35];
    let value = |player| {
        let stones = position.stones_of(player);
        COLUMNS
            .iter()
            .zip([4, 2, 1])
            .map(|(cells, weight)| weight * (stones & cells).count_ones() as i32)
            .sum::<i32>()
    };
    Score::new(value(player) - value(player.opponent()))
}

/// A clock that moves on by a fixed step whenever somebody looks at it: time without waiting.
#[derive(Debug)]
struct Ticking {
    microseconds: AtomicU64,
    step: u64,
}

impl Ticking {
    fn new(step: u64) -> Ticking {
        Ticking { microseconds: AtomicU64::new(0), step }
    }
}

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(self.microseconds.fetch_add(self.step, Ordering::Relaxed))
    }
}

fn ask<S: Search<ConnectFour>>(
    search: &mut S,
    record: &Record<ConnectFour>,
    limits: Limits,
    clock: &dyn Clock,
) -> Analysis<Column> {
    let stop = StopFlag::new();
    let player = record.position().to_move();
    search.search(&Task { record, player, limits, stop: &stop, clock, watch: None })
}

#[test]
fn node_counts_are_pinned() {
    // Whoever changes the order of a search changes these numbers, and says so.
    let nodes = |settings: AlphaBetaSettings, depth| {
        let mut search = AlphaBeta::new(Hooks::new(middle), settings);
        search.analyse(&board("d c"), Limits::depth(depth)).stats.nodes
    };
    let reduced =
        AlphaBetaSettings { reductions: Some(Reductions::default()), ..AlphaBetaSettings::default() };
    let windows =
        AlphaBetaSettings { aspiration: Some(4), enhanced_cutoffs: true, ..AlphaBetaSettings::default() };
    let counts = [
        nodes(AlphaBetaSettings::plain(), 7),
        nodes(AlphaBetaSettings::default(), 10),
        nodes(reduced, 10),
        nodes(windows, 10),
    ];
    assert_eq!(counts, PINNED);
    let mut mcts = Mcts::new(Hooks::new(Zero), MctsSettings::default());
    mcts.new_game(1);
    assert_eq!(mcts.analyse(&board(""), Limits::playouts(2000)).stats.nodes, PINNED_PLAYOUTS);
}

const PINNED: [u64; 4] = [119_979, 44_142, 18_902, 23_318];
const PINNED_PLAYOUTS: u64 = 45_020;

#[test]
fn node_counts_of_the_settings_for_connect_four_are_pinned() {
    let base = AlphaBetaSettings { killers: false, counter_moves: false, ..AlphaBetaSettings::default() };
    let nodes = |settings: AlphaBetaSettings| {
        let mut search = AlphaBeta::new(Hooks::new(middle), settings);
        search.analyse(&board("d c"), Limits::depth(10)).stats.nodes
    };
    let pairs = AlphaBetaSettings { pair_history: true, ..base.clone() };
    let wins = AlphaBetaSettings { wins_first: true, ..base.clone() };
    let enhanced = AlphaBetaSettings { enhanced_cutoffs: true, ..base.clone() };
    let all = AlphaBetaSettings { pair_history: true, wins_first: true, ..enhanced.clone() };
    let mut by_evaluation = AlphaBeta::new(Hooks::new(middle).with_order(ByEvaluation(middle)), base.clone());
    let ranked = by_evaluation.analyse(&board("d c"), Limits::depth(10)).stats.nodes;
    assert_eq!([base, pairs, wins, enhanced, all].map(nodes), PINNED_SETTINGS);
    assert_eq!(ranked, PINNED_BY_EVALUATION);
}

/// Plain, pair history, wins first, enhanced cutoffs, all three.
const PINNED_SETTINGS: [u64; 5] = [41_827, 46_651, 38_859, 33_443, 30_954];
const PINNED_BY_EVALUATION: u64 = 19_125;

#[test]
fn moves_are_ranked_by_the_evaluation_behind_them() {
    // d wins at once, and the middle is worth more than the edge.
    let record = board("d c d c d c");
    let rank = |column: &str| {
        ByEvaluation(middle).rank(record.position(), Player::One, column.parse().expect("a column"))
    };
    assert_eq!(rank("d"), Score::win_in(0).value());
    assert_eq!(rank("c") - rank("a"), 2);
    assert_eq!(rank("b"), middle(record.position(), Player::One).value() + 1);
}

#[test]
fn late_positions_of_connect_four_are_solved() {
    let mut rng = SearchRng::new(4, "late positions");
    let mut search = AlphaBeta::new(Hooks::new(Zero), AlphaBetaSettings::default());
    let mut solved = [0; 3];
    while solved.iter().sum::<u32>() < 25 {
        let mut record = board("");
        while record.end().is_none() && record.turns().len() < 33 {
            let mv = record.position().sample(record.position().to_move(), &mut rng).expect("a move");
            record.play(mv).expect("a sampled move is legal");
        }
        if record.end().is_some() {
            continue;
        }
        search.new_game(1);
        let found = search.analyse(&record, Limits::default());
        let truth = reference::alpha_beta(&record, 9, &Zero, Ends::Outcome).score;
        assert_eq!(found.score, truth, "{}", record.position());
        assert_eq!(
            found.stop,
            if record.legal_moves(record.position().to_move()).len() == 1 {
                StopReason::OnlyMove
            } else {
                StopReason::Proven
            }
        );
        solved[usize::from(truth.is_decided()) + usize::from(truth.is_win())] += 1;
    }
    assert!(solved.iter().all(|&count| count > 0), "draws, losses and wins: {solved:?}");
}

#[test]
fn tic_tac_toe_is_solved_by_playouts_and_by_alpha_beta() {
    let record = Record::new(TicTacToe::initial(&Standard, 0));
    let mut mcts = Mcts::new(Hooks::new(Zero), MctsSettings::default());
    mcts.new_game(1);
    let found = mcts.analyse(&record, Limits::playouts(400_000));
    assert_eq!((found.stop, found.score), (StopReason::Proven, Score::DRAW), "{:?}", found.stats);
    for table in [TableUse::Off, TableUse::MovesOnly, TableUse::ExactDepth, TableUse::AtLeast] {
        let settings = AlphaBetaSettings { table, ..AlphaBetaSettings::default() };
        let mut search = AlphaBeta::new(Hooks::new(Zero), settings);
        for _ in 0..2 {
            let found = search.analyse(&record, Limits::depth(30));
            assert_eq!((found.stop, found.score), (StopReason::Proven, Score::DRAW), "{table:?}");
            assert!(found.depth <= 10, "{} plies deep with {table:?}", found.depth);
        }
    }
}

#[test]
fn a_search_keeps_its_time() {
    for time in [
        Time::Move(Duration::from_millis(100)),
        Time::Bounds { soft: Duration::from_millis(40), hard: Duration::from_millis(100) },
        Time::Game { left: Duration::from_secs(5), increment: Duration::ZERO },
    ] {
        let limits = Limits { time: Some(time), ..Limits::default() };
        let settings = AlphaBetaSettings { clearly_best: false, ..AlphaBetaSettings::default() };
        let clock = Ticking::new(400);
        let found = ask(&mut AlphaBeta::new(Hooks::new(middle), settings), &board(""), limits, &clock);
        assert_eq!(found.stop, StopReason::Time, "{time:?}");
        let bar = if matches!(time, Time::Game { .. }) { 600 } else { 101 };
        assert!(found.stats.time <= Duration::from_millis(bar), "{time:?}: {:?}", found.stats.time);
        assert!(found.stats.time >= Duration::from_millis(40), "{time:?}: {:?}", found.stats.time);
        assert!(found.best.is_some() && found.depth > 0);

        let settings = MctsSettings { clearly_best: false, ..MctsSettings::default() };
        let clock = Ticking::new(400);
        let found = ask(&mut Mcts::new(Hooks::new(Zero), settings), &board(""), limits, &clock);
        assert_eq!(found.stop, StopReason::Time, "{time:?}");
        assert!(found.stats.time <= Duration::from_millis(bar), "{time:?}: {:?}", found.stats.time);
    }
}

#[test]
fn a_raised_flag_ends_every_search_at_once() {
    let record = board("");
    let stop = StopFlag::new();
    stop.stop();
    let clock = SystemClock::new();
    let limits = Limits::default();
    let task = Task { record: &record, player: Player::One, limits, stop: &stop, clock: &clock, watch: None };
    for threads in [1, 2] {
        let settings = AlphaBetaSettings { threads, ..AlphaBetaSettings::default() };
        let mut bot = SearchBot::new(AlphaBeta::new(Hooks::new(middle), settings));
        let answer = bot.choose(&task).expect("a move even so");
        let analysis = answer.analysis.expect("an analysis");
        assert_eq!(analysis.stop, StopReason::Stopped);
        assert!(analysis.stats.nodes < 5000, "{} nodes", analysis.stats.nodes);
        assert!(record.position().is_legal(Player::One, answer.mv));
    }
}

#[test]
fn a_flag_raised_by_the_watcher_is_seen_in_the_next_iteration() {
    let record = board("");
    let stop = StopFlag::new();
    let clock = SystemClock::new();
    let raise = |analysis: &Analysis<Column>| {
        if analysis.depth == 5 {
            stop.stop();
        }
    };
    let limits = Limits::default();
    let task = Task {
        record: &record,
        player: Player::One,
        limits,
        stop: &stop,
        clock: &clock,
        watch: Some(&raise),
    };
    let found = AlphaBeta::new(Hooks::new(middle), AlphaBetaSettings::default()).search(&task);
    assert_eq!(found.stop, StopReason::Stopped);
    assert!((5..20).contains(&found.depth));
}

#[test]
fn a_single_move_and_a_clear_case_are_played_early() {
    // Random games until all columns but one are full and the game goes on.
    let mut rng = SearchRng::new(1, "only moves");
    let mut record = board("");
    while record.legal_moves(record.position().to_move()).len() != 1 {
        if record.end().is_some() {
            record = board("");
        }
        let mv = record.position().sample(record.position().to_move(), &mut rng).expect("a move");
        record.play(mv).expect("a sampled move is legal");
    }
    let found =
        AlphaBeta::new(Hooks::new(Zero), AlphaBetaSettings::default()).analyse(&record, Limits::default());
    assert_eq!((found.stop, found.depth), (StopReason::OnlyMove, 1));
    let found = Mcts::new(Hooks::new(Zero), MctsSettings::default()).analyse(&record, Limits::default());
    assert_eq!((found.stop, found.stats.playouts), (StopReason::OnlyMove, 0));
    // One move wins, but its proof is switched off: it stays clearly best, and the clock decides.
    let settings = AlphaBetaSettings { stop_when_proven: false, ..AlphaBetaSettings::default() };
    let record = board("d c d c d c");
    let clock = Ticking::new(200);
    let limits = Limits {
        time: Some(Time::Game { left: Duration::from_mins(1), increment: Duration::ZERO }),
        ..Limits::default()
    };
    let found = ask(&mut AlphaBeta::new(Hooks::new(middle), settings.clone()), &record, limits, &clock);
    assert!(matches!(found.stop, StopReason::ClearlyBest | StopReason::Depth), "{:?}", found.stop);
    assert_eq!(found.best.map(|mv| mv.to_string()).as_deref(), Some("d"));
    // Without a clock nothing is cut short.
    let found = AlphaBeta::new(Hooks::new(middle), settings).analyse(&board(""), Limits::depth(6));
    assert_eq!((found.stop, found.depth), (StopReason::Depth, 6));
}

#[test]
fn a_node_limit_is_kept_and_repeats_to_the_bit() {
    let run = || {
        let mut search = AlphaBeta::new(Hooks::new(middle), AlphaBetaSettings::default());
        let found = search.analyse(&board("d"), Limits::nodes(30_000));
        Analysis { stats: search_core::Stats { time: Duration::ZERO, ..found.stats }, ..found }
    };
    let found = run();
    assert_eq!((found.stop, found.stats.nodes), (StopReason::Nodes, 30_000));
    assert_eq!(found, run());
}

#[test]
fn the_table_never_exceeds_its_bytes() {
    for bytes in [0, 64, 1000, 1 << 20] {
        for threads in [1, 2, 3] {
            let settings = AlphaBetaSettings { table_bytes: bytes, threads, ..AlphaBetaSettings::default() };
            let mut search = AlphaBeta::new(Hooks::new(middle), settings);
            let found = search.analyse(&board(""), Limits::depth(8));
            let found_bytes = search.table_bytes();
            assert!(found_bytes <= bytes.max(64), "{found_bytes} of {bytes}, {threads} threads");
            assert_eq!(found.depth, 8);
        }
    }
}

#[test]
fn a_finished_game_gets_an_answer_without_a_move() {
    let over = board("a b a b a b a");
    let found =
        AlphaBeta::new(Hooks::new(middle), AlphaBetaSettings::default()).analyse(&over, Limits::depth(3));
    assert_eq!((found.best, found.stop), (None, StopReason::GameOver));
}

/// Rules of thumb drawn from the seed, and the searches' meaning of them written down once more.
#[derive(Debug, Clone, Copy)]
struct Thumb;

impl Thumb {
    fn word(position: &Tree, mv: Choice) -> u64 {
        position.after(mv).key() >> 7
    }
}

impl Quiesce<Tree> for Thumb {
    fn noisy_moves(&self, position: &Tree, player: Player, moves: &mut Vec<Choice>) {
        let mut all = Vec::new();
        position.moves_of(player, &mut all);
        all.into_iter()
            .filter(|&mv| Thumb::word(position, mv).is_multiple_of(3))
            .for_each(|mv| MoveSink::push(moves, mv));
    }
}

impl Prune<Tree> for Thumb {
    fn keeps(&self, position: &Tree, _: Player, mv: Choice) -> bool {
        !Thumb::word(position, mv).is_multiple_of(4)
    }
}

impl Extend<Tree> for Thumb {
    fn extension(&self, position: &Tree, mv: Choice, _: &Tree, _: u32) -> u32 {
        u32::from(Thumb::word(position, mv).is_multiple_of(5))
    }
}

struct Oracle {
    prune: bool,
    extend: bool,
    noisy_plies: u32,
    root_depth: u32,
}

impl Oracle {
    fn value(&self, position: &Tree, depth: u32, ply: u32, extended: u32) -> Score {
        let player = position.to_move();
        if let Some(end) = position.end() {
            return Ends::Outcome.score(position, end, player, ply);
        }
        if depth == 0 {
            return self.quiet(position, ply, 0);
        }
        let mut moves: Vec<Choice> = position.move_list(player);
        if self.prune && moves.iter().any(|&mv| Thumb.keeps(position, player, mv)) {
            moves.retain(|&mv| Thumb.keeps(position, player, mv));
        }
        let best = moves.into_iter().map(|mv| {
            let next = position.after(mv);
            let wanted = if self.extend { Thumb.extension(position, mv, &next, depth) } else { 0 };
            let more = wanted.min(self.root_depth - extended);
            let score = self.value(&next, depth - 1 + more, ply + 1, extended + more);
            if next.to_move() == player { score } else { -score }
        });
        best.max().expect("an unfinished game has moves")
    }

    fn quiet(&self, position: &Tree, ply: u32, deep: u32) -> Score {
        let player = position.to_move();
        if let Some(end) = position.end() {
            return Ends::Outcome.score(position, end, player, ply);
        }
        let mut moves = Vec::new();
        if deep < self.noisy_plies {
            Thumb.noisy_moves(position, player, &mut moves);
        }
        let scores = moves.into_iter().map(|mv| {
            let next = position.after(mv);
            let score = self.quiet(&next, ply + 1, deep + 1);
            if next.to_move() == player { score } else { -score }
        });
        scores.max().unwrap_or(Score::MIN).max(Noise.evaluate(position, player))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn hooks_mean_what_they_say(
        seed: u64, width in 1..5_u8, ends in 0..15_u64, irregular: bool, depth in 1..5_u32, noisy_plies in 0..4_u32,
        fast: bool,
    ) {
        let start = Tree::new(seed, 0, width, ends, irregular, 14);
        let record = Record::new(start);
        let base = if fast { AlphaBetaSettings::default() } else { AlphaBetaSettings::plain() };
        let settings = AlphaBetaSettings {
            quiescence_depth: noisy_plies,
            // Extensions make values depend on the line: no table.
            table: TableUse::Off,
            only_move: false,
            stop_when_proven: false,
            ..base
        };
        let oracle = |prune, extend, noisy_plies| {
            Oracle { prune, extend, noisy_plies, root_depth: depth }.value(&start, depth, 0, 0)
        };
        let limits = Limits::depth(depth);
        let hooks = Hooks::new(Noise);
        let score = AlphaBeta::new(hooks.with_quiesce(Thumb), settings.clone()).analyse(&record, limits).score;
        prop_assert_eq!(score, oracle(false, false, noisy_plies));
        let score = AlphaBeta::new(hooks.with_prune(Thumb), settings.clone()).analyse(&record, limits).score;
        prop_assert_eq!(score, oracle(true, false, 0));
        let score = AlphaBeta::new(hooks.with_extend(Thumb), settings.clone()).analyse(&record, limits).score;
        prop_assert_eq!(score, oracle(false, true, 0));
        let all = hooks.with_quiesce(Thumb).with_prune(Thumb).with_extend(Thumb);
        let score = AlphaBeta::new(all, settings).analyse(&record, limits).score;
        prop_assert_eq!(score, oracle(true, true, noisy_plies));
    }
}

/// Always plays the first legal move: a playout of known length.
struct First;

impl Rollout<ConnectFour> for First {
    fn choose(&self, position: &ConnectFour, player: Player, _: &mut SearchRng) -> Option<Column> {
        position.nth_move(player, 0)
    }
}

#[test]
fn playouts_follow_their_hook_and_their_cap() {
    let settings = MctsSettings { rollout_plies: Some(3), solver: false, ..MctsSettings::flat() };
    let mut search = Mcts::new(Hooks::new(middle).with_rollout(First), settings);
    let found = search.analyse(&board(""), Limits::playouts(70));
    // One node for the root, one for its move and three for the playout, each time.
    assert_eq!((found.stats.nodes, found.stats.playouts), (70 * 5, 70));
    assert!(found.root.iter().all(|row| row.visits == 10));
    assert_eq!(
        found.best.map(|mv| mv.to_string()).as_deref(),
        Some("d"),
        "the evaluation at the cap likes the middle"
    );
}
