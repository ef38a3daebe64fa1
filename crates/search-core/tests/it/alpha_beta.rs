//! Alpha-beta against plain minimax on random games: the same value with every sound setting.

use proptest::prelude::*;
use search_core::{
    AlphaBeta, AlphaBetaSettings, Analysis, Bound, Ends, Evaluate, Game, Hooks, Limits, Order, Player, Prune,
    Record, Reductions, Score, Search, StopReason, TableUse, TurnBased, Zero, reference,
};
use toys::random::{Choice, Corridor, Cyclic, Noise, Random, Tree};

/// Plain minimax: the value for the player to move. `path` holds the repetition keys of the game and of the line.
fn minimax<const CYCLIC: bool>(
    position: &Random<CYCLIC>,
    depth: u32,
    ply: u32,
    path: &mut Vec<u64>,
    nodes: &mut u64,
) -> Score {
    *nodes += 1;
    let player = position.to_move();
    let mut key = None;
    if ply > 0 {
        let end = position.end();
        if let Some(end) = end.filter(|end| !end.yields_to_repetition) {
            return Ends::Outcome.score(position, end, player, ply);
        }
        key = position.repetition_key();
        if key.is_some_and(|key| path.contains(&key)) {
            return Score::DRAW;
        }
        if let Some(end) = end {
            return Ends::Outcome.score(position, end, player, ply);
        }
    }
    if depth == 0 {
        return Noise.evaluate(position, player);
    }
    path.extend(key);
    let mut best = Score::MIN;
    for &mv in &position.move_list(player) {
        let next = position.after(mv);
        let score = minimax(&next, depth - 1, ply + 1, path, nodes);
        best = best.max(if next.to_move() == player { score } else { -score });
    }
    if key.is_some() {
        path.pop();
    }
    best
}

/// The same in a game whose repetitions do not count.
fn without_repetition<const CYCLIC: bool>(position: &Random<CYCLIC>, depth: u32, ply: u32) -> Score {
    let player = position.to_move();
    if let Some(end) = position.end() {
        return Ends::Outcome.score(position, end, player, ply);
    }
    if depth == 0 {
        return Noise.evaluate(position, player);
    }
    let scores = position.move_list(player).into_iter().map(|mv| {
        let next = position.after(mv);
        let score = without_repetition(&next, depth - 1, ply + 1);
        if next.to_move() == player { score } else { -score }
    });
    scores.max().expect("an unfinished game has moves")
}

/// The oracle's value of the current position of a record.
fn oracle<const CYCLIC: bool>(record: &Record<Random<CYCLIC>>, depth: u32) -> (Score, u64) {
    let mut nodes = 0;
    let score = minimax(record.position(), depth, 0, &mut record.history().to_vec(), &mut nodes);
    let reference = reference::minimax(record, depth, &Noise, Ends::Outcome);
    assert_eq!((score, nodes), (reference.score, reference.nodes), "two oracles disagree");
    (score, nodes)
}

/// A record of up to `plies` moves drawn from the seed, not over.
fn record_after<const CYCLIC: bool>(start: Random<CYCLIC>, plies: u32) -> Record<Random<CYCLIC>> {
    let mut record = Record::new(start);
    for ply in 0..plies {
        let moves = record.legal_moves(record.position().to_move());
        let mv = moves[(start.seed >> ply) as usize % moves.len()];
        record.play(mv).expect("a listed move is legal");
        if record.end().is_some() {
            return record.without_last(1);
        }
    }
    record
}

fn run<const CYCLIC: bool>(
    record: &Record<Random<CYCLIC>>,
    settings: AlphaBetaSettings,
    depth: u32,
) -> Analysis<Choice> {
    let mut search = AlphaBeta::new(Hooks::new(Noise).with_order(Shuffled), settings);
    search.new_game(1);
    search.analyse(record, Limits::depth(depth))
}

/// An order that has nothing to do with the value of a move.
struct Shuffled;

impl<const CYCLIC: bool> Order<Random<CYCLIC>> for Shuffled {
    fn rank(&self, position: &Random<CYCLIC>, _: Player, mv: Choice) -> i32 {
        (position.after(mv).key() % 5) as i32
    }
}

/// Leaves all moves out but the first.
struct FirstOnly;

impl<const CYCLIC: bool> Prune<Random<CYCLIC>> for FirstOnly {
    fn keeps(&self, _: &Random<CYCLIC>, _: Player, mv: Choice) -> bool {
        mv == Choice(0)
    }
}

