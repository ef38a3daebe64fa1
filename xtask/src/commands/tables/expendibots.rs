//! The report on Expendibots: its Table 1 in both ways of counting, and every claim that can be tried.

use std::hint::black_box;
use std::time::{Duration, Instant};

use agents::expendibots::counted_searches::{Counted, KeySums, Study, boom_map, count, movement_map};
use expendibots::{Position, Square};
use search_core::{Game, Limits, Player, Record, TurnBased};

use super::expendibots_matches::{PLAIN, build, opening, order, start, step, strength};
use super::{Effort, Progress, Section, fastest, times};

const START: &str = "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0";
const TABLE1: &str = "aa1aa1aa/aa1aa1aa/8/8/4B3/8/AA1A2AA/AA1A2AA w 4";
const FIG1: &str = "3aa1aa/3aa1aa/8/3a3D/5a2/b7/AA1B4/AA1AA3 w 20";
/// The order of the squares in the authors' board at the position of Table 1.
const TABLE1_MAP: &str = "a2 b2 d2 e4 g2 h2 a1 b1 d1 g1 h1 a8 b8 d8 e8 g8 h8 a7 b7 d7 e7 g7 h7";

/// Positions with stacks of four or more.
const STACKS: [&str; 4] = [
    FIG1,
    "1d5c/1a3d2/8/8/8/2A5/AA3B1B/1BA3B1 b 37",
    "1a2a1A1/6a1/3a1a2/2a5/a7/8/8/6H1 w 62",
    "2a3ab/1a4a1/a1a1E2b/4a3/2a5/8/4A1A1/AA1A1A1A w 46",
];

/// All sections of the report.
pub(crate) fn sections(effort: Effort, progress: &Progress) -> Vec<Section> {
    vec![
        progress.part("Table 1", table_1),
        progress.part("nodes", counts),
        progress.part("claims", || claims(effort)),
        progress.part("order of strength", || order(effort)),
        progress.part("other matches", || strength(effort)),
    ]
}

fn position(text: &str) -> Position {
    // Only the constants of this file are read.
    text.parse().unwrap_or_default()
}

fn squares(text: &str) -> Vec<Square> {
    text.split_whitespace().filter_map(|square| square.parse().ok()).collect()
}

/// A search and how long it took.
fn timed(start: &str, study: Study, plies: u32, map: &str) -> (Counted, Duration) {
    let (position, map) = (position(start), squares(map));
    let started = Instant::now();
    let counted = black_box(count(&position, study, plies, &map));
    (counted, started.elapsed())
}

fn table_1() -> Section {
    // Approach, plies, printed count, printed seconds, our searches: what it is, position, search, map.
    type Row = (&'static str, u32, u64, f64, &'static str, &'static str, Study, &'static str);
    let rows: [Row; 11] = [
        (
            "minimax without pruning",
            3,
            443_016,
            86.5,
            "fig1, boom search at leaves, boards in its cache not counted",
            FIG1,
            Study::MinimaxBooms,
            "",
        ),
        (
            "minimax without pruning",
            3,
            443_016,
            86.5,
            "fig1, boom search at leaves, boards in its cache counted",
            FIG1,
            Study::MinimaxBoomsCached,
            "",
        ),
        (
            "minimax without pruning",
            3,
            443_016,
            86.5,
            "table1, leaf of the other rows",
            TABLE1,
            Study::Minimax,
            "",
        ),
        (
            "alpha-beta, booms first",
            3,
            41376,
            2.18,
            "authors' code",
            TABLE1,
            Study::ProgramBoomsFirst,
            TABLE1_MAP,
        ),
        ("alpha-beta, booms first", 3, 41376, 2.18, "sound", TABLE1, Study::BoomsFirst, ""),
        (
            "alpha-beta, booms first",
            4,
            74678,
            8.17,
            "authors' code",
            TABLE1,
            Study::ProgramBoomsFirst,
            TABLE1_MAP,
        ),
        ("alpha-beta, booms first", 4, 74678, 8.17, "sound", TABLE1, Study::BoomsFirst, ""),
        ("alpha-beta, ordered", 3, 5684, 0.37, "authors' code", TABLE1, Study::ProgramOrdered, TABLE1_MAP),
        ("alpha-beta, ordered", 3, 5684, 0.37, "sound", TABLE1, Study::Ordered, ""),
        ("alpha-beta, ordered", 4, 16148, 3.78, "authors' code", TABLE1, Study::ProgramOrdered, TABLE1_MAP),
        ("alpha-beta, ordered", 4, 16148, 3.78, "sound", TABLE1, Study::Ordered, ""),
    ];
    let ours: Vec<(Counted, Duration)> = rows.iter().map(|row| timed(row.5, row.6, row.1, row.7)).collect();
    let slowest = ours.iter().map(|(_, time)| *time).max().unwrap_or_default().as_secs_f64();
    let mut section = Section {
        title: "Table 1: visited nodes".to_owned(),
        text: "The report's \"3 turns\" are 3 plies, \"4 turns\" 4. It counts calls of the search function and calls of the \
            leaf routine, so a leaf counts twice: \"both\" here. \"Nodes\" counts a node once. Its first row was measured on \
            another position (fig1) and with another leaf routine than the others, so the first comparison of the table is not \
            like with like. That leaf routine is a boom-only search with a cache of results: 177,276 nodes, which come out here \
            too, and 265,740 calls of the routine, which do not. A board that the cache holds may count as a call or not: \
            without them ours makes 257,053 calls (3 % fewer than printed), with them 420,092; caches by board without \
            the side, by the order of the squares, for each root move, and booms for each component instead of each stack \
            gave other numbers, none of them the printed one. The third row comes out 5.5 % smaller with the authors' \
            published code than printed. Times are shares of the slowest row, the report's of its 86.5 s."
            .to_owned(),
        columns: vec!["approach", "plies", "printed", "printed time", "ours", "both", "nodes", "leaf calls", "time"],
        rows: Vec::new(),
    };
    for (row, (counted, time)) in rows.iter().zip(&ours) {
        section.rows.push(vec![
            row.0.to_owned(),
            row.1.to_string(),
            row.2.to_string(),
            format!("{:.4}", row.3 / 86.5),
            row.4.to_owned(),
            counted.visited().to_string(),
            counted.nodes.to_string(),
            counted.leaf_calls.to_string(),
            format!("{:.4}", time.as_secs_f64() / slowest.max(1e-9)),
        ]);
    }
    section
}

