//! Exact solving of Connect Four: every position of a test set to its value in stones, one thread, 64 MB each.
//!
//! The sets are the seeded random positions of `toys::connect_four_positions`; a row takes the first of each class, so many that it
//! fits a minute. Each piece of work begins with an empty table and keeps it over the positions of its class.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::rc::Rc;
use std::time::Duration;

use benches::connect_four::ConnectFour;
use benches::connect_four_insight::Threats;
use benches::connect_four_positions::{MEASURED, SEED, TestPosition, positions};
use benches::{Comparison, Done, Work, work};
use search_core::{Foresight, Insight, Limits, Record, Score, Solver, SolverSettings};

/// The size of our table; that of `connect-four-ai` is fixed at 64 MB.
const TABLE_BYTES: usize = 64 << 20;

/// How many positions of each class a row takes: stones, and the first so many of the set.
const WITH_HOOKS: [(u32, usize); 5] = [(32, 200), (26, 200), (20, 100), (16, 20), (12, 4)];
/// The same without hooks, where we are slower.
const WITHOUT: [(u32, usize); 3] = [(32, 200), (26, 100), (20, 8)];

/// The test positions of a row, class by class.
fn classes(subset: &[(u32, usize)]) -> Vec<Rc<Vec<TestPosition>>> {
    let class = |&(stones, count): &(u32, usize)| positions(stones, count.min(MEASURED), SEED).map(Rc::new);
    subset.iter().filter_map(class).collect()
}

/// A solver of ours and what it has found.
struct Ours<I> {
    solver: Solver<ConnectFour, I>,
    nodes: u64,
}

impl<I: Insight<ConnectFour>> Ours<I> {
    fn new(insight: I) -> Ours<I> {
        let settings = SolverSettings { table_bytes: TABLE_BYTES, line: false, ..SolverSettings::default() };
        Ours { solver: Solver::new(insight, settings), nodes: 0 }
    }

    /// The values of a class, from an empty table.
    fn values(&mut self, class: &[TestPosition]) -> Vec<i32> {
        self.solver.forget();
        let value = |test: &TestPosition| {
            let solution = self.solver.solve(&Record::new(test.position), Limits::default());
            self.nodes += solution.stats.nodes;
            solution.score().map_or(i32::MIN, |score| in_stones(&test.position, score))
        };
        class.iter().map(value).collect()
    }
}

/// 22 less the stones of the winner, negative if the side to move loses.
fn in_stones(position: &ConnectFour, score: Score) -> i32 {
    let Some(plies) = score.plies_to_end() else { return 0 };
    let value = 22 - (position.stones() + plies).div_ceil(2) as i32;
    if score > Score::DRAW { value } else { -value }
}

/// The crate `connect-four-ai`, without its book.
struct Crate {
    solver: connect_four_ai::Solver,
    nodes: u64,
}

impl Crate {
    fn new() -> Crate {
        Crate { solver: connect_four_ai::Solver::empty(), nodes: 0 }
    }

    fn values(&mut self, class: &[TestPosition]) -> Vec<i32> {
        self.solver.reset();
        let value = |test: &TestPosition| {
            let Ok(position) = connect_four_ai::Position::from_moves(&test.moves) else { return i32::MIN };
            let value = i32::from(self.solver.solve(&position));
            self.nodes += self.solver.explored_positions as u64;
            value
        };
        class.iter().map(value).collect()
    }
}

/// BitBully in a Python of its own: `bitbully.py` answers a line of positions with their values, its processor time and nodes.
pub struct BitBully {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
    nodes: u64,
}

