//! The lecture's tree handed to the real search: one iteration, and what it backs up.

use std::fmt;
use std::str::FromStr;

use super::Mcts;
use super::tree::{ROOT, Tree};
use crate::{
    Active, End, Game, Hooks, Limits, MctsSettings, MoveSink, Outcome, Player, Record, Search, Standard,
    TurnBased, Zero,
};

/// Black is to move at the root.
const BLACK: Player = Player::One;

/// Three moves everywhere for nine plies, and black has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BlackWins {
    plies: u32,
}

impl fmt::Display for BlackWins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.plies)
    }
}

impl FromStr for BlackWins {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(|plies| BlackWins { plies })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Branch(u8);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Branch {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Branch)
    }
}

impl Game for BlackWins {
    const NAME: &'static str = "black-wins";

    type Move = Branch;
    type Turn = Branch;
    type Moves = Vec<Branch>;
    type Setup = Standard;

    fn initial(_: &Standard, _: u64) -> Self {
        BlackWins { plies: 0 }
    }

    fn active(&self) -> Active {
        Active::One(self.to_move())
    }

    fn moves_of<S: MoveSink<Branch>>(&self, player: Player, sink: &mut S) {
        if player == self.to_move() && self.end().is_none() {
            (0..3).for_each(|branch| sink.push(Branch(branch)));
        }
    }

    fn play_turn(&mut self, _: Branch) {
        self.plies += 1;
    }

    fn end(&self) -> Option<End> {
        (self.plies >= 9).then(|| End::by_rule(Outcome::Win(BLACK), "black"))
    }

    fn key(&self) -> u64 {
        u64::from(self.plies)
    }
}

impl TurnBased for BlackWins {
    fn to_move(&self) -> Player {
        Player::after(self.plies)
    }
}

/// Gives a node children with these wins and visits; the place of the first.
fn grow(tree: &mut Tree<Branch>, at: usize, children: &[(u32, u32)]) -> usize {
    let moves: Vec<(Branch, f32)> = (0..children.len() as u8).map(|branch| (Branch(branch), 0.0)).collect();
    assert!(tree.expand(at, moves.into_iter(), false));
    let first = tree.children(at).start;
    for (place, &(wins, visits)) in children.iter().enumerate() {
        fill(tree, first + place, wins, visits);
    }
    first
}

fn fill(tree: &mut Tree<Branch>, at: usize, wins: u32, visits: u32) {
    (0..visits).for_each(|visit| tree.add(at, f64::from(u8::from(visit < wins))));
}

#[test]
fn one_iteration_of_the_lectures_tree() {
    // Wins of the player who moved to the node, and visits. The children of a node share its visits.
    let mut tree = Tree::new(1 << 20);
    fill(&mut tree, ROOT, 37, 100);
    let black = grow(&mut tree, ROOT, &[(60, 79), (1, 10), (2, 11)]);
    let white = grow(&mut tree, black, &[(3, 26), (16, 53)]) + 1;
    let deeper = grow(&mut tree, white, &[(27, 35), (10, 18)]);

    let start = BlackWins { plies: 0 };
    let mut search = Mcts::new(Hooks::new(Zero), MctsSettings::default());
    search.trees.push(tree);
    search.root = Some((start.key(), Vec::new()));
    let before = search.tree_nodes();
    let analysis = search.analyse(&Record::new(start), Limits::playouts(1));
    assert_eq!(analysis.stats.playouts, 1);

    let tree = &search.trees[0];
    let tally = |at: usize| (tree.node(at).total, tree.node(at).visits);
    assert_eq!(
        [ROOT, black, white, deeper].map(tally),
        [(37.0, 101), (61.0, 80), (16.0, 54), (28.0, 36)],
        "black has won once more, white has lost once more"
    );
    // Expansion: the children of 27/35, one of them visited and lost for white.
    assert_eq!(tree.len(), before + 3);
    assert_eq!(tree.children(deeper).map(tally).collect::<Vec<_>>(), [(0.0, 1), (0.0, 0), (0.0, 0)]);
    // Nobody else was touched.
    let others = [black + 1, black + 2, white - 1, deeper + 1];
    assert_eq!(others.map(tally), [(1.0, 10), (2.0, 11), (3.0, 26), (10.0, 18)]);
}