fn counts() -> Section {
    let mut section = Section {
        title: "Nodes of the sound searches".to_owned(),
        text: "Leaves once, stacks in the order a1, a2, .., h8, keys rounded to 9 decimals. In the quiet start position the \
            ordering does not help: all moves score the same. (With unrounded keys, which differ in the last bit where they are \
            equal by symmetry, the start at 4 plies takes 5086 nodes.)"
            .to_owned(),
        columns: vec!["position", "search", "plies", "nodes", "leaves", "value", "move"],
        rows: Vec::new(),
    };
    for (name, start, study, label, plies) in [
        ("start", START, Study::Minimax, "minimax", 3),
        ("start", START, Study::BoomsFirst, "booms first", 3),
        ("start", START, Study::Ordered, "ordered", 3),
        ("start", START, Study::BoomsFirst, "booms first", 4),
        ("start", START, Study::Ordered, "ordered", 4),
        ("table1", TABLE1, Study::Minimax, "minimax", 3),
        ("table1", TABLE1, Study::BoomsFirst, "booms first", 3),
        ("table1", TABLE1, Study::Ordered, "ordered", 3),
        ("table1", TABLE1, Study::BoomsFirst, "booms first", 4),
        ("table1", TABLE1, Study::Ordered, "ordered", 4),
        ("fig1", FIG1, Study::Minimax, "minimax", 3),
        ("fig1", FIG1, Study::BoomsFirst, "booms first", 3),
        ("fig1", FIG1, Study::Ordered, "ordered", 3),
        ("fig1", FIG1, Study::BoomsFirst, "booms first", 4),
        ("fig1", FIG1, Study::Ordered, "ordered", 4),
    ] {
        let (counted, _) = timed(start, study, plies, "");
        section.rows.push(vec![
            name.to_owned(),
            label.to_owned(),
            plies.to_string(),
            counted.nodes.to_string(),
            counted.leaf_calls.to_string(),
            format!("{:.2}", counted.score),
            counted.best.map_or(String::new(), |mv| mv.to_string()),
        ]);
    }
    section
}

/// Positions in the middle of games of the greedy bot against itself.
fn middles(number: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in 0..number {
        let mut record = opening(seed);
        let mut bots = [build("greedy"), build("greedy")];
        for player in Player::BOTH {
            start(&mut bots, player, seed);
        }
        let plies = 4 + (seed % 12) as usize;
        while record.end().is_none() && record.turns().len() < 4 + plies {
            positions.push(*record.position());
            if step(&mut bots, &mut record, Limits::default()).is_none() {
                break;
            }
        }
    }
    positions
}

/// Searches positions one after the other with fresh bots; the nodes, and how many of these were quiescence.
fn search_all(spec: &str, positions: &[Position], limits: Limits) -> (u64, u64) {
    let (mut nodes, mut quiescence) = (0, 0);
    for position in positions {
        let mut record = Record::new(*position);
        let mut bots = [build(spec), build(spec)];
        if let Some(analysis) = step(&mut bots, &mut record, limits).and_then(|answer| answer.analysis) {
            nodes += analysis.stats.nodes;
            quiescence += analysis.stats.quiescence_nodes;
        }
    }
    (nodes, quiescence)
}

