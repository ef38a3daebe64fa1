//! What the report says about its search: pruning, order, forward pruning, quiescence.

use agents::expendibots::counted_searches::Study;
use expendibots::Position;
use search_core::{Game, Limits, Player};

use super::{FIG1, PLAIN, START, TABLE1, TABLE1_MAP, counted, ground, middles, position, search_all};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict, percent};
use crate::commands::tables::{Effort, Section, fastest, in_parallel, times};

pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims(
        "The search",
        "A printed number comes out where ours is within 5 % of it, a printed factor of speed within a fifth. \"Large\" and \
         \"great\" are read as: half the nodes or fewer, and more than half of the points.",
    );
    pruning(&mut section);
    order(&mut section, effort);
    forward_pruning(&mut section, effort);
    quiescence(&mut section, effort);
    section
}

fn visited(study: Study, plies: u32) -> u64 {
    counted(TABLE1, study, plies, TABLE1_MAP).visited()
}

/// The share that the smaller number leaves out, in percent.
fn saved(before: u64, after: u64) -> f64 {
    percent(before.saturating_sub(after) as f64, before as f64)
}

fn pruning(section: &mut Section) {
    let minimax = counted(TABLE1, Study::Minimax, 3, "").visited();
    let pruned = visited(Study::ProgramBoomsFirst, 3);
    let found = saved(minimax, pruned);
    section.claim(
        "Pruning takes the search of 3 turns from 443,016 visited to 41,376, 91 % fewer",
        Source::Report,
        "both rows on the position of Table 1 with the same leaf routine",
        format!("{found:.0} % ({minimax} to {pruned})"),
        Verdict::near(found, 91.0, 0.05),
    );
    let sound = counted(TABLE1, Study::BoomsFirst, 3, "");
    let full = counted(TABLE1, Study::Minimax, 3, "");
    section.claim(
        "Pruning leaves out only what cannot change the result",
        Source::Report,
        "value of the position of Table 1 at 3 plies, minimax and sound alpha-beta",
        format!("{:.2} and {:.2}", full.score, sound.score),
        Verdict::of(full.score == sound.score),
    );
}

fn order(section: &mut Section, effort: Effort) {
    for (plies, printed, speed_printed) in [(3, 86.0, 589.0), (4, 78.0, 216.0)] {
        let found = saved(visited(Study::ProgramBoomsFirst, plies), visited(Study::ProgramOrdered, plies));
        section.claim(
            &format!("The order by maps visits {printed:.0} % less at {plies} turns"),
            Source::Report,
            "the authors' code on their position, booms first and ordered, counted as they do",
            format!("{found:.0} %"),
            Verdict::near(found, printed, 0.05),
        );
        let studies = [Study::ProgramBoomsFirst, Study::ProgramOrdered];
        let [first, ordered] = fastest(effort.pick(1, 5), |piece| {
            counted(TABLE1, studies[piece], plies, TABLE1_MAP);
        });
        let speed = 100.0 * times(first, ordered);
        section.claim(
            &format!("and is {speed_printed:.0} % as fast"),
            Source::Report,
            "time of the same two searches, the shortest of several runs each, in turn (depends on the machine)",
            format!("{speed:.0} %"),
            Verdict::near(speed, speed_printed, 0.2),
        );
    }
    let nodes = |study, plies| counted(TABLE1, study, plies, "").nodes;
    let last = effort.pick(4, 5);
    let first: Vec<u64> = (1..=last).map(|plies| nodes(Study::BoomsFirst, plies)).collect();
    let ordered: Vec<u64> = (1..=last).map(|plies| nodes(Study::Ordered, plies)).collect();
    // How deep the ordered search comes with the nodes that the other takes for half of it.
    let doubled = (1..=last as usize / 2).all(|plies| ordered[2 * plies - 1] <= first[plies - 1]);
    section.claim(
        "Ordering doubles the depth of the search",
        Source::Report,
        format!("sound alpha-beta on the position of Table 1, nodes at 1 to {last} plies, booms first and ordered: twice the plies \
                 within the same nodes"),
        format!("{first:?} and {ordered:?}"),
        Verdict::of(doubled),
    );
    let quiet = [Study::BoomsFirst, Study::Ordered].map(|study| counted(START, study, 3, ""));
    section.claim(
        "Early there is no short sequence to a boom, and the evaluation is of little help",
        Source::Report,
        "the start position to 3 plies, booms first and ordered: values and nodes",
        format!(
            "{:.0} and {:.0}, the value of even tokens; {} and {} nodes",
            quiet[0].score, quiet[1].score, quiet[0].nodes, quiet[1].nodes
        ),
        Verdict::of(quiet.iter().all(|found| found.score == 1000.0)),
    );
    offence(section, effort);
}

