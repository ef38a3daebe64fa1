//! Searches of simultaneous games against full backward induction.

use proptest::prelude::*;
use search_core::matrix::{Matrix, solve};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Bot, Ends, Evaluate, Game, Hooks, Limits, Player, Prune, Record, Search,
    SearchBot, Selector, SerialBot, Serialized, Simultaneous, SimultaneousSearch, SimultaneousSettings,
    SmMcts, SmMctsSettings, Stage, Standard, StopFlag, StopReason, SystemClock, Task, Zero, exploitability,
    serialize_record,
};
use toys::chase::Chase;
use toys::goofspiel::{Cards, Goofspiel};
use toys::one_turn::{Line, OneTurn};
use toys::random::Both;

/// Full backward induction: the value for the first player.
fn induction<G: Simultaneous>(position: &G, depth: u32, ends: Ends, leaf: &dyn Fn(&G) -> f64) -> f64 {
    if let Some(end) = position.end() {
        return f64::from(match ends {
            Ends::Outcome => end.outcome.sign(Player::One),
            Ends::Utility => position.utility(Player::One),
        });
    }
    if depth == 0 {
        return leaf(position);
    }
    let one = position.move_list(Player::One);
    let two = position.move_list(Player::Two);
    let (one, two) = (one.as_ref(), two.as_ref());
    let matrix = Matrix::from_fn(one.len(), two.len(), |row, column| {
        induction(&position.after([one[row], two[column]]), depth - 1, ends, leaf)
    });
    solve(&matrix).value
}

fn all_settings(ends: Ends) -> Vec<SimultaneousSettings> {
    let mut all = Vec::new();
    for serialized_bounds in [false, true] {
        for double_oracle in [false, true] {
            for table_bytes in [0, 1 << 16] {
                all.push(SimultaneousSettings {
                    serialized_bounds,
                    double_oracle,
                    table_bytes,
                    ends,
                    only_move: false,
                    ..SimultaneousSettings::default()
                });
            }
        }
    }
    all
}

/// A position from which one side is better off, so that the value is not 0 by symmetry.
fn uneven() -> Goofspiel {
    "1,3,4,5 2,3,4,5 1".parse().expect("a position")
}

#[test]
fn goofspiel_is_solved_like_by_full_backward_induction() {
    for start in [Goofspiel::initial(&Cards(4), 0), uneven()] {
        for ends in [Ends::Outcome, Ends::Utility] {
            let value = induction(&start, 9, ends, &|_| 0.0);
            for settings in all_settings(ends) {
                let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings.clone());
                let analysis = search.analyse(&Record::new(start), Limits::depth(4));
                let mixed = analysis.mixed.expect("a mixed strategy");
                assert!((mixed.value - value).abs() < 1e-6, "{settings:?}: {} not {value}", mixed.value);
                assert!(mixed.gap < 1e-6);
                // The payoffs are those of the moves that are played, and give the same value.
                let [one, two] = &mixed.strategies;
                let shares = |row: usize, column: usize| one[row].1 * two[column].1;
                let cells = mixed.payoffs.iter().enumerate().flat_map(|(row, payoffs)| {
                    assert_eq!(payoffs.len(), two.len());
                    payoffs.iter().enumerate().map(move |(column, payoff)| shares(row, column) * payoff)
                });
                assert_eq!(mixed.payoffs.len(), one.len());
                assert!((cells.sum::<f64>() - value).abs() < 1e-6, "{settings:?}");
            }
        }
    }
}

/// Stages that leave nothing out find what plain deepening finds; those that do call nothing proven.
#[test]
fn stages_narrow_and_deepen() {
    let stage = |depth, width| Stage { depth, width };
    for start in [Goofspiel::initial(&Cards(4), 0), uneven()] {
        let value = induction(&start, 9, Ends::Outcome, &|_| 0.0);
        for settings in all_settings(Ends::Outcome) {
            let wide = SimultaneousSettings { stages: vec![stage(2, 9), stage(4, 9)], ..settings.clone() };
            let analysis = SimultaneousSearch::new(Hooks::new(Zero), wide)
                .analyse(&Record::new(start), Limits::depth(4));
            let mixed = analysis.mixed.expect("a mixed strategy");
            assert!((mixed.value - value).abs() < 1e-6, "{settings:?}: {} not {value}", mixed.value);
            assert_eq!((analysis.stop, analysis.depth), (StopReason::Proven, 4), "{settings:?}");

            // After the last stage it goes on turn by turn, as wide as that.
            let narrow = SimultaneousSettings {
                stages: vec![stage(1, 3), stage(2, 2)],
                inner_width: 2,
                ..settings.clone()
            };
            let analysis = SimultaneousSearch::new(Hooks::new(Zero), narrow)
                .analyse(&Record::new(start), Limits::depth(4));
            assert_eq!((analysis.stop, analysis.depth), (StopReason::Depth, 4), "{settings:?}");
            let mixed = analysis.mixed.expect("a mixed strategy");
            assert!(mixed.strategies.iter().all(|strategy| strategy.len() <= 2), "{mixed:?}");
        }
    }
}

