//! The claims of the Hus report.

use std::time::Duration;

use agents::hus::{Program, ReportSettings, catalogue};
use hus::Position;
use search_core::{
    Analysis, Bot, Game, Limits, Outcome, Player, Record, SearchRng, StopFlag, SystemClock, Task, TurnBased,
    derive_seed, perft,
};

use super::{Effort, Progress, Section, in_parallel};

/// Named positions: the start, an opening, a balanced middle game, a poor side to move.
const POSITIONS: [(&str, &str); 4] = [
    (
        "start",
        "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0/2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0 0 0",
    ),
    (
        "opening, 58-38",
        "3,1,2,2,0,0,2,2,2,0,2,2,2,2,2,0,3,0,1,1,2,3,0,4,5,5,1,1,3,2,1,2/2,0,3,0,0,3,0,0,0,0,3,3,0,0,0,1,0,5,1,1,0,3,1,1,2,2,3,1,1,1,1,0 0 10",
    ),
    (
        "balanced, 46-50",
        "2,4,0,1,0,0,0,4,2,0,3,1,4,0,2,1,0,1,2,2,1,0,1,6,3,1,0,0,0,0,3,2/2,1,4,1,2,1,0,3,0,1,0,3,1,0,3,0,3,1,2,0,2,2,1,1,0,1,4,1,2,1,1,6 1 77",
    ),
    (
        "poor side to move, 14-82",
        "2,0,1,0,0,0,1,0,2,0,1,1,1,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,3,0/2,0,10,2,1,3,0,1,0,1,0,1,3,2,0,1,0,3,1,5,8,3,1,5,4,5,0,3,1,11,3,2 0 42",
    ),
];

pub(super) fn sections(effort: Effort, progress: &Progress) -> Vec<Section> {
    vec![
        progress.part("depth within the time limit", || depths(effort)),
        progress.part("random games", || lengths(effort)),
        progress.part("claims", || claims(effort)),
    ]
}

/// The named positions. All of them can be read; one that could not would be left out.
fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.into_iter().filter_map(|(name, text)| Some((name, text.parse().ok()?)))
}

fn bot(spec: &str) -> Option<Box<dyn Bot<Position>>> {
    catalogue().build(spec).ok()
}

/// What a bot says in a position, and how deep it looked.
fn ask(spec: &str, position: &Position, limits: Limits) -> Analysis<hus::Pit> {
    let record = Record::new(*position);
    let (stop, clock) = (StopFlag::new(), SystemClock::new());
    let player = position.to_move();
    let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
    bot(spec)
        .and_then(|mut bot| bot.choose(&task).ok())
        .and_then(|answer| answer.analysis)
        .unwrap_or_default()
}

fn depths(effort: Effort) -> Section {
    let limit = Duration::from_millis(effort.pick(100, 2000));
    let mut rows = Vec::new();
    for (name, position) in positions() {
        let deep = |spec: &str| ask(spec, &position, Limits::movetime(limit)).depth.to_string();
        rows.push(vec![
            name.to_owned(),
            "horizon of about 10".to_owned(),
            deep("report"),
            deep("report:as=text"),
            deep("alphabeta:hash=64,order_from=2"),
        ]);
    }
    Section {
        title: format!("Depth reached within {} s", limit.as_secs_f64()),
        text: "The last finished depth in plies on this machine. The authors' program was written in Java and looked at \
               the clock after every child."
            .to_owned(),
        columns: vec!["position", "printed", "`report`", "`report:as=text`", "`alphabeta`"],
        rows,
    }
}