/// Whether the order looks at attacks first.
fn offence(section: &mut Section, effort: Effort) {
    let beside = |position: &Position, player: Player| position.stacks(player.opponent()).grown();
    let (mut nearer, mut all_nearer, mut all) = (Share::default(), 0, 0);
    let distance = |position: &Position, square: expendibots::Square| {
        let enemies = position.stacks(position.side().opponent()).into_iter();
        let to = |enemy: expendibots::Square| {
            square.file().abs_diff(enemy.file()).max(square.rank().abs_diff(enemy.rank()))
        };
        enemies.map(to).min().unwrap_or(0)
    };
    for position in middles(effort.pick(4, 40)) {
        let moves = position.move_list(position.side());
        let shifts: Vec<_> = moves.as_slice().iter().copied().filter(|mv| !mv.is_boom()).collect();
        let comes_nearer = |mv: expendibots::Move| {
            distance(&position, mv.to()) < distance(&position, mv.from())
                || beside(&position, position.side()).contains(mv.to())
        };
        if let Some(first) = agents::expendibots::counted_searches::first_shift(&position) {
            nearer.add(comes_nearer(first));
            all += shifts.len();
            all_nearer += shifts.iter().filter(|&&mv| comes_nearer(mv)).count();
        }
    }
    let usual = all_nearer as f64 / all.max(1) as f64;
    section.claim(
        "The order prefers offence",
        Source::Report,
        "positions of games of `greedy`: does the first move that is no boom end nearer to an enemy or beside one? Against the \
         share of such moves among all",
        format!("{nearer}; of all moves {:.1} %", 100.0 * usual),
        Verdict::above(nearer.interval(), usual),
    );
}

fn forward_pruning(section: &mut Section, effort: Effort) {
    let mut positions = middles(effort.pick(2, 12));
    positions.extend([TABLE1, FIG1].map(position));
    let spec = |suicides: &str, order: &str| {
        let plain = PLAIN.replace("quiesce=mixed", "quiesce=none");
        format!("alphabeta:order={order},suicides={suicides},{plain}")
    };
    for (order, name) in [("none", "as generated"), ("booms+map", "in the report's order")] {
        let mut nodes = [0; 2];
        let spent = fastest::<2>(effort.pick(1, 3), |piece| {
            let suicides = ["searched", "pruned"][piece];
            nodes[piece] = search_all(&spec(suicides, order), &positions, Limits::depth(3)).0;
        });
        let fewer = nodes[0] as f64 / nodes[1].max(1) as f64;
        section.claim(
            "Leaving out suicide booms is a large improvement of speed",
            Source::Report,
            format!(
                "`{}` against `suicides=searched` to 3 plies on {} positions, moves {name}: nodes and time",
                spec("pruned", order),
                positions.len()
            ),
            format!("{fewer:.2} times fewer nodes, {:.2} times as fast", times(spent[0], spent[1])),
            Verdict::of(fewer >= 2.0),
        );
    }
    let positions = middles(effort.pick(4, 40));
    let chosen = in_parallel(positions.len() as u64, |index| {
        let position = &positions[index as usize];
        let best = ground().ask("alphabeta:suicides=searched", position, Limits::depth(3)).best;
        best.is_some_and(|mv| mv.is_boom() && !position.touching(position.side()).contains(mv.from()))
    });
    let chosen = Share::count(chosen);
    section.claim(
        "It is highly unlikely that a suicide boom is good",
        Source::Report,
        "`alphabeta:suicides=searched` to 3 plies on positions of games of `greedy`: how often it plays one (highly unlikely: \
         less than 1 in 20)",
        chosen.to_string(),
        Verdict::below(chosen.interval(), 0.05),
    );
}

fn quiescence(section: &mut Section, effort: Effort) {
    let pairs = effort.pick(1, 60);
    let result = ground().play("alphabeta:depth=3", "alphabeta:depth=3,quiesce=none", pairs);
    section.claim(
        "Searching good booms on is a great aid to the evaluation",
        Source::Report,
        format!("`alphabeta:depth=3`, which does, against `alphabeta:depth=3,quiesce=none`, {pairs} pairs"),
        result.to_string(),
        result.first_is_stronger(),
    );
    let positions = middles(effort.pick(2, 12));
    let mut nodes = [0; 2];
    let spent = fastest::<2>(effort.pick(1, 3), |piece| {
        let spec = ["alphabeta:quiesce=booms", "alphabeta:quiesce=none"][piece];
        nodes[piece] = search_all(spec, &positions, Limits::depth(3)).0;
    });
    section.claim(
        "(the price of searching booms on)",
        Source::Ours,
        format!("the same two to 3 plies on {} positions", positions.len()),
        format!(
            "{:.2} times the nodes, {:.2} times the time",
            nodes[0] as f64 / nodes[1].max(1) as f64,
            times(spent[0], spent[1])
        ),
        Verdict::Figure,
    );
    let [three, four] =
        [3, 4].map(|plies| search_all("alphabeta:quiesce=booms", &positions, Limits::depth(plies)).0);
    let more = four as f64 / three.max(1) as f64;
    section.claim(
        "Continuing with moves too would significantly increase the run time",
        Source::Report,
        "one ply more with all moves: nodes of `alphabeta:quiesce=booms` to 4 plies against 3 on the same positions \
         (significant: twice as many or more)"
            .to_owned(),
        format!("{more:.2} times the nodes"),
        Verdict::of(more >= 2.0),
    );
}
