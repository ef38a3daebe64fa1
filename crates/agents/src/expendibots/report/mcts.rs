//! The report's Monte Carlo bot: UCT over the six best-looking actions of each node.

use std::time::Duration;

use ::expendibots::{Move, Position};
use search_core::{
    Analysis, Answer, Bot, BotFailure, Bound, Game, Outcome, Player, Rollout, RootMove, Score, SearchRng,
    StopReason, Task, TimeSettings, TurnBased, ucb1,
};

use crate::expendibots::candidates::Playout;
use crate::generic::no_move;
use crate::{BotInfo, Choice, Flag, Range, Setting};

/// The settings of the bot.
#[derive(Debug, Clone, Copy)]
struct Settings {
    iterations: u64,
    /// How many actions of a node become children; 0 for all.
    expand: usize,
    c: f64,
    rollout: Playout,
    /// This many playouts for each move instead of a tree; 0 for the tree.
    flat: u64,
    /// With the two faults of the authors' program.
    faithful: bool,
}

#[derive(Debug)]
struct Node {
    position: Position,
    mv: Option<Move>,
    /// The player whose results `wins` counts: the one who moved into the node.
    wins: f64,
    visits: u64,
    children: std::ops::Range<usize>,
}

/// The tree of one move.
struct Tree<'a> {
    settings: Settings,
    rng: &'a mut SearchRng,
    nodes: Vec<Node>,
    playouts: u64,
    deepest: u32,
}

impl Tree<'_> {
    /// Which children of a node are kept: smaller is better.
    fn promise(&self, after: &Position, mover: Player) -> f64 {
        let (own, enemy) = (f64::from(after.tokens(mover)), f64::from(after.tokens(mover.opponent())));
        if self.settings.faithful {
            // The program forgot the brackets.
            enemy + 1.0 / (own + 1.0)
        } else {
            (enemy + 1.0) / (own + 1.0)
        }
    }

    /// Gives a node its children and plays one game from each; returns the results.
    fn expand(&mut self, at: usize) -> Vec<(usize, Outcome)> {
        let position = self.nodes[at].position;
        let mover = position.to_move();
        let list = position.move_list(mover);
        let mut children: Vec<(f64, Move, Position)> = list
            .as_slice()
            .iter()
            .map(|&mv| {
                let after = position.after(mv);
                (self.promise(&after, mover), mv, after)
            })
            .collect();
        if self.settings.expand > 0 {
            // Stable: equal ones stay in the order of generation.
            children.sort_by(|a, b| a.0.total_cmp(&b.0));
            children.truncate(self.settings.expand);
        }
        let first = self.nodes.len();
        self.nodes.extend(children.into_iter().map(|(_, mv, position)| Node {
            position,
            mv: Some(mv),
            wins: 0.0,
            visits: 0,
            children: 0..0,
        }));
        self.nodes[at].children = first..self.nodes.len();
        (first..self.nodes.len()).map(|child| (child, self.play_out(child))).collect()
    }

    fn play_out(&mut self, from: usize) -> Outcome {
        self.playouts += 1;
        // Without the turn limit of the real game, which a playout from a late position would run into.
        let mut position = self.nodes[from].position.rewound();
        loop {
            if let Some(end) = position.end() {
                return end.outcome;
            }
            match self.settings.rollout.choose(&position, position.to_move(), self.rng) {
                Some(mv) => position.play(mv),
                // An unfinished position always has a move.
                None => return Outcome::Draw,
            }
        }
    }

    /// What an outcome adds to the wins of a node that `mover` moved into.
    fn credit(&self, outcome: Outcome, mover: Player) -> f64 {
        match outcome {
            // The program counts White's wins everywhere.
            Outcome::Win(winner) if self.settings.faithful => f64::from(u8::from(winner == Player::One)),
            Outcome::Win(winner) => f64::from(u8::from(winner == mover)),
            Outcome::Draw if self.settings.faithful => 0.0,
            Outcome::Draw => 0.5,
        }
    }

    fn record(&mut self, path: &[usize], outcome: Outcome) {
        for &at in path {
            let mover = self.nodes[at].position.side().opponent();
            let credit = self.credit(outcome, mover);
            self.nodes[at].wins += credit;
            self.nodes[at].visits += 1;
        }
    }

    /// One playout more for each child of the root, which has all moves as children.
    fn play_flat(&mut self) {
        if self.nodes[0].children.is_empty() {
            for (child, outcome) in self.expand(0) {
                self.record(&[0, child], outcome);
            }
            return;
        }
        for child in self.nodes[0].children.clone() {
            let outcome = self.play_out(child);
            self.record(&[0, child], outcome);
        }
    }

    /// The child of the root to play: the most visited one; without a tree the one with the best average. The first of
    /// equals.
    fn best_child(&self) -> Option<usize> {
        let children = self.nodes[0].children.clone().rev();
        if self.settings.flat > 0 {
            let average = |child: usize| self.nodes[child].wins / self.nodes[child].visits.max(1) as f64;
            children.max_by(|&a, &b| average(a).total_cmp(&average(b)))
        } else {
            children.max_by_key(|&child| self.nodes[child].visits)
        }
    }

    fn iterate(&mut self) {
        let mut path = vec![0];
        let mut at = 0;
        while !self.nodes[at].children.is_empty() {
            let parent = self.nodes[at].visits;
            let mut best = (f64::NEG_INFINITY, at);
            for child in self.nodes[at].children.clone() {
                let node = &self.nodes[child];
                let value = ucb1(node.wins, node.visits, parent, self.settings.c);
                if value > best.0 {
                    best = (value, child);
                }
            }
            at = best.1;
            path.push(at);
        }
        self.deepest = self.deepest.max(path.len() as u32);
        if let Some(end) = self.nodes[at].position.end() {
            self.record(&path, end.outcome);
            return;
        }
        for (child, outcome) in self.expand(at) {
            path.push(child);
            self.record(&path, outcome);
            path.pop();
        }
    }
}

