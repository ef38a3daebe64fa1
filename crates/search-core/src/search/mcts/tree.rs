//! The tree of a Monte Carlo search: two flat arrays of a fixed size, addressed by index.
//!
//! The children of a node are one block of neighbours, always behind their parent. So the tree can be thinned out or
//! moved to a new root in one pass from front to back, in place. What the choice of a child reads (average and width of
//! the confidence bound) stands in an array of its own: a node of seven children fits a cache line.

use crate::{Outcome, Player};

/// No node.
const NONE: u32 = u32::MAX;

/// A proven result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    Open,
    Won(Player),
    Drawn,
}

impl Proof {
    pub(super) fn of(outcome: Outcome) -> Proof {
        match outcome {
            Outcome::Win(player) => Proof::Won(player),
            Outcome::Draw => Proof::Drawn,
        }
    }

    /// 1 for a win of `player`, 0 for a loss, a half for a draw.
    #[inline]
    pub(super) fn value(self, player: Player) -> f64 {
        match self {
            Proof::Won(winner) => f64::from(u8::from(winner == player)),
            Proof::Open | Proof::Drawn => 0.5,
        }
    }
}

/// What the choice of a child looks at, seen from the player who chooses.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hot {
    /// The average result; infinite before the first visit, minus infinite for a proven loss.
    pub(super) mean: f32,
    /// `1 / sqrt(visits)`.
    pub(super) width: f32,
}

/// Everything else about a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<M> {
    /// Sum of the results for the player who moved here.
    pub(super) total: f64,
    pub(super) visits: u32,
    /// Where the children start.
    first: u32,
    /// Only kept for the first node of a block.
    parent: u32,
    pub(super) prior: f32,
    children: u16,
    /// Distance to the end, for a proven node.
    pub(super) plies: u16,
    pub(super) proof: Proof,
    /// Moves were left out among the children: nothing is proven by them being lost.
    pub(super) partial: bool,
    /// The move that leads here; none at the root.
    pub(super) mv: Option<M>,
}

impl<M> Node<M> {
    fn new(mv: Option<M>, parent: u32, prior: f32) -> Self {
        Node {
            total: 0.0,
            visits: 0,
            first: NONE,
            parent,
            prior,
            children: 0,
            plies: 0,
            proof: Proof::Open,
            partial: false,
            mv,
        }
    }

    pub(super) fn is_expanded(&self) -> bool {
        self.children > 0
    }
}

const FRESH: Hot = Hot { mean: f32::INFINITY, width: 1.0 };

/// The trees of several threads stand side by side, and each thread writes into the head of its own all the time: no two
/// of them share a line of memory (two lines, because processors fetch them in pairs).
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Tree<M> {
    hot: Vec<Hot>,
    nodes: Vec<Node<M>>,
    capacity: usize,
    /// A block did not fit since the last look.
    pub(super) full: bool,
    /// How often parts of the tree were given up.
    pub(super) recycled: u64,
}

pub(super) const ROOT: usize = 0;

/// The bytes of a node in both arrays.
pub(super) const fn node_bytes<M>() -> usize {
    size_of::<Hot>() + size_of::<Node<M>>()
}

impl<M: Copy + Eq> Tree<M> {
    /// A tree of at most `bytes` bytes, or fewer where the system has no memory for so many, with nothing but a root.
    pub(super) fn new(bytes: usize) -> Self {
        const LEAST: usize = 16;
        let mut capacity = (bytes.max(1 << 16) / node_bytes::<M>()).clamp(LEAST, NONE as usize);
        let (mut hot, mut nodes) = (Vec::new(), Vec::new());
        while hot.try_reserve_exact(capacity).is_err() || nodes.try_reserve_exact(capacity).is_err() {
            // What was had of the larger size is given back.
            (hot, nodes) = (Vec::new(), Vec::new());
            if capacity <= LEAST {
                break;
            }
            capacity = (capacity / 2).max(LEAST);
        }
        let mut tree = Tree { hot, nodes, capacity, full: false, recycled: 0 };
        tree.clear();
        tree
    }

