//! The settings of a tournament: the same struct is what the command line reads, what a file holds and what a run keeps.

use std::path::{Path, PathBuf};

use arena::sandbox::SandboxChoice;
use arena::statistics::{Sprt, SprtModel};
use arena::{ClockKind, Format, OpeningsChoice, Shard};
use clap::{ArgMatches, Args, FromArgMatches};
use serde::{Deserialize, Serialize};

use super::entrants::{self, BotLimits, Entrant};
use super::given::{ErrorRates, Given, LimitsChoice, Margin, Source, word};
use crate::program::Failure;
use crate::program::run_folder::RunFolder;

/// Play a tournament of bots: round robin, gauntlet, Swiss, or a sequential test between two
///
/// Without options: random, greedy, mcts and alphabeta meet in all games, with limits that give the same games
/// on every machine. Every opening is played twice with the seats swapped. Results go into a run folder: plan.json,
/// journal.jsonl, standings.csv, summary.json, timings.json and report.html.
///
/// Ctrl-C once finishes the games under way, twice stops at once; --resume goes on. Exit codes: 0 done, 1 failed,
/// 2 wrong usage, 3 interrupted and resumable.
#[derive(Debug, Clone, Default, Args, Serialize, Deserialize)]
#[command(after_help = EXAMPLES)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Settings {
    /// Games, each NAME or NAME:SETUP, such as {game} [default: all games]
    #[arg(long, num_args = 1.., value_name = "GAME")]
    pub(crate) games: Vec<Given<String>>,
    /// Rounds; in each, every pairing plays two games from one opening [default: 30; with --sprt 10000]
    #[arg(long, value_name = "N")]
    pub(crate) rounds: Option<u32>,
    /// Which bots meet: round-robin (every pair), gauntlet (the first bot meets each of the others), swiss (similar scores)
    /// [default: round-robin]
    #[arg(long, value_name = "FORMAT", value_parser = word::<Format>)]
    pub(crate) format: Option<Format>,
    /// How games begin: auto (the game's balanced openings), start, random:N (N random turns), file=PATH (an opening
    /// on each line) [default: auto]
    #[arg(long, value_name = "OPENINGS")]
    pub(crate) openings: Option<Given<OpeningsChoice>>,
    /// Limits of every bot: nodes=N, playouts=N, depth=N, movetime=TIME[,first=TIME], gametime=TIME[,inc=TIME],
    /// several joined by commas; official (the contest's own); or usual: counts with which the game's kinds of bots take
    /// about the same time [default: usual]
    #[arg(long, value_name = "LIMITS")]
    pub(crate) limits: Option<Given<LimitsChoice>>,
    /// Limits of individual bots, each NAME@LIMITS, such as mcts@playouts=50
    #[arg(long, num_args = 1.., value_name = "BOT@LIMITS")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) bot_limits: Vec<BotLimits>,
    /// Bots that play only from the start: their games begin there, whatever the openings
    #[arg(long, num_args = 1.., value_name = "BOT")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) start_only: Vec<Given<String>>,
    /// The seed of all randomness; the same seed plays the same games [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Games at the same time [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Test whether the first bot is stronger than the second: stop as soon as ELO0 or ELO1 is accepted
    #[arg(long, value_name = "ELO0,ELO1", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Given<Sprt>>,
    /// The kind of Elo that the test uses: normalized or logistic [default: normalized]
    #[arg(long, value_name = "MODEL", value_parser = word::<SprtModel>)]
    pub(crate) sprt_model: Option<SprtModel>,
    /// Error rates of the test [default: 0.05,0.05]
    #[arg(long, value_name = "ALPHA,BETA")]
    pub(crate) sprt_errors: Option<Given<ErrorRates>>,
    /// The bot that ratings are also measured from [default: random, if it plays]
    #[arg(long, value_name = "BOT")]
    pub(crate) anchor: Option<Given<String>>,
    /// Leave games that a failure decided (an illegal move, a crash, time) out of the ratings; points count them either way
    #[arg(long)]
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) no_faults: bool,
    /// How far a bot may overrun its time before it loses [default: 100ms]
    #[arg(long, value_name = "TIME")]
    pub(crate) margin: Option<Given<Margin>>,
    /// What limits in time count: wall (from question to answer) or cpu (what the processor works for the bot, its
    /// children included) [default: wall]
    #[arg(long, value_name = "CLOCK", value_parser = word::<ClockKind>)]
    pub(crate) clock: Option<ClockKind>,
    /// Let both bots of a simultaneous game think at the same time, on two processors
    #[arg(long)]
    pub(crate) at_once: bool,
    /// What an infinite move does in Hus: the player who makes it loses, or the game is played again (replay) until a player's third one
    /// [default: loses]
    #[arg(long, value_name = "RULE", value_parser = word::<InfiniteMove>)]
    pub(crate) infinite_move: Option<InfiniteMove>,
    /// Memory of each bot that is a program, in MiB [default: no limit]
    #[arg(long, value_name = "MIB")]
    pub(crate) bot_memory: Option<u64>,
    /// Whether bots that are programs run in a sandbox: auto (as far as the system can), on (wholly, or it is an error), off
    /// [default: auto]
    #[arg(long, value_name = "WHEN", value_parser = word::<SandboxChoice>)]
    pub(crate) sandbox: Option<SandboxChoice>,
    /// Folders and files that bots in the sandbox may read besides their own
    #[arg(long, num_args = 1.., value_name = "PATH")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) readable: Vec<PathBuf>,
    /// The run folder [default: the next free number in runs/]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// Continue the run in the folder of --out, with its settings
    #[arg(long)]
    #[serde(skip_serializing)]
    pub(crate) resume: bool,
    /// Reuse games of earlier runs where they are the same
    #[arg(long, num_args = 1.., value_name = "RUN")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) reuse: Vec<PathBuf>,
    /// Play only a part: pairs number I modulo N, I from 0; join the parts with `{program} merge`
    #[arg(long, value_name = "I/N")]
    pub(crate) shard: Option<Given<Shard>>,
    /// Read settings from a file; options given here take precedence
    #[arg(long, value_name = "TOURNAMENT.TOML")]
    #[serde(skip)]
    pub(crate) file: Option<PathBuf>,
    /// Do not keep what the bots thought (score, depth, nodes and time of each move) in the journal
    #[arg(long)]
    pub(crate) no_thoughts: bool,
    /// Do not write report.html (`{program} render` writes it later)
    #[arg(long)]
    #[serde(skip_serializing)]
    pub(crate) no_report: bool,
    /// Bots, each SPEC or NAME=SPEC, such as mcts:playouts=500 or "mine=ugi:python3 bot.py"
    /// [default: random greedy mcts alphabeta, as far as every game has them]
    #[arg(long, num_args = 1.., value_name = "BOT")]
    #[serde(deserialize_with = "entrants::read", serialize_with = "entrants::write")]
    // Written last: tables come after plain values.
    pub(crate) bots: Vec<Entrant>,
    /// By how much limits in time are stretched on this machine.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) time_scale: Option<f64>,
    /// Where mistakes in values from a file are.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) source: Source,
}

