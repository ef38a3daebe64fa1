//! `tournament.toml`: the options of a tournament in a file. Errors point at the line.

use std::fmt;
use std::path::{Path, PathBuf};

use arena::Shard;
use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::program::Failure;

/// A text with the line it stands on, if it comes from a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Located {
    pub(crate) text: String,
    /// `tournament.toml:3`
    pub(crate) place: Option<String>,
}

impl Located {
    pub(crate) fn plain(text: impl Into<String>) -> Located {
        Located { text: text.into(), place: None }
    }

    /// A failure of usage with the place in front.
    pub(crate) fn failure(&self, problem: impl fmt::Display) -> Failure {
        match &self.place {
            Some(place) => Failure::usage(format!("{place}: {problem}")),
            None => Failure::usage(problem),
        }
    }
}

/// A bot in a file: a spec string, or a table.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum BotEntry {
    Spec(String),
    Table(BotTable),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct BotTable {
    spec: Option<String>,
    command: Option<String>,
    limits: Option<String>,
}

/// The keys of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Keys {
    games: Vec<Spanned<String>>,
    bots: Option<Spanned<toml::Value>>,
    rounds: Option<u32>,
    format: Option<Spanned<String>>,
    openings: Option<Spanned<String>>,
    limits: Option<Spanned<String>>,
    seed: Option<u64>,
    sprt: Option<Spanned<String>>,
    sprt_model: Option<Spanned<String>>,
    sprt_errors: Option<Spanned<String>>,
    anchor: Option<Spanned<String>>,
    margin: Option<Spanned<String>>,
    at_once: Option<bool>,
    infinite_move: Option<Spanned<String>>,
    bot_memory: Option<u64>,
    jobs: Option<usize>,
    out: Option<PathBuf>,
    resume: bool,
    reuse: Vec<PathBuf>,
    shard: Option<Spanned<String>>,
    no_report: bool,
}

/// A bot as the user named it.
#[derive(Debug, Clone)]
pub(crate) struct NamedBot {
    pub(crate) name: Option<String>,
    pub(crate) spec: Located,
    pub(crate) limits: Option<Located>,
}

/// What a file says; everything may be missing.
#[derive(Debug, Default)]
pub(crate) struct FileSettings {
    pub(crate) games: Vec<Located>,
    pub(crate) bots: Vec<NamedBot>,
    pub(crate) rounds: Option<u32>,
    pub(crate) format: Option<Located>,
    pub(crate) openings: Option<Located>,
    pub(crate) limits: Option<Located>,
    pub(crate) seed: Option<u64>,
    pub(crate) sprt: Option<Located>,
    pub(crate) sprt_model: Option<Located>,
    pub(crate) sprt_errors: Option<Located>,
    pub(crate) anchor: Option<Located>,
    pub(crate) margin: Option<Located>,
    pub(crate) at_once: Option<bool>,
    pub(crate) infinite_move: Option<Located>,
    pub(crate) bot_memory: Option<u64>,
    pub(crate) execution: Execution,
}

/// How a run is carried out: nothing that changes a result.
#[derive(Debug, Default)]
pub(crate) struct Execution {
    pub(crate) jobs: Option<usize>,
    pub(crate) out: Option<PathBuf>,
    pub(crate) resume: bool,
    pub(crate) reuse: Vec<PathBuf>,
    pub(crate) shard: Option<Shard>,
    pub(crate) no_report: bool,
}

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<FileSettings, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format!("cannot read {}: {error}", path.display())))?;
    parse(&text, &path.display().to_string())
}

