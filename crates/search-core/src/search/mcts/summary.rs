//! What the trees of all threads say together.

use super::tree::{Proof, ROOT, Tree};
use super::{FinalChoice, MctsSettings};
use crate::{Analysis, Bound, Child, Player, RootMove, Score};

/// One root move over all trees.
struct Row<M> {
    mv: M,
    visits: u64,
    total: f64,
    proof: Proof,
    plies: u16,
}

/// The moves at the end of a line below the root, added up over the trees that hold it, in the order of the first.
fn rows<M: Copy + Eq>(trees: &[Tree<M>], settings: &MctsSettings, line: &[M]) -> Vec<Row<M>> {
    let mut rows: Vec<Row<M>> = Vec::new();
    for tree in trees {
        let child = |at: usize, mv: &M| tree.children(at).find(|&child| tree.node(child).mv == Some(*mv));
        let Some(node) = line.iter().try_fold(ROOT, child) else { continue };
        for child in tree.children(node) {
            let node = tree.node(child);
            let Some(mv) = node.mv else { continue };
            let place = rows.iter().position(|row| row.mv == mv).unwrap_or_else(|| {
                rows.push(Row { mv, visits: 0, total: 0.0, proof: Proof::Open, plies: 0 });
                rows.len() - 1
            });
            let row = &mut rows[place];
            row.visits += u64::from(node.visits);
            row.total += node.total;
            if row.proof == Proof::Open && settings.solver {
                (row.proof, row.plies) = (node.proof, node.plies);
            }
        }
    }
    rows
}

impl<M> Row<M> {
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.total / self.visits as f64 }
    }

    /// Its score for the player who chooses it.
    fn score(&self, mover: Player) -> Score {
        match self.proof {
            Proof::Won(winner) if winner == mover => Score::win_in(u32::from(self.plies) + 1),
            Proof::Won(_) => Score::loss_in(u32::from(self.plies) + 1),
            Proof::Drawn => Score::DRAW,
            Proof::Open => Score::new(((2.0 * self.mean() - 1.0) * 1000.0) as i32),
        }
    }
}

/// What the trees together hold of the moves at the end of a line.
pub(super) fn children<M: Copy + Eq>(
    trees: &[Tree<M>],
    settings: &MctsSettings,
    line: &[M],
    mover: Player,
) -> Vec<Child<M>> {
    let child = |row: &Row<M>| Child {
        mv: row.mv,
        score: (row.visits > 0 || row.proof != Proof::Open).then(|| (row.score(mover), Bound::Exact)),
        visits: row.visits,
        depth: None,
        proven: row.proof != Proof::Open,
    };
    rows(trees, settings, line).iter().map(child).collect()
}

/// What the trees together say about the root.
pub(super) fn summary<M: Copy + Eq>(
    trees: &[Tree<M>],
    settings: &MctsSettings,
    mover: Player,
) -> Analysis<M> {
    let mut rows = rows(trees, settings, &[]);
    let all: u64 = rows.iter().map(|row| row.visits).sum();
    rows.sort_by(|a, b| {
        let class = |row: &Row<M>| match row.proof {
            Proof::Won(winner) if winner == mover => 2,
            Proof::Open | Proof::Drawn => 1,
            Proof::Won(_) => 0,
        };
        let by_choice = match settings.final_choice {
            FinalChoice::MostVisits => b.visits.cmp(&a.visits),
            FinalChoice::BestAverage => b.mean().total_cmp(&a.mean()),
        };
        class(b).cmp(&class(a)).then(match class(a) {
            2 => a.plies.cmp(&b.plies),
            0 => b.plies.cmp(&a.plies),
            _ => by_choice,
        })
    });
    let root: Vec<RootMove<M>> = rows
        .iter()
        .map(|row| RootMove {
            mv: row.mv,
            score: row.score(mover),
            bound: Bound::Exact,
            visits: row.visits,
            weight: if all == 0 { 0.0 } else { row.visits as f64 / all as f64 },
        })
        .collect();
    let best = root.first().map(|row| row.mv);
    let lines: Vec<Vec<M>> = root.iter().take(LINES).map(|row| principal_line(trees, row.mv)).collect();
    Analysis {
        best,
        score: root.first().map_or(Score::DRAW, |row| row.score),
        pv: lines.first().cloned().unwrap_or_default(),
        root,
        lines,
        ..Analysis::default()
    }
}

/// How many root moves come with a line.
const LINES: usize = 5;

/// The most visited line that starts with `best`, from the tree that looked most at it.
fn principal_line<M: Copy + Eq>(trees: &[Tree<M>], best: M) -> Vec<M> {
    let start = trees
        .iter()
        .filter_map(|tree| tree.child_of_root(best).map(|child| (tree, child)))
        .max_by_key(|&(tree, child)| tree.node(child).visits);
    let Some((tree, mut at)) = start else { return vec![best] };
    let mut line = vec![best];
    while let Some(child) = tree
        .children(at)
        .filter(|&child| tree.node(child).visits > 0)
        .max_by_key(|&child| (tree.node(child).visits, std::cmp::Reverse(child)))
    {
        line.extend(tree.node(child).mv);
        at = child;
    }
    line
}