/// Plies and ends of random games.
fn lengths(effort: Effort) -> Section {
    let games = effort.pick(500, 20_000);
    let mut rng = SearchRng::new(1, "random games");
    let mut plies = Vec::new();
    let mut ends = [("no-moves", 0_u32), ("infinite-move", 0), ("turn-limit", 0)];
    for _ in 0..games {
        let mut position = Position::start();
        let mut turns = 0_u32;
        while let Some(pit) = position.sample(position.to_move(), &mut rng) {
            position.play(pit);
            turns += 1;
        }
        plies.push(turns);
        for (reason, count) in &mut ends {
            *count += u32::from(position.end().is_some_and(|end| end.reason == *reason));
        }
    }
    plies.sort_unstable();
    let at = |share: f64| plies[((plies.len() - 1) as f64 * share) as usize].to_string();
    let mean = f64::from(plies.iter().sum::<u32>()) / plies.len() as f64;
    let mut rows = vec![
        vec!["plies, mean".to_owned(), "\"very long\"".to_owned(), format!("{mean:.1}")],
        vec!["plies, median".to_owned(), String::new(), at(0.5)],
        vec!["plies, 90 %".to_owned(), String::new(), at(0.9)],
        vec!["plies, 99 %".to_owned(), String::new(), at(0.99)],
        vec!["plies, longest".to_owned(), String::new(), at(1.0)],
    ];
    for (reason, count) in ends {
        let printed = if reason == "no-moves" { "\"almost a coincidence\"" } else { "" };
        rows.push(vec![format!("ended by {reason}"), printed.to_owned(), format!("{count} of {games}")]);
    }
    Section {
        title: format!("{games} random games"),
        text:
            "The report rejected Monte Carlo methods because random games last very long and end almost by \
               coincidence."
                .to_owned(),
        columns: vec!["figure", "printed", "ours"],
        rows,
    }
}

/// The score of the first bot against the second: pairs of games from the same random opening, sides exchanged.
fn score(first: &str, second: &str, pairs: u64, limits: [Limits; 2]) -> String {
    let (mut won, mut drawn) = (0, 0);
    let one = |game: u64| {
        let side = Player::after(game as u32);
        play([first, second], side, limits, game / 2).map(|outcome| outcome.sign(side))
    };
    // With a clock one after the other: two at once would take each other's time.
    let clocked = limits.iter().any(|limits| limits.time.is_some());
    let results = if clocked { (0..2 * pairs).map(one).collect() } else { in_parallel(2 * pairs, one) };
    for result in results {
        match result {
            Some(1) => won += 1,
            Some(-1) => {}
            _ => drawn += 1,
        }
    }
    let games = 2 * pairs;
    let share = (f64::from(won) + f64::from(drawn) / 2.0) / games as f64;
    format!("won {won}, drew {drawn} of {games}: {:.1} %", 100.0 * share)
}

/// One game of two bots, the first on `side`, after four random plies; `None` if a bot failed.
fn play(specs: [&str; 2], side: Player, limits: [Limits; 2], seed: u64) -> Option<Outcome> {
    let mut bots = [bot(specs[0])?, bot(specs[1])?];
    let place = |player: Player| usize::from(player != side);
    for player in Player::BOTH {
        bots[place(player)].new_game(player, derive_seed(seed, &player.to_string())).ok()?;
    }
    let mut record = Record::new(Position::start());
    let mut rng = SearchRng::new(seed, "opening");
    for _ in 0..4 {
        let position = record.position();
        let pit = position.sample(position.to_move(), &mut rng)?;
        record.play(pit).ok()?;
    }
    let (stop, clock) = (StopFlag::new(), SystemClock::new());
    while record.end().is_none() {
        let player = record.position().to_move();
        let limits = limits[place(player)];
        let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
        let answer = bots[place(player)].choose(&task).ok()?;
        record.play(answer.mv).ok()?;
    }
    record.end().map(|end| end.outcome)
}

