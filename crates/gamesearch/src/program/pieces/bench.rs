//! The bench: a few searches with a fixed number of nodes, by a bot that every game has and by the bots of the work. What they
//! find is the machine's fingerprint, how long the first ones take its speed.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use agents::Catalogue;
use arena::{Digest, Machine};
use search_core::{Clock, Limits, Player, Record, SearchRng, StopFlag, Task, Time, sample_turn};

use super::{Signature, Work};
use crate::Listed;
use crate::program::{App, Failure};

/// Nodes of each search.
const NODES: u64 = 2000;
/// Positions of each game, and how many random turns lie between them.
const POSITIONS: u32 = 4;
const APART: u32 = 4;
/// Positions for each bot of the work itself: whatever starts a piece waits for them.
const POSITIONS_OF_A_BOT: u32 = 2;
/// So many looks at the clock, in milliseconds.
const LOOKS: Duration = Duration::from_millis(200);
/// Where limits in time depend on the speed it is measured for so long.
const MEASURED: Duration = Duration::from_millis(600);

/// What the bench found in one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BenchLine {
    /// Positions, moves, scores and nodes.
    pub(crate) found: String,
    /// The nodes of all searches.
    pub(crate) nodes: u64,
}

/// A clock that goes by how often it is looked at, so that whoever goes by it finds the same on every machine.
#[derive(Debug, Default)]
struct Counted(AtomicU32);

impl Clock for Counted {
    fn now(&self) -> Duration {
        Duration::from_millis(u64::from(self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Searches a few positions of a game with a bot that every machine has, or with the one of this spec.
pub(crate) fn bench<G: Listed>(spec: Option<&str>) -> Result<BenchLine, String> {
    let catalogue = G::catalogue();
    // For bots that heed nothing else.
    let time = spec.map(|_| Time::Move(LOOKS));
    let (spec, positions) = if let Some(spec) = spec {
        (repeatable(&catalogue, spec), POSITIONS_OF_A_BOT)
    } else {
        let names: Vec<&str> = catalogue.bots().iter().map(|bot| bot.name).collect();
        let searching = ["alphabeta", "mcts"].into_iter().find(|name| names.contains(name));
        (searching.or_else(|| names.first().copied()).ok_or("the game has no bots")?, POSITIONS)
    };
    let mut bot = catalogue.build(spec).map_err(|error| error.to_string())?;
    let mut rng = SearchRng::new(1, "bench");
    let mut record = Record::new(G::initial(&G::Setup::default(), 1));
    let limits = Limits { nodes: Some(NODES), playouts: Some(NODES / 10), time, ..Limits::default() };
    let mut line = BenchLine { found: format!("{} {spec}", G::NAME), nodes: 0 };
    for _ in 0..positions {
        if record.end().is_some() {
            break;
        }
        let player = record.position().active().players().next().unwrap_or(Player::One);
        let (stop, clock) = (StopFlag::new(), Counted::default());
        let task = Task::plain(&record, player, limits, &stop, &clock);
        bot.new_game(player, 1).map_err(|failure| failure.to_string())?;
        let answer = bot.choose(&task).map_err(|failure| failure.to_string())?;
        let (mut nodes, mut score) = (1, 0);
        if let Some(analysis) = &answer.analysis {
            nodes = analysis.stats.nodes.max(analysis.stats.playouts).max(1);
            score = analysis.score.value();
        }
        line.nodes += nodes;
        // Writing to a string does not fail.
        let _ = write!(line.found, "\n{} {player} {} {score} {nodes}", record.position(), answer.mv);
        for _ in 0..APART {
            let Some(turn) = sample_turn(record.position(), &mut rng) else { break };
            if record.end().is_some() || record.play(turn).is_err() {
                break;
            }
        }
    }
    Ok(line)
}

/// The spec, or the bot's name alone where its options make it find other things each time.
fn repeatable<'a, G: Listed>(catalogue: &Catalogue<G>, spec: &'a str) -> &'a str {
    match catalogue.unrepeatable(spec) {
        Some(_) => spec.split(':').next().unwrap_or(spec),
        None => spec,
    }
}

/// The signature of this machine for this work: with this many workers at the same time, and measured for longer where time
/// matters.
pub(crate) fn measure(app: &App, work: &dyn Work, workers: usize) -> Result<Signature, Failure> {
    let (timed, names) = (work.is_timed(), work.games());
    let games: Vec<_> =
        names.iter().map(|name| app.game(name).map(|game| (name, game.bench()))).collect::<Result<_, _>>()?;
    let once = || -> Result<(Vec<String>, u64), Failure> {
        let (mut found, mut nodes) = (Vec::new(), 0);
        for (name, bench) in &games {
            let line = bench(None).map_err(|problem| in_game(name, &problem))?;
            nodes += line.nodes;
            found.push(line.found);
        }
        Ok((found, nodes))
    };
    let started = Instant::now();
    let (mut found, nodes) = once()?;
    let mut speed = nodes as f64 / started.elapsed().as_secs_f64().max(1e-9);
    for (name, bench) in &games {
        for spec in work.bots(name) {
            found.push(bench(Some(&spec)).map_err(|problem| in_game(name, &problem))?.found);
        }
    }
    let workers = workers.max(1);
    if timed {
        let until = Instant::now() + MEASURED;
        let work = || -> Result<f64, Failure> {
            let (started, mut nodes) = (Instant::now(), 0);
            while Instant::now() < until {
                nodes += once()?.1;
            }
            Ok(nodes as f64 / started.elapsed().as_secs_f64().max(1e-9))
        };
        let speeds = std::thread::scope(|scope| {
            let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            running
                .into_iter()
                .map(|worker| {
                    worker.join().unwrap_or_else(|_| Err(Failure::failed("a search of the bench panicked")))
                })
                .collect::<Result<Vec<f64>, Failure>>()
        })?;
        speed = speeds.iter().sum::<f64>() / workers as f64;
    }
    let here = Machine::here(env!("BUILD_COMPILER"), env!("CARGO_PKG_VERSION"));
    Ok(Signature {
        machine: machine_name(),
        processor: here.processor,
        program: program_digest()?,
        version: here.version,
        fingerprint: Digest::of(&found),
        nodes_per_second: speed.round(),
        workers: if timed { workers } else { 1 },
    })
}

fn in_game(name: &str, problem: &str) -> Failure {
    Failure::failed(format!("{name}: {problem}"))
}

/// What the machine is called: by the engine where several nodes are one machine, else by the system.
fn machine_name() -> String {
    let named = |name: &str| std::env::var(name).ok().filter(|name| !name.trim().is_empty());
    let system = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = named("SLURMD_NODENAME").or_else(system).or_else(|| named("HOSTNAME"));
    name.map_or_else(|| "unnamed".to_owned(), |name| name.trim().to_owned())
}

/// A digest of the program's own file.
fn program_digest() -> Result<Digest, Failure> {
    let path = std::env::current_exe().map_err(Failure::failed)?;
    let fail = Failure::cannot("read", &path);
    let mut file = File::open(&path).map_err(fail)?;
    // Part by part: the whole file in memory would cost more than its digest.
    let (mut digest, mut buffer) = (Digest::of(&["program"]), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer).map_err(fail)? {
            0 => return Ok(digest),
            length => digest = Digest::of(&[digest.to_string().as_bytes(), &buffer[..length]]),
        }
    }
}
