//! Games in a text from outside: a saved game, a journal, or a line of one.

use std::collections::BTreeSet;

use arena::{Course, SavedGame, Thoughts};
use serde_json::{Map, Value, json};

use super::sitting::Beginning;

/// The games of a file that was opened.
#[derive(Debug, Default)]
pub(super) struct File {
    games: Vec<Listing>,
    /// Lines that could not be read.
    broken: usize,
}

#[derive(Debug)]
struct Listing {
    saved: SavedGame,
    /// What else the line says.
    fields: Map<String, Value>,
}

/// The most games of one list.
const MOST: usize = 500;

/// The fields of a line that the list shows besides those of a saved game.
const SHOWN: [&str; 4] = ["event", "round", "plies", "index"];

impl File {
    /// Reads a file. Other lines of a journal are left out, broken ones counted.
    pub(super) fn read(name: &str, text: &str) -> Result<File, String> {
        let mut file = File::default();
        let mut problem = None;
        let whole = text.trim();
        if let Ok(value) = serde_json::from_str::<Value>(whole) {
            file.add(value).map_err(|error| format!("{name}: {error}"))?;
        } else {
            for (number, line) in whole.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                let read = serde_json::from_str(line).map_err(|error| format!("{error}"));
                if let Err(error) = read.and_then(|value| file.add(value)) {
                    file.broken += 1;
                    problem.get_or_insert_with(|| format!("line {}: {error}", number + 1));
                }
            }
        }
        if file.games.is_empty() {
            let problem = problem.map_or(String::new(), |problem| format!(" ({problem})"));
            return Err(format!("{name}: expected a saved game or a journal, found no game in it{problem}"));
        }
        Ok(file)
    }

    fn add(&mut self, value: Value) -> Result<(), String> {
        let Value::Object(fields) = value else { return Err("expected a JSON object".to_owned()) };
        if fields.contains_key("journal") || fields.contains_key("withdrawn") {
            return Ok(());
        }
        let saved: SavedGame = serde_json::from_value(Value::Object(fields.clone()))
            .map_err(|error| format!("no saved game: {error}"))?;
        let kept: BTreeSet<&str> = SHOWN.into_iter().chain(["thoughts"]).collect();
        let fields = fields.into_iter().filter(|(key, _)| kept.contains(key.as_str())).collect();
        self.games.push(Listing { saved, fields });
        Ok(())
    }

    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// A part of the list.
    pub(super) fn list(&self, from: usize, count: usize) -> Value {
        let rows = self.games.iter().enumerate().skip(from).take(count.min(MOST)).map(|(number, listing)| {
            let saved = &listing.saved;
            let mut row = json!({
                "number": number,
                "game": saved.course.game,
                "setup": saved.course.setup,
                "players": saved.course.players,
                "outcome": saved.outcome.map(|outcome| outcome.to_string()),
                "reason": saved.reason,
            });
            for key in SHOWN {
                if let Some(value) = listing.fields.get(key) {
                    row[key] = value.clone();
                }
            }
            row
        });
        json!({ "total": self.games.len(), "broken": self.broken, "games": rows.collect::<Value>() })
    }

    /// A game of the list: its name, and how it begins.
    pub(super) fn game(&self, number: usize) -> Result<(String, Beginning), String> {
        let listing = self.games.get(number).ok_or_else(|| match self.games.len() {
            0 => "no file is open; send its text".to_owned(),
            total => format!("expected a game from 0 to {}, found {number}", total - 1),
        })?;
        let saved = &listing.saved;
        let Course { game, setup, players, start, turns } = saved.course.clone();
        let thoughts = listing.fields.get("thoughts").and_then(Value::as_str);
        let beginning = Beginning {
            setup,
            seed: 1,
            position: Some(start),
            turns,
            names: Some(players).filter(|names| names.iter().any(|name| !name.is_empty())),
            // A game can be looked at without them.
            thoughts: thoughts.and_then(Thoughts::unpack).unwrap_or_default(),
            result: saved.outcome.zip(saved.reason.clone()),
        };
        Ok((game, beginning))
    }
}
