//! The report on Colosseum Survival! (Zhang and Trinh): depth and strength by board size, memory, and its claims.

use std::time::{Duration, Instant};

use agents::Catalogue;
use agents::colosseum::{
    Cells, Listed, MoveChoice, Negamax, ReportSettings, Room, Rules, catalogue, deepen, sorted_moves,
    static_value,
};
use colosseum::{Edition, Position, Setup};
use search_core::{
    Analysis, Bot, Game, HookSet, Hooks, Limits, Mcts, MctsSettings, Player, Record, Search, StopFlag,
    StopReason, SystemClock, Task, TurnBased, stream,
};

use super::{Effort, Progress, Section};

/// The board sizes of the contests.
const SIZES: std::ops::RangeInclusive<u8> = 6..=12;

/// All sections of this report.
pub(crate) fn sections(effort: Effort, progress: &Progress) -> Vec<Section> {
    let samples: Vec<Sample> =
        progress.part("positions", || SIZES.map(|size| Sample::new(size, effort)).collect());
    let depth = progress.part("depth by size", || depth(&samples, effort));
    let (strength, matches) = progress.part("matches by size", || strength(effort));
    let memory = progress.part("memory", || memory(effort));
    let claims = progress.part("claims", || claims(&samples, &matches, effort));
    vec![depth, strength, memory, claims]
}

/// Positions of one board size: starts, and what random games come through.
struct Sample {
    size: u8,
    starts: Vec<Position>,
    positions: Vec<Position>,
    /// The share of random games that end with cells that belong to nobody.
    unowned: f64,
}

impl Sample {
    fn new(size: u8, effort: Effort) -> Sample {
        let count = effort.pick(4, 6);
        let starts = starts(size, count);
        let mut rng = stream(1, "tables");
        let (mut positions, mut unowned) = (Vec::new(), 0);
        let games = effort.pick(20, 200);
        let all = starts.iter().cycle().take(games);
        for (game, start) in all.enumerate() {
            let mut position = *start;
            while let Some(mv) = position.sample(position.to_move(), &mut rng) {
                // A position of each quarter of an average game, from the first few games.
                if game < count && position.plies().is_multiple_of(u32::from(size) / 2) {
                    positions.push(position);
                }
                position.play(mv);
            }
            let owned: u32 = position.scores().unwrap_or_default().into_iter().map(u32::from).sum();
            unowned += u32::from(owned < u32::from(size).pow(2));
        }
        Sample { size, starts, positions, unowned: f64::from(unowned) / games as f64 }
    }
}

