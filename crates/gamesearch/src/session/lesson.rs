//! Monte Carlo tree search as the lecture has it, an iteration at a time, on a real game: selection by UCB1, expansion by one
//! move, a random playout, and the result backed up. Written to be watched, not to be fast.

use search_core::{Active, End, Game, Player, SearchRng};
use serde_json::{Value, json};

use super::words;
use crate::Listed;

/// The most iterations of one request, and the most nodes of one answer.
const MOST_STEPS: u64 = 1000;
const MOST_NODES: usize = 400;
/// A playout is cut here, and counts as a draw: not every game ends by itself.
const LONGEST: u32 = 2000;
/// The most moves of a playout that are shown.
const SHOWN: usize = 24;

struct Node<G: Game> {
    parent: Option<usize>,
    /// The move that leads here and who made it.
    by: Option<(G::Move, Player)>,
    position: G,
    end: Option<End>,
    untried: Vec<G::Move>,
    children: Vec<usize>,
    visits: u32,
    /// Results for the player who moved here: 1 for a win, a half for a draw.
    total: f64,
}

/// A tree that grows before one's eyes.
pub(super) struct Lesson<G: Game> {
    nodes: Vec<Node<G>>,
    rng: SearchRng,
    c: f64,
    last: Value,
}

impl<G: Listed> Lesson<G> {
    pub(super) fn new(position: &G, seed: u64, c: f64) -> Result<Lesson<G>, String> {
        if position.active() == Active::Both {
            return Err(format!(
                "in {} both players choose at once; this tree is for games in which they move in turn",
                G::TITLE
            ));
        }
        let mut lesson =
            Lesson { nodes: Vec::new(), rng: SearchRng::new(seed, "lesson"), c, last: Value::Null };
        lesson.add(None, None, position.clone());
        Ok(lesson)
    }

    /// The position at the root.
    pub(super) fn root(&self) -> &G {
        &self.nodes[0].position
    }

    fn add(&mut self, parent: Option<usize>, by: Option<(G::Move, Player)>, position: G) -> usize {
        let end = position.end();
        let untried = match (end, position.active()) {
            (None, Active::One(player)) => position.move_list(player).as_ref().to_vec(),
            _ => Vec::new(),
        };
        let id = self.nodes.len();
        self.nodes.push(Node {
            parent,
            by,
            position,
            end,
            untried,
            children: Vec::new(),
            visits: 0,
            total: 0.0,
        });
        if let Some(parent) = parent {
            self.nodes[parent].children.push(id);
        }
        id
    }

    fn mean(&self, id: usize) -> f64 {
        let node = &self.nodes[id];
        if node.visits == 0 { 0.0 } else { node.total / f64::from(node.visits) }
    }

    /// The upper confidence bound by which a node's parent chooses.
    fn bound(&self, id: usize) -> Option<f64> {
        let node = &self.nodes[id];
        let parent = &self.nodes[node.parent?];
        (node.visits > 0).then(|| {
            self.mean(id) + self.c * (libm::log(f64::from(parent.visits)) / f64::from(node.visits)).sqrt()
        })
    }

