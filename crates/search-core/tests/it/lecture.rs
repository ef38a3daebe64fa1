//! The numbers of `docs/adversarial-search.md`, computed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use rand::{Rng, RngExt};
use search_core::{
    AlphaBeta, AlphaBetaSettings, Ends, Evaluate, Game, Hooks, Limits, Player, Quiesce, Record, Score,
    Search, TurnBased, Zero, perft_played, reference, stream, ucb1,
};
use toys::textbook_tree::{Branch, Node, Tree};
use toys::tic_tac_toe::TicTacToe;

mod laws_of_textbook_trees {
    search_core::game_laws!(super::Tree);
}

mod laws_of_tic_tac_toe {
    search_core::game_laws!(super::TicTacToe);
}

/// The page that these numbers stand on.
const PAGE: &str = include_str!("../../../../docs/adversarial-search.md");

/// A number with commas between the thousands, as the page writes it.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&[u8]> = digits.as_bytes().rchunks(3).rev().collect();
    groups.iter().map(|group| String::from_utf8_lossy(group)).collect::<Vec<_>>().join(",")
}

pub(crate) fn assert_on_page(text: &str) {
    assert!(PAGE.contains(text), "docs/adversarial-search.md does not say `{text}`");
}

/// The value that the first player's side of a number has for a player.
fn view(player: Player, value: i32) -> Score {
    Score::new(if player == Player::One { value } else { -value })
}

fn textbook() -> Tree {
    "p1 0(0(3 12 8) 0(2 4 6) 0(14 5 2))".parse().unwrap()
}

#[test]
fn the_two_ply_example_is_worth_3() {
    let record = Record::new(textbook());
    let full = reference::minimax(&record, 2, &Zero, Ends::Utility);
    assert_eq!((full.score.value(), full.best, full.leaves), (3, Some(Branch(1)), 9));
    let pruned = reference::alpha_beta(&record, 2, &Zero, Ends::Utility);
    assert_eq!((pruned.score.value(), pruned.best, pruned.leaves), (3, Some(Branch(1)), 7));
}

/// Calls `visit` at every leaf that alpha-beta looks at, in order, with the values of the first player.
fn leaves_of_alpha_beta(tree: &Tree) -> Vec<i32> {
    // The depth limit stands at the leaves' parents' children: the leaves are judged by the evaluation, which notes them.
    fn unfinished(node: &Node) -> Node {
        let children = node.children.iter().map(|child| Arc::new(unfinished(child)));
        let mut children: Vec<Arc<Node>> = children.collect();
        if children.is_empty() {
            children.push(Arc::new(Node { value: 0, noisy: false, children: Vec::new() }));
        }
        Node { children, ..node.clone() }
    }
    let tree = Tree { node: Arc::new(unfinished(&tree.node)), mover: tree.mover };
    let seen = Mutex::new(Vec::new());
    let evaluate = |position: &Tree, player: Player| {
        seen.lock().unwrap().push(position.node.value);
        view(player, position.node.value)
    };
    reference::alpha_beta(&Record::new(tree), 2, &evaluate, Ends::Utility);
    seen.into_inner().unwrap()
}

#[test]
fn alpha_beta_leaves_out_the_two_leaves_after_the_2() {
    assert_eq!(leaves_of_alpha_beta(&textbook()), [3, 12, 8, 2, 14, 5, 2]);
}

/// What is known of a node's value once the first `known` of alpha-beta's leaves have been seen: an interval.
fn interval(node: &Node, mover: Player, leaves: &mut impl FnMut() -> Option<i32>) -> (f64, f64) {
    if node.children.is_empty() {
        let unknown = (f64::NEG_INFINITY, f64::INFINITY);
        return leaves().map_or(unknown, |value| (f64::from(value), f64::from(value)));
    }
    let intervals: Vec<(f64, f64)> =
        node.children.iter().map(|child| interval(child, mover.opponent(), leaves)).collect();
    let fold = |pick: fn(&(f64, f64)) -> f64| {
        let values = intervals.iter().map(pick);
        if mover == Player::One {
            values.fold(f64::NEG_INFINITY, f64::max)
        } else {
            values.fold(f64::INFINITY, f64::min)
        }
    };
    (fold(|interval| interval.0), fold(|interval| interval.1))
}