/// What becomes of a player whose sowing never ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum InfiniteMove {
    /// It loses.
    #[default]
    Loses,
    /// The game is played again; the third time it loses.
    Replay,
}

const EXAMPLES: &str = "Examples:
  {program} tournament
  {program} tournament --games {game} --bots random greedy alphabeta:depth=4 --rounds 20 \\
      --limits movetime=200ms,first=2s --seed 7 --jobs 2 --out runs/x
  {program} tournament --games {game} --bots new=alphabeta:depth=5 old=alphabeta:depth=4 --sprt 0,10
  {program} tournament --games {game} --bots alphabeta \"mine=ugi:python3 bot.py\" --limits movetime=1s
  {program} tournament --file tournament.toml --shard 0/4 --out runs/part0
  {program} tournament --resume --out runs/x

A tournament.toml holds the same names:
  games = [\"{game}\"]
  bots = [\"random\", \"mcts:playouts=500\"]
  rounds = 20
  limits = \"nodes=2000,playouts=200\"
or, with bots that have settings of their own:
  [bots.mine]
  command = \"python3 bot.py\"
  limits = \"movetime=1s\"
All keys: docs/tournament.md.";

impl Settings {
    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Settings, Failure> {
        let source = Source::read(path)?;
        Ok(Settings { source: source.clone(), ..source.parse()? })
    }

    /// Reads the text of a file.
    pub(crate) fn of_text(name: String, text: String) -> Result<Settings, Failure> {
        let source = Source::of_text(name, text);
        Ok(Settings { source: source.clone(), ..source.parse()? })
    }

    /// These options with what the file says, or the run that is gone on with; what the command line gives comes first.
    pub(crate) fn with_file(self, matches: &ArgMatches) -> Result<Settings, Failure> {
        let no_folder = || Failure::usage("--resume needs the folder of the run to go on with: --out FOLDER");
        let mut settings = match (&self.file, self.resume) {
            (None, false) => return Ok(self),
            (Some(path), _) => Settings::read(path)?,
            (None, true) => {
                let folder = RunFolder::at(self.out.clone().ok_or_else(no_folder)?);
                let path = folder.path().display();
                match folder.kept_settings() {
                    Some(text) => Settings::of_text(folder.settings().display().to_string(), text)?,
                    None if !folder.has_games() => {
                        return Err(Failure::usage(format!("{path} holds no run to go on with")));
                    }
                    // The plan tells which of them are not those of the run.
                    None => {
                        errln!(
                            "{} is missing or empty, and the journal, of an earlier version, does not hold the settings: \
                             they are taken from the command line",
                            folder.settings().display()
                        );
                        return Ok(self);
                    }
                }
            }
        };
        let Settings { at_once, resume, no_report, no_thoughts, no_faults, .. } = settings;
        settings.update_from_arg_matches(matches).map_err(Failure::usage)?;
        // A switch that is not given counts for clap as one that is off.
        settings.at_once |= at_once;
        settings.resume |= resume;
        settings.no_report |= no_report;
        settings.no_thoughts |= no_thoughts;
        settings.no_faults |= no_faults;
        if settings.resume && settings.out.is_none() { Err(no_folder()) } else { Ok(settings) }
    }

    /// What a run keeps to be gone on with: everything that decides its games.
    pub(crate) fn kept(&self) -> Settings {
        Settings { jobs: None, out: None, reuse: Vec::new(), shard: None, ..self.clone() }
    }

    /// The same as text.
    pub(crate) fn kept_text(&self) -> Result<String, Failure> {
        toml::to_string(&self.kept()).map_err(Failure::failed)
    }

    /// The sequential test.
    pub(super) fn test(&self) -> Result<Option<Sprt>, Failure> {
        let Some(test) = &self.sprt else {
            let lonely = "a model or error rates are of use with a test only: give sprt too";
            return match (&self.sprt_model, &self.sprt_errors) {
                (_, Some(errors)) => Err(self.source.mistake(errors, lonely)),
                (Some(_), None) => Err(Failure::usage(lonely)),
                (None, None) => Ok(None),
            };
        };
        let mut sprt = test.value;
        sprt.model = self.sprt_model.unwrap_or(sprt.model);
        if let Some(Given { value: ErrorRates { alpha, beta }, .. }) = self.sprt_errors {
            (sprt.alpha, sprt.beta) = (alpha, beta);
        }
        Ok(Some(sprt))
    }
}
