//! What the bots of a game thought: for each move the score, the depth, the nodes and the time.

#[cfg_attr(not(feature = "native"), expect(dead_code, reason = "without files they are only read"))]
pub(crate) mod packed;

use std::time::Duration;

use search_core::{Analysis, Player, Score};

/// A bot that says nothing is worth a note of its times only if one of its moves took so long.
#[cfg(feature = "native")]
const WORTH_A_NOTE: Duration = Duration::from_micros(100);

/// What a bot said of its search for one move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Seen {
    /// The score from its own view.
    pub score: Score,
    /// How deep it looked.
    pub depth: u32,
    /// How many positions.
    pub nodes: u64,
    /// In a simultaneous game, if it computed mixed strategies: their value for the bot.
    pub value: Option<f64>,
    /// And how far they may be from an equilibrium.
    pub gap: Option<f64>,
}

impl Seen {
    /// What an analysis says.
    pub fn of<M>(analysis: &Analysis<M>) -> Seen {
        Seen {
            score: analysis.score,
            depth: analysis.depth,
            nodes: analysis.stats.nodes.max(analysis.stats.playouts),
            value: analysis.mixed.as_ref().map(|mixed| mixed.value),
            gap: analysis.mixed.as_ref().map(|mixed| mixed.gap),
        }
    }
}

/// One move's thinking.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Thought {
    /// How long the move took, as the referee saw it.
    pub time: Duration,
    /// What the bot said of it, if it said anything.
    pub seen: Option<Seen>,
}

/// The thoughts of both players: one for each of their moves that was played, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Thoughts([Vec<Thought>; 2]);

impl Thoughts {
    /// Reads the text in which a journal keeps them; `None` if it is another text.
    pub fn unpack(text: &str) -> Option<Thoughts> {
        packed::unpack(text)
    }

    /// Adds what a player thought of its next move.
    pub fn push(&mut self, player: Player, thought: Thought) {
        self.0[player.index()].push(thought);
    }

    /// The thoughts of a player.
    pub fn of(&self, player: Player) -> &[Thought] {
        &self.0[player.index()]
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// The same without a player who neither said anything nor took any time worth a note.
    #[cfg(feature = "native")]
    pub(crate) fn worth_a_note(mut self) -> Thoughts {
        for thoughts in &mut self.0 {
            if thoughts.iter().all(|thought| thought.seen.is_none() && thought.time < WORTH_A_NOTE) {
                thoughts.clear();
            }
        }
        self
    }
}