    /// One iteration.
    fn step(&mut self) {
        // Selection: down the largest bounds, as long as every move of a node has been tried.
        let mut at = 0;
        let mut line = vec![json!({ "node": 0 })];
        while self.nodes[at].untried.is_empty() && self.nodes[at].end.is_none() {
            let bounds =
                self.nodes[at].children.iter().filter_map(|&child| Some((child, self.bound(child)?)));
            let Some((child, bound)) = bounds.reduce(|best, next| if next.1 > best.1 { next } else { best })
            else {
                break;
            };
            at = child;
            line.push(json!({ "node": at, "move": self.move_text(at), "ucb": words::rounded(bound, 4) }));
        }
        // Expansion: one new child, drawn among the moves that were not tried.
        let mut expanded = Value::Null;
        let left = self.nodes[at].untried.len();
        if let (Active::One(player), true) = (self.nodes[at].position.active(), left > 0) {
            let place = self.rng.below(left);
            let mv = self.nodes[at].untried.remove(place);
            let mut position = self.nodes[at].position.clone();
            if let Some(turn) = one_move::<G>(position.active(), player, mv) {
                position.play_turn(turn);
            }
            let parent = at;
            at = self.add(Some(parent), Some((mv, player)), position);
            expanded = json!({ "node": at, "parent": parent, "move": mv.to_string() });
        }
        // Playout: random moves to the end.
        let mut position = self.nodes[at].position.clone();
        let (mut turns, mut more) = (Vec::new(), 0_u32);
        let end = loop {
            if let Some(end) = position.end() {
                break Some(end);
            }
            let active = position.active();
            let Active::One(player) = active else { break None };
            let turn = position
                .sample(player, &mut self.rng)
                .and_then(|mv| Some((mv, one_move::<G>(active, player, mv)?)));
            let Some((mv, turn)) = turn.filter(|_| more + (turns.len() as u32) < LONGEST) else { break None };
            if turns.len() < SHOWN {
                turns.push(mv.to_string());
            } else {
                more += 1;
            }
            position.play_turn(turn);
        };
        // Backup: every node on the line counts the result for the player who moved there.
        let mut backed = Vec::new();
        let mut up = Some(at);
        while let Some(id) = up {
            let root_view =
                self.nodes[0].position.active().players().next().unwrap_or(Player::One).opponent();
            let node = &mut self.nodes[id];
            // The root is seen as if its opponent had moved there.
            let player = node.by.map_or(root_view, |(_, player)| player);
            node.visits += 1;
            node.total += end.map_or(0.5, |end| f64::midpoint(f64::from(end.outcome.sign(player)), 1.0));
            up = node.parent;
            backed.push(json!({ "node": id, "visits": self.nodes[id].visits, "mean": words::rounded(self.mean(id), 4) }));
        }
        let over = end.map_or_else(
            || json!({ "outcome": "draw", "text": "cut off, counts as a draw" }),
            |end| words::ended::<G>(end.outcome, end.reason),
        );
        self.last = json!({
            "select": line,
            "expand": expanded,
            "playout": { "turns": turns, "more": more, "end": over },
            "backup": backed,
        });
    }

    fn move_text(&self, id: usize) -> Value {
        self.nodes[id].by.map_or(Value::Null, |(mv, _)| json!(mv.to_string()))
    }

    /// Goes on, and describes the last iteration and the tree.
    pub(super) fn go(&mut self, steps: u64) -> Result<Value, String> {
        if steps > MOST_STEPS {
            return Err(format!("expected at most {MOST_STEPS} steps, found {steps}"));
        }
        for _ in 0..steps {
            self.step();
        }
        // The most visited ones, so that a parent is there wherever a child is; in the order in which they came.
        let mut shown: Vec<usize> = (0..self.nodes.len()).collect();
        shown.sort_by_key(|&id| (std::cmp::Reverse(self.nodes[id].visits), id));
        shown.truncate(MOST_NODES);
        shown.sort_unstable();
        let nodes = shown.iter().map(|&id| {
            let node = &self.nodes[id];
            let mut value = json!({
                "node": id,
                "parent": node.parent,
                "move": self.move_text(id),
                "player": node.by.map(|(_, player)| player.to_string()),
                "visits": node.visits,
                "mean": words::rounded(self.mean(id), 4),
                "untried": node.untried.len(),
            });
            if let Some(bound) = self.bound(id) {
                value["ucb"] = json!(words::rounded(bound, 4));
            }
            value
        });
        Ok(json!({
            "iterations": self.nodes[0].visits,
            "size": self.nodes.len(),
            "last": self.last,
            "nodes": nodes.collect::<Value>(),
        }))
    }
}

/// The turn of a player who moves alone.
fn one_move<G: Game>(active: Active, player: Player, mv: G::Move) -> Option<G::Turn> {
    let mut moves = [None, None];
    moves[player.index()] = Some(mv);
    search_core::Turn::from_moves(active, moves)
}
