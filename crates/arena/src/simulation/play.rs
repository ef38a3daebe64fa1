//! Tournaments in a simulated world, and what must hold of them whatever happens.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use search_core::{FailureKind, Game, Outcome, Player};

use super::bot::{House, Program};
use super::disk::{DiskFault, MemoryDisk, Survival};
use super::world::{Dice, Due, World};
use crate::event::{Contest, Event};
use crate::finished::FinishedGame;
use crate::journal::read_journal;
use crate::limits::{ClockKind, MatchLimits};
use crate::plan::{BotPlan, FORMAT_VERSION, Plan};
use crate::run::{Control, Ending, RunOptions, RunReport, run};
use crate::schedule::{Format, bot_seed};
use crate::summary::Summary;
use crate::ugi::lines::Wire;
use crate::ugi::{HostSettings, OutsideBot};

const JOURNAL: &str = "run/journal.jsonl";
/// No line of a journal is longer, whatever a bot says.
const LONGEST_LINE: usize = 1 << 20;
/// How often a run may be disturbed before it is left in peace.
const DISTURBANCES: u64 = 4;

/// What happened in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Happened {
    /// Games that came to an end, those that were lost and played again included.
    pub games: u64,
    /// Games in the last journal that a failure decided.
    pub failures: u64,
    /// Games in the last journal that do not count.
    pub void: u64,
    /// How often the runner was started.
    pub starts: u64,
    /// How often the power went.
    pub power_losses: u64,
    /// How often the run was asked to end.
    pub interruptions: u64,
}

impl Happened {
    /// Both together.
    pub fn and(self, other: Happened) -> Happened {
        Happened {
            games: self.games + other.games,
            failures: self.failures + other.failures,
            void: self.void + other.void,
            starts: self.starts + other.starts,
            power_losses: self.power_losses + other.power_losses,
            interruptions: self.interruptions + other.interruptions,
        }
    }
}

/// Lives through the world of this seed: a tournament of bots that misbehave, on a disk that fails, by a clock that jumps, interrupted and
/// killed at any moment, all of it played by the real runner, referee and host. `illegal` is a text that is a move of `G`, but never a
/// legal one. What must not be, in words, if something was.
///
/// The same seed is the same world, to the last byte.
pub fn simulate<G: Game>(seed: u64, illegal: &'static str) -> Result<Happened, String> {
    let mut dice = Dice::new(seed, 0);
    let plan_dice = dice.roll();
    // Where programs always start and nobody disturbs twice, the results must be those of a run in peace.
    let steady = dice.percent(70);
    let mut happened = Happened::default();
    let peace = Simulation::<G>::new(seed, plan_dice, illegal, true)?;
    let expected = peace.in_peace(&mut happened)?;
    let mut disturbed = Simulation::<G>::new(seed, plan_dice, illegal, steady)?;
    for _ in 0..dice.below(DISTURBANCES) {
        disturbed.disturbed(&mut dice, steady, &mut happened)?;
    }
    let results = disturbed.in_peace(&mut happened)?;
    if steady && disturbed.suspected == 0 && results != expected {
        return Err(format!("other results than in peace:\n{results}\ninstead of\n{expected}"));
    }
    Ok(happened)
}