fn claims(effort: Effort) -> Section {
    let pairs = effort.pick(5, 40);
    let depth = effort.pick(5, 7);
    let free = [Limits::default(); 2];
    let mut section = Section::claims(
        "The report's other claims",
        "Matches are pairs of games from the same four random plies with the sides exchanged.",
    );
    section.claim(
        "humans lose even to depth 3",
        format!(
            "no humans at hand: `report:depth=3` against `random` and against `greedy`, {pairs} pairs each"
        ),
        format!(
            "{}; {}",
            score("report:depth=3", "random", pairs, free),
            score("report:depth=3", "greedy", pairs, free)
        ),
    );
    section.claim(
        "mobility is very useful in the evaluation",
        format!("`alphabeta:depth=4` against the same with `moves=0`, {pairs} pairs"),
        score("alphabeta:depth=4,hash=1", "alphabeta:depth=4,hash=1,moves=0", pairs, free),
    );
    section.claim(
        "a cheap evaluation is better: one more ply gives the same knowledge",
        format!("seeds only at depth 5 against seeds and moves at depth 4, {pairs} pairs"),
        score("alphabeta:depth=5,hash=1,moves=0", "alphabeta:depth=4,hash=1", pairs, free),
    );
    by_moves(&mut section, effort);
    section.claim(
        "good-looking moves fail one ply past the horizon",
        format!(
            "{} positions of games of `greedy`: the value of the move chosen at depth d, searched one ply deeper",
            effort.pick(20, 200)
        ),
        horizon(effort.pick(20, 200)),
    );
    section.claim(
        "a better evaluation, with learned weights, would help",
        format!("`champion:evaluation=sum,depth=4`, whose weights were learned, against `alphabeta:depth=4`, {pairs} pairs"),
        score("champion:depth=4,hash=1,evaluation=sum,reduce=0", "alphabeta:depth=4,hash=1", pairs, free),
    );
    section.claim(
        "the worth of a seed could depend on where it lies or stands open (defensive play)",
        format!("`alphabeta:depth=4,exposed=-1` against `alphabeta:depth=4`, {pairs} pairs"),
        score("alphabeta:depth=4,hash=1,exposed=-1", "alphabeta:depth=4,hash=1", pairs, free),
    );
    let movetime = [Limits::movetime(Duration::from_millis(effort.pick(5, 20))); 2];
    section.claim(
        "Monte Carlo tree search is unsuitable",
        format!(
            "`mcts` against `report`, {} ms a move each, {} pairs",
            effort.pick(5, 20),
            effort.pick(2, 10)
        ),
        score("mcts:memory=16", "report", effort.pick(2, 10), movetime),
    );
    section.claim(
        "sorting by static value makes the cut-offs work, and a better order gives depth",
        format!("nodes of `alphabeta` at depth {depth} from the opening 58-38 with and without the order"),
        nodes(depth, ["table=off,order_from=1", "table=off,order=none"]),
    );
    section.claim(
        "memoising the tree would help",
        format!("nodes of `alphabeta` at depth {depth} from the same position with and without the table"),
        nodes(depth, ["table=on,order_from=1", "table=off,order_from=1"]),
    );
    section.claim(
        "alpha-beta (the text) against the parent's best only (the program)",
        format!("calls of the search function at depth {depth} from the start"),
        shallow(depth),
    );
    let leaves = perft(&Position::start(), 6);
    section.claim(
        "breadth-first search needs too much memory",
        "positions after 6 plies from the start, each as one state of this engine",
        format!(
            "{leaves} positions, {:.1} GB; the contest allowed 0.5 GB",
            (leaves * size_of::<Position>() as u64) as f64 / 1e9
        ),
    );
    section.claim(
        "a table of endgame values is limited by the 10 MB of a submission",
        "boards of 96 seeds in 64 pits, C(159, 63)",
        format!(
            "about 10^{:.0}: all seeds stay on the board, so there is no small endgame to tabulate",
            boards_log10()
        ),
    );
    section.claim(
        "a neural network from board to move, a search thread with a timer, a remote supercomputer",
        "not tested: the report only says that they were rejected or would break the rules",
        "-",
    );
    section
}

/// Positions of games of the greedy bot against itself, every few plies.
fn sample(count: usize) -> Vec<Position> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut rng = SearchRng::new(seed, "sample");
        let mut position = Position::start();
        let mut plies = 0;
        while position.end().is_none() && plies < 200 {
            if plies % 7 == 6 {
                found.push(position);
                if found.len() == count {
                    return found;
                }
            }
            let best =
                if rng.below(4) == 0 { None } else { bot("greedy").and_then(|bot| choose(bot, &position)) };
            let Some(pit) = best.or_else(|| position.sample(position.to_move(), &mut rng)) else { break };
            position.play(pit);
            plies += 1;
        }
    }
    found
}