/// Reads the text of a file called `name`.
pub(crate) fn parse(text: &str, name: &str) -> Result<FileSettings, Failure> {
    let keys: Keys = toml::from_str(text).map_err(|error| Failure::usage(format!("{name}: {error}")))?;
    let at = |span: std::ops::Range<usize>| {
        let line = text[..span.start.min(text.len())].matches('\n').count() + 1;
        format!("{name}:{line}")
    };
    let located =
        |spanned: Spanned<String>| Located { place: Some(at(spanned.span())), text: spanned.into_inner() };
    let mut bots = Vec::new();
    if let Some(list) = keys.bots {
        let place = at(list.span());
        // The line on which a text stands in quotes, else where the list begins.
        let line_of = |wanted: &str| {
            let line = text.lines().position(|line| line.contains(&format!("\"{wanted}\"")));
            line.map_or_else(|| place.clone(), |line| format!("{name}:{}", line + 1))
        };
        match list.into_inner() {
            toml::Value::Array(specs) => {
                for spec in specs {
                    let toml::Value::String(spec) = spec else {
                        let problem = format!("{place}: expected bots as spec strings, found `{spec}`");
                        return Err(Failure::usage(problem));
                    };
                    let place = Some(line_of(&spec));
                    bots.push(NamedBot { name: None, spec: Located { text: spec, place }, limits: None });
                }
            }
            toml::Value::Table(table) => {
                for (bot, value) in table {
                    bots.push(named_bot(&bot, value, text, name, &place)?);
                }
            }
            other => {
                let problem = "expected a list of spec strings, or a table of bots by name";
                return Err(Failure::usage(format!("{place}: {problem}, found `{other}`")));
            }
        }
    }
    let shard = keys.shard.map(located).map(|shard| shard.text.parse().map_err(|error| shard.failure(error)));
    Ok(FileSettings {
        games: keys.games.into_iter().map(located).collect(),
        bots,
        rounds: keys.rounds,
        format: keys.format.map(located),
        openings: keys.openings.map(located),
        limits: keys.limits.map(located),
        seed: keys.seed,
        sprt: keys.sprt.map(located),
        sprt_model: keys.sprt_model.map(located),
        sprt_errors: keys.sprt_errors.map(located),
        anchor: keys.anchor.map(located),
        margin: keys.margin.map(located),
        at_once: keys.at_once,
        infinite_move: keys.infinite_move.map(located),
        bot_memory: keys.bot_memory,
        execution: Execution {
            jobs: keys.jobs,
            out: keys.out,
            resume: keys.resume,
            reuse: keys.reuse,
            shard: shard.transpose()?,
            no_report: keys.no_report,
        },
    })
}

/// A bot with a table of its own. Its line is that of its heading or key.
fn named_bot(
    bot: &str,
    value: toml::Value,
    text: &str,
    name: &str,
    place: &str,
) -> Result<NamedBot, Failure> {
    let heading = |line: &&str| {
        let line = line.trim();
        line.strip_prefix("[bots.").is_some_and(|rest| rest.trim_end_matches(']').trim_matches('"') == bot)
            || line.split('=').next().is_some_and(|key| key.trim().trim_matches('"') == bot)
    };
    let place = text
        .lines()
        .position(|line| heading(&line))
        .map_or(place.to_owned(), |line| format!("{name}:{}", line + 1));
    let fail = |problem: String| Failure::usage(format!("{place}: the bot `{bot}`: {problem}"));
    let located = |text: String| Located { text, place: Some(place.clone()) };
    let entry: BotEntry = value.try_into().map_err(|_| {
        fail("expected a spec string, or a table with `spec` or `command`, and maybe `limits`".to_owned())
    })?;
    let (spec, limits) = match entry {
        BotEntry::Spec(spec) => (spec, None),
        BotEntry::Table(BotTable { spec, command, limits }) => {
            let spec = match (spec, command) {
                (Some(spec), None) => spec,
                (None, Some(command)) => format!("ugi:{command}"),
                _ => return Err(fail("expected either `spec` or `command`".to_owned())),
            };
            (spec, limits.map(located))
        }
    };
    Ok(NamedBot { name: Some(bot.to_owned()), spec: located(spec), limits })
}

/// What a run folder keeps to go on with: the same keys, everything written out.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Kept {
    pub(crate) games: Vec<String>,
    pub(crate) rounds: u32,
    pub(crate) format: String,
    pub(crate) openings: String,
    pub(crate) limits: String,
    pub(crate) seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt_model: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt_errors: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) anchor: Option<String>,
    pub(crate) margin: String,
    pub(crate) at_once: bool,
    pub(crate) infinite_move: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bot_memory: Option<u64>,
    pub(crate) bots: toml::map::Map<String, toml::Value>,
}