struct Simulation<G> {
    world: World,
    disk: MemoryDisk,
    plan: Plan,
    house: House,
    /// How often the runner came to a sudden end: after two in one game that game is void.
    suspected: u32,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: Game> Simulation<G> {
    fn new(seed: u64, plan_dice: u64, illegal: &'static str, calm: bool) -> Result<Simulation<G>, String> {
        let mut dice = Dice::new(plan_dice, 2);
        let margin = Duration::from_millis([0, 20, 100][dice.below(3) as usize]);
        let house = House { margin, untimed: Duration::from_secs(2), illegal };
        let limits = ["movetime=50ms", "movetime=20ms,first=200ms", "gametime=5s,inc=50ms", "nodes=100"];
        let limits: MatchLimits = limits[dice.below(limits.len() as u64) as usize]
            .parse()
            .map_err(|error| format!("the limits: {error}"))?;
        let names = &["ada", "bob", "cy"][..2 + dice.below(2) as usize];
        let world = World::new(seed, calm);
        let events = contests::<G>(&world, house);
        let plan = Plan {
            version: FORMAT_VERSION,
            events: events.iter().map(|event| event.plan(&vec![limits; names.len()])).collect(),
            bots: names
                .iter()
                .map(|name| BotPlan {
                    name: (*name).to_owned(),
                    spec: (*name).to_owned(),
                    fingerprint: String::new(),
                    start_only: false,
                })
                .collect(),
            format: if dice.percent(15) { Format::Swiss } else { Format::RoundRobin },
            rounds: 2 + dice.below(5) as u32,
            seed: dice.roll(),
            margin_micros: margin.as_micros() as u64,
            at_once: false,
            clock: ClockKind::Wall,
            replay: None,
            sprt: None,
        };
        let disk = MemoryDisk::new();
        disk.path("run").make_folder().map_err(|error| error.to_string())?;
        disk.end_of_program();
        Ok(Simulation { world, disk, plan, house, suspected: 0, game: std::marker::PhantomData })
    }

    /// The runner is started and comes to an end of some kind.
    fn start(&self, interruption: Option<(u64, bool)>, calm: bool, happened: &mut Happened) -> Ended {
        happened.starts += 1;
        let control = Control::default();
        self.world.begin(&control, interruption, calm);
        let contests = contests::<G>(&self.world, self.house);
        // One worker, so that the same seed is the same world.
        let options = RunOptions { jobs: 1, resume: true, ..RunOptions::default() };
        let path = self.disk.path(JOURNAL);
        let ended = match run(&self.plan, &contests, path, &options, &control, &mut |_| {}) {
            Ok(report) => {
                happened.games += report.played;
                Ended::Report(Box::new(report))
            }
            Err(error) => Ended::Error(error.to_string()),
        };
        drop(contests);
        ended
    }

    /// A run with disturbances.
    fn disturbed(&mut self, dice: &mut Dice, steady: bool, happened: &mut Happened) -> Result<(), String> {
        let fault = match dice.below(4) {
            0 => Some(DiskFault::Once),
            1 => Some(DiskFault::Full),
            2 => Some(DiskFault::PowerLoss),
            _ => None,
        };
        if let Some(fault) = fault {
            self.disk.fail_at(dice.below(90), fault);
        }
        let interruption =
            (fault.is_none() || dice.percent(20)).then(|| (dice.below(6000), dice.percent(50)));
        happened.interruptions += u64::from(interruption.is_some());
        let ended = self.start(interruption, steady, happened);
        self.must_be_well()?;
        let kept = games_of(self.disk.durable(Path::new(JOURNAL)))?;
        match &ended {
            Ended::Report(report) if !report.tampered.is_empty() => {
                // A disk without power has no journal.
                if !self.disk.is_down() && report.error.is_none() {
                    return Err(format!("taken for tampering: {:?}", report.tampered));
                }
            }
            Ended::Report(_) => {}
            Ended::Error(error) => {
                let from_the_disk = fault.is_some() && error.contains(JOURNAL);
                if !from_the_disk && (steady || !error.contains("cannot play")) {
                    return Err(format!("the run ends by an error of its own: {error}"));
                }
            }
        }
        if self.disk.is_down() {
            happened.power_losses += 1;
            self.suspected += 1;
            let survivals = [Survival::Synced, Survival::Torn, Survival::Zeroed, Survival::OldNames];
            self.disk.restart(survivals[dice.below(4) as usize]);
            let survived = games_of(self.disk.live(Path::new(JOURNAL)))?;
            if let Some(lost) = kept.iter().find(|(index, game)| survived.get(index) != Some(game)) {
                return Err(format!("game {} was synced and is lost", lost.0));
            }
            if dice.percent(20) {
                self.disk.restart(Survival::FlippedBits(dice.roll()));
            }
        } else {
            self.disk.end_of_program();
        }
        Ok(())
    }

    /// A run without disturbances: it comes to its end, and everything is as it must be. Its results.
    fn in_peace(&self, happened: &mut Happened) -> Result<String, String> {
        let report = match self.start(None, true, happened) {
            Ended::Report(report) => report,
            Ended::Error(error) => return Err(format!("a run in peace ends by an error: {error}")),
        };
        self.must_be_well()?;
        if let Some(error) = &report.error {
            return Err(format!("a run in peace ends by an error: {error}"));
        }
        if report.ending != Ending::Complete {
            return Err(format!("a run in peace ends {:?}", report.ending));
        }
        if !report.tampered.is_empty() {
            return Err(format!("taken for tampering: {:?}", report.tampered));
        }
        self.one_result_each(&report, happened)?;
        let summary = Summary::new(&self.plan, &report.results, None);
        let csv = summary.csv().map_err(|error| error.to_string())?;
        Ok(format!("{}{csv}", summary.json()))
    }

    fn must_be_well(&self) -> Result<(), String> {
        self.world.verdict().map_or(Ok(()), Err)
    }

    /// Each job has exactly one result, and the side at fault loses.
    fn one_result_each(&self, report: &RunReport, happened: &mut Happened) -> Result<(), String> {
        let mut games: BTreeMap<u64, FinishedGame> = BTreeMap::new();
        let mut twice = None;
        read_journal(self.disk.path(JOURNAL), Some(self.plan.id()), |_, game| {
            let index = game.index;
            if games.insert(index, game).is_some() {
                twice = Some(index);
            }
        })
        .map_err(|error| error.to_string())?;
        if let Some(index) = twice {
            return Err(format!("game {index} was finished twice"));
        }
        let bytes = self.disk.live(Path::new(JOURNAL)).unwrap_or_default();
        if let Some(line) = bytes.split(|&byte| byte == b'\n').find(|line| line.len() > LONGEST_LINE) {
            return Err(format!("a line of the journal has {} bytes", line.len()));
        }
        let planned = crate::schedule::Schedule::new(&self.plan).games();
        let void: Vec<u64> =
            report.results.tallies.iter().flat_map(|tally| tally.void.keys().copied()).collect();
        if self.suspected < 2 && !void.is_empty() {
            return Err(format!("games {void:?} are void after {} sudden ends", self.suspected));
        }
        for index in 0..planned {
            if games.contains_key(&index) == void.contains(&index) {
                return Err(format!("game {index} has not exactly one result"));
            }
        }
        let counted: u64 = report.results.games();
        if counted != planned - void.len() as u64 {
            return Err(format!("{counted} games are counted, of {planned} with {} void", void.len()));
        }
        happened.void += void.len() as u64;
        for game in games.values() {
            self.judge(game).map_err(|wrong| format!("game {}: {wrong}", game.index))?;
            happened.failures += u64::from(!game.result.faults.is_empty());
            happened.void += u64::from(game.result.is_void());
        }
        Ok(())
    }

    /// Holds a game's result against how its bots behaved.
    fn judge(&self, game: &FinishedGame) -> Result<(), String> {
        let names = &game.course.players;
        let due = Player::BOTH.map(|player| {
            let seed = bot_seed(game.seed, &names[0], player) >> 1;
            self.world.conduct(&names[player.index()], seed)
        });
        let told = |what: &str| {
            format!(
                "{what}: due were {due:?}, and the referee says {:?} ({:?})",
                game.result.outcome, game.result.faults
            )
        };
        for (player, due) in Player::BOTH.into_iter().zip(&due) {
            let before_the_last = due.len().saturating_sub(1);
            if due[..before_the_last].iter().any(|due| matches!(due, Due::Failure(_))) {
                return Err(told("it went on after a failure"));
            }
            let fault = game.result.faults.iter().find(|fault| fault.player == player);
            let fits = match (due.last(), fault.map(|fault| fault.kind)) {
                (None | Some(Due::Answer), kind) => kind.is_none(),
                (Some(Due::AnswerOrVoid), kind) => kind.is_none_or(|kind| kind == FailureKind::Tampering),
                (Some(Due::Anything), _) => true,
                (Some(Due::Failure(due)), kind) => kind == Some(*due),
            };
            if !fits {
                return Err(told(&format!("{player} is judged wrongly")));
            }
        }
        let faults = &game.result.faults;
        let tampering = faults.iter().any(|fault| fault.kind == FailureKind::Tampering);
        let right = match &faults[..] {
            [] => game.result.reason != "tampering",
            _ if tampering => game.result.is_void(),
            [fault] => game.result.outcome == Outcome::Win(fault.player.opponent()),
            _ => game.result.outcome == Outcome::Draw && game.result.is_void(),
        };
        if right { Ok(()) } else { Err(told("somebody else loses than who is at fault")) }
    }
}

enum Ended {
    Report(Box<RunReport>),
    Error(String),
}

/// The event of a world, made anew as by a program that starts.
fn contests<G: Game>(world: &World, house: House) -> Vec<Box<dyn Contest>> {
    let settings = HostSettings {
        start: Duration::from_secs(2),
        ready: Duration::from_secs(1),
        new_game: Duration::from_secs(2),
        margin: house.margin,
        untimed_move: house.untimed,
        ..HostSettings::default()
    };
    let of_bots = world.clone();
    let event = Event::<G>::new(move |name| {
        let (world, name) = (of_bots.clone(), name.to_owned());
        let start = move || {
            let program: Box<dyn Wire> = Box::new(Program::<G>::new(world.clone(), name.clone(), house));
            Ok(program)
        };
        let bot = Arc::new(OutsideBot::simulated(start, settings.clone()));
        Ok(Box::new(bot.player::<G>()))
    });
    vec![Box::new(event.with_outside(|_| true).with_clock(Arc::new(world.clone())))]
}

/// The games on the whole lines of a journal.
fn games_of(bytes: Option<Vec<u8>>) -> Result<BTreeMap<u64, FinishedGame>, String> {
    let mut games = BTreeMap::new();
    let Some(bytes) = bytes else { return Ok(games) };
    let copy = MemoryDisk::new();
    let path = copy.path("copy");
    path.write_whole(&bytes).map_err(|error| error.to_string())?;
    read_journal(path, None, |_, game| drop(games.insert(game.index, game)))
        .map_err(|error| error.to_string())?;
    Ok(games)
}
