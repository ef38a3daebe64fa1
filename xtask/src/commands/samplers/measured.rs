//! What the strategies of a tree lose to best responses, over playouts.

use std::collections::HashMap;
use std::fs;
use std::time::Instant;

use search_core::{Hooks, Limits, Player, Record, Search, Simultaneous, SmMcts, SmMctsSettings, Zero};

use super::Method;

/// The curve of one selector.
#[derive(Debug, Clone)]
pub(super) struct Curve {
    pub(super) name: &'static str,
    /// Playouts and exploitability, the average over the seeds.
    pub(super) points: Vec<(u64, f64)>,
    /// Processor time of a playout in the longest searches.
    pub(super) microseconds: f64,
    /// How long it all took.
    pub(super) seconds: f64,
}

/// What is measured of one game.
pub(super) struct Measurement<'a, G> {
    pub(super) start: &'a G,
    pub(super) playouts: &'a [u64],
    pub(super) seeds: u64,
    pub(super) bytes: usize,
}

impl<G: Simultaneous> Measurement<'_, G> {
    pub(super) fn curve(&self, method: &Method) -> Curve {
        let started = Instant::now();
        let settings = SmMctsSettings {
            selector: method.selector,
            averaged: method.averaged,
            memory_bytes: self.bytes,
            // The game itself is measured, and it knows no repetition here.
            repetition: false,
            only_move: false,
            ..SmMctsSettings::default()
        };
        let mut search = SmMcts::new(Hooks::new(Zero), settings);
        let mut microseconds = 0.0;
        let points = self.playouts.iter().map(|&playouts| {
            let mut sum = 0.0;
            let mut time = 0.0;
            for seed in 1..=self.seeds {
                search.new_game(seed);
                let before = processor_seconds(started);
                search.analyse(&Record::new(self.start.clone()), Limits::playouts(playouts));
                time += processor_seconds(started) - before;
                let mut judge = Judge { search: &search, beyond: HashMap::new(), path: Vec::new() };
                let [one, two] = judge.best_responses(self.start, true);
                sum += f64::midpoint(one, two);
            }
            microseconds = 1e6 * time / (playouts * self.seeds) as f64;
            (playouts, sum / self.seeds as f64)
        });
        let points = points.collect();
        Curve { name: method.name, points, microseconds, seconds: started.elapsed().as_secs_f64() }
    }
}

/// Processor time of this thread where the kernel tells it (Linux), else time on the wall.
fn processor_seconds(started: Instant) -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| started.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// Best responses against the strategies of a tree.
struct Judge<'a, G: Simultaneous> {
    search: &'a SmMcts<G, Hooks<Zero>>,
    /// What best responses get against random play, where the tree does not reach.
    beyond: HashMap<(u64, Option<u32>), [f64; 2]>,
    path: Vec<[G::Move; 2]>,
}

impl<G: Simultaneous> Judge<'_, G> {
    /// What each player gets by a best response to the other's strategy from here on, in wins. `in_tree` says whether the tree
    /// reached the position before.
    fn best_responses(&mut self, position: &G, in_tree: bool) -> [f64; 2] {
        if let Some(end) = position.end() {
            return Player::BOTH.map(|player| f64::from(end.outcome.sign(player)));
        }
        let known = if in_tree { self.search.strategies_after(&self.path) } else { None };
        let key = (position.key(), position.turns_left());
        if known.is_none()
            && let Some(&found) = self.beyond.get(&key)
        {
            return found;
        }
        let in_tree = known.is_some();
        let [one, two] = known.unwrap_or_else(|| Player::BOTH.map(|player| even(position, player)));
        let mut against = [vec![0.0; one.len()], vec![0.0; two.len()]];
        for (row, &(mine, share)) in one.iter().enumerate() {
            for (column, &(theirs, other)) in two.iter().enumerate() {
                if share <= 0.0 && other <= 0.0 {
                    continue;
                }
                self.path.push([mine, theirs]);
                let [first, second] = self.best_responses(&position.after([mine, theirs]), in_tree);
                self.path.pop();
                against[0][row] += other * first;
                against[1][column] += share * second;
            }
        }
        let best = against.map(|values| values.into_iter().fold(f64::NEG_INFINITY, f64::max));
        if !in_tree {
            self.beyond.insert(key, best);
        }
        best
    }
}

/// All moves of a player, equally likely.
fn even<G: Simultaneous>(position: &G, player: Player) -> Vec<(G::Move, f64)> {
    let moves = position.move_list(player);
    let moves = moves.as_ref();
    moves.iter().map(|&mv| (mv, 1.0 / moves.len() as f64)).collect()
}