#[test]
fn the_intervals_of_the_walk_through() {
    const MINUS: f64 = f64::NEG_INFINITY;
    const PLUS: f64 = f64::INFINITY;
    let tree = textbook();
    // Which of the nine leaves alpha-beta looks at, in its order: the second branch is left after its first leaf.
    let visited = [0, 1, 2, 3, 6, 7, 8];
    // For each stage: the interval of the root, and of the branch that is being looked at.
    let stages = [
        ("a: 3", (MINUS, PLUS), (MINUS, 3.0)),
        ("b: 12", (MINUS, PLUS), (MINUS, 3.0)),
        ("c: 8", (3.0, PLUS), (3.0, 3.0)),
        ("d: 2", (3.0, PLUS), (MINUS, 2.0)),
        ("e: 14", (3.0, 14.0), (MINUS, 14.0)),
        ("e': 5", (3.0, 5.0), (MINUS, 5.0)),
        ("f: 2", (3.0, 3.0), (2.0, 2.0)),
    ];
    let values = [3, 12, 8, 2, 4, 6, 14, 5, 2];
    for (seen, (name, root, branch)) in stages.into_iter().enumerate() {
        let known = &visited[..=seen];
        let knowledge = |first: usize| {
            let mut index = first;
            move || {
                index += 1;
                known.contains(&(index - 1)).then(|| values[index - 1])
            }
        };
        assert_eq!(interval(&tree.node, Player::One, &mut knowledge(0)), root, "root at {name}");
        let number = visited[seen] / 3;
        let child = &tree.node.children[number];
        assert_eq!(interval(child, Player::Two, &mut knowledge(3 * number)), branch, "branch at {name}");
    }
}

/// A full tree of `width` children and `depth` plies without any storage, in which each player's first move is best: every
/// step away from it costs as much as its number. `order` says which child the generator names first.
#[derive(Clone, Copy)]
struct Full {
    width: u64,
    depth: u32,
    order: fn(&Full, u64) -> u64,
    ply: u32,
    path: u64,
    value: i64,
}

impl Full {
    fn new(width: u64, depth: u32, order: fn(&Full, u64) -> u64) -> Full {
        Full { width, depth, order, ply: 0, path: 0, value: 0 }
    }

    fn child(&self, index: u64) -> Full {
        let step = (self.order)(self, index) as i64;
        let value = self.value + if self.ply.is_multiple_of(2) { -step } else { step };
        Full { ply: self.ply + 1, path: self.path * self.width + index, value, ..*self }
    }