impl Drop for BitBully {
    fn drop(&mut self) {
        // It waits for the next line; if it is gone already there is nothing to end.
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl BitBully {
    /// Starts it with the Python named by the environment variable `PEER_PYTHON`, or else `python3`.
    pub fn start() -> Result<BitBully, String> {
        let python = std::env::var_os("PEER_PYTHON").unwrap_or_else(|| "python3".into());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/bitbully.py");
        let mut child = Command::new(&python)
            .arg(script)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{}: {error}", python.display()))?;
        let (Some(questions), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err("no pipes to Python".to_owned());
        };
        let mut peer = BitBully { child, questions, answers: BufReader::new(answers), nodes: 0 };
        let ready = peer.line()?;
        if ready.trim() == "ready" { Ok(peer) } else { Err(ready.trim().to_owned()) }
    }

    fn line(&mut self) -> Result<String, String> {
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|error| error.to_string())?;
        if line.is_empty() { Err("has no module `bitbully`: pip install bitbully==0.0.79".to_owned()) } else { Ok(line) }
    }

    /// The values of a class from an empty table, and the processor time they took.
    fn values(&mut self, class: &[TestPosition]) -> Result<(Vec<i32>, Duration), String> {
        let moves: Vec<&str> = class.iter().map(|test| test.moves.as_str()).collect();
        writeln!(self.questions, "{}", moves.join(" ")).map_err(|error| error.to_string())?;
        let line = self.line()?;
        let [values, nanoseconds, nodes] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            return Err(format!("expected values, nanoseconds and nodes, found `{}`", line.trim()));
        };
        let values = values.split(',').map(|value| value.parse().map_err(|_| line.clone())).collect::<Result<_, _>>()?;
        self.nodes += nodes.parse::<u64>().map_err(|_| line.clone())?;
        let nanoseconds = nanoseconds.parse().map_err(|_| line.clone())?;
        Ok((values, Duration::from_nanos(nanoseconds)))
    }
}

/// Our part of a row, for one class.
fn ours<I: Insight<ConnectFour> + 'static>(ours: &Rc<RefCell<Ours<I>>>, class: &Rc<Vec<TestPosition>>) -> Work {
    let (ours, class) = (Rc::clone(ours), Rc::clone(class));
    work(move || ours.borrow_mut().values(&class).len() as u64)
}

/// A row against `connect-four-ai`: the geometric mean over the classes.
fn against_crate<I: Insight<ConnectFour> + 'static>(
    name: &'static str,
    about: &'static str,
    insight: I,
    subset: &[(u32, usize)],
    ratio: f64,
) -> Comparison {
    let (mine, theirs) = (Rc::new(RefCell::new(Ours::new(insight))), Rc::new(RefCell::new(Crate::new())));
    let pairs = classes(subset).into_iter().map(|class| {
        let (theirs, set) = (Rc::clone(&theirs), Rc::clone(&class));
        (ours(&mine, &class), work(move || theirs.borrow_mut().values(&set).len() as u64))
    });
    Comparison::mean_ratio(name, about, "positions", pairs.collect(), "connect-four-ai 1.0 without its book", ratio)
        .with_rounds(3)
}

fn against_bitbully() -> Option<Comparison> {
    const NAME: &str = "search-exact-bitbully";
    let peer = match BitBully::start() {
        Ok(peer) => Rc::new(RefCell::new(peer)),
        Err(problem) => {
            eprintln!("{NAME} is left out: Python {problem}");
            return None;
        }
    };
    let mine = Rc::new(RefCell::new(Ours::new(Threats)));
    let pairs = classes(&WITH_HOOKS).into_iter().map(|class| {
        let (peer, set) = (Rc::clone(&peer), Rc::clone(&class));
        let theirs = work(move || match peer.borrow_mut().values(&set) {
            Ok((values, time)) => Done { units: values.len() as u64, took: Some(time) },
            Err(problem) => panic!("BitBully: {problem}"),
        });
        (ours(&mine, &class), theirs)
    });
    let about = "exact values of Connect Four from 12 to 32 stones, with the game's hooks";
    Some(
        Comparison::mean_ratio(NAME, about, "positions", pairs.collect(), "BitBully 0.0.79 without its book", 2.0)
            .with_rounds(3),
    )
}

/// The rows of this part.
pub fn rows() -> Vec<Comparison> {
    let mut rows = vec![
        against_crate(
            "search-exact-hooks",
            "exact values of Connect Four from 12 to 32 stones, with the game's hooks",
            Threats,
            &WITH_HOOKS,
            1.0,
        ),
        against_crate(
            "search-exact-rules",
            "exact values of Connect Four from 20 to 32 stones, by the rules alone",
            Foresight,
            &WITHOUT,
            0.1,
        ),
    ];
    rows.extend(against_bitbully());
    rows
}