/// A solved game is proven, whatever the table holds, and not deepened further.
#[test]
fn proven_means_proven_with_and_without_the_table() {
    for start in [Goofspiel::initial(&Cards(5), 0), uneven()] {
        for settings in all_settings(Ends::Outcome) {
            let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings.clone());
            // Twice: the second time everything is in the table.
            for _ in 0..2 {
                let analysis = search.analyse(&Record::new(start), Limits::depth(30));
                assert_eq!(analysis.stop, StopReason::Proven, "{settings:?}");
                assert!(analysis.depth <= 5, "{} turns deep: {settings:?}", analysis.depth);
            }
        }
    }
}

/// A game that goes on behind the horizon is not proven by values from the table, nor is one in which lines come back:
/// the second occurrence counts as a draw in the search, not by the rules.
#[test]
fn what_is_open_is_not_proven_by_the_table() {
    for settings in all_settings(Ends::Outcome) {
        let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings.clone());
        for _ in 0..2 {
            let analysis = search.analyse(&Record::new(Goofspiel::initial(&Cards(6), 0)), Limits::depth(3));
            assert_eq!(analysis.stop, StopReason::Depth, "{settings:?}");
        }
        let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings.clone());
        for _ in 0..2 {
            let analysis = search.analyse(&Record::new(Chase::initial(&Standard, 0)), Limits::depth(8));
            assert_eq!(analysis.stop, StopReason::Depth, "{settings:?}");
        }
    }
}

/// Keeps so many lines of each player in a game of one turn.
#[derive(Debug, Clone, Copy)]
struct FirstLines(u8);

impl Prune<OneTurn> for FirstLines {
    fn keeps(&self, _: &OneTurn, _: Player, mv: Line) -> bool {
        mv.0 < self.0
    }
}

/// Moves that a hook leaves out are missing in a proof, at the root too; a hook that leaves none out takes nothing from it.
#[test]
fn what_a_pruning_left_out_is_not_proven() {
    // By the first two lines alone the first player wins.
    let game: OneTurn = "++-/++-/--0 --".parse().expect("a game");
    let whole = induction(&game, 1, Ends::Outcome, &|_| 0.0);
    for settings in all_settings(Ends::Outcome) {
        for only_move in [false, true] {
            let settings = SimultaneousSettings { only_move, ..settings.clone() };
            for (lines, stop, value) in [
                (1, StopReason::Depth, 1.0),
                (2, StopReason::Depth, 1.0),
                (3, StopReason::Proven, whole),
                (9, StopReason::Proven, whole),
            ] {
                let hooks = Hooks::new(Zero).with_prune(FirstLines(lines));
                let mut search = SimultaneousSearch::new(hooks, settings.clone());
                // Twice: the second time everything is in the table.
                for _ in 0..2 {
                    let analysis = search.analyse(&Record::new(game), Limits::depth(1));
                    assert_eq!(analysis.stop, stop, "{lines} lines: {settings:?}");
                    let mixed = analysis.mixed.expect("a mixed strategy");
                    assert!((mixed.value - value).abs() < 1e-6, "{lines} lines: {settings:?}: {mixed:?}");
                }
            }
        }
    }
    // Nor does the sampling search call the one candidate the only move.
    let hooks = Hooks::new(Zero).with_prune(FirstLines(1));
    let analysis =
        SmMcts::new(hooks, SmMctsSettings::default()).analyse(&Record::new(game), Limits::playouts(50));
    assert_eq!((analysis.stop, analysis.stats.playouts), (StopReason::Playouts, 50));
}

