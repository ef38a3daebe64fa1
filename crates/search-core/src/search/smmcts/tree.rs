//! The tree: nodes, the moves of both players at each, and which pair of moves leads where, in three flat arrays.

use crate::contract::share;
use crate::split_mix;

/// A move of one player at a node, with what was learned about it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Action<M> {
    pub(super) mv: M,
    pub(super) visits: u32,
    /// Sum of the results for the player.
    pub(super) total: f64,
    /// What the selector keeps of it: a regret, what it has won, or its share in the last solution.
    pub(super) gain: f64,
    /// Sum of the probabilities with which it was played.
    pub(super) weight: f64,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) visits: u32,
    /// Sum of the results for the first player.
    pub(super) total: f64,
    first: [u32; 2],
    count: [u16; 2],
}

impl Node {
    /// The average result for the first player, once there is one.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.total / f64::from(self.visits))
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.count[0] > 0 && self.count[1] > 0
    }
}

/// A slot of the map from (node, move, move) to node. A key of 0 is free: the root is no node's child.
type Slot = (u64, u32);

#[derive(Debug)]
pub(super) struct Tree<M> {
    nodes: Vec<Node>,
    actions: Vec<Action<M>>,
    slots: Vec<Slot>,
    most_nodes: usize,
    most_actions: usize,
}

pub(super) const ROOT: usize = 0;

impl<M: Copy> Tree<M> {
    /// A tree of at most `bytes` bytes, or fewer where the system has no memory for so many.
    pub(super) fn new(bytes: usize) -> Self {
        const LEAST: usize = 1 << 16;
        let mut bytes = bytes.max(LEAST);
        loop {
            // What cannot be had at last is reserved when it is needed.
            if let Some(tree) = Tree::reserved(bytes, bytes / 2 < LEAST) {
                return tree;
            }
            bytes /= 2;
        }
    }

    /// A tree of `bytes` bytes, if there is room for them or there has to be.
    fn reserved(bytes: usize, anyway: bool) -> Option<Self> {
        // A third for nodes and their map (which is kept at most two thirds full), the rest for their moves.
        let per_node = size_of::<Node>() + size_of::<Slot>() * 3 / 2;
        let most_nodes = (bytes / 3 / per_node).clamp(1, u32::MAX as usize);
        let slots = most_nodes * 3 / 2 + 1;
        let left = bytes - most_nodes * size_of::<Node>() - slots * size_of::<Slot>();
        let most_actions = (left / size_of::<Action<M>>()).min(u32::MAX as usize);
        let (mut nodes, mut actions) = (Vec::new(), Vec::new());
        let has_room =
            nodes.try_reserve_exact(most_nodes).is_ok() && actions.try_reserve_exact(most_actions).is_ok();
        if !has_room && !anyway {
            return None;
        }
        let map = match bytemuck::try_zeroed_vec(slots) {
            Ok(map) => map,
            Err(()) if anyway => vec![(0, 0); slots],
            Err(()) => return None,
        };
        let mut tree = Tree { nodes, actions, slots: map, most_nodes, most_actions };
        tree.clear();
        Some(tree)
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.actions.capacity() * size_of::<Action<M>>()
            + self.slots.capacity() * size_of::<Slot>()
    }

    pub(super) fn clear(&mut self) {
        if self.nodes.len() > 1 {
            self.slots.fill((0, 0));
        }
        self.nodes.clear();
        self.actions.clear();
        self.nodes.push(Node { visits: 0, total: 0.0, first: [0; 2], count: [0; 2] });
    }

    pub(super) fn node(&self, node: usize) -> &Node {
        &self.nodes[node]
    }

    pub(super) fn add(&mut self, node: usize, value: f64) {
        self.nodes[node].visits += 1;
        self.nodes[node].total += value;
    }

    /// The moves of one side (0 or 1) at a node.
    pub(super) fn actions(&self, node: usize, side: usize) -> &[Action<M>] {
        let Node { first, count, .. } = self.nodes[node];
        &self.actions[first[side] as usize..first[side] as usize + usize::from(count[side])]
    }

    pub(super) fn actions_mut(&mut self, node: usize, side: usize) -> &mut [Action<M>] {
        let Node { first, count, .. } = self.nodes[node];
        &mut self.actions[first[side] as usize..first[side] as usize + usize::from(count[side])]
    }

    /// Gives a node the moves of both players; `false` if there is no room for them.
    pub(super) fn expand(&mut self, node: usize, moves: [&[M]; 2]) -> bool {
        let [one, two] = moves.map(<[M]>::len);
        let fits = self.actions.len() + one + two <= self.most_actions;
        if !fits || one.max(two) > usize::from(u16::MAX) || one.min(two) == 0 {
            return false;
        }
        for (side, list) in moves.into_iter().enumerate() {
            self.nodes[node].first[side] = self.actions.len() as u32;
            self.nodes[node].count[side] = list.len() as u16;
            self.actions.extend(list.iter().map(|&mv| Action {
                mv,
                visits: 0,
                total: 0.0,
                gain: 0.0,
                weight: 0.0,
            }));
        }
        true
    }

    /// Where a pair of moves leads from a node, if it was ever tried.
    #[inline]
    pub(super) fn child(&self, node: usize, pair: [usize; 2]) -> Option<usize> {
        let slot = self.slots[self.find(key(node, pair))];
        (slot.0 != 0).then_some(slot.1 as usize)
    }

    /// Where a pair of moves leads, made if there is room.
    pub(super) fn child_or_new(&mut self, node: usize, pair: [usize; 2]) -> Option<usize> {
        let key = key(node, pair);
        let place = self.find(key);
        if self.slots[place].0 != 0 {
            return Some(self.slots[place].1 as usize);
        }
        if self.nodes.len() >= self.most_nodes {
            return None;
        }
        self.slots[place] = (key, self.nodes.len() as u32);
        self.nodes.push(Node { visits: 0, total: 0.0, first: [0; 2], count: [0; 2] });
        Some(self.nodes.len() - 1)
    }

    /// The slot of a key, or the free one where it belongs. A third of the slots is always free.
    #[inline]
    fn find(&self, key: u64) -> usize {
        let count = self.slots.len();
        let mut place = share(split_mix(key), count as u64) as usize;
        while self.slots[place].0 != 0 && self.slots[place].0 != key {
            place = if place + 1 == count { 0 } else { place + 1 };
        }
        place
    }
}

/// Never 0.
#[inline]
fn key(node: usize, [one, two]: [usize; 2]) -> u64 {
    (node as u64 + 1) << 32 | (one as u64) << 16 | two as u64
}
