//! The teams: what each has handed in, what became of it, and which version plays.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena::{Digest, shown};
use serde::{Deserialize, Serialize};

use super::home;
use crate::program::Failure;

/// All teams by their short names, which are fit for files and addresses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Roster {
    pub(crate) teams: BTreeMap<String, Team>,
}

/// One team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Team {
    /// What it calls itself, fit to be shown.
    pub(crate) name: String,
    /// The submission that was judged last, good or not.
    pub(crate) judged: Option<Judgement>,
    /// The good submission that plays.
    pub(crate) entry: Option<Entry>,
    /// Submissions that were accepted.
    pub(crate) versions: u32,
}

/// What became of a submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Judgement {
    /// Names the submission with everything that decides about it.
    pub(crate) token: String,
    pub(crate) at: u64,
    pub(crate) accepted: bool,
    pub(crate) findings: Vec<Note>,
}

/// A finding in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Note {
    /// `fine`, `remark` or `WRONG`.
    pub(crate) verdict: String,
    pub(crate) check: String,
    pub(crate) text: String,
}

impl Note {
    pub(crate) fn wrong(check: &str, text: impl Into<String>) -> Note {
        Note { verdict: "WRONG".to_owned(), check: check.to_owned(), text: text.into() }
    }
}

/// A version of a bot that plays.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// Its name in journals: the team's short name, `@` and the beginning of the token.
    pub(crate) id: String,
    /// The token of its submission.
    pub(crate) token: String,
    pub(crate) language: String,
    pub(crate) spec: String,
    pub(crate) start_only: bool,
    pub(crate) since: u64,
    /// Why it plays no more, if it does not start any longer.
    pub(crate) out: Option<String>,
}

impl Roster {
    pub(crate) fn read(path: &Path) -> Result<Roster, Failure> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Roster::default()),
            Err(error) => return Err(Failure::failed(format!("cannot read {}: {error}", path.display()))),
        };
        serde_json::from_str(&text).map_err(|error| Failure::failed(format!("{}: {error}", path.display())))
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(Failure::failed)?;
        home::write(path, &format!("{text}\n"))
    }

    /// The entries that play.
    pub(crate) fn playing(&self) -> impl Iterator<Item = (&Team, &Entry)> {
        self.teams
            .values()
            .filter_map(|team| team.entry.as_ref().filter(|one| one.out.is_none()).map(|entry| (team, entry)))
    }

    /// The short name of the team of a player of a journal; `None` for a reference.
    pub(crate) fn team_of(player: &str) -> Option<&str> {
        player.rsplit_once('@').map(|(team, _)| team)
    }

    /// What a player of a journal is called on pages.
    pub(crate) fn name_of<'a>(&'a self, player: &'a str) -> &'a str {
        Roster::team_of(player)
            .and_then(|team| self.teams.get(team))
            .map_or(player, |team| team.name.as_str())
    }
}

/// The short name of a team: small letters, digits and dashes, and part of a hash where that is not what the team is called.
pub(crate) fn short_name(name: &str) -> String {
    let mut short = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            short.push(c);
        } else if !short.ends_with('-') && !short.is_empty() {
            short.push('-');
        }
        if short.len() >= 32 {
            break;
        }
    }
    let short = short.trim_end_matches('-').to_owned();
    if short == name && !short.is_empty() {
        return short;
    }
    let hash = Digest::of(&["team", name]).to_string();
    if short.is_empty() { format!("team-{}", &hash[..8]) } else { format!("{short}-{}", &hash[..8]) }
}

/// A name fit to be shown, and not as long as a page.
pub(crate) fn display_name(name: &str) -> String {
    let name = shown(name);
    if name.chars().count() <= 60 {
        return name.into_owned();
    }
    let mut short: String = name.chars().take(59).collect();
    short.push('…');
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_fit_for_files_and_do_not_collide() {
        assert_eq!(short_name("team-7"), "team-7");
        for name in ["Team-7", "../../etc", "=cmd()", "<script>", "日本", "a b", "A B", "-", "", "x@y"] {
            let short = short_name(name);
            assert!(short.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{name}: {short}");
            assert!(!short.is_empty() && !short.starts_with('-') && short != name, "{name}: {short}");
        }
        assert_ne!(short_name("a b"), short_name("A B"));
        assert!(short_name(&"x".repeat(500)).len() < 50);
    }
}