    /// The bytes the arrays occupy.
    pub(super) fn bytes(&self) -> usize {
        self.hot.capacity() * size_of::<Hot>() + self.nodes.capacity() * size_of::<Node<M>>()
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Back to a lone root.
    pub(super) fn clear(&mut self) {
        self.hot.clear();
        self.nodes.clear();
        self.hot.push(FRESH);
        self.nodes.push(Node::new(None, NONE, 0.0));
        self.full = false;
    }

    #[inline]
    pub(super) fn node(&self, index: usize) -> &Node<M> {
        &self.nodes[index]
    }

    #[inline]
    pub(super) fn children(&self, index: usize) -> std::ops::Range<usize> {
        let node = &self.nodes[index];
        let first = node.first as usize;
        if node.children == 0 { 0..0 } else { first..first + usize::from(node.children) }
    }

    #[inline]
    pub(super) fn hot(&self, range: std::ops::Range<usize>) -> &[Hot] {
        &self.hot[range]
    }

    /// Gives a node its children; `false` (and [`Tree::full`]) if there is no room for them.
    pub(super) fn expand(
        &mut self,
        index: usize,
        moves: impl ExactSizeIterator<Item = (M, f32)>,
        partial: bool,
    ) -> bool {
        let count = moves.len();
        let first = self.nodes.len();
        if count == 0 || count > usize::from(u16::MAX) || first + count > self.capacity {
            self.full |= count > 0;
            return false;
        }
        for (mv, prior) in moves {
            self.nodes.push(Node::new(Some(mv), index as u32, prior));
            self.hot.push(FRESH);
        }
        let node = &mut self.nodes[index];
        node.first = first as u32;
        node.children = count as u16;
        node.partial = partial;
        true
    }

    /// Adds one result, seen from the player who moved to the node.
    #[inline]
    pub(super) fn add(&mut self, index: usize, value: f64) {
        let node = &mut self.nodes[index];
        node.visits += 1;
        node.total += value;
        let visits = f64::from(node.visits);
        let hot = &mut self.hot[index];
        // A proven loss stays at the bottom.
        if hot.mean != f32::NEG_INFINITY {
            hot.mean = (node.total / visits) as f32;
        }
        hot.width = 1.0 / (node.visits as f32).sqrt();
    }

    /// Marks a node as proven; `chooser` moved here.
    pub(super) fn prove(&mut self, index: usize, proof: Proof, plies: u16, chooser: Player) {
        let node = &mut self.nodes[index];
        node.proof = proof;
        node.plies = plies;
        if proof == Proof::Won(chooser.opponent()) {
            self.hot[index].mean = f32::NEG_INFINITY;
        }
    }

    /// What the children of a node prove about it; `mover` chooses there.
    pub(super) fn verdict(&self, index: usize, mover: Player) -> Option<(Proof, u16)> {
        let children = &self.nodes[self.children(index)];
        let won =
            children.iter().filter(|child| child.proof == Proof::Won(mover)).map(|child| child.plies).min();
        if let Some(plies) = won {
            return Some((Proof::Won(mover), plies.saturating_add(1)));
        }
        if self.nodes[index].partial || children.iter().any(|child| child.proof == Proof::Open) {
            return None;
        }
        let longest = |proof| {
            children
                .iter()
                .filter(|child| child.proof == proof)
                .map(|child| child.plies.saturating_add(1))
                .max()
        };
        longest(Proof::Drawn).map(|plies| (Proof::Drawn, plies)).or_else(|| {
            let lost = Proof::Won(mover.opponent());
            longest(lost).map(|plies| (lost, plies))
        })
    }

    /// The child of the root that `mv` leads to.
    pub(super) fn child_of_root(&self, mv: M) -> Option<usize> {
        self.children(ROOT).find(|&child| self.nodes[child].mv == Some(mv))
    }

    /// Makes a child of the root the root; everything that does not hang on it is given up.
    pub(super) fn advance(&mut self, child: usize) {
        let block = self.children(ROOT);
        debug_assert!(block.contains(&child), "only a child of the root can become the root");
        self.nodes[ROOT] = Node { mv: None, parent: NONE, ..self.nodes[child] };
        self.hot[ROOT] = self.hot[child];
        self.nodes[child].children = 0;
        self.bury(block.start, block.len());
        self.slide(|_| true);
    }

    /// Gives up the children of the least visited nodes until about half of the room is free.
    pub(super) fn recycle(&mut self) {
        self.full = false;
        // How many nodes hang directly on nodes with 2^b visits or more.
        let mut hanging = [0_usize; 33];
        for node in self.nodes.iter().skip(1) {
            hanging[magnitude(node.visits)] += usize::from(node.children);
        }
        let mut kept = 1 + usize::from(self.nodes[ROOT].children);
        let mut lowest = 33;
        while lowest > 0 && kept + hanging[lowest - 1] <= self.capacity / 2 {
            lowest -= 1;
            kept += hanging[lowest];
        }
        self.slide(|node| magnitude(node.visits) >= lowest);
        self.recycled += 1;
    }

    /// Marks a block as given up. Its length is kept in the first node, which is not read any more.
    fn bury(&mut self, first: usize, count: usize) {
        self.nodes[first].parent = NONE;
        self.nodes[first].visits = count as u32;
    }

    /// Closes the gaps: one pass over the blocks from front to back, keeping the children of nodes that `keep` accepts
    /// (the root's always). Parents stand before their children, so a block's parent has its final place already.
    fn slide(&mut self, keep: impl Fn(&Node<M>) -> bool) {
        if self.nodes[ROOT].is_expanded() {
            let first = self.nodes[ROOT].first as usize;
            self.nodes[first].parent = ROOT as u32;
        }
        let mut write = 1;
        let mut read = 1;
        while read < self.nodes.len() {
            let parent = self.nodes[read].parent;
            let alive = parent != NONE;
            let count = if alive {
                self.nodes[parent as usize].first = write as u32;
                usize::from(self.nodes[parent as usize].children)
            } else {
                self.nodes[read].visits as usize
            };
            for offset in 0..count {
                let mut node = self.nodes[read + offset];
                if node.is_expanded() {
                    let block = node.first as usize;
                    if alive && keep(&node) {
                        self.nodes[block].parent = (write + offset) as u32;
                    } else {
                        self.bury(block, usize::from(node.children));
                        node.children = 0;
                        node.first = NONE;
                    }
                }
                if alive {
                    node.parent = parent;
                    self.nodes[write + offset] = node;
                    self.hot[write + offset] = self.hot[read + offset];
                }
            }
            read += count;
            if alive {
                write += count;
            }
        }
        self.nodes.truncate(write);
        self.hot.truncate(write);
    }
}

/// The number of binary digits.
fn magnitude(visits: u32) -> usize {
    (u32::BITS - visits.leading_zeros()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Grows a tree at random and returns the moves that lead to each expanded node with its visits.
    fn grow(tree: &mut Tree<u8>, steps: u32) {
        let mut word = 1_u64;
        for _ in 0..steps {
            let mut at = ROOT;
            loop {
                tree.add(at, 1.0);
                word = crate::split_mix(word);
                let children = tree.children(at);
                if children.is_empty() {
                    let count = 1 + word % 4;
                    tree.expand(
                        at,
                        (0..count as u8).map(|mv| (mv, 0.0)).collect::<Vec<_>>().into_iter(),
                        false,
                    );
                    break;
                }
                at = children.start + word as usize % children.len();
            }
            if tree.full {
                tree.recycle();
            }
        }
    }

    fn listing(tree: &Tree<u8>, at: usize, line: &mut Vec<u8>, out: &mut Vec<(Vec<u8>, u32)>) {
        out.push((line.clone(), tree.node(at).visits));
        for child in tree.children(at) {
            line.push(tree.node(child).mv.expect("only the root has no move"));
            listing(tree, child, line, out);
            line.pop();
        }
    }

    fn all(tree: &Tree<u8>) -> Vec<(Vec<u8>, u32)> {
        let mut out = Vec::new();
        listing(tree, ROOT, &mut Vec::new(), &mut out);
        out
    }

    #[test]
    fn advancing_keeps_exactly_the_subtree() {
        let mut tree = Tree::new(1 << 20);
        grow(&mut tree, 500);
        let child = tree.children(ROOT).start;
        let expected: Vec<_> = all(&tree)
            .into_iter()
            .filter(|(line, _)| line.first() == Some(&0))
            .map(|(line, visits)| (line[1..].to_vec(), visits))
            .collect();
        assert!(expected.len() > 20);
        tree.advance(child);
        assert_eq!(all(&tree), expected);
        assert_eq!(tree.len(), expected.len());
    }

    #[test]
    fn recycling_keeps_the_most_visited_part_within_the_room() {
        let mut tree = Tree::new(1 << 16);
        let room = tree.capacity;
        let bytes = tree.bytes();
        assert!(bytes <= 1 << 16);
        grow(&mut tree, room as u32 * 5);
        assert!(tree.recycled > 5, "recycled {} times", tree.recycled);
        assert_eq!(tree.bytes(), bytes);
        assert!(tree.len() <= room);
        tree.recycle();
        assert!(tree.len() <= room / 2, "{} of {room} nodes are left", tree.len());
        let listed = all(&tree);
        assert_eq!(listed.len(), tree.len(), "every node hangs on the root, once");
        assert_eq!(listed[0].1, room as u32 * 5);
        for index in 0..tree.len() {
            let below: u32 = tree.children(index).map(|child| tree.node(child).visits).sum();
            assert!(below <= tree.node(index).visits);
        }
    }
}
