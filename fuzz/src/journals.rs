//! Damaged journals.

use std::path::Path;
use std::sync::OnceLock;

use arena::simulation::MemoryDisk;
use arena::{
    BotPlan, ClockKind, Contest, Control, Ending, Event, FORMAT_VERSION, Format, MatchLimits, Plan,
    RunOptions, Summary, collect, read_journal, run,
};
use search_core::{Answer, Bot, BotFailure, FailureKind, Game, Task};
use toys::pile::Pile;

const JOURNAL: &str = "run/journal.jsonl";

/// A bot that takes the move with this number, or the last one.
struct Nth(usize);

impl Bot<Pile> for Nth {
    fn choose(&mut self, task: &Task<'_, Pile>) -> Result<Answer<<Pile as Game>::Move>, BotFailure> {
        let moves = task.record.legal_moves(task.player);
        let mv = moves.get(self.0).or(moves.last()).copied();
        mv.map(Answer::plain).ok_or_else(|| BotFailure::new(FailureKind::Crash, "no move"))
    }
}

/// A tournament with its journal and results.
struct Whole {
    contests: Vec<Box<dyn Contest>>,
    plan: Plan,
    lines: Vec<Vec<u8>>,
    results: String,
}

fn results(plan: &Plan, results: &arena::Results) -> String {
    let summary = Summary::new(plan, results, None);
    format!("{}{}", summary.json(), summary.csv().expect("texts make a table"))
}

fn whole() -> &'static Whole {
    static WHOLE: OnceLock<Whole> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let event = Event::<Pile>::new(|spec| Ok(Box::new(Nth(spec.parse().map_err(|_| "no number")?))));
        let contests: Vec<Box<dyn Contest>> = vec![Box::new(event)];
        let bots = ["0", "1", "2"];
        let plan = Plan {
            version: FORMAT_VERSION,
            events: vec![contests[0].plan(&[MatchLimits::default(); 3])],
            bots: bots
                .map(|spec| BotPlan {
                    name: spec.to_owned(),
                    spec: spec.to_owned(),
                    fingerprint: String::new(),
                    start_only: false,
                })
                .to_vec(),
            format: Format::RoundRobin,
            rounds: 2,
            seed: 1,
            margin_micros: 1_000_000,
            at_once: false,
            clock: ClockKind::Wall,
            replay: None,
            sprt: None,
        };
        let disk = MemoryDisk::new();
        disk.path("run").make_folder().expect("memory takes a folder");
        let options = RunOptions { jobs: 1, ..RunOptions::default() };
        let report = run(&plan, &contests, disk.path(JOURNAL), &options, &Control::default(), &mut |_| {})
            .expect("nothing disturbs the run");
        let bytes = disk.live(Path::new(JOURNAL)).expect("there is a journal");
        let lines = bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
        let results = results(&plan, &report.results);
        Whole { contests, plan, lines, results }
    })
}

/// The journal with these damages: four bytes each.
fn damaged(damages: &[u8]) -> Vec<u8> {
    let mut lines = whole().lines.clone();
    for damage in damages.chunks_exact(4).take(16) {
        let [kind, line, place, value] = damage else { continue };
        if lines.is_empty() {
            break;
        }
        let line = usize::from(*line) % lines.len();
        // Twice the byte and one more where that is odd, so that a byte reaches most of a line.
        let place = (usize::from(*place) * 2 + usize::from(*kind >> 7)) % lines[line].len().max(1);
        match kind % 8 {
            0 if !lines[line].is_empty() => lines[line][place] ^= value,
            1 => drop(lines.remove(line)),
            2 => lines.insert(line, lines[usize::from(*value) % lines.len()].clone()),
            3 => {
                let other = usize::from(*value) % lines.len();
                lines.swap(line, other);
            }
            4 => lines[line].truncate(place),
            5 => lines[line].insert(place, *value),
            6 => lines.truncate(line),
            _ => lines.insert(line, vec![*value; place]),
        }
    }
    lines.concat()
}

/// Whatever the damage, reading does not panic, lines that are whole are not named, and the run goes on to the same results.
pub fn journal(damages: &[u8]) {
    let Whole { contests, plan, lines, results: expected } = whole();
    let bytes = damaged(damages);
    let disk = MemoryDisk::new();
    disk.path("run").make_folder().expect("memory takes a folder");
    disk.path(JOURNAL).write_whole(&bytes).expect("memory takes a file");
    disk.end_of_program();
    let scan =
        read_journal(disk.path(JOURNAL), Some(plan.id()), |_, _| {}).expect("nothing is of another plan");
    let wrong: Vec<u64> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .zip(1..)
        .filter(|(line, _)| !lines.iter().any(|known| known == line))
        .map(|(_, number)| number)
        .collect();
    let named: Vec<u64> = scan.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(named, wrong, "{:?}", scan.problems);
    collect(disk.path(JOURNAL), plan, contests).expect("it can be counted");
    let options = RunOptions { jobs: 1, resume: true, ..RunOptions::default() };
    let report = run(plan, contests, disk.path(JOURNAL), &options, &Control::default(), &mut |_| {})
        .expect("the run goes on");
    assert!(report.error.is_none() && report.tampered.is_empty(), "{:?} {:?}", report.error, report.tampered);
    assert_eq!(report.ending, Ending::Complete);
    assert_eq!(&results(plan, &report.results), expected);
}
