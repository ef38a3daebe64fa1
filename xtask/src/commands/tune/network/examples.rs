//! Positions to learn from, as the rows they name.

use agents::tuning::Training;
use search_core::{Game, Player};

/// Examples, packed: their lists one behind the other.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Examples {
    rows: Vec<u16>,
    /// Where each list ends.
    ends: Vec<usize>,
    /// Lists of an example: those of the side that looks, then the other side's, if both are seen.
    lists: usize,
    own: usize,
    /// The chance of the player who looks, from 0 to 1.
    targets: Vec<f32>,
}

impl Examples {
    pub(super) fn new<G: Game>(training: &Training<G>) -> Examples {
        let lists = if training.both_sides { 2 * training.lists } else { training.lists };
        Examples { rows: Vec::new(), ends: Vec::new(), lists, own: training.lists, targets: Vec::new() }
    }

    /// Adds a position.
    pub(super) fn add<G: Game>(&mut self, training: &Training<G>, position: &G, viewer: Player, target: f32) {
        let sides = if training.both_sides { vec![viewer, viewer.opponent()] } else { vec![viewer] };
        for side in sides {
            let mut seen = vec![Vec::new(); training.lists];
            (training.see)(position, side, &mut |list, row| seen[list].push(row as u16));
            for list in seen {
                self.rows.extend(list);
                self.ends.push(self.rows.len());
            }
        }
        self.targets.push(target);
    }

    pub(super) fn len(&self) -> usize {
        self.targets.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    pub(super) fn target(&self, example: usize) -> f32 {
        self.targets[example]
    }

    /// The lists of an example, each with the sign of its side.
    pub(super) fn lists(&self, example: usize) -> impl Iterator<Item = (f32, &[u16])> {
        let first = example * self.lists;
        (0..self.lists).map(move |list| {
            let end = self.ends[first + list];
            let begin = if first + list == 0 { 0 } else { self.ends[first + list - 1] };
            (if list < self.own { 1.0 } else { -1.0 }, &self.rows[begin..end])
        })
    }
}