    /// Alpha-beta from the mover's view; counts leaves.
    fn alpha_beta(&self, mut alpha: i64, beta: i64, leaves: &mut u64) -> i64 {
        if self.ply == self.depth {
            *leaves += 1;
            return if self.ply.is_multiple_of(2) { self.value } else { -self.value };
        }
        for index in 0..self.width {
            let score = -self.child(index).alpha_beta(-beta, -alpha, leaves);
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

fn best_first(_: &Full, index: u64) -> u64 {
    index
}

fn worst_first(tree: &Full, index: u64) -> u64 {
    tree.width - 1 - index
}

/// A rotation by a hash of the path: every child comes first equally often.
fn shuffled(tree: &Full, index: u64) -> u64 {
    (index + search_core::split_mix(tree.path + (u64::from(tree.ply) << 48))) % tree.width
}

#[test]
fn perfect_ordering_halves_the_exponent() {
    println!("width 5, leaves visited by alpha-beta");
    println!("{:>5} {:>9} {:>9} {:>9} {:>9}", "depth", "minimax", "worst", "shuffled", "best");
    let count = |depth, order| {
        let mut leaves = 0;
        assert_eq!(Full::new(5, depth, order).alpha_beta(-1 << 40, 1 << 40, &mut leaves), 0);
        leaves
    };
    for depth in 1..=8 {
        let all = 5_u64.pow(depth);
        let [worst, random, best] = [worst_first, shuffled, best_first].map(|order| count(depth, order));
        println!("{depth:>5} {all:>9} {worst:>9} {random:>9} {best:>9}");
        let row = [all, worst, random, best].map(grouped).join(" | ");
        assert_on_page(&format!("| {depth} | {row} |"));
        // Knuth and Moore: with the best move first, b^ceil(m/2) + b^floor(m/2) - 1 leaves.
        assert_eq!(best, 5_u64.pow(depth.div_ceil(2)) + 5_u64.pow(depth / 2) - 1);
        assert!(best <= random && random <= worst && worst <= all);
        assert!(depth < 3 || (best < random && random < worst));
    }
}

/// Minimax that stores all moves of a node at once, or asks for one at a time; returns the largest number of moves that
/// were stored together.
fn peak_of_stored_moves<G: TurnBased>(position: &G, depth: u32, at_once: bool) -> usize {
    if depth == 0 || position.end().is_some() {
        return 0;
    }
    let mover = position.to_move();
    if at_once {
        let moves = position.move_list(mover);
        let moves = moves.as_ref();
        let below = moves.iter().map(|&mv| peak_of_stored_moves(&position.after(mv), depth - 1, true)).max();
        moves.len() + below.unwrap_or(0)
    } else {
        let below = (0..).map_while(|index| position.nth_move(mover, index));
        1 + below.map(|mv| peak_of_stored_moves(&position.after(mv), depth - 1, false)).max().unwrap_or(0)
    }
}

#[test]
fn minimax_stores_b_times_m_moves_or_m() {
    fn full(width: usize, depth: usize) -> Node {
        // Equal subtrees are one and the same.
        let child = (depth > 0).then(|| Arc::new(full(width, depth - 1)));
        let children = child.map_or(Vec::new(), |child| vec![child; width]);
        Node { value: 0, noisy: false, children }
    }
    for (width, depth) in [(2, 10), (3, 6), (6, 4)] {
        let tree = Tree { node: Arc::new(full(width, depth)), mover: Player::One };
        assert_eq!(peak_of_stored_moves(&tree, 64, true), width * depth);
        assert_eq!(peak_of_stored_moves(&tree, 64, false), depth);
    }
    assert_eq!(peak_of_stored_moves(&TicTacToe::default(), 9, true), 9 + 8 + 7 + 6 + 5 + 4 + 3 + 2 + 1);
    assert_eq!(peak_of_stored_moves(&TicTacToe::default(), 9, false), 9);
}

#[test]
fn tic_tac_toe_is_counted_and_solved() {
    fn visit(position: TicTacToe, seen: &mut HashSet<TicTacToe>) {
        if seen.insert(position) {
            for &mv in &position.move_list(position.to_move()) {
                visit(position.after(mv), seen);
            }
        }
    }
    fn games(position: TicTacToe) -> u64 {
        if position.end().is_some() {
            return 1;
        }
        position.move_list(position.to_move()).iter().map(|&mv| games(position.after(mv))).sum()
    }
    let start = TicTacToe::default();
    let mut states = HashSet::new();
    visit(start, &mut states);
    assert_eq!(states.len(), 5_478);
    assert_eq!(games(start), 255_168);
    // Full boards only, lines of three or not: 9! orders less those that ended before.
    assert_eq!((perft_played(&start, 9), (1..=9_u64).product::<u64>()), (127_872, 362_880));

    let record = Record::new(start);
    let full = reference::minimax(&record, 9, &Zero, Ends::Outcome);
    let pruned = reference::alpha_beta(&record, 9, &Zero, Ends::Outcome);
    assert_eq!((full.score, full.leaves, full.nodes), (Score::DRAW, 255_168, 549_946));
    assert_eq!(pruned.score, Score::DRAW);

    // The full search with its ordering by killers and history, but without a table.
    let settings = AlphaBetaSettings {
        killers: true,
        history: true,
        counter_moves: true,
        iterative: true,
        ..AlphaBetaSettings::plain()
    };
    let ordered = AlphaBeta::new(Hooks::new(Zero), settings).analyse(&record, Limits::depth(9));
    let plain =
        AlphaBeta::new(Hooks::new(Zero), AlphaBetaSettings::plain()).analyse(&record, Limits::depth(9));
    println!("tic-tac-toe: minimax {} nodes, alpha-beta {} nodes", full.nodes, pruned.nodes);
    println!("with ordering (all nine iterations together) {} nodes", ordered.stats.nodes);
    assert_eq!((ordered.score, plain.score), (Score::DRAW, Score::DRAW));
    assert_eq!(plain.stats.nodes, pruned.nodes, "with everything off the fast search is the reference");
    assert!(ordered.stats.nodes < pruned.nodes);
    for number in [states.len() as u64, full.leaves, full.nodes, pruned.nodes] {
        assert_on_page(&grouped(number));
    }
}

#[test]
fn ucb1_weighs_exploring_against_exploiting() {
    let bounds = |c| [ucb1(60.0, 79, 100, c), ucb1(2.0, 11, 100, c)];
    let rounded = |c| bounds(c).map(|bound| (bound * 1000.0).round() / 1000.0);
    assert_eq!(rounded(1.4), [1.098, 1.088]);
    assert_eq!(rounded(1.5), [1.122, 1.152]);
    // The two lines in C cross near 1.424.
    let (mut low, mut high) = (1.4, 1.5);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        let [exploit, explore] = bounds(middle);
        if exploit > explore { low = middle } else { high = middle }
    }
    assert!((low - 1.424).abs() < 0.0005, "they cross at {low}");
    assert!(bounds(std::f64::consts::SQRT_2)[0] > bounds(std::f64::consts::SQRT_2)[1]);
    assert_eq!(ucb1(0.0, 0, 100, 1.4), f64::INFINITY);
}

/// A node of the lecture's picture: wins of the player who moved into it, and visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tally {
    mover: Player,
    wins: u32,
    visits: u32,
}

/// Back-propagation: every node on the path was visited once more, and those of the winner's moves won once more.
fn back_up(path: &mut [Tally], winner: Player) {
    for node in path {
        node.visits += 1;
        node.wins += u32::from(node.mover == winner);
    }
}

/// By hand; the real search does the same iteration in the unit tests of `src/mcts/lecture.rs`, which see its tree.
#[test]
fn one_iteration_of_the_lectures_tree() {
    const WHITE: Player = Player::One;
    const BLACK: Player = Player::Two;
    let node = |mover, wins, visits| Tally { mover, wins, visits };
    // Selection: of the root's children 60/79, 1/10 and 2/11 the first has the highest bound.
    let children = [(60.0, 79), (1.0, 10), (2.0, 11)].map(|(wins, visits)| ucb1(wins, visits, 100, 1.4));
    assert!(children[0] > children[1] && children[0] > children[2]);
    // Expansion adds a child of 27/35; the playout from there is won by black.
    let mut path = [
        node(WHITE, 37, 100),
        node(BLACK, 60, 79),
        node(WHITE, 16, 53),
        node(BLACK, 27, 35),
        node(WHITE, 0, 0),
    ];
    back_up(&mut path, BLACK);
    assert_eq!(
        path,
        [
            node(WHITE, 37, 101),
            node(BLACK, 61, 80),
            node(WHITE, 16, 54),
            node(BLACK, 28, 36),
            node(WHITE, 0, 1)
        ]
    );
}

#[test]
fn the_most_visited_child_is_the_surer_choice() {
    // 65 wins of 100 against 2 of 3: the second has the better average, but its 95 % interval is far wider and reaches lower.
    let lower = |wins: f64, visits: f64| {
        // The lower end of Wilson's interval.
        let (p, z) = (wins / visits, 1.96_f64);
        let centre = p + z * z / (2.0 * visits);
        let spread = z * (p * (1.0 - p) / visits + z * z / (4.0 * visits * visits)).sqrt();
        (centre - spread) / (1.0 + z * z / visits)
    };
    assert!((lower(65.0, 100.0) - 0.553).abs() < 0.001 && (lower(2.0, 3.0) - 0.208).abs() < 0.001);
}

#[test]
fn chess_for_scale() {
    // 35 moves, 80 plies: 35^80 is about 10^123.
    assert_eq!((80.0 * libm::log10(35.0)).floor() as i32, 123);
}

/// One draw of a normal distribution, by Box and Muller.
fn normal(rng: &mut impl Rng) -> f64 {
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * libm::log(u)).sqrt() * libm::cos(std::f64::consts::TAU * v)
}

