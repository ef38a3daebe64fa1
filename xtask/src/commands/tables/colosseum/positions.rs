//! Claims of the Colosseum report about rules, evaluation and search, over positions of all sizes.

use agents::colosseum::{
    Cells, MoveChoice, Negamax, ReportSettings, Rules, deepen, sorted_moves, static_value,
};
use colosseum::Position;
use search_core::{Game, Limits, Player, StopReason, TurnBased};

use super::{Sample, mean, with_ground};
use crate::commands::tables::matches::Ground;
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict, percent};
use crate::commands::tables::{Effort, Section, in_parallel};

/// Mean depth with equally many nodes, which does not depend on the machine.
pub(super) fn depth(samples: &[Sample], effort: Effort) -> Section {
    let nodes = effort.pick(2_000, 100_000);
    let mut rows = Vec::new();
    for Sample { size, starts, .. } in samples {
        let report = |settings: ReportSettings| {
            mean(starts.iter().map(|start| {
                let limit = |count| (count > nodes).then_some(StopReason::Nodes);
                f64::from(deepen(start, &settings, limit, |_| {}).depth)
            }))
        };
        let searched = |spec| {
            with_ground(*size, |ground| {
                mean(
                    starts.iter().map(|start| f64::from(ground.ask(spec, start, Limits::nodes(nodes)).depth)),
                )
            })
        };
        let (program, text) = (ReportSettings::program(), ReportSettings::text());
        let improved = |settings| ReportSettings { table: true, window: Some(20), ..settings };
        let moves = mean(starts.iter().map(|start| sorted_moves(start, MoveChoice::Tree).len() as f64));
        let legal = mean(starts.iter().map(|start| start.move_count(Player::One) as f64));
        let depths = [
            report(program),
            report(improved(program)),
            report(text),
            report(improved(text)),
            searched("alphabeta"),
            searched("champion"),
        ];
        let row = [moves, legal].into_iter().chain(depths).map(|value| format!("{value:.1}"));
        rows.push([size.to_string()].into_iter().chain(row).collect());
    }
    Section {
        title: "Depth by board size".to_owned(),
        text: format!(
            "Mean finished depth at the first move within {nodes} nodes, over {} starts of each size. The report says that on larger \
             boards it may not reach deeper nodes, and prints no figures.",
            samples.first().map_or(0, |sample| sample.starts.len())
        ),
        columns: vec![
            "M",
            "moves of the program",
            "legal moves",
            "`report`",
            "`report:table=true,window=20`",
            "`report:as=text`",
            "`report:as=text,table=true,window=20`",
            "`alphabeta`",
            "`champion`",
        ],
        rows,
    }
}

/// Every claim of the report that positions decide.
pub(super) fn section(samples: &[Sample], effort: Effort) -> Section {
    let mut section = Section::claims(
        "Rules, evaluation and search",
        "Over starts and positions of random games of all sizes 6 to 12.",
    );
    let positions: Vec<Position> = samples.iter().flat_map(|sample| sample.positions.clone()).collect();
    rules(&mut section, samples, &positions);
    let small: Vec<Position> =
        samples.iter().filter(|sample| sample.size <= 8).flat_map(|sample| sample.starts.clone()).collect();
    searches(&mut section, &small, effort);
    order_of_the_best(&mut section, samples, effort);
    deepening(&mut section, samples, &positions);
    section
}

fn rules(section: &mut Section, samples: &[Sample], positions: &[Position]) {
    let share = mean(positions.iter().map(|position| {
        let tree = sorted_moves(position, MoveChoice::Tree).len();
        percent(tree as f64, position.move_count(position.to_move()) as f64)
    }));
    section.claim(
        "All possible valid moves are generated",
        Source::Report,
        format!("the program's list against all legal moves in {} positions", positions.len()),
        format!("{share:.0} % of the legal moves on average, one for each cell within K steps but the own"),
        Verdict::of(share >= 100.0),
    );
    let largest =
        positions.iter().map(|position| static_value(position, Cells::Near).abs()).max().unwrap_or(0);
    section.claim(
        "With the factor of 10000 the score of a finished game dominates",
        Source::Report,
        "the largest static value in the same positions, against one cell more at the end",
        format!("{largest} against 10000"),
        Verdict::of(largest < 10_000),
    );
    let unowned = samples.iter().fold(Share::default(), |all, sample| Share {
        part: all.part + sample.unowned.part,
        whole: all.whole + sample.unowned.whole,
    });
    section.claim(
        "What one player gets in blocks the other loses: the game is zero-sum in them",
        Source::Report,
        "random games to the end: how many leave cells that belong to nobody? (It is zero-sum in won, drawn, lost.)",
        unowned.to_string(),
        Verdict::of(unowned.part == 0),
    );
    let most = |size: u8| {
        let counts = samples.iter().filter(|sample| sample.size == size);
        counts
            .flat_map(|sample| &sample.positions)
            .map(|position| position.move_count(position.to_move()))
            .max()
    };
    section.claim(
        "The branching factor is not a huge number",
        Source::Report,
        "the most legal moves in the same positions, M = 6 and M = 12 (huge: more than the 35 of chess)",
        format!("{} and {}", most(6).unwrap_or(0), most(12).unwrap_or(0)),
        Verdict::of(most(12).unwrap_or(0) <= 35),
    );
}

