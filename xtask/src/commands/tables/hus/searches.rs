//! What the Hus report says about its search: order, memory, deepening, and how it keeps the time.

use std::time::{Duration, Instant};

use agents::hus::{Program, ReportSettings};
use hus::Position;
use search_core::{Limits, Player, Record, StopFlag, SystemClock, Task, Time, TurnBased};

use super::{ground, positions};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::Verdict;
use crate::commands::tables::{Effort, Section, time_of};

pub(super) fn section(effort: Effort) -> Section {
    let depth = effort.pick(4, 7);
    let mut section = Section::claims("Searches", "Node counts are the same on every machine.");
    order(&mut section, depth);
    program_and_text(&mut section, depth);
    deepening(&mut section, depth);
    timer(&mut section, effort);
    section
}

/// The nodes of two variants of `alphabeta` over the named positions.
fn nodes(specs: [&str; 2]) -> [u64; 2] {
    specs.map(|spec| {
        positions().map(|(_, position)| ground().ask(spec, &position, Limits::default()).stats.nodes).sum()
    })
}

fn order(section: &mut Section, depth: u32) {
    for (claim, with, without) in [
        (
            "Sorting by static value makes the cut-offs work",
            format!("alphabeta:depth={depth},table=off,order=static"),
            format!("alphabeta:depth={depth},table=off,order=none"),
        ),
        (
            "The tree could be memoised (to save what is searched again)",
            format!("alphabeta:depth={depth}"),
            format!("alphabeta:depth={depth},table=off"),
        ),
        (
            "A better evaluation also makes the pruning better, through the order of the moves",
            format!("champion:depth={depth},evaluation=sum,reduce=0,proof=0,order_from=1"),
            format!("alphabeta:depth={depth},table=on"),
        ),
    ] {
        let [with_it, without_it] = nodes([&with, &without]);
        section.claim(
            claim,
            Source::Report,
            format!("nodes of `{with}` and of `{without}`, the four positions above together"),
            format!(
                "{with_it} and {without_it}: {:.2} times fewer",
                without_it as f64 / with_it.max(1) as f64
            ),
            Verdict::of(with_it < without_it),
        );
    }
}

/// Calls and answer of the report's search from the start.
fn program(settings: ReportSettings, position: &Position, depth: u32) -> (u64, Option<(i32, hus::Pit)>) {
    let mut never = |_| false;
    let mut search = Program::new(settings, position.to_move(), &mut never);
    let answer = search.root(position, depth).ok().and_then(|(value, mv)| Some((value, mv?)));
    (search.counts.nodes, answer)
}

fn program_and_text(section: &mut Section, depth: u32) {
    let [text, program] = [ReportSettings::TEXT, ReportSettings::PROGRAM]
        .map(|settings| program(settings, &Position::start(), depth));
    let same = text.1.map(|answer| answer.1) == program.1.map(|answer| answer.1);
    section.claim(
        "Alpha-beta bounds each node by the best of all players above it (the program only by its parent's best)",
        Source::Report,
        format!("calls of the search to depth {depth} from the start, as the text and as the program has it"),
        format!(
            "{} and {}: {:.2} times more; {} move",
            text.0,
            program.0,
            program.0 as f64 / text.0.max(1) as f64,
            if same { "the same" } else { "another" }
        ),
        Verdict::of(text.0 < program.0),
    );
}

/// What deepening costs: all depths together against the last one.
fn deepening(section: &mut Section, depth: u32) {
    let (mut all, mut last) = (0, 0);
    for (_, position) in positions() {
        // The program begins at depth 3.
        let calls: Vec<u64> =
            (3..=depth).map(|depth| program(ReportSettings::TEXT, &position, depth).0).collect();
        all += calls.iter().sum::<u64>();
        last += calls.last().copied().unwrap_or(0);
    }
    let more = all as f64 / last.max(1) as f64;
    section.claim(
        "Deepening searches the top of the tree several times",
        Source::Report,
        format!(
            "calls of `report:as=text` for the depths 3 to {depth} together against depth {depth} alone, the four positions above"
        ),
        format!("{all} and {last}: {more:.2} times (a drawback: a tenth or more)"),
        Verdict::of(more >= 1.1),
    );
}

/// The report's first attempt, a thread that stops the search after a while, against asking the clock now and then.
fn timer(section: &mut Section, effort: Effort) {
    let (rounds, limit) = (effort.pick(1, 15), Duration::from_millis(effort.pick(20, 100)));
    let Some((_, position)) = positions().nth(2) else { return };
    let spec = "alphabeta:hash=4";
    let (mut over, mut visited, mut spent) = ([Duration::ZERO; 2], [0_u64; 2], [Duration::ZERO; 2]);
    for _ in 0..rounds {
        for way in 0..2 {
            let started = Instant::now();
            let (nodes, work) = time_of(|| stopped(spec, &position, limit, way == 1));
            over[way] = over[way].max(started.elapsed().saturating_sub(limit));
            visited[way] += nodes;
            spent[way] += work;
        }
    }
    let late = over.map(|over| over.as_secs_f64() * 1e3);
    let rate = |way: usize| visited[way] as f64 / spent[way].as_secs_f64().max(1e-9);
    let share = rate(0) / rate(1);
    section.claim(
        "Looking at the clock now and then is efficient; a thread that stops the search made trouble",
        Source::Report,
        format!(
            "`{spec}` for {} ms in the balanced position, {rounds} times each in turn: polling the clock, and a second thread that \
             sleeps and raises the stop flag. Nodes for the same processor time, and the longest overrun (efficient: nine tenths of \
             the nodes or more)",
            limit.as_millis()
        ),
        format!(
            "polling visits {share:.2} times the nodes; {:.1} ms late at most, the thread {:.1} ms. Both give the answer of the last \
             finished depth, and nothing is shared but a flag: the trouble lay in sharing results",
            late[0], late[1],
        ),
        Verdict::of(share >= 0.9),
    );
}

/// A search stopped by the clock or by a thread that sleeps: its nodes.
fn stopped(spec: &str, position: &Position, limit: Duration, by_thread: bool) -> u64 {
    let Some(mut bot) = ground().build(spec) else { return 0 };
    let _ = bot.new_game(Player::One, 1);
    let (record, stop, clock) = (Record::new(*position), StopFlag::new(), SystemClock::new());
    let player = position.to_move();
    let time = Time::Bounds { soft: limit, hard: limit };
    let limits = if by_thread { Limits::default() } else { Limits { time: Some(time), ..Limits::default() } };
    let task = Task::plain(&record, player, limits, &stop, &clock);
    std::thread::scope(|scope| {
        if by_thread {
            scope.spawn(|| {
                std::thread::sleep(limit);
                stop.stop();
            });
        }
        bot.choose(&task).ok().and_then(|answer| answer.analysis).map_or(0, |analysis| analysis.stats.nodes)
    })
}