fn starts(size: u8, count: usize) -> Vec<Position> {
    let setup = Setup::new(size, Edition::default()).ok();
    setup.iter().flat_map(|setup| (0..count as u64).map(|seed| Position::initial(setup, seed))).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Asks a bot once, with fresh memory.
fn ask(
    bots: &Catalogue<Position>,
    spec: &str,
    position: &Position,
    limits: Limits,
) -> Analysis<colosseum::Move> {
    let Ok(mut bot) = bots.build(spec) else { return Analysis::default() };
    let record = Record::new(*position);
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let player = position.to_move();
    let task = Task { record: &record, player, limits, stop: &stop, clock: &clock, watch: None };
    let ready = bot.new_game(player, 1).is_ok();
    let answer = if ready { bot.choose(&task).ok() } else { None };
    answer.and_then(|answer| answer.analysis).unwrap_or_default()
}

/// Mean depth with equally many nodes, which does not depend on the machine.
fn depth(samples: &[Sample], effort: Effort) -> Section {
    let nodes = effort.pick(5_000, 100_000);
    let bots = catalogue();
    let mut rows = Vec::new();
    for sample in samples {
        let depths = |settings: ReportSettings| {
            mean(sample.starts.iter().map(|start| {
                let limit = |count| (count > nodes).then_some(StopReason::Nodes);
                f64::from(deepen(start, &settings, limit, |_| {}).depth)
            }))
        };
        let searched = |spec| {
            mean(
                sample
                    .starts
                    .iter()
                    .map(|start| f64::from(ask(&bots, spec, start, Limits::nodes(nodes)).depth)),
            )
        };
        rows.push(vec![
            sample.size.to_string(),
            format!(
                "{:.1}",
                mean(sample.starts.iter().map(|start| sorted_moves(start, MoveChoice::Tree).len() as f64))
            ),
            format!("{:.1}", mean(sample.starts.iter().map(|start| start.move_count(Player::One) as f64))),
            format!("{:.1}", depths(ReportSettings::program())),
            format!("{:.1}", depths(ReportSettings::text())),
            format!("{:.1}", searched("alphabeta")),
            format!("{:.1}", searched("champion")),
        ]);
    }
    Section {
        title: "Depth by board size".to_owned(),
        text: format!(
            "Mean finished depth at the first move within {nodes} nodes, over {} starts of each size. The report admits that on \
             larger boards its depth is too small and prints no figures.",
            samples.first().map_or(0, |sample| sample.starts.len())
        ),
        columns: vec![
            "M",
            "moves of the program",
            "legal moves",
            "report (program)",
            "report (text)",
            "alphabeta",
            "champion",
        ],
        rows,
    }
}

/// The result of a match, and what the first bot did.
#[derive(Default, Clone, Copy)]
struct Match {
    games: u32,
    points: f64,
    playouts: f64,
    answers: f64,
}

impl Match {
    fn score(&self) -> f64 {
        self.points / f64::from(self.games.max(1))
    }
}

/// Both seats of every start, one time limit for both.
fn play_match(specs: [&str; 2], size: u8, pairs: u64, time: Duration) -> Match {
    let bots = catalogue();
    let mut result = Match::default();
    for (seed, start) in (0..).zip(starts(size, pairs as usize)) {
        for seat in Player::BOTH {
            let (Ok(first), Ok(second)) = (bots.build(specs[0]), bots.build(specs[1])) else { continue };
            let mut players: [Box<dyn Bot<Position>>; 2] = [first, second];
            if seat == Player::Two {
                players.reverse();
            }
            if let Some(points) = play_game(&mut players, start, seat, seed, time, &mut result) {
                result.games += 1;
                result.points += points;
            }
        }
    }
    result
}

/// The points of the bot in `seat`; `None` if a bot fails, which the tests of the bots rule out.
fn play_game(
    players: &mut [Box<dyn Bot<Position>>; 2],
    start: Position,
    seat: Player,
    seed: u64,
    time: Duration,
    result: &mut Match,
) -> Option<f64> {
    let (clock, stop) = (SystemClock::new(), StopFlag::new());
    let mut record = Record::new(start);
    for (bot, player) in players.iter_mut().zip(Player::BOTH) {
        bot.new_game(player, seed).ok()?;
    }
    loop {
        let player = record.position().to_move();
        let task = Task {
            record: &record,
            player,
            limits: Limits::movetime(time),
            stop: &stop,
            clock: &clock,
            watch: None,
        };
        let answer = players[player.index()].choose(&task).ok()?;
        if player == seat {
            result.answers += 1.0;
            result.playouts += answer.analysis.map_or(0.0, |analysis| analysis.stats.playouts as f64);
        }
        if let Some(end) = record.play(answer.mv).ok()? {
            return Some(f64::from(end.outcome.sign(seat) + 1) / 2.0);
        }
    }
}

/// What the claims need of the matches, by size.
struct Matches {
    mcts_report: Vec<Match>,
    mcts_walk: Vec<Match>,
    report_walk: Vec<Match>,
}

/// Monte Carlo against negamax, and both against the random agent.
fn strength(effort: Effort) -> (Section, Matches) {
    let pairs = effort.pick(2, 6);
    let time = Duration::from_millis(effort.pick(5, 20));
    let by_size =
        |specs: [&str; 2]| SIZES.map(|size| play_match(specs, size, pairs, time)).collect::<Vec<_>>();
    let matches = Matches {
        mcts_report: by_size(["mcts", "report"]),
        mcts_walk: by_size(["mcts", "walk"]),
        report_walk: by_size(["report", "walk"]),
    };
    let rows = SIZES
        .enumerate()
        .map(|(index, size)| {
            let mcts = &matches.mcts_report[index];
            vec![
                size.to_string(),
                percent(mcts.score()),
                percent(matches.mcts_walk[index].score()),
                percent(matches.report_walk[index].score()),
                format!("{:.0}", mcts.playouts / mcts.answers.max(1.0)),
            ]
        })
        .collect();
    let section = Section {
        title: "Monte Carlo tree search against negamax, and both against the random agent".to_owned(),
        text: format!(
            "{} games of each pair and size, both seats of every start, {} ms for a move of either side. Scores in percent of \
             the points. The report prints no figures.",
            2 * pairs,
            time.as_millis()
        ),
        columns: vec!["M", "mcts : report", "mcts : walk", "report : walk", "playouts for a move of mcts"],
        rows,
    };
    (section, matches)
}

/// How large the tree grows, against the contest's limit of 500 MB.
fn memory(effort: Effort) -> Section {
    const LIMIT: usize = 500_000_000;
    let playouts = effort.pick(2_000, 50_000);
    let mut rows = Vec::new();
    for size in SIZES {
        for start in starts(size, 1) {
            let hooks = Hooks::new(Room::default()).with_prune(Listed(MoveChoice::All));
            let mut search = Mcts::new(hooks, MctsSettings { memory_bytes: LIMIT, ..MctsSettings::uct() });
            search.new_game(1);
            let began = Instant::now();
            let analysis = search.analyse(&Record::new(start), Limits::playouts(playouts));
            let seconds = began.elapsed().as_secs_f64().max(1e-9);
            let done = analysis.stats.playouts.max(1) as f64;
            let apiece = search.tree_nodes() as f64 / done;
            let bytes = node_bytes(&search) as f64;
            let full = LIMIT as f64 / (bytes * apiece);
            rows.push((size, apiece, bytes, full, full / (done / seconds)));
        }
    }
    let longest = rows.iter().map(|row| row.4).fold(0.0, f64::max).max(1e-9);
    Section {
        title: "Memory of Monte Carlo tree search against 500 MB".to_owned(),
        text: format!(
            "The tree of plain UCT with all moves after {playouts} playouts from a start. The report: \"memory near the 500 MB \
             limit\". Our tree has a fixed size and gives up its least visited parts when that is full, so it stays below any \
             limit that is set; the last columns say when a tree that keeps everything would reach 500 MB (the time as a \
             ratio to the slowest row)."
        ),
        columns: vec![
            "M",
            "nodes for a playout",
            "bytes for a node",
            "million playouts to 500 MB",
            "time to 500 MB",
        ],
        rows: rows
            .into_iter()
            .map(|(size, apiece, bytes, full, time)| {
                vec![
                    size.to_string(),
                    format!("{apiece:.1}"),
                    format!("{bytes:.0}"),
                    format!("{:.2}", full / 1e6),
                    format!("{:.2}", time / longest),
                ]
            })
            .collect(),
    }
}

/// The bytes of a node in the tree of this search.
fn node_bytes<H: HookSet<Position>>(_: &Mcts<Position, H>) -> usize {
    Mcts::<Position, H>::node_bytes()
}

/// Every claim of the report that a program can test.
fn claims(samples: &[Sample], matches: &Matches, effort: Effort) -> Section {
    let bots = catalogue();
    let positions: Vec<Position> = samples.iter().flat_map(|sample| sample.positions.clone()).collect();
    let small: Vec<Position> =
        samples.iter().filter(|sample| sample.size <= 8).flat_map(|sample| sample.starts.clone()).collect();
    let mut section =
        Section::claims("Claims", "Over starts and positions of random games of all sizes 6 to 12.");

    let share = mean(positions.iter().map(|position| {
        sorted_moves(position, MoveChoice::Tree).len() as f64 / position.move_count(position.to_move()) as f64
    }));
    section.claim(
        "All valid moves are generated.",
        format!("the program's list against all legal moves in {} positions", positions.len()),
        format!(
            "no: {} of the legal moves on average, one for each cell within K steps but the own",
            percent(share)
        ),
    );

    let largest =
        positions.iter().map(|position| static_value(position, Cells::Near).abs()).max().unwrap_or(0);
    section.claim(
        "The factor 10000 makes finished games outweigh the evaluation.",
        "the largest static value in the same positions",
        format!("yes: {largest}"),
    );

    let unowned = mean(samples.iter().map(|sample| sample.unowned));
    section.claim(
        "The game is zero-sum in blocks.",
        "random games to the end: do the two areas add up to the board?",
        format!(
            "no: cells belong to nobody in {} of the games (it is zero-sum in won, drawn, lost)",
            percent(unowned)
        ),
    );

    section.claim(
        "Alpha-beta saves most of the nodes.",
        format!(
            "depth 2, {} starts of sizes 6 to 8: nodes of minimax over nodes of alphabeta:table=off",
            small.len()
        ),
        format!("yes: {:.1} times fewer", ratio(&bots, &small, "minimax", "alphabeta:table=off", 2)),
    );
    let depth = effort.pick(2, 3);
    section.claim(
        "Moves near the opponent first prune more.",
        format!("depth {depth}, the same starts, the report's search with and without its order of moves"),
        format!(
            "{:.2} times the nodes without the order (plain alpha-beta on the program's moves)",
            ratio(&bots, &small, &plain("none"), &plain("approach"), depth)
        ),
    );
    section.claim(
        "Proposed: a narrower first window would help.",
        format!("depth {depth}: nodes of alphabeta with and without aspiration=20"),
        format!("{:.2} times the nodes", ratio(&bots, &small, "alphabeta:aspiration=20", "alphabeta", depth)),
    );
    section.claim(
        "Proposed: a table of seen states would help.",
        format!("depth {depth}: nodes of alphabeta with and without its table"),
        format!("{:.2} times the nodes", ratio(&bots, &small, "alphabeta", "alphabeta:table=off", depth)),
    );

    let first_depth = positions.iter().map(|position| counted(position, 1)).max().unwrap_or(0);
    section.claim(
        "A first depth is always finished in time.",
        "calls of the program's search at depth 1, the most over the same positions",
        format!("yes: at most {first_depth} calls"),
    );
    let longest = samples.iter().flat_map(|sample| &sample.positions).map(Position::plies).max().unwrap_or(0);
    section.claim(
        "The search is complete, because the tree is finite.",
        "the program's last depth against the last ply of a random game in the sample",
        format!("no: it stops at depth 9, and random games go on beyond ply {longest}"),
    );

    let scores = |matches: &[Match]| mean(matches.iter().map(Match::score));
    section.claim(
        "The agent beats the random agent.",
        "the matches above, all sizes",
        format!("{} of the points", percent(scores(&matches.report_walk))),
    );
    section.claim(
        "Monte Carlo tree search wins less often against the random agent than negamax.",
        "the matches above, all sizes",
        format!(
            "mcts {}, report {}; against each other mcts makes {}",
            percent(scores(&matches.mcts_walk)),
            percent(scores(&matches.report_walk)),
            percent(scores(&matches.mcts_report))
        ),
    );
    let playouts = |index: usize| {
        matches.mcts_report.get(index).map_or(0.0, |found| found.playouts / found.answers.max(1.0))
    };
    section.claim(
        "Monte Carlo tree search makes too few iterations on large boards.",
        "playouts for a move in the matches above, M = 12 against M = 6",
        format!("{:.2} times as many, for 4 times the legal moves", playouts(6) / playouts(0).max(1.0)),
    );
    section
}

fn plain(order: &str) -> String {
    format!(
        "alphabeta:moves=tree,order={order},table=off,pvs=false,killers=false,history=false,counter=false,iterative=false"
    )
}

/// Nodes of one bot over nodes of another at the same depth.
fn ratio(bots: &Catalogue<Position>, positions: &[Position], one: &str, other: &str, depth: u32) -> f64 {
    let nodes = |spec: &str| -> f64 {
        positions
            .iter()
            .map(|position| ask(bots, spec, position, Limits::depth(depth)).stats.nodes as f64)
            .sum()
    };
    nodes(one) / nodes(other).max(1.0)
}

/// Calls of the program's search at one depth.
fn counted(position: &Position, depth: u32) -> u64 {
    let mut never = |_| false;
    let mut search = Negamax::new(Rules::default(), &mut never);
    // Never interrupted: the clock stands still.
    let _ = search.root(position, depth);
    search.counts.nodes
}
