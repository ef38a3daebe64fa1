//! Game trees as they stand in textbooks: drawn by hand, with numbers at the leaves.

use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use search_core::{Active, End, Game, MoveSink, Outcome, Player, Standard, TurnBased, derive_seed};

/// A node: its value (the payoff of the first player at a leaf, a guess of it elsewhere), whether the move into it is noisy,
/// and its children.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The payoff of the first player, or a guess of it.
    pub value: i32,
    /// Whether the move into the node is noisy.
    pub noisy: bool,
    /// Where the moves lead, in order.
    pub children: Vec<Arc<Node>>,
}

impl fmt::Display for Node {
    /// `7` for a leaf, `3(7 1)` for a node with a guess and two children, `!` in front of a noisy one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.noisy { "!" } else { "" }, self.value)?;
        for (index, child) in self.children.iter().enumerate() {
            write!(f, "{}{child}", if index == 0 { "(" } else { " " })?;
        }
        if self.children.is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// A position: a node of the tree, and who chooses there. The players take turns; the game ends at a leaf.
#[derive(Debug, Clone)]
pub struct Tree {
    /// The node.
    pub node: Arc<Node>,
    /// Who chooses there.
    pub mover: Player,
}

/// A move: the number of the child, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Branch(pub u8);

impl fmt::Display for Branch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A text that is not a tree or a branch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    expected: &'static str,
    at: usize,
    found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at character {}, found `{}`", self.expected, self.at + 1, self.found)
    }
}

impl Error for ParseError {}

impl FromStr for Branch {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.parse() {
            Ok(number @ 1..) if !text.starts_with(['+', '0']) => Ok(Branch(number)),
            _ => Err(ParseError {
                expected: "the number of a child, from 1 to 255",
                at: 0,
                found: text.to_owned(),
            }),
        }
    }
}

/// Reads a tree from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    /// Deeper trees are refused, so that no text can exhaust the stack.
    const DEEPEST: usize = 64;

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn fail(&self, expected: &'static str) -> ParseError {
        ParseError { expected, at: self.at, found: self.rest().chars().take(20).collect() }
    }

    fn take(&mut self, token: char) -> bool {
        let found = self.rest().starts_with(token);
        self.at += if found { token.len_utf8() } else { 0 };
        found
    }

    fn node(&mut self, depth: usize) -> Result<Node, ParseError> {
        if depth > Reader::DEEPEST {
            return Err(self.fail("a tree of at most 64 levels"));
        }
        let noisy = self.take('!');
        let length = self.rest().bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
        let number: Result<i32, _> = self.rest()[..length].parse();
        let value = number.map_err(|_| self.fail("a number"))?;
        self.at += length;
        let mut children = Vec::new();
        if self.take('(') {
            loop {
                if children.len() == usize::from(u8::MAX) {
                    return Err(self.fail("at most 255 children"));
                }
                children.push(Arc::new(self.node(depth + 1)?));
                if self.take(')') {
                    break;
                }
                if !self.take(' ') {
                    return Err(self.fail("a space or `)`"));
                }
            }
        }
        Ok(Node { value, noisy, children })
    }
}

impl FromStr for Tree {
    type Err = ParseError;

    /// `p1 0(0(3 12 8) 0(2 4 6) 0(14 5 2))`: the player to move, and the tree.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut reader = Reader { text, at: 0 };
        let mover = match text.get(..3) {
            Some("p1 ") => Player::One,
            Some("p2 ") => Player::Two,
            _ => return Err(reader.fail("`p1 ` or `p2 `")),
        };
        reader.at = 3;
        let node = Arc::new(reader.node(0)?);
        if reader.at < text.len() {
            return Err(reader.fail("the end of the tree"));
        }
        Ok(Tree { node, mover })
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.mover, self.node)
    }
}

impl Game for Tree {
    const NAME: &'static str = "textbook-tree";

    type Move = Branch;
    type Turn = Branch;
    type Moves = Vec<Branch>;
    type Setup = Standard;

    /// The two-ply example of the lecture.
    fn initial(_: &Standard, _: u64) -> Self {
        let leaf = |value| Arc::new(Node { value, noisy: false, children: Vec::new() });
        let inner = |children| Arc::new(Node { value: 0, noisy: false, children });
        let branches = [[3, 12, 8], [2, 4, 6], [14, 5, 2]];
        let node = inner(branches.map(|leaves| inner(leaves.map(leaf).to_vec())).to_vec());
        Tree { node, mover: Player::One }
    }

    fn active(&self) -> Active {
        Active::One(self.mover)
    }

    fn moves_of<S: MoveSink<Branch>>(&self, player: Player, sink: &mut S) {
        if player == self.mover {
            for number in 1..=self.node.children.len() {
                sink.push(Branch(number as u8));
            }
        }
    }

    fn play_turn(&mut self, Branch(number): Branch) {
        debug_assert!((1..=self.node.children.len()).contains(&usize::from(number)), "no branch {number}");
        self.node = Arc::clone(&self.node.children[usize::from(number) - 1]);
        self.mover = self.mover.opponent();
    }

    fn end(&self) -> Option<End> {
        let outcome = match self.node.value.signum() {
            1 => Outcome::Win(Player::One),
            -1 => Outcome::Win(Player::Two),
            _ => Outcome::Draw,
        };
        self.node.children.is_empty().then(|| End::by_rule(outcome, "leaf"))
    }

    fn utility(&self, player: Player) -> i32 {
        match player {
            _ if !self.node.children.is_empty() => 0,
            Player::One => self.node.value,
            Player::Two => self.node.value.saturating_neg(),
        }
    }

    fn key(&self) -> u64 {
        derive_seed(0, &self.to_string())
    }
}

impl TurnBased for Tree {
    fn to_move(&self) -> Player {
        self.mover
    }
}
