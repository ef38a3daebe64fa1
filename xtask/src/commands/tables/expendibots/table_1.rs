//! Table 1 of the report: nodes and times of its searches, in both ways of counting.

use std::time::Duration;

use agents::expendibots::counted_searches::{Counted, Study};

use super::{FIG1, START, TABLE1, TABLE1_MAP, counted, timed};
use crate::commands::tables::Section;
use crate::commands::tables::verdict::percent;

pub(super) fn table_1() -> Section {
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
    // The printed count of the first row is nodes and leaf calls together, and its nodes come out.
    let (first, cached) = (ours[0].0, ours[1].0);
    let implied = rows[0].2.saturating_sub(first.nodes);
    let third = rows.iter().zip(&ours).find(|(row, _)| matches!(row.6, Study::ProgramOrdered));
    let smaller =
        third.map_or(0.0, |(row, (counted, _))| 100.0 - percent(counted.visited() as f64, row.2 as f64));
    let mut section = Section {
        title: "Table 1: visited nodes".to_owned(),
        text: format!(
            "The report's \"3 turns\" are 3 plies, \"4 turns\" 4. It counts calls of the search function and calls of the \
             leaf routine, so a leaf counts twice: \"both\" here; \"nodes\" counts a node once. Its first row was measured on \
             another position (fig1) and with another leaf routine than the others, a boom-only search with a cache of \
             results, so the first comparison of the table is not like with like. The tree of that row has {} nodes, which \
             leaves {implied} of the printed count for calls of the routine. A board that the cache holds may count as a call \
             or not: without them ours makes {} calls ({:.1} % fewer), with them {}; caches by board without the side, by the \
             order of the squares, for each root move, and booms for each component instead of each stack gave other numbers, \
             none of them the printed one. The third row comes out {smaller:.1} % smaller with the authors' published code than \
             printed. Times are shares of the slowest row, the report's of its 86.5 s.",
            first.nodes,
            first.leaf_calls,
            100.0 - percent(first.leaf_calls as f64, implied as f64),
            cached.leaf_calls,
        ),
        columns: vec![
            "approach",
            "plies",
            "printed",
            "printed time",
            "ours",
            "both",
            "nodes",
            "leaf calls",
            "time",
        ],
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

pub(super) fn counts() -> Section {
    let mut section = Section {
        title: "Nodes of the sound searches".to_owned(),
        text: "Leaves once, stacks in the order a1, a2, .., h8, keys rounded to 9 decimals.".to_owned(),
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
        let counted = counted(start, study, plies, "");
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