fn searches(section: &mut Section, small: &[Position], effort: Effort) {
    let ratio =
        |one: &str, other: &str, depth: u32| nodes(small, one, depth) / nodes(small, other, depth).max(1.0);
    let depth = effort.pick(2, 3);
    for (claim, source, one, other, depth) in [
        (
            "Alpha-beta reduces the nodes that are evaluated",
            Source::Report,
            "minimax".to_owned(),
            plain("none"),
            2,
        ),
        (
            "Moves near the opponent first give more cut-offs",
            Source::Report,
            plain("none"),
            plain("approach"),
            depth,
        ),
        (
            "(the same in our search)",
            Source::Ours,
            "alphabeta:order=none".to_owned(),
            "alphabeta:order=approach".to_owned(),
            depth,
        ),
    ] {
        let found = ratio(&one, &other, depth);
        section.claim(
            claim,
            source,
            format!(
                "depth {depth}, {} starts of sizes 6 to 8: nodes of `{one}` over those of `{other}`",
                small.len()
            ),
            format!("{found:.2}"),
            Verdict::of(found > 1.0),
        );
    }
    for (base, name) in [("report", "the program"), ("report:as=text", "the text")] {
        let join = |option: &str| format!("{base}{}{option}", if base.contains(':') { "," } else { ":" });
        for (claim, options) in [
            ("Other first bounds than the infinities would cut more", "window=20"),
            ("A look-up table of states would speed up", "table=true"),
            ("(both)", "table=true,window=20"),
        ] {
            let with = join(options);
            let found = ratio(&with, base, depth);
            let source = if claim.starts_with('(') { Source::Ours } else { Source::Report };
            section.claim(
                claim,
                source,
                format!("as {name} has it, deepening to {depth}, the same starts: nodes of `{with}` over those of `{base}`"),
                format!("{found:.3}"),
                Verdict::of(found < 1.0),
            );
        }
    }
}

/// Whether the best moves stand early in the report's order.
fn order_of_the_best(section: &mut Section, samples: &[Sample], effort: Effort) {
    let depth = effort.pick(2, 3);
    let small = samples.iter().filter(|sample| sample.size <= 8);
    let positions: Vec<Position> = small
        .flat_map(|sample| sample.positions.iter().copied())
        .filter(|position| position.end().is_none())
        .collect();
    let early = in_parallel(positions.len() as u64, |index| {
        let position = &positions[index as usize];
        // Without an order of its own, so that of equal moves the search does not take the one that comes near.
        let ask = |ground: &Ground<'_, Position>| {
            ground.ask("alphabeta:order=none", position, Limits::depth(depth))
        };
        let best = with_ground(position.size(), ask).best;
        let listed = sorted_moves(position, MoveChoice::All);
        let place = listed.iter().position(|&mv| Some(mv) == best);
        place.is_some_and(|place| 4 * place < listed.len())
    });
    let early = Share::count(early);
    section.claim(
        "The best moves are looked at first, because they come near the opponent",
        Source::Report,
        format!(
            "positions of random games, sizes 6 to 8: is the best move of `alphabeta:order=none` to depth {depth} in the first quarter \
             of the report's order? (first: more often than by chance, in a quarter)"
        ),
        early.to_string(),
        Verdict::above(early.interval(), 0.25),
    );
}

fn plain(order: &str) -> String {
    format!(
        "alphabeta:moves=tree,order={order},table=off,pvs=false,killers=false,history=false,counter=false,iterative=false"
    )
}

/// The nodes of one bot at a depth, over all positions.
fn nodes(positions: &[Position], spec: &str, depth: u32) -> f64 {
    let ask = |position: &Position| {
        with_ground(position.size(), |ground| {
            ground.ask(spec, position, Limits::depth(depth)).stats.nodes as f64
        })
    };
    positions.iter().map(ask).sum()
}

fn deepening(section: &mut Section, samples: &[Sample], positions: &[Position]) {
    let first = positions.iter().map(|position| counted(position, 1)).max().unwrap_or(0);
    section.claim(
        "The search keeps within the time that it sets itself (25 s and 1.5 s)",
        Source::Report,
        "calls of the program's search at depth 1, the most over the same positions: what it needs for a first answer",
        format!("{first} calls; the budgets themselves are those of `report`, and a test holds them (crates/agents/tests/it/colosseum.rs)"),
        Verdict::Figure,
    );
    let longest = samples.iter().map(|sample| sample.longest).max().unwrap_or(0);
    let deepest = ReportSettings::program().deepest;
    section.claim(
        "The search is complete, because the tree is finite",
        Source::Report,
        "the program's last depth against the longest random game of the sample: does it reach the end from every position?",
        format!("it stops at depth {deepest}; a game went on for {longest} plies"),
        Verdict::of(deepest >= longest),
    );
}

/// Calls of the program's search at one depth.
fn counted(position: &Position, depth: u32) -> u64 {
    let mut never = |_| false;
    let mut search = Negamax::new(Rules::default(), &mut never);
    // Never interrupted: the clock stands still.
    let _ = search.root(position, depth);
    search.counts.nodes
}
