//! `cargo xtask league`: a champion against sparring partners of many kinds.
//!
//! Strength is what a bot shows against those it was not tuned on. So a change of a champion is judged by its score against the
//! whole league and by its worst pairing, and some partners are kept apart: nothing is tuned on them.

pub(crate) mod partners;
mod verdict;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use arena::{Digest, MatchLimits, TimeControl, collect, plan_of};
use clap::{Args, ValueEnum};
use comfy_table::{CellAlignment, Table, presets};
use gamesearch::{CommandResult, Failure};

use crate::games::{Developed, Visitor, with_game};
pub(crate) use partners::{Effort, Partner, Purpose};
use verdict::{Against, Comparison, Standing};

/// Judge a champion against sparring partners of many kinds
///
/// The candidate meets every partner of the game's league from balanced openings, each from both seats. Printed are the score
/// against each partner, against the whole league, and the worst pairing, with 95 % intervals. With --against another bot meets
/// the same partners from the same openings, and the verdict says whether the candidate may take its place: accepted if its
/// score against the league is higher and its worst pairing is not worse, beyond chance; rejected if either is the other way round;
/// else undecided.
///
/// Called again with the same settings, it continues where it stopped. The games are in the run folders OUT/candidate and OUT/against, and
/// league.json has the figures.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask league ropasci360 --list
  cargo xtask league ropasci360 --candidate champion:model=off --limits nodes=5000,playouts=500 --rounds 20
  cargo xtask league hus --candidate champion --against \"ugi:former/gamesearch engine hus champion\" --out runs/league-hus")]
pub(crate) struct League {
    /// The game
    game: String,
    /// The bot that is judged
    #[arg(long, value_name = "BOT", default_value = "champion")]
    candidate: String,
    /// The bot whose place it is to take
    #[arg(long, value_name = "BOT")]
    against: Option<String>,
    /// The partners: those for tuning, those kept apart for measuring, or all
    #[arg(long, value_enum, default_value_t = Chosen::All)]
    partners: Chosen,
    /// Only the partners of these names
    #[arg(long, num_args = 1.., value_name = "NAME")]
    only: Vec<String>,
    /// Pairs of games with each partner
    #[arg(long, default_value_t = 10)]
    rounds: u32,
    /// Limits of every bot, as in a tournament; partners with another effort get their share of them
    #[arg(long, default_value = "nodes=2000,playouts=200", value_name = "LIMITS")]
    limits: String,
    /// How games begin, as in a tournament
    #[arg(long, default_value = "auto", value_name = "OPENINGS")]
    openings: String,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: the number of processors]
    #[arg(long)]
    jobs: Option<usize>,
    /// Take games that are the same from earlier run folders
    #[arg(long, num_args = 1.., value_name = "RUN")]
    reuse: Vec<PathBuf>,
    /// The output folder [default: runs/league-GAME]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Print the partners and play nothing
    #[arg(long)]
    list: bool,
}

/// Which partners play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Chosen {
    All,
    Tuning,
    Measuring,
}

impl Chosen {
    fn takes(self, purpose: Purpose) -> bool {
        match self {
            Chosen::All => true,
            Chosen::Tuning => purpose == Purpose::Tuning,
            Chosen::Measuring => purpose == Purpose::Measuring,
        }
    }
}

pub(crate) fn run(arguments: &League) -> CommandResult {
    with_game(&arguments.game, arguments)?
}

impl Visitor for &League {
    type Output = CommandResult;

    fn visit<G: Developed>(self) -> CommandResult {
        let partners = self.partners::<G>()?;
        println!("{}", listed(&partners));
        if self.list {
            return Ok(ExitCode::SUCCESS);
        }
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/league-{}", G::NAME)));
        let mut standings = Vec::new();
        let bots = [("candidate", Some(&self.candidate)), ("against", self.against.as_ref())];
        for (name, spec) in bots.into_iter().filter_map(|(name, spec)| Some((name, spec?))) {
            let settings = self.settings(G::NAME, name, spec, &partners)?;
            let folder = folder.join(name);
            let code = self.play(&folder, &settings)?;
            if code != 0 {
                eprintln!("the league is not finished; the same command goes on with it");
                return Ok(ExitCode::from(code));
            }
            standings.push(standing(&folder, name)?);
        }
        let [candidate, rest @ ..] = &standings[..] else {
            return Err(Failure::failed("nothing was played"));
        };
        let comparison = rest.first().map(|against| candidate.compare(against));
        println!("{}", table(candidate, rest.first()));
        println!("{}", told(&self.candidate, candidate));
        if let (Some(spec), Some(against)) = (&self.against, rest.first()) {
            println!("{}", told(spec, against));
        }
        if let Some(comparison) = &comparison {
            println!("{comparison}");
        }
        let text = self.figures(&partners, candidate, rest.first(), comparison.as_ref());
        let path = folder.join("league.json");
        fs::write(&path, text)
            .map_err(|error| Failure::failed(format!("cannot write {}: {error}", path.display())))?;
        println!("written: {}", path.display());
        Ok(ExitCode::SUCCESS)
    }
}