/// The values and node counts of all, to be read by people; with `apart` of the positions that no row uses.
pub fn print_values(apart: bool) {
    let set = |&(stones, count): &(u32, usize)| {
        let all = positions(stones, MEASURED + 50, SEED)?;
        let chosen = if apart { &all[MEASURED..][..count.min(50)] } else { &all[..count] };
        Some((stones, chosen.to_vec()))
    };
    let mut bitbully = BitBully::start();
    for (stones, class) in WITH_HOOKS.iter().filter_map(set) {
        let mut mine = Ours::new(Threats);
        let mut theirs = Crate::new();
        let started = std::time::Instant::now();
        let values = mine.values(&class);
        let ours_took = started.elapsed();
        let started = std::time::Instant::now();
        let agree = values == theirs.values(&class);
        println!(
            "{stones} stones, {} positions: ours {} nodes in {ours_took:.3?}, connect-four-ai {} in {:.3?}, values {}",
            class.len(),
            mine.nodes,
            theirs.nodes,
            started.elapsed(),
            if agree { "equal" } else { "DIFFER" }
        );
        if let Ok(peer) = &mut bitbully {
            let before = peer.nodes;
            match peer.values(&class) {
                Ok((found, took)) => println!(
                    "    BitBully {} nodes in {took:.3?}, values {}",
                    peer.nodes - before,
                    if found == values { "equal" } else { "DIFFER" }
                ),
                Err(problem) => println!("    BitBully: {problem}"),
            }
        }
    }
    for (stones, class) in WITHOUT.iter().filter_map(set) {
        let mut mine = Ours::new(Foresight);
        let started = std::time::Instant::now();
        let values = mine.values(&class);
        println!(
            "{stones} stones, {} positions, by the rules alone: {} nodes in {:.3?}, values {}",
            class.len(),
            mine.nodes,
            started.elapsed(),
            if values == Crate::new().values(&class) { "equal" } else { "DIFFER" }
        );
    }
}

/// One solver on the empty board, as a line of JSON: its name, the value, nodes, seconds on the wall, and the megabytes of its table
/// where they are known.
pub fn empty_board(which: &str, table_bytes: usize) -> Result<String, String> {
    let test = TestPosition { position: ConnectFour::EMPTY, moves: String::new() };
    let started = std::time::Instant::now();
    let (value, nodes, bytes) = match which {
        "ours" | "ours-2" => {
            let threads = if which == "ours" { 1 } else { 2 };
            let settings = SolverSettings { table_bytes, threads, line: false, ..SolverSettings::default() };
            let mut ours = Ours { solver: Solver::new(Threats, settings), nodes: 0 };
            (ours.values(&[test])[0], ours.nodes, Some(ours.solver.table_bytes()))
        }
        "connect-four-ai" => {
            let mut peer = Crate::new();
            (peer.values(&[test])[0], peer.nodes, Some(64 << 20))
        }
        "bitbully" => {
            let mut peer = BitBully::start()?;
            (peer.values(&[test])?.0[0], peer.nodes, None)
        }
        other => return Err(format!("expected `ours`, `ours-2`, `connect-four-ai` or `bitbully`, found `{other}`")),
    };
    let table = bytes.map_or("null".to_owned(), |bytes| (bytes >> 20).to_string());
    let seconds = started.elapsed().as_secs_f64();
    Ok(format!(
        r#"{{"which":"{which}","value":{value},"nodes":{nodes},"seconds":{seconds:.3},"table_mb":{table}}}"#
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_find_the_same_values() {
        for class in classes(&[(32, 30), (26, 10), (20, 1)]) {
            let ours = Ours::new(Threats).values(&class);
            assert_eq!(ours, Crate::new().values(&class));
            assert_eq!(ours, Ours::new(Foresight).values(&class));
        }
    }
}
