//! Games as films: for each position a list of drawn elements. Elements that come back are stored once, and a frame only
//! says what changed since the one before, so that hundreds of games fit into one page.

use std::collections::HashMap;

use search_core::{Game, Player, Record, turn_text};
use serde::Serialize;
use serde_json::{Value, json};

use crate::drawing::Drawing;
use crate::finished::FinishedGame;
use crate::shown::{shown, shown_lines};
use crate::thoughts::{Seen, Thought};

/// Draws a position; the last turn, if there is one, with the position it was played in.
pub type Drawer<G> = dyn Fn(&G, Option<(&G, <G as Game>::Turn)>) -> Drawing + Send + Sync;

/// A collection of films that share their elements.
#[derive(Debug, Default, Serialize)]
pub struct Reel {
    elements: Vec<String>,
    games: Vec<Film>,
    #[serde(skip)]
    known: HashMap<String, u32>,
    #[serde(skip)]
    bytes: usize,
}

#[derive(Debug, Serialize)]
struct Film {
    index: u64,
    round: u32,
    players: [String; 2],
    outcome: String,
    reason: String,
    tag: &'static str,
    size: [f64; 2],
    moves: Vec<String>,
    frames: Vec<Vec<u32>>,
    note: String,
    /// With the moves, all that the playground has to know to open the game.
    game: String,
    setup: String,
    start: String,
    /// What each player thought, for the moves that something is known of: the number of the turn, from 1, microseconds,
    /// score from its own view, depth, nodes, and of mixed strategies value and gap.
    #[serde(skip_serializing_if = "<[Vec<_>]>::is_empty")]
    thoughts: Vec<Vec<Vec<Value>>>,
}

impl Reel {
    /// About how many bytes it will take in the page.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.games.len()
    }

    /// Adds a game, drawn position by position.
    pub(crate) fn add<G: Game>(
        &mut self,
        game: &FinishedGame,
        tag: &'static str,
        record: &Record<G>,
        draw: &Drawer<G>,
    ) {
        let mut frames = Vec::new();
        let mut moves = Vec::new();
        let mut size = [0.0_f64; 2];
        let mut last: Vec<u32> = Vec::new();
        let mut before: Option<(G, G::Turn)> = None;
        let mut thinking = Player::BOTH.map(|player| game.thoughts.of(player).iter());
        let mut thoughts = vec![Vec::new(); 2];
        for (position, turn) in record.replay() {
            let drawing = draw(&position, before.as_ref().map(|(before, turn)| (before, *turn)));
            size = [size[0].max(drawing.width), size[1].max(drawing.height)];
            let ids: Vec<u32> = drawing.shapes.iter().map(|shape| self.intern(shape.svg())).collect();
            if frames.is_empty() {
                frames.push(ids.clone());
            } else {
                let mut change = vec![ids.len() as u32];
                for (place, &id) in ids.iter().enumerate() {
                    if last.get(place) != Some(&id) {
                        change.extend([place as u32, id]);
                    }
                }
                frames.push(change);
            }
            last = ids;
            if let Some(turn) = turn {
                moves.push(turn_text::<G>(position.active(), turn));
                for player in position.active().players() {
                    if let Some(thought) = thinking[player.index()].next() {
                        thoughts[player.index()].push(row_of(moves.len(), thought));
                    }
                }
                before = Some((position, turn));
            }
        }
        let note: Vec<String> = game
            .result
            .faults
            .iter()
            .map(|fault| {
                let mut message: String = fault.message.chars().take(600).collect();
                if message.len() < fault.message.len() {
                    message.push_str(" …");
                }
                format!("{}: {}", fault.player, shown_lines(&message))
            })
            .collect();
        self.bytes += 300 + moves.iter().map(|text| text.len() + 3).sum::<usize>();
        self.bytes += frames.iter().map(|frame| 3 + 5 * frame.len()).sum::<usize>();
        if game.thoughts.is_empty() {
            thoughts.clear();
        }
        self.bytes += 30 * thoughts.iter().map(Vec::len).sum::<usize>();
        self.bytes += game.course.start.len();
        self.games.push(Film {
            index: game.index,
            round: game.round,
            players: [0, 1].map(|seat| shown(&game.course.players[seat]).into_owned()),
            outcome: game.result.outcome.to_string(),
            reason: shown(&game.result.reason).into_owned(),
            tag,
            size: size.map(f64::ceil),
            moves,
            frames,
            note: note.join("\n"),
            game: game.course.game.clone(),
            setup: game.course.setup.clone(),
            start: game.course.start.clone(),
            thoughts,
        });
    }

    fn intern(&mut self, element: String) -> u32 {
        if let Some(&id) = self.known.get(&element) {
            return id;
        }
        let id = self.elements.len() as u32;
        self.bytes += element.len() + 6;
        self.elements.push(element.clone());
        self.known.insert(element, id);
        id
    }

    /// JSON that may stand inside a script element.
    pub(crate) fn json(&self) -> String {
        script_json(self)
    }
}

/// What a player thought of its move in one turn.
fn row_of(turn: usize, thought: &Thought) -> Vec<Value> {
    let mut row = vec![json!(turn), json!(thought.time.as_micros() as u64)];
    if let Some(Seen { score, depth, nodes, value, gap }) = thought.seen {
        row.extend([json!(score.value()), json!(depth), json!(nodes)]);
        row.extend([value, gap].into_iter().flatten().map(|number| json!(number)));
    }
    row
}

/// JSON that may stand inside a script element or a script, whatever texts are in it. Without a `<` there is no tag and
/// no comment that could end or swallow the element; in JSON it can only stand inside a string, where an escape says the
/// same. The two separators end a line in older scripts.
pub(crate) fn script_json<T: Serialize + ?Sized>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_stored_once() {
        let mut reel = Reel::default();
        assert_eq!(reel.intern("<a/>".to_owned()), 0);
        assert_eq!(reel.intern("<b/>".to_owned()), 1);
        assert_eq!(reel.intern("<a/>".to_owned()), 0);
        assert_eq!(reel.elements.len(), 2);
        assert!(!reel.json().contains('<'));
    }
}