impl League {
    /// The partners that are asked for.
    fn partners<G: Developed>(&self) -> Result<Vec<Partner>, Failure> {
        let all = G::league();
        if let Some(unknown) = self.only.iter().find(|name| all.iter().all(|partner| partner.name != **name))
        {
            let names: Vec<&str> = all.iter().map(|partner| partner.name).collect();
            return Err(Failure::usage(format!(
                "the league of {} has no partner `{unknown}`; the partners are {}",
                G::NAME,
                names.join(", ")
            )));
        }
        let named =
            |partner: &Partner| self.only.is_empty() || self.only.iter().any(|name| partner.name == *name);
        let chosen: Vec<Partner> = all
            .iter()
            .copied()
            .filter(|partner| self.partners.takes(partner.purpose) && named(partner))
            .collect();
        if chosen.is_empty() {
            return Err(Failure::usage("no partner is left: choose others with --partners or --only"));
        }
        Ok(chosen)
    }

    /// The gauntlet of a bot, as the tournament runner reads it.
    fn settings(&self, game: &str, name: &str, spec: &str, partners: &[Partner]) -> Result<String, Failure> {
        let limits: MatchLimits = self.limits.parse().map_err(Failure::usage)?;
        let mut bots = toml::Table::new();
        let mut add = |name: &str, spec: &str, limits: String| {
            let bot = [("spec", spec.to_owned()), ("limits", limits)];
            let bot: toml::Table =
                bot.map(|(key, value)| (key.to_owned(), value.into())).into_iter().collect();
            bots.insert(name.to_owned(), bot.into());
        };
        add(name, spec, limits.to_string());
        for partner in partners {
            add(partner.name, partner.spec, partner.effort.of(limits).to_string());
        }
        let mut settings = toml::Table::new();
        let mut set = |key: &str, value: toml::Value| drop(settings.insert(key.to_owned(), value));
        set("games", vec![game.to_owned()].into());
        set("format", "gauntlet".into());
        set("rounds", i64::from(self.rounds).into());
        set("openings", self.openings.clone().into());
        set("seed", i64::try_from(self.seed).map_err(Failure::usage)?.into());
        set("limits", limits.to_string().into());
        set("no-thoughts", true.into());
        set("bots", bots.into());
        toml::to_string(&settings).map_err(Failure::failed)
    }

    /// Plays a gauntlet with the tournament command of this program; the exit code is its own.
    fn play(&self, folder: &Path, settings: &str) -> Result<u8, Failure> {
        let fail =
            |what: String, error: &dyn std::fmt::Display| Failure::failed(format!("cannot {what}: {error}"));
        let parent = folder.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent)
            .map_err(|error| fail(format!("make the folder {}", parent.display()), &error))?;
        let file = folder.with_extension("toml");
        fs::write(&file, settings).map_err(|error| fail(format!("write {}", file.display()), &error))?;
        let program =
            std::env::current_exe().map_err(|error| fail("find this program".to_owned(), &error))?;
        let mut command = Command::new(program);
        command.arg("tournament").arg("--file").arg(&file).arg("--out").arg(folder).arg("--no-report");
        // The table of the tournament says less than that of the league.
        command.stdout(std::process::Stdio::null());
        let journal = folder.join("journal.jsonl");
        if fs::metadata(&journal).is_ok_and(|journal| journal.len() > 0) {
            command.arg("--resume");
        }
        if let Some(jobs) = self.jobs {
            command.arg("--jobs").arg(jobs.to_string());
        }
        if !self.reuse.is_empty() {
            command.arg("--reuse").args(&self.reuse);
        }
        let status = command.status().map_err(|error| fail("start the tournament".to_owned(), &error))?;
        Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1))
    }

    /// What league.json holds.
    fn figures(
        &self,
        partners: &[Partner],
        candidate: &Standing,
        against: Option<&Standing>,
        comparison: Option<&Comparison>,
    ) -> String {
        let purposes: serde_json::Map<String, serde_json::Value> = partners
            .iter()
            .map(|partner| (partner.name.to_owned(), partner.purpose.to_string().into()))
            .collect();
        let value = serde_json::json!({
            "game": self.game,
            "candidate": { "spec": self.candidate, "standing": candidate },
            "against": against.map(|standing| serde_json::json!({ "spec": self.against, "standing": standing })),
            "comparison": comparison,
            "purposes": purposes,
            "limits": self.limits,
            "openings": self.openings,
            "rounds": self.rounds,
            "seed": self.seed,
        });
        format!("{value:#}\n")
    }
}