/// Games of a bot against itself; all plies.
fn self_play(spec: &str, games: u64) -> usize {
    let mut plies = 0;
    for game in 0..games {
        let mut record = opening(game);
        let mut bots = [build(spec), build(spec)];
        for player in Player::BOTH {
            start(&mut bots, player, game);
        }
        while record.end().is_none() && step(&mut bots, &mut record, Limits::default()).is_some() {}
        plies += record.turns().len();
    }
    plies
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

fn claims(effort: Effort) -> Section {
    let mut section = Section::claims("Claims", "");
    let visited = |study, plies| timed(TABLE1, study, plies, TABLE1_MAP).0.visited();

    let saved = |plies| {
        let (before, after) =
            (visited(Study::ProgramBoomsFirst, plies), visited(Study::ProgramOrdered, plies));
        percent(before - after.min(before), before)
    };
    section.claim(
        "Ordering saves 86 % of the nodes at 3 turns and 78 % at 4",
        "the authors' code on their position, with booms first and ordered, counted as they do",
        format!("{:.0} % and {:.0} %", saved(3), saved(4)),
    );
    let (minimax, pruned) =
        (timed(TABLE1, Study::Minimax, 3, "").0.visited(), visited(Study::ProgramBoomsFirst, 3));
    section.claim(
        "Pruning alone saves 91 % (443,016 to 41,376)",
        "both on the position of Table 1 with the same leaf routine",
        format!("{:.0} % ({minimax} to {pruned})", percent(minimax - pruned.min(minimax), minimax)),
    );
    let speed = |plies| {
        let studies = [Study::ProgramBoomsFirst, Study::ProgramOrdered];
        let [first, ordered] = fastest(5, |piece| {
            timed(TABLE1, studies[piece], plies, TABLE1_MAP);
        });
        times(first, ordered)
    };
    section.claim(
        "Ordering is 589 % as fast at 3 turns and 216 % at 4",
        "time of the same searches, shortest of five runs each, alternating",
        format!("{:.0} % and {:.0} %", 100.0 * speed(3), 100.0 * speed(4)),
    );
    let deeper = |study, plies| timed(TABLE1, study, plies, "").0.nodes;
    section.claim(
        "Ordering doubles the depth",
        "sound alpha-beta on the position of Table 1: nodes at 3, 4 and 5 plies",
        format!(
            "booms first {}, {}, {}; ordered {}, {}, {}: about one ply more for the same nodes, not twice as many",
            deeper(Study::BoomsFirst, 3),
            deeper(Study::BoomsFirst, 4),
            deeper(Study::BoomsFirst, 5),
            deeper(Study::Ordered, 3),
            deeper(Study::Ordered, 4),
            deeper(Study::Ordered, 5)
        ),
    );

    let positions = middles(effort.pick(3, 12));
    let limits = Limits::depth(3);
    let spec = |eval: &str| format!("alphabeta:eval={eval},{PLAIN}");
    let evaluations = ["ratio", "ratio+mobility", "ratio+components"];
    let mut nodes = [0; 3];
    let spent: [Duration; 3] = fastest(effort.pick(2, 5), |piece| {
        nodes[piece] = search_all(&spec(evaluations[piece]), &positions, limits).0;
    });
    for (claim, piece) in [
        ("The ratio of available moves makes an average game over 15 times slower", 1),
        ("The ratio of components is too slow", 2),
    ] {
        let (time, nodes) = (times(spent[piece], spent[0]), nodes[piece] as f64 / nodes[0].max(1) as f64);
        section.claim(
            claim,
            format!(
                "alpha-beta to 3 plies on {} positions of games, time and nodes against the plain ratio, shortest of several runs",
                positions.len()
            ),
            format!("{time:.1} times the time, {nodes:.1} times the nodes: {:.1} times the time of a node", time / nodes),
        );
    }
    let games = effort.pick(1, 6);
    let mut plies = [0; 2];
    let spent: [Duration; 2] = fastest(effort.pick(1, 3), |piece| {
        let spec = format!("alphabeta:depth=2,eval={},{PLAIN}", evaluations[piece]);
        plies[piece] = self_play(&spec, games);
    });
    section.claim(
        "The ratio of available moves makes an average game over 15 times slower",
        format!(
            "whole games ({games}) of alpha-beta to 2 plies against itself, with and without it, time and plies"
        ),
        format!(
            "{:.1} times the time, {} plies instead of {}: {:.1} times the time of a ply",
            times(spent[1], spent[0]),
            plies[1],
            plies[0],
            times(spent[1], spent[0]) * plies[0] as f64 / plies[1].max(1) as f64
        ),
    );
    let sums = KeySums::new();
    let spent: [Duration; 2] = fastest(effort.pick(5, 30), |piece| {
        for position in &positions {
            black_box(if piece == 0 { sums.cached(position) } else { KeySums::uncached(position) });
        }
    });
    section.claim(
        "Caching the movement maps is 4 times faster",
        "the keys of all moves of the same positions, with kept maps and with maps blurred again for each move",
        format!("{:.0} times faster", times(spent[1], spent[0])),
    );
    let booms = format!("alphabeta:{}", PLAIN.replace("quiesce=mixed", "quiesce=booms"));
    let high: Vec<Position> = STACKS.iter().map(|text| position(text)).collect();
    let stacks = |k: u32, extension: u32| {
        booms.replace("quiesce=booms", &format!("quiesce=booms+stacks,k={k},extension={extension}"))
    };
    let specs = [booms.clone(), stacks(4, 2), stacks(4, 3), stacks(1, 2), stacks(1, 3)];
    let mut nodes = [(0, 0); 5];
    let spent: [Duration; 5] =
        fastest(effort.pick(1, 3), |piece| nodes[piece] = search_all(&specs[piece], &high, limits));
    for (piece, extension, which) in [
        (1, 2, "slingshots of stacks of 4,"),
        (2, 3, "slingshots of stacks of 4,"),
        (3, 2, "every move to beside an enemy, as the authors' test bench does,"),
        (4, 3, "every move to beside an enemy, as the authors' test bench does,"),
    ] {
        section.claim(
            "Searching on for stacks of 4 takes most of the time",
            format!(
                "four positions with such stacks, {which} {extension} plies below the horizon of 3 plies, against boom search"
            ),
            format!(
                "{:.0} % of the nodes are below the horizon, {:.1} times the time",
                percent(nodes[piece].1, nodes[piece].0),
                times(spent[piece], spent[0])
            ),
        );
    }
    facts(&mut section);
    section
}

/// Claims that are facts of single positions.
fn facts(section: &mut Section) {
    let start = Position::start();
    section.claim(
        "The start position has 6 components",
        "flood fill",
        start.components().count().to_string(),
    );
    let (found, _) = timed(START, Study::Ordered, 3, "");
    section.claim(
        "Quiet openings are played by the tie-break alone",
        "the start position to 3 plies, with and without ordering",
        format!(
            "{} and {} nodes, value {:.0}: no move is better than another",
            found.nodes,
            timed(START, Study::BoomsFirst, 3, "").0.nodes,
            found.score
        ),
    );
    let one: Position = position("8/8/8/3aA3/3Aa3/8/8/8 w 30");
    let result = Square::new(4, 4).and_then(|square| one.boom_result(square));
    section.claim(
        "With one component on the board any boom draws",
        "two stacks a side in one component, a boom",
        result
            .and_then(|result| result.after.end())
            .map_or(String::from("the game goes on"), |end| end.to_string()),
    );
    let mut worths: Vec<u32> = boom_map(&position(FIG1)).into_iter().map(|(_, worth)| worth).collect();
    worths.sort_unstable();
    section.claim(
        "Figure 2: 4 on the eight block squares, 1 on d5 and f4, 2 on a3",
        "White's boom map in the position of figure 1, worths in ascending order",
        format!("{worths:?}"),
    );
    let row = |tokens| -> Vec<String> {
        let corner = Square::new(0, 0);
        (0..8)
            .filter_map(|file| Some(movement_map(tokens, corner?, Square::new(file, 0)?)))
            .map(|value| format!("{value:.2}"))
            .collect()
    };
    section.claim(
        "Figure 4: a stack of 2 on the corner, 0.05 0.05 0.04 0.03 0.02 0.01 0.01 0",
        "the first rank of the movement maps of 2 and of 3 tokens on a1",
        format!("2 tokens: {}; 3 tokens: {}: the figure shows 3", row(2).join(" "), row(3).join(" ")),
    );
    let mut bots = [build("mcts"), build("mcts")];
    let mut record = Record::new(start);
    let answer = step(&mut bots, &mut record, Limits::default());
    if let Some(analysis) = answer.and_then(|answer| answer.analysis) {
        section.claim(
            "Monte Carlo: memory of b * d nodes for d selections of width b",
            "nodes after one move of 300 iterations of width 6",
            format!("{} nodes for 6 * 300 = 1800, and the root", analysis.stats.nodes),
        );
    }
    let (mut actions, mut kept) = (0, 0);
    let middles = middles(4);
    for position in &middles {
        let count = position.move_count(position.to_move()) as u64;
        actions += count;
        kept += count.min(6);
    }
    section.claim(
        "The width of 6 leaves out up to 80 % of the actions",
        format!("the start position, and {} positions of games", middles.len()),
        format!(
            "{:.0} % at the start (44 of 50), {:.0} % on average",
            percent(44, 50),
            percent(actions - kept, actions)
        ),
    );
}