prop_compose! {
    fn settings()(
        switches in prop::collection::vec(any::<bool>(), 11),
        table_from in 0..4_u32,
        aspiration in prop::option::of(1..30_i32),
        order_from in 0..4_u32,
    ) -> AlphaBetaSettings {
        AlphaBetaSettings {
            iterative: switches[0],
            principal_variation: switches[1],
            killers: switches[2],
            history: switches[3],
            counter_moves: switches[4],
            distance_pruning: switches[5],
            order_first: switches[6],
            shuffle: switches[7],
            enhanced_cutoffs: switches[8],
            wins_first: switches[9],
            pair_history: switches[10],
            table_from,
            aspiration,
            order_from,
            // Proven results end the iterations early: the score stays, but the oracle searches on.
            stop_when_proven: false,
            only_move: false,
            table: TableUse::Off,
            table_bytes: 1 << 16,
            ..AlphaBetaSettings::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn several_lines_are_worth_what_they_say(
        seed: u64, states in 0..30_u64, width in 2..7_u8, ends in 0..12_u64, irregular: bool,
        cap in 3..12_u32, depth in 1..6_u32, lines in 2..5_usize, table: bool, settings in settings(),
    ) {
        let record = record_after(Tree::new(seed, states, width, ends, irregular, cap), 0);
        let table = if table { TableUse::ExactDepth } else { TableUse::Off };
        let analysis = run(&record, AlphaBetaSettings { table, lines, ..settings }, depth);
        let mover = record.position().to_move();
        let value = |mv| {
            let next = record.position().after(mv);
            let score = minimax(&next, depth - 1, 1, &mut record.history().to_vec(), &mut 0);
            if next.to_move() == mover { score } else { -score }
        };
        let mut values: Vec<Score> = record.legal_moves(mover).iter().map(|&mv| value(mv)).collect();
        values.sort_by_key(|&score| std::cmp::Reverse(score));
        prop_assert_eq!(analysis.root.len(), values.len());
        for (place, row) in analysis.root.iter().enumerate().take(lines) {
            prop_assert_eq!((row.score, row.bound), (values[place], Bound::Exact));
            prop_assert_eq!(value(row.mv), row.score);
            // Its line can be played.
            prop_assert_eq!(analysis.lines[place].first(), Some(&row.mv));
            let mut along = record.clone();
            for &mv in &analysis.lines[place] {
                prop_assert!(along.play(mv).is_ok());
            }
        }
        prop_assert_eq!(analysis.lines.len(), analysis.root.len());
    }

    #[test]
    fn every_sound_setting_finds_the_minimax_value(
        seed: u64, states in 0..30_u64, width in 1..6_u8, ends in 0..12_u64, irregular: bool,
        cap in 3..12_u32, depth in 1..6_u32, played in 0..3_u32, table: bool, settings in settings(),
    ) {
        let record = record_after(Tree::new(seed, states, width, ends, irregular, cap), played);
        let table = if table { TableUse::ExactDepth } else { TableUse::Off };
        let analysis = run(&record, AlphaBetaSettings { table, ..settings }, depth);
        prop_assert_eq!(analysis.score, oracle(&record, depth).0);
        prop_assert_eq!(analysis.depth, depth);
        // The move must be worth what the root is said to be worth.
        let best = analysis.best.expect("an unfinished game has moves");
        let mut after = record.clone();
        after.play(best).expect("legal");
        let mut nodes = 0;
        let mut path = record.history().to_vec();
        let score = minimax(after.position(), depth - 1, 1, &mut path, &mut nodes);
        let mover = record.position().to_move();
        let score = if after.position().to_move() == mover { score } else { -score };
        prop_assert_eq!(score, analysis.score);
        prop_assert_eq!(analysis.pv.first(), Some(&best));
        // Every row of the root says what is known of the move, and no more.
        prop_assert_eq!((analysis.root[0].mv, analysis.root[0].bound), (best, Bound::Exact));
        for row in &analysis.root {
            let next = record.position().after(row.mv);
            let score = minimax(&next, depth - 1, 1, &mut record.history().to_vec(), &mut nodes);
            let value = if next.to_move() == mover { score } else { -score };
            let holds = match row.bound {
                Bound::Exact => value == row.score,
                Bound::Upper => value <= row.score,
                Bound::Lower => value >= row.score,
            };
            prop_assert!(holds, "{} is worth {value}, the search says {}", row.mv, row.score_text());
        }
    }

    /// A game searched to its end is proven, whatever the table is used for, and not deepened further; and what is said to be
    /// proven is true.
    #[test]
    fn proven_means_proven_with_and_without_the_table(
        seed: u64, states in 0..30_u64, width in 1..5_u8, ends in 0..12_u64, irregular: bool, cap in 3..9_u32,
        settings in settings(),
    ) {
        let record = record_after(Tree::new(seed, states, width, ends, irregular, cap), 0);
        let settings = AlphaBetaSettings { stop_when_proven: true, iterative: true, ..settings };
        for table in [TableUse::Off, TableUse::MovesOnly, TableUse::ExactDepth, TableUse::AtLeast] {
            let mut search = AlphaBeta::new(Hooks::new(Noise), AlphaBetaSettings { table, ..settings.clone() });
            for _ in 0..2 {
                let analysis = search.analyse(&record, Limits::depth(20));
                prop_assert_eq!(analysis.stop, StopReason::Proven);
                prop_assert!(analysis.depth <= cap + 1, "{} plies deep with {:?}", analysis.depth, table);
                let truth = oracle(&record, cap).0;
                prop_assert_eq!((analysis.score.is_win(), analysis.score.is_loss()), (truth.is_win(), truth.is_loss()));
            }
        }
    }

    /// Where moves are left out a win may be none: it ends the search, but not as a proof.
    #[test]
    fn what_is_found_with_moves_left_out_is_not_proven(
        seed: u64, width in 2..6_u8, ends in 2..6_u64, cap in 3..9_u32,
    ) {
        let record = record_after(Tree::new(seed, 0, width, ends, false, cap), 0);
        let hooks = Hooks::new(Noise).with_prune(FirstOnly);
        let settings = AlphaBetaSettings { only_move: false, ..AlphaBetaSettings::default() };
        let analysis = AlphaBeta::new(hooks, settings).analyse(&record, Limits::depth(8));
        prop_assert!(analysis.stop != StopReason::Proven, "{}", analysis.score);
        if analysis.score.plies_to_end().is_some_and(|plies| plies < 8) {
            prop_assert_eq!(analysis.stop, StopReason::Decided);
        }
    }

    #[test]
    fn repetition_is_seen_along_the_game_and_the_line(
        seed: u64, states in 2..16_u64, width in 1..5_u8, ends in 0..20_u64, irregular: bool,
        cap in 6..30_u32, depth in 1..6_u32, played in 0..12_u32, settings in settings(),
    ) {
        let record = record_after(Cyclic::new(seed, states, width, ends, irregular, cap), played);
        prop_assert_eq!(run(&record, settings, depth).score, oracle(&record, depth).0);
    }

    /// A position that repeats is a draw, even if somebody could win there with one move.
    #[test]
    fn a_win_at_once_does_not_hide_a_repetition(
        seed in prop_oneof![Just(10_151_888_143_908_515_231), any::<u64>()], states in 6..8_u64, width in 3..5_u8,
        ends in 3..5_u64, cap in 10..30_u32, depth in 3..5_u32, played in 2..8_u32, settings in settings(),
    ) {
        let record = record_after(Cyclic::new(seed, states, width, ends, false, cap), played);
        let settings = AlphaBetaSettings { wins_first: true, ..settings };
        prop_assert_eq!(run(&record, settings, depth).score, oracle(&record, depth).0);
    }

    /// The cap on the turns is not part of the key: near it, scores depend on more than the table knows.
    #[test]
    fn a_cap_on_the_turns_is_not_confused_by_the_table(
        seed: u64, states in 2..12_u64, width in 1..4_u8, ends in 0..20_u64, cap in 3..10_u32, depth in 1..8_u32,
        settings in settings(),
    ) {
        // Players who do not alternate: else no position comes back at the same depth in the next iteration.
        let start = Cyclic::new(seed, states, width, ends, true, cap);
        let settings =
            AlphaBetaSettings { repetition: false, table: TableUse::ExactDepth, table_bytes: 1 << 16, ..settings };
        prop_assert_eq!(run(&Record::new(start), settings, depth).score, without_repetition(&start, depth, 0));
    }

    #[test]
    fn plain_alpha_beta_never_visits_more_than_minimax_and_all_lines_are_legal(
        seed: u64, width in 1..6_u8, ends in 0..12_u64, depth in 1..6_u32,
    ) {
        let record = record_after(Tree::new(seed, 0, width, ends, false, 9), 0);
        let plain = run(&record, AlphaBetaSettings::plain(), depth);
        let (score, nodes) = oracle(&record, depth);
        prop_assert_eq!(plain.score, score);
        prop_assert!(plain.stats.nodes <= nodes);
        // Without an order of its own, plain alpha-beta visits exactly what the textbook's does.
        let textbook = reference::alpha_beta(&record, depth, &Noise, Ends::Outcome);
        let mut unordered = AlphaBeta::new(Hooks::new(Noise), AlphaBetaSettings::plain());
        let analysis = unordered.analyse(&record, Limits::depth(depth));
        prop_assert_eq!((analysis.score, analysis.stats.nodes), (textbook.score, textbook.nodes));
        prop_assert_eq!(analysis.best, textbook.best);
        for settings in [AlphaBetaSettings::plain(), AlphaBetaSettings::default()] {
            let mut line = record.clone();
            for mv in run(&record, settings, depth).pv {
                prop_assert!(line.play(mv).is_ok());
            }
        }
    }

    #[test]
    fn threads_find_the_same_value(
        seed: u64, states in 0..30_u64, width in 1..5_u8, ends in 0..12_u64, depth in 1..9_u32,
    ) {
        let record = record_after(Tree::new(seed, states, width, ends, false, 9), 0);
        let settings = AlphaBetaSettings {
            threads: 2,
            table: TableUse::ExactDepth,
            table_bytes: 1 << 16,
            only_move: false,
            stop_when_proven: false,
            ..AlphaBetaSettings::default()
        };
        prop_assert_eq!(run(&record, settings, depth).score, oracle(&record, depth).0);
    }

    #[test]
    fn proven_results_of_the_fast_settings_are_true(
        seed: u64, states in 4..40_u64, width in 1..5_u8, ends in 2..12_u64, depth in 1..8_u32,
    ) {
        let record = record_after(Tree::new(seed, states, width, ends, false, 8), 0);
        let fast = AlphaBetaSettings { reductions: Some(Reductions::default()), ..AlphaBetaSettings::default() };
        let score = run(&record, fast, depth).score;
        let truth = oracle(&record, 8).0;
        if score.is_win() {
            prop_assert!(truth.is_win(), "{score} but {truth}");
        }
        if score.is_loss() {
            prop_assert!(truth.is_loss(), "{score} but {truth}");
        }
    }
}

/// The cap again, from search to search: what the table kept was found further away from the cap, and a win that comes
/// after the last turn is none.
#[test]
fn what_the_table_kept_does_not_reach_over_a_cap_on_the_turns() {
    for enhanced_cutoffs in [false, true] {
        let settings = AlphaBetaSettings { enhanced_cutoffs, ..AlphaBetaSettings::default() };
        let mut search = AlphaBeta::new(Hooks::new(Zero), settings);
        let mut ask = |steps, turns, depth| {
            search.analyse(&Record::new(Corridor::new(steps, turns)), Limits::depth(depth)).score
        };
        assert_eq!(ask(4, 30, 9), Score::win_in(7));
        // Seven plies to the door: enough of them are left, or not.
        assert_eq!(ask(4, 8, 2), Score::win_in(7), "from the table");
        for depth in 1..=6 {
            assert_eq!(ask(4, 6, depth), Score::DRAW, "depth {depth}");
        }
        assert_eq!(ask(4, 7, 7), Score::win_in(7));
    }
}

/// In games that repeat themselves the table may mix up lines with different pasts: values may differ from the oracle's,
/// proven wins and losses may not be wrong. The number of differences is printed.
#[test]
fn proven_results_are_true_even_where_positions_repeat() {
    let (mut games, mut differ, mut proven) = (0, 0, 0);
    for seed in 0..250 {
        let record = record_after(Cyclic::new(seed, 24, 3, 12, false, 40), seed as u32 % 7);
        for depth in [4, 6] {
            let settings =
                AlphaBetaSettings { only_move: false, table_bytes: 1 << 16, ..AlphaBetaSettings::default() };
            let score = run(&record, settings, depth).score;
            games += 1;
            differ += u32::from(score != oracle(&record, depth).0);
            if let Some(plies) = score.plies_to_end() {
                proven += 1;
                // The same game without draws by repetition: a win that is forced is forced there too.
                let forced = AlphaBetaSettings { repetition: false, ..AlphaBetaSettings::plain() };
                let truth = run(&record, forced, plies).score;
                assert_eq!(
                    (score.is_win(), score.is_loss()),
                    (truth.is_win(), truth.is_loss()),
                    "seed {seed}"
                );
            }
        }
    }
    println!(
        "{differ} of {games} values differ from minimax where positions repeat; {proven} proven results are true"
    );
    assert!(proven > 30 && differ < games / 10);
}