/// Of "I move, then you answer" only a win is one of the game: the other does not really see the move.
#[test]
fn the_pessimistic_view_proves_nothing_but_wins() {
    let stop = StopFlag::new();
    let clock = SystemClock::new();
    let game = |text: &str| Record::new(text.parse::<OneTurn>().expect("a game"));
    for (text, stop_reason, is_win) in [
        // Whoever answers in rock, paper, scissors wins; the game itself is a draw.
        ("0-+/+0-/-+0 --", StopReason::Decided, false),
        ("0--/-0-/--0 --", StopReason::Decided, false),
        // Both a sure draw, which the mover may hope to better.
        ("00+/+00/0+0 --", StopReason::Decided, false),
        // The last row wins against everything.
        ("0-+/+0-/+++ --", StopReason::Proven, true),
    ] {
        let record = game(text);
        let heard = std::sync::Mutex::new(Vec::new());
        let watch =
            |analysis: &search_core::Analysis<Line>| heard.lock().expect("one thread").push(analysis.clone());
        let task = Task {
            record: &record,
            player: Player::One,
            limits: Limits::depth(8),
            stop: &stop,
            clock: &clock,
            watch: Some(&watch),
        };
        let search = AlphaBeta::<Serialized<OneTurn>, _>::new(
            Hooks::new(Zero).serially(),
            AlphaBetaSettings { depth_step: 2, first_depth: 2, ..AlphaBetaSettings::default() },
        );
        let found = SerialBot::new(search).choose(&task).expect("a move").analysis.expect("an analysis");
        assert_eq!((found.stop, found.score.is_win()), (stop_reason, is_win), "{text}");
        let heard = heard.into_inner().expect("one thread");
        assert!(!heard.is_empty());
        for analysis in heard.iter().chain([&found]) {
            assert!(!analysis.score.is_loss(), "{text}: {}", analysis.score);
            assert!(analysis.root.iter().all(|row| !row.score.is_loss()), "{text}: {:?}", analysis.root);
        }
    }
}

#[test]
fn the_strategy_of_the_search_cannot_be_exploited() {
    let start = uneven();
    for player in Player::BOTH {
        let settings = SimultaneousSettings { only_move: false, ..SimultaneousSettings::default() };
        let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings);
        let report = exploitability(&start, player, 9, Ends::Outcome, 10_000, |position| {
            let analysis = search.analyse(&Record::new(*position), Limits::depth(4));
            analysis.mixed.map(|mixed| mixed.strategies[player.index()].clone()).unwrap_or_default()
        })
        .expect("a small game");
        assert!(report.loss.abs() < 1e-6, "{report:?}");
        let sign = if player == Player::One { 1.0 } else { -1.0 };
        assert!((report.value - sign * induction(&start, 9, Ends::Outcome, &|_| 0.0)).abs() < 1e-9);
    }
}

#[test]
fn a_strategy_that_always_plays_the_same_is_exploited() {
    let start = Goofspiel::initial(&Cards(4), 0);
    let report = exploitability(&start, Player::One, 9, Ends::Outcome, 10_000, |position| {
        position.move_list(Player::One).first().map(|&card| vec![(card, 1.0)]).unwrap_or_default()
    });
    let report = report.expect("a small game");
    assert_eq!((report.value.abs() < 1e-9, report.guaranteed), (true, -1.0));
    let refused = exploitability(&start, Player::One, 9, Ends::Outcome, 5, |_| Vec::new());
    assert_eq!(
        refused.expect_err("five positions are too few").to_string(),
        "the game has more than 5 positions within the given number of turns"
    );
}

#[test]
fn sampling_approaches_the_equilibrium() {
    let start = uneven();
    let value = induction(&start, 9, Ends::Outcome, &|_| 0.0);
    for (selector, averaged, bar) in SELECTORS
        .into_iter()
        .zip([0.25, 0.1, 0.1, 0.1, 0.1])
        .flat_map(|(selector, bar)| [false, true].map(|averaged| (selector, averaged, bar)))
    {
        let settings = SmMctsSettings { selector, averaged, only_move: false, ..SmMctsSettings::default() };
        let mut search = SmMcts::new(Hooks::new(Zero), settings);
        search.new_game(3);
        let analysis = search.analyse(&Record::new(start), Limits::playouts(60_000));
        let mixed = analysis.mixed.expect("a mixed strategy");
        assert!((mixed.value - value).abs() < bar, "{selector:?}: {} not {value}", mixed.value);
        assert_eq!(analysis.stats.playouts, 60_000);
        for strategy in &mixed.strategies {
            assert!((strategy.iter().map(|(_, share)| share).sum::<f64>() - 1.0).abs() < 1e-9);
        }
    }
}

