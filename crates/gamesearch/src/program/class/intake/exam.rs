//! Builds and examines a submission in the sandbox.

use std::path::Path;
use std::sync::Arc;

use arena::sandbox::Sandbox;
use arena::ugi::{Errand, Examination, HostSettings, OutsideBot, OutsideSpec, Severity};
use arena::{Adapter, ClockKind, MatchLimits, shown_lines};

use super::{Note, copy};
use crate::program::Failure;
use crate::program::class::home::{Home, size_of};
use crate::program::class::settings::{Language, Settings};
use crate::program::entry::Entry;

/// What submissions are examined with.
pub(crate) struct Examiner<'a> {
    pub(crate) game: &'a dyn Entry,
    /// The adapters of all games.
    pub(crate) adapters: Vec<Adapter>,
    /// What bots run in.
    pub(crate) sandbox: Option<Sandbox>,
    pub(crate) limits: MatchLimits,
}

/// How much of a build's output is reported.
const SAID: usize = 4000;

impl Examiner<'_> {
    /// Runs the build command of a language in a submission's folder, which alone it may write to; what it said at last, or
    /// what went wrong.
    pub(super) fn build(
        &self,
        home: &Home,
        settings: &Settings,
        language: &Language,
        command: &str,
        folder: &Path,
    ) -> Result<String, String> {
        let mut sandbox = self.sandbox.clone();
        if let Some(sandbox) = &mut sandbox {
            sandbox.writable = vec![folder.to_owned()];
            sandbox.readable.extend(language.readable.iter().map(|path| home.at(path)));
        }
        let disk = settings.build.disk << 20;
        let errand = Errand {
            command: ["/bin/sh", "-c", command].map(str::to_owned).to_vec(),
            folder: folder.to_owned(),
            sandbox,
            memory: Some(settings.build.memory << 20),
            time: settings.build.time.value.0,
        };
        let outcome = errand.run(&mut || {
            (size_of(folder) > disk)
                .then(|| format!("it made more than {} MiB of files", settings.build.disk))
        });
        let said = shown_lines(&outcome.said).into_owned();
        let start = said.ceil_char_boundary(said.len().saturating_sub(SAID));
        let said = &said[start..];
        if let Some(problem) = outcome.problem {
            return Err(format!("`{command}`: {problem}\n{said}").trim_end().to_owned());
        }
        // A link would lead out of what the bot may see.
        copy::only_files(folder).map_err(|problem| format!("after `{command}`: {problem}"))?;
        Ok(said.to_owned())
    }

    /// Examines a bot; whether it is fit to play.
    pub(super) fn examine(
        &self,
        settings: &Settings,
        spec: &str,
        findings: &mut Vec<Note>,
    ) -> Result<bool, Failure> {
        let parsed = OutsideSpec::parse(spec, &self.adapters);
        let program = match parsed {
            Ok(Some(program)) => program,
            Ok(None) => {
                return Err(Failure::usage(format!(
                    "class.toml: `{spec}` names no program: expected `ugi:...`"
                )));
            }
            Err(error) => {
                findings.push(Note::wrong("can be run", error.to_string()));
                return Ok(false);
            }
        };
        let bot: Arc<OutsideBot> = Arc::new(program.bot(HostSettings {
            margin: settings.margin(),
            memory: Some(settings.memory << 20),
            counted: ClockKind::Wall,
            sandbox: self.sandbox.clone(),
            ..HostSettings::default()
        }));
        let examination = Examination {
            positions: settings.compliance.positions,
            limits: self.limits,
            seed: settings.seed,
        };
        let found = self.game.examine_quietly(&bot, examination);
        let worst = found.iter().map(|finding| finding.severity).max();
        findings.extend(found.into_iter().map(|finding| Note {
            verdict: finding.severity.to_string(),
            check: finding.check.to_owned(),
            text: finding.text,
        }));
        Ok(worst.is_some_and(|worst| worst < Severity::Wrong))
    }
}