/// How often the left branch of the lecture's tree is really the better one, if each leaf carries an error of this size.
fn left_is_better(deviation: f64, trials: u32) -> f64 {
    let mut rng = stream(5, "errors of the evaluation");
    let mut better = 0;
    for _ in 0..trials {
        let [left, right] = [[99.0, 1000.0, 1000.0, 1000.0], [100.0, 101.0, 102.0, 100.0]].map(|leaves| {
            leaves.into_iter().map(|leaf| leaf + deviation * normal(&mut rng)).fold(f64::INFINITY, f64::min)
        });
        better += u32::from(left > right);
    }
    f64::from(better) / f64::from(trials)
}

#[test]
fn errors_of_the_evaluation_make_minimax_choose_wrongly() {
    let tree: Tree = "p1 0(0(99 1000 1000 1000) 0(100 101 102 100))".parse().unwrap();
    assert_eq!(reference::minimax(&Record::new(tree), 2, &Zero, Ends::Utility).best, Some(Branch(2)));
    for (deviation, expected) in [(5.0, 0.71), (2.0, 0.58)] {
        let share = left_is_better(deviation, 200_000);
        println!("deviation {deviation}: the left branch is better in {:.1} %", 100.0 * share);
        assert!((share - expected).abs() < 0.01, "deviation {deviation}: {share}");
        assert_on_page(&format!("{:.1} %", 100.0 * share));
    }
}