/// All ways to choose.
const SELECTORS: [Selector; 5] = [
    Selector::DecoupledUct { c: 1.4 },
    Selector::RegretMatching { exploration: 0.1 },
    Selector::Exp3 { exploration: 0.1 },
    Selector::OutcomeSampling { exploration: 0.3 },
    Selector::MatrixUcb { c: 0.5 },
];

/// What a strategy for the first player of a matrix game is sure of.
fn guaranteed(payoffs: &[Vec<f64>], strategy: &[f64]) -> f64 {
    let against =
        |column: usize| strategy.iter().zip(payoffs).map(|(share, row)| share * row[column]).sum::<f64>();
    (0..payoffs[0].len()).map(against).fold(f64::INFINITY, f64::min)
}

#[test]
fn every_selector_but_one_learns_to_play_matrix_games() {
    let games = [
        ("0-+/+0-/-+0 --", 0.0),
        ("+0/-+ --", 1.0 / 3.0),
        ("+--/-+-/--+ --", -1.0 / 3.0),
        // A saddle point.
        ("+0+/--+/0-0 --", 0.0),
    ];
    for (text, value) in games {
        let game: OneTurn = text.parse().expect("a game");
        let [rows, columns] = Player::BOTH.map(|player| game.move_list(player));
        let payoff = |row, column| {
            let end = game.after([row, column]).end().expect("one turn is all");
            f64::from(end.outcome.sign(Player::One))
        };
        let payoffs: Vec<Vec<f64>> =
            rows.iter().map(|&row| columns.iter().map(|&column| payoff(row, column)).collect()).collect();
        for selector in SELECTORS {
            let settings = SmMctsSettings { selector, only_move: false, ..SmMctsSettings::default() };
            let mut search = SmMcts::new(Hooks::new(Zero), settings);
            search.new_game(1);
            let analysis = search.analyse(&Record::new(game), Limits::playouts(50_000));
            assert!(analysis.mixed.is_some(), "{selector:?}");
            let [strategy, _] = search.strategies_after(&[]).expect("the root");
            let shares: Vec<f64> = strategy.iter().map(|&(_, share)| share).collect();
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let loss = value - guaranteed(&payoffs, &shares);
            // Visits of decoupled UCT need not approach an equilibrium.
            let bar = if matches!(selector, Selector::DecoupledUct { .. }) { 0.7 } else { 0.06 };
            assert!((-1e-9..bar).contains(&loss), "{selector:?} loses {loss} in {text}: {shares:?}");
        }
    }
}

#[test]
fn strategies_are_known_where_the_tree_reaches() {
    let mut search = SmMcts::new(Hooks::new(Zero), SmMctsSettings::default());
    assert_eq!(search.strategies_after(&[]), None);
    let start = Goofspiel::initial(&Cards(4), 0);
    search.analyse(&Record::new(start), Limits::playouts(5000));
    let turn = [toys::goofspiel::Card(4), toys::goofspiel::Card(3)];
    let [own, other] = search.strategies_after(&[turn]).expect("a position of the tree");
    assert!(own.iter().all(|&(card, _)| card != turn[0]) && own.len() == 3);
    assert!(other.iter().all(|&(card, _)| card != turn[1]) && other.len() == 3);
    assert_eq!(search.strategies_after(&[turn, turn]), None, "the cards are gone");
}

#[test]
fn sampling_is_reproducible_and_bounded_in_memory() {
    let grow = |seed, bytes| {
        let settings = SmMctsSettings { memory_bytes: bytes, ..SmMctsSettings::default() };
        let mut search = SmMcts::new(Hooks::new(Zero), settings);
        search.new_game(seed);
        let analysis =
            search.analyse(&Record::new(Goofspiel::initial(&Cards(9), 0)), Limits::playouts(20_000));
        assert!(search.tree_bytes() <= bytes, "{} of {bytes} bytes", search.tree_bytes());
        analysis.root.iter().map(|row| row.visits).collect::<Vec<_>>()
    };
    assert_eq!(grow(1, 1 << 17), grow(1, 1 << 17));
    assert_ne!(grow(1, 1 << 17), grow(2, 1 << 17));
    assert_ne!(grow(1, 1 << 17), grow(1, 1 << 22), "the small tree must have been full");
}

