//! Claims of the Colosseum report about rules, evaluation and search, over positions of all sizes.

use agents::colosseum::{
    Cells, MoveChoice, Negamax, ReportSettings, Rules, deepen, sorted_moves, static_value,
};
use colosseum::Position;
use search_core::{Game, Limits, Player, StopReason, TurnBased};

use super::{Sample, mean, starts, with_ground};
use crate::commands::tables::matches::Ground;
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict, percent, ratio, within};
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
        "Over starts and positions of random games of all sizes 6 to 12. A ratio of nodes is that of their sums over the starts, its \
         interval that of the starts.",
    );
    let positions: Vec<Position> = samples.iter().flat_map(|sample| sample.positions.clone()).collect();
    rules(&mut section, samples, &positions);
    let small: Vec<Position> = (6..=8).flat_map(|size| starts(size, effort.pick(2, 40))).collect();
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
        "random games to the end: how many leave cells that belong to neither player? (It is zero-sum in won, drawn, lost.)",
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
    let compared = |one: &str, other: &str, depth: u32| {
        let pairs: Vec<_> = nodes(small, one, depth).into_iter().zip(nodes(small, other, depth)).collect();
        ratio(&pairs)
    };
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
        let (found, interval) = compared(&one, &other, depth);
        section.claim(
            claim,
            source,
            format!(
                "depth {depth}, {} starts of sizes 6 to 8: nodes of `{one}` over those of `{other}`",
                small.len()
            ),
            format!("{found:.2}{}", within(interval, 1.0, 2)),
            Verdict::above(interval, 1.0),
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
            let (found, interval) = compared(&with, base, depth);
            let source = if claim.starts_with('(') { Source::Ours } else { Source::Report };
            section.claim(
                claim,
                source,
                format!(
                    "as {name} has it, deepening to {depth}, the same starts: nodes of `{with}` over those of `{base}` (more, or faster: a \
                     twentieth fewer nodes at least)"
                ),
                format!("{found:.3}{}", within(interval, 1.0, 3)),
                Verdict::below(interval, 0.95),
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

/// The nodes of one bot at a depth, in each position.
fn nodes(positions: &[Position], spec: &str, depth: u32) -> Vec<f64> {
    in_parallel(positions.len() as u64, |index| {
        let position = &positions[index as usize];
        with_ground(position.size(), |ground| {
            ground.ask(spec, position, Limits::depth(depth)).stats.nodes as f64
        })
    })
}

fn deepening(section: &mut Section, samples: &[Sample], positions: &[Position]) {
    let open: Vec<&Position> = positions.iter().filter(|position| position.end().is_none()).collect();
    let most = |depth| {
        open.iter()
            .map(|position| counted(position, depth))
            .fold((0, 0), |most, found| (most.0.max(found.0), most.1.max(found.1)))
    };
    let ((first, _), (_, gap)) = (most(1), most(2));
    section.claim(
        "The search keeps within the time that it sets itself (25 s and 1.5 s)",
        Source::Report,
        "the most calls of the program's search in the same positions: for a first answer (depth 1), and between two looks at the \
         clock (depth 2). It keeps within the time if at 1000 calls a second the first fit into 1.5 s and the others into the half \
         second that it leaves of the contest's limit",
        format!("{first} and {gap}"),
        Verdict::of(first <= 1500 && gap <= 500),
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

/// Calls of the program's search at one depth, and the most of them between two looks at the clock.
fn counted(position: &Position, depth: u32) -> (u64, u64) {
    let (mut looked, mut gap) = (0, 0);
    // Never interrupted: the clock stands still.
    let mut clock = |calls: u64| {
        gap = gap.max(calls - looked);
        looked = calls;
        false
    };
    let mut search = Negamax::new(Rules::default(), &mut clock);
    let _ = search.root(position, depth);
    let calls = search.counts.nodes;
    (calls, gap.max(calls - looked))
}
