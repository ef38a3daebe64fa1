//! Claims of the Colosseum report that games decide: Monte Carlo tree search against negamax, and both against random play.

use search_core::Limits;

use super::{SIZES, start, with_ground};
use crate::commands::tables::matches::{Match, Side};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::Verdict;
use crate::commands::tables::{Effort, Section, fastest, times};

/// Playouts for a move: from what a slow program manages to plenty.
const PLAYOUTS: [u64; 3] = [10, 100, 1000];
/// Nodes for a move of the report's bot: depth 2 on small boards, as a slow program has it.
const NODES: u64 = 2_000;

fn mcts(playouts: u64) -> Side<'static> {
    Side { spec: "mcts", limits: Limits::playouts(playouts) }
}

fn report() -> Side<'static> {
    Side { spec: "report", limits: Limits::nodes(NODES) }
}

fn play(first: Side<'_>, second: Side<'_>, sizes: impl Iterator<Item = u8>, pairs: u64) -> Match {
    let results = sizes.map(|size| with_ground(size, |ground| ground.play(first, second, pairs)));
    results.reduce(|all, result| all.plus(&result)).unwrap_or_default()
}

/// The scores of both kinds of search by size.
pub(super) fn by_size(effort: Effort) -> Section {
    let pairs = effort.pick(1, 20);
    let rows = SIZES.map(|size| {
        let mut row = vec![size.to_string()];
        let sizes = || std::iter::once(size);
        row.extend(PLAYOUTS.map(|playouts| {
            play(mcts(effort.pick(playouts.min(20), playouts)), "walk".into(), sizes(), pairs).to_string()
        }));
        row.push(play(report(), "walk".into(), sizes(), pairs).to_string());
        row.push(play(mcts(effort.pick(10, 1000)), report(), sizes(), pairs).to_string());
        row
    });
    Section {
        title: "Monte Carlo tree search and negamax by board size".to_owned(),
        text: format!(
            "{pairs} pairs of games of each size, both seats of every start, without a clock: `mcts` with that number of playouts a move, \
             `report` with {NODES} nodes. `walk` is the contest's random agent. The report prints no figures."
        ),
        columns: vec![
            "M",
            "`mcts` of 10 : `walk`",
            "of 100 : `walk`",
            "of 1000 : `walk`",
            "`report` : `walk`",
            "`mcts` of 1000 : `report`",
        ],
        rows: rows.collect(),
    }
}

/// The claims about these matches.
pub(super) fn section(effort: Effort) -> Section {
    let pairs = effort.pick(1, 40);
    let mut section = Section::claims(
        "Games",
        &format!(
            "Both seats of every start, {pairs} pairs of each size, `report` with {NODES} nodes a move."
        ),
    );
    let against_walk = |side: Side<'_>| play(side, "walk".into(), SIZES, pairs);
    let negamax = against_walk(report());
    section.claim(
        "The agent makes accurate decisions",
        Source::Report,
        "`report` against `walk`, sizes 6 to 12 (accurate: it wins more than nine in ten)",
        negamax.to_string(),
        Verdict::above(negamax.interval(), 0.9),
    );
    for playouts in PLAYOUTS {
        let found = against_walk(mcts(effort.pick(playouts.min(20), playouts)));
        section.claim(
            "MCTS has a lower winning rate against the random agent than negamax, because it has too few iterations",
            Source::Report,
            format!("`mcts` with {playouts} playouts a move against `walk`, sizes 6 to 12, beside `report`"),
            format!("{found}; `report` {negamax}"),
            lower(&found, &negamax),
        );
    }
    let few = effort.pick(10, 30);
    let by = |size: u8| play(mcts(few), report(), std::iter::once(size), 2 * pairs);
    let (small, large) = (by(6), by(12));
    section.claim(
        "On large boards MCTS is less likely to find the best path within the same iterations",
        Source::Report,
        format!(
            "`mcts` with {few} playouts a move against `report`, M = 12 and M = 6, {} pairs each",
            2 * pairs
        ),
        format!("{large}; {small}"),
        lower(&large, &small),
    );
    let more = play(mcts(effort.pick(20, 1000)), mcts(effort.pick(10, 100)), SIZES, pairs.div_ceil(2));
    section.claim(
        "The longer MCTS runs, the better it plays",
        Source::Report,
        "`mcts` with 1000 playouts a move against itself with 100, sizes 6 to 12",
        more.to_string(),
        more.first_is_stronger(),
    );
    iterations(&mut section, effort);
    for (spec, claim) in [
        ("report:table=true,window=20", "The two improvements make the agent more effective"),
        ("report:as=text,table=true,window=20", "(the same as the text has it)"),
    ] {
        let without = spec.replace(",table=true,window=20", "").replace(":table=true,window=20", "");
        let limits = Limits::nodes(effort.pick(500, 20_000));
        let found = play(
            Side { spec, limits },
            Side { spec: &without, limits },
            [6, 8].into_iter(),
            effort.pick(1, 50),
        );
        let source = if claim.starts_with('(') { Source::Ours } else { Source::Report };
        section.claim(
            claim,
            source,
            format!(
                "`{spec}` against `{without}`, {} nodes a move, sizes 6 and 8, {} pairs each",
                limits.nodes.unwrap_or(0),
                effort.pick(1, 50)
            ),
            found.to_string(),
            found.first_is_stronger(),
        );
    }
    section
}

/// How many playouts the same time allows on small and on large boards.
fn iterations(section: &mut Section, effort: Effort) {
    let playouts = effort.pick(50, 1_000);
    let [small, large] = fastest(effort.pick(1, 5), |piece| {
        let size = [6, 12][piece];
        with_ground(size, |ground| ground.ask("mcts", &start(size, 0), Limits::playouts(playouts)));
    });
    let slower = times(large, small);
    section.claim(
        "The time allows fewer iterations of MCTS on large boards",
        Source::Report,
        format!("processor time of {playouts} playouts of `mcts` from a start, M = 12 against M = 6 (depends on the machine)"),
        format!("{slower:.1} times the time"),
        Verdict::of(slower > 1.0),
    );
}

/// What two scores make of the claim that the first is the lower.
fn lower(first: &Match, second: &Match) -> Verdict {
    let (first, second) = (first.interval(), second.interval());
    match (first.low, first.high, second.low, second.high) {
        (_, Some(high), Some(low), _) if high < low => Verdict::Holds,
        (Some(low), _, _, Some(high)) if low > high => Verdict::Fails,
        _ => Verdict::Open,
    }
}