/// Who asks for all memory there is gets by with what can be had.
#[test]
fn trees_and_tables_that_cannot_be_had_are_smaller() {
    let start = Record::new(uneven());
    let settings = SmMctsSettings { memory_bytes: usize::MAX, ..SmMctsSettings::default() };
    let mut search = SmMcts::new(Hooks::new(Zero), settings);
    assert_eq!(search.analyse(&start, Limits::playouts(100)).stats.playouts, 100);
    let settings = SimultaneousSettings { table_bytes: usize::MAX, ..SimultaneousSettings::default() };
    let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings);
    assert_eq!(search.analyse(&start, Limits::depth(9)).stop, StopReason::Proven);
}

#[test]
fn the_serialized_games_bound_the_value() {
    for start in [Goofspiel::initial(&Cards(4), 0), uneven()] {
        let value = induction(&start, 9, Ends::Utility, &|_| 0.0);
        let bound = |leader| {
            let settings =
                AlphaBetaSettings { ends: Ends::Utility, depth_step: 2, ..AlphaBetaSettings::default() };
            let mut search = AlphaBeta::new(Hooks::new(Zero).serially(), settings);
            let record = serialize_record(&Record::new(start), leader);
            let score = search.analyse(&record, Limits::depth(8)).score.value();
            f64::from(if leader == Player::One { score } else { -score })
        };
        let (low, high) = (bound(Player::One), bound(Player::Two));
        assert!(low <= value + 1e-9 && value <= high + 1e-9, "{low} <= {value} <= {high}");
        assert!(low < high, "who answers has an advantage in this game");
    }
}

#[test]
fn bots_draw_from_their_mixed_strategy_by_seed() {
    let record = Record::new(Goofspiel::initial(&Cards(5), 0));
    let stop = StopFlag::new();
    let clock = SystemClock::new();
    let task = Task {
        record: &record,
        player: Player::Two,
        limits: Limits::depth(5),
        stop: &stop,
        clock: &clock,
        watch: None,
    };
    let settings = SimultaneousSettings { ends: Ends::Utility, ..SimultaneousSettings::default() };
    let mut nash: SearchBot<SimultaneousSearch<Goofspiel, _>> =
        SearchBot::new(SimultaneousSearch::new(Hooks::new(Zero), settings));
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..30 {
        let mut draw = || {
            nash.new_game(Player::Two, seed).expect("nothing to fail");
            nash.choose(&task).expect("a move").mv
        };
        let mv = draw();
        assert_eq!(mv, draw(), "the same seed, the same move");
        seen.insert(mv);
    }
    assert!(seen.len() > 1, "an equilibrium of this game is mixed");

    let settings = AlphaBetaSettings { depth_step: 2, first_depth: 2, ..AlphaBetaSettings::default() };
    let mut serial =
        SerialBot::new(AlphaBeta::<Serialized<Goofspiel>, _>::new(Hooks::new(Zero).serially(), settings))
            .with_cap(Limits::depth(4));
    serial.new_game(Player::Two, 1).expect("nothing to fail");
    let answer = serial.choose(&task).expect("a move");
    assert!(record.position().is_legal(Player::Two, answer.mv));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn every_setting_agrees_with_full_backward_induction(
        seed: u64, width in 1..4_u8, ends in 2..9_u64, cap in 2..7_u32, depth in 1..4_u32,
    ) {
        let start = Both::new(seed, width, ends, cap);
        let leaf = |position: &Both| {
            let value = f64::from(toys::random::Noise.evaluate(position, Player::One).value());
            value / (value.abs() + 100.0)
        };
        let value = induction(&start, depth, Ends::Outcome, &leaf);
        for settings in all_settings(Ends::Outcome) {
            let mut search = SimultaneousSearch::new(Hooks::new(toys::random::Noise), settings.clone());
            let analysis = search.analyse(&Record::new(start), Limits::depth(depth));
            let mixed = analysis.mixed.expect("a mixed strategy");
            prop_assert!((mixed.value - value).abs() < 1e-6, "{:?}: {} not {}", settings, mixed.value, value);
            prop_assert!(mixed.gap < 1e-6);
            prop_assert!(analysis.stop == StopReason::Proven || analysis.depth == depth);
        }
    }
}