/// The Monte Carlo bot.
#[derive(Debug)]
struct SixBest {
    settings: Settings,
    rng: SearchRng,
}

impl Bot<Position> for SixBest {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = SearchRng::new(seed, "mcts");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let started = task.clock.now();
        let hard = task.limits.time.map(|time| TimeSettings::default().bounds(time, false).1);
        let elapsed = || task.clock.now().saturating_sub(started);
        let position = *task.record.position();
        let root = Node { position, mv: None, wins: 0.0, visits: 0, children: 0..0 };
        let mut tree =
            Tree { settings: self.settings, rng: &mut self.rng, nodes: vec![root], playouts: 0, deepest: 0 };
        let mut stop = StopReason::Playouts;
        // The first iteration always runs: it gives the root its children.
        let flat = self.settings.flat > 0;
        let rounds = if flat { self.settings.flat } else { self.settings.iterations };
        for iteration in 0..rounds.max(1) {
            if iteration > 0 {
                if task.stop.is_set() {
                    stop = StopReason::Stopped;
                    break;
                }
                if hard.is_some_and(|hard| elapsed() >= hard) {
                    stop = StopReason::Time;
                    break;
                }
                if task.limits.playouts.is_some_and(|limit| tree.playouts >= limit) {
                    break;
                }
            }
            if flat {
                tree.play_flat();
            } else {
                tree.iterate();
            }
        }
        let most = tree.best_child().and_then(|child| tree.nodes[child].mv.map(|mv| (mv, child)));
        let Some((mv, best)) = most else {
            return Err(no_move());
        };
        let analysis = analysis(&tree, mv, best, stop, elapsed());
        Ok(Answer { mv, analysis: Some(analysis) })
    }
}

/// A share of wins as a score: 0 for even, ±1000 for all or none.
fn score_of(node: &Node) -> Score {
    Score::new((2000.0 * node.wins / node.visits.max(1) as f64 - 1000.0) as i32)
}

fn analysis(tree: &Tree<'_>, mv: Move, best: usize, stop: StopReason, time: Duration) -> Analysis<Move> {
    let mut analysis = Analysis {
        best: Some(mv),
        score: score_of(&tree.nodes[best]),
        pv: vec![mv],
        depth: tree.deepest,
        stop,
        ..Analysis::default()
    };
    let all: u64 = tree.nodes[0].children.clone().map(|child| tree.nodes[child].visits).sum();
    let mut root: Vec<RootMove<Move>> = tree.nodes[0]
        .children
        .clone()
        .filter_map(|child| {
            let node = &tree.nodes[child];
            let weight = node.visits as f64 / all.max(1) as f64;
            node.mv.map(|mv| RootMove {
                mv,
                score: score_of(node),
                bound: Bound::Exact,
                visits: node.visits,
                weight,
            })
        })
        .collect();
    root.sort_by_key(|row| std::cmp::Reverse(row.visits));
    analysis.root = root;
    analysis.stats.nodes = tree.nodes.len() as u64;
    analysis.stats.playouts = tree.playouts;
    analysis.stats.time = time;
    analysis
}

const ITERATIONS: Setting<Range<u64>> = Setting::range(
    "iterations",
    1..=u64::MAX,
    300,
    "iterations per move; each plays one game from every new child",
);

const EXPAND: Setting<Range<usize>> = Setting::range(
    "expand",
    0..=200,
    6,
    "how many actions of a node are kept, best token ratio first; 0 keeps all",
);

const EXPLORATION: Setting<Range<f64>> = Setting::range("c", 0.0..=100.0, 1.41, "weight of exploration");

const ROLLOUT: Setting<Choice<Playout>> = Setting::choice(
    "rollout",
    &[("uniform", Playout::Uniform), ("nosuicide", Playout::NoSuicide), ("decisive", Playout::Decisive)],
    "uniform",
    "playouts over all moves, without booms that hit no enemy, or the same and taking every win at once",
);

const FLAT: Setting<Range<u64>> = Setting::range(
    "flat",
    0..=1_000_000,
    0,
    "no tree: this many playouts for every move, and the best average (10 in an unused variant); 0 for the tree",
);

const FAITHFUL: Setting<Flag> = Setting::flag(
    "faithful",
    false,
    "with the two faults of the authors' program: forgotten brackets, White's wins counted for both",
);

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "mcts",
        "the report's Monte Carlo bot: 300 iterations over the 6 best-looking actions of each node",
        |options| {
            let flat = options.get(&FLAT);
            let settings = Settings {
                iterations: options.get(&ITERATIONS),
                // Flat Monte Carlo looks at every move.
                expand: if flat > 0 { 0 } else { options.get(&EXPAND) },
                flat,
                c: options.get(&EXPLORATION),
                rollout: options.get(&ROLLOUT),
                faithful: options.get(&FAITHFUL),
            };
            Ok(Box::new(SixBest { settings, rng: SearchRng::new(0, "mcts") }))
        },
    )
    .with(&[&ITERATIONS, &EXPAND, &EXPLORATION, &ROLLOUT, &FLAT, &FAITHFUL])
}