fn choose(mut bot: Box<dyn Bot<Position>>, position: &Position) -> Option<hus::Pit> {
    let record = Record::new(*position);
    let (stop, clock) = (StopFlag::new(), SystemClock::new());
    let player = position.to_move();
    let limits = Limits::default();
    let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
    bot.choose(&task).ok().map(|answer| answer.mv)
}

/// "The value of the best move grows with the number of moves": what the best move gains, by the moves there are.
fn by_moves(section: &mut Section, effort: Effort) {
    let mut sums = [(0_i64, 0_i64); 4];
    let positions = sample(effort.pick(60, 600));
    for position in &positions {
        let mover = position.to_move();
        let moves = position.move_list(mover);
        let seeds = |next: &Position| i64::from(next.seeds(mover));
        let gain = moves.iter().map(|&pit| seeds(&position.after(pit)) - seeds(position)).max();
        let class = (moves.len() / 6).min(3);
        sums[class].0 += gain.unwrap_or(0);
        sums[class].1 += 1;
    }
    let means: Vec<String> = ["up to 5", "6 to 11", "12 to 17", "18 or more"]
        .iter()
        .zip(sums)
        .map(|(moves, (gain, count))| format!("{moves}: {:.1} ({count})", gain as f64 / count.max(1) as f64))
        .collect();
    section.claim(
        "the value of the best move grows with the number of moves",
        format!(
            "{} positions of games of `greedy`: the seeds that the best move wins at once",
            positions.len()
        ),
        format!("seeds by moves (positions): {}", means.join(", ")),
    );
}

/// How often the move of one depth turns out worth less by ten or more one ply further.
fn horizon(count: usize) -> String {
    let positions = sample(count);
    let shares: Vec<String> = [3, 5]
        .into_iter()
        .map(|depth| {
            let failed = in_parallel(positions.len() as u64, |index| {
                let position = &positions[index as usize];
                let spec = |plies: u32| format!("alphabeta:hash=1,depth={plies}");
                let before = ask(&spec(depth), position, Limits::default());
                let Some(mv) = before.best else { return false };
                let next = position.after(mv);
                if next.end().is_some() {
                    return false;
                }
                // Seen from the other side, one ply further than before.
                let after = -ask(&spec(depth), &next, Limits::default()).score.value();
                after + 20 <= before.score.value()
            });
            let failed = failed.into_iter().filter(|failed| *failed).count();
            format!("depth {depth}: {failed}")
        })
        .collect();
    format!("worth less by ten seeds or more: {} of {count}", shares.join(", "))
}

/// The nodes of two variants of `alphabeta`, and their ratio.
fn nodes(depth: u32, variants: [&str; 2]) -> String {
    let Some((_, position)) = positions().nth(1) else { return String::new() };
    let [with, without] = variants.map(|options| {
        let spec = format!("alphabeta:depth={depth},{options}");
        ask(&spec, &position, Limits::default()).stats.nodes
    });
    format!("{with} and {without}: {:.2} times fewer", without as f64 / with.max(1) as f64)
}

fn shallow(depth: u32) -> String {
    let mut never = |_| false;
    let [program, text] = [ReportSettings::PROGRAM, ReportSettings::TEXT].map(|settings| {
        let mut search = Program::new(settings, Player::One, &mut never);
        let answer = search.root(&Position::start(), depth);
        (search.counts.nodes, answer.map(|(_, mv)| mv))
    });
    format!(
        "{} and {}: {:.2} times more; {} move",
        text.0,
        program.0,
        program.0 as f64 / text.0.max(1) as f64,
        if program.1 == text.1 { "the same" } else { "another" }
    )
}

/// The decimal logarithm of the number of ways to lay 96 seeds into 64 pits.
fn boards_log10() -> f64 {
    (1..=63).map(|k| f64::from(96 + k).log10() - f64::from(k).log10()).sum()
}