impl Effort {
    /// This share of the limits.
    fn of(self, limits: MatchLimits) -> MatchLimits {
        let count = |number: u64| ((number as f64 * self.share()).round() as u64).max(1);
        match self {
            Effort::Own => MatchLimits::default(),
            Effort::Times(share) => MatchLimits {
                nodes: limits.nodes.map(count),
                playouts: limits.playouts.map(count),
                time: limits.time.map(|time| match time {
                    TimeControl::PerMove { each, first } => TimeControl::PerMove {
                        each: each.mul_f64(share),
                        first: first.map(|first| first.mul_f64(share)),
                    },
                    TimeControl::PerGame { total, increment } => TimeControl::PerGame {
                        total: total.mul_f64(share),
                        increment: increment.mul_f64(share),
                    },
                }),
                ..limits
            },
        }
    }

    fn share(self) -> f64 {
        match self {
            Effort::Own => 1.0,
            Effort::Times(share) => share,
        }
    }
}

/// The results of the bot of this name in a run folder.
fn standing(folder: &Path, name: &str) -> Result<Standing, Failure> {
    let journal = folder.join("journal.jsonl");
    let plan = plan_of(&journal).map_err(Failure::failed)?;
    let collected = collect(&journal, &plan, &[]).map_err(Failure::failed)?;
    let number = plan.bots.iter().position(|bot| bot.name == name);
    let number =
        number.ok_or_else(|| Failure::failed(format!("{} has no bot `{name}`", journal.display())))?;
    let tally = collected.results.tallies.first();
    let pairings = plan.bots.iter().enumerate().filter(|&(other, _)| other != number).map(|(other, bot)| {
        let (games, pairs) = tally.and_then(|tally| tally.pairing(number, other)).unwrap_or_default();
        Against { partner: bot.name.clone(), games, pairs }
    });
    Ok(Standing::new(pairings.collect()))
}

/// The partners as a table, with a digest that tells one league from another.
fn listed(partners: &[Partner]) -> String {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(["partner", "kind", "for", "effort", "bot"]);
    for Partner { name, kind, purpose, effort, spec } in partners {
        table.add_row([
            (*name).to_owned(),
            kind.to_string(),
            purpose.to_string(),
            effort.to_string(),
            (*spec).to_owned(),
        ]);
    }
    let texts: Vec<String> = partners.iter().map(|partner| format!("{partner:?}")).collect();
    format!("{table}\n{} partners, league {}", partners.len(), Digest::of(&texts))
}

/// Partner by partner.
fn table(candidate: &Standing, against: Option<&Standing>) -> String {
    let mut table = Table::new();
    let mut header = vec!["partner", "games", "+ = -", "score", "95 % interval"];
    if against.is_some() {
        header.push("of the other");
    }
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(header);
    for pairing in candidate.pairings() {
        let games = pairing.games;
        let mut row = vec![
            pairing.partner.clone(),
            games.games().to_string(),
            format!("+{} ={} -{}", games.wins, games.draws, games.losses),
            percent(pairing.score()),
            pairing.interval_text(),
        ];
        if let Some(against) = against {
            row.push(against.of(&pairing.partner).map_or_else(String::new, |other| percent(other.score())));
        }
        table.add_row(row);
    }
    for column in [1, 3] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.to_string()
}

/// The whole league and the worst pairing in words.
fn told(spec: &str, standing: &Standing) -> String {
    let mut text = String::new();
    let (score, error) = (standing.score(), standing.error());
    // Writing to a string does not fail.
    let _ = write!(
        text,
        "{spec}: {} against the league (± {:.1}), {} games",
        percent(score),
        100.0 * error,
        standing.games()
    );
    if let Some(worst) = standing.worst() {
        let _ = write!(
            text,
            "; worst pairing {}: {} ({})",
            worst.partner,
            percent(worst.score()),
            worst.interval_text()
        );
    }
    text
}

fn percent(score: f64) -> String {
    format!("{:.1} %", 100.0 * score)
}