/// A weighted linear evaluation of tic-tac-toe: open lines with two, and with one, of one's own.
fn open_lines(position: TicTacToe, player: Player) -> Score {
    const LINES: [[usize; 3]; 8] =
        [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
    const WEIGHTS: [i32; 3] = [0, 1, 3];
    let cells: Vec<char> = position.to_string().chars().collect();
    let features = |own: char, other: char| -> i32 {
        let open =
            LINES.iter().map(|line| line.map(|cell| cells[cell])).filter(|line| !line.contains(&other));
        open.map(|line| WEIGHTS[line.iter().filter(|cell| **cell == own).count().min(2)]).sum()
    };
    let (x, o) = (features('x', 'o'), features('o', 'x'));
    view(player, x - o)
}

#[test]
fn an_evaluation_keeps_between_loss_and_win() {
    search_core::laws::Laws::new().evaluation(&|position: &TicTacToe, player| open_lines(*position, player));
    let corner: TicTacToe = "x........".parse().unwrap();
    assert_eq!(open_lines(corner, Player::One).value(), 3);
}

/// Noisy moves of a tree, marked by hand.
struct Marked;

impl Quiesce<Tree> for Marked {
    fn noisy_moves(&self, position: &Tree, player: Player, moves: &mut Vec<Branch>) {
        let mut legal = position.move_list(player);
        legal.retain(|branch| position.node.children[usize::from(branch.0) - 1].noisy);
        moves.extend(legal);
    }
}

struct Guess;

impl Evaluate<Tree> for Guess {
    fn evaluate(&self, position: &Tree, player: Player) -> Score {
        view(player, position.node.value)
    }
}

#[test]
fn the_horizon_effect_and_how_quiescence_sees_behind_it() {
    // The first player cannot save a piece worth 5. Branch 1 lets it go; branch 2 gives a pawn to put the capture off by
    // two plies, behind the horizon of a search of three plies, and loses the piece all the same.
    let tree: Tree = "p1 0(0(!-5(-5(-5(-5)))) -1(-1(-1(!-6(-6)))))".parse().unwrap();
    let record = Record::new(tree);
    let truth = reference::minimax(&record, 64, &Guess, Ends::Utility);
    assert_eq!((truth.best, truth.score.value()), (Some(Branch(1)), -5));

    let fixed = reference::minimax(&record, 3, &Guess, Ends::Utility);
    assert_eq!((fixed.best, fixed.score.value()), (Some(Branch(2)), -1), "it believes to lose a pawn only");

    let settings =
        AlphaBetaSettings { quiescence_depth: 4, ends: Ends::Utility, ..AlphaBetaSettings::plain() };
    let seen =
        AlphaBeta::new(Hooks::new(Guess).with_quiesce(Marked), settings).analyse(&record, Limits::depth(3));
    assert_eq!((seen.best, seen.score.value()), (Some(Branch(1)), -5));
}
