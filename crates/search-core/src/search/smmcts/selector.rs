//! How each player chooses at a node, and what is learned there.

use super::tree::{Action, Node, Tree};
use crate::SearchRng;
use crate::matrix::{Matrix, Solver};

/// How each player chooses in the tree, without knowing the other's choice.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Selector {
    /// UCB1 over the player's own moves (decoupled UCT). Strong in practice; need not approach an equilibrium.
    DecoupledUct {
        /// The weight of exploration.
        c: f64,
    },
    /// Regret matching: plays in proportion to what each move would have gained; the average approaches an equilibrium.
    RegretMatching {
        /// The share of choices that are made at random.
        exploration: f64,
    },
    /// Exp3: plays by the exponential of what each move has won, weighted by how seldom it was tried; the average approaches an
    /// equilibrium.
    Exp3 {
        /// The share of choices that are made at random; by it learning is fast or slow too.
        exploration: f64,
    },
    /// Outcome sampling (Monte Carlo counterfactual regret minimisation in a growing tree): every choice is learned from with the
    /// weight that makes up for how likely the line was sampled, so that all positions together approach an equilibrium of the
    /// whole game.
    OutcomeSampling {
        /// The share of choices that are made at random.
        exploration: f64,
    },
    /// Each player solves the matrix of the averages so far, every pair of moves as good for that player as it may still turn out
    /// (upper confidence bounds on pairs), and plays that. Its regret grows as slowly as any can; a choice takes a linear program.
    MatrixUcb {
        /// The weight of exploration.
        c: f64,
    },
}

impl Default for Selector {
    fn default() -> Self {
        Selector::RegretMatching { exploration: 0.1 }
    }
}

/// A choice at a node: the places of both players' moves, how likely each player's strategy plays its move, and how likely it
/// was drawn (with exploration).
#[derive(Debug, Clone, Copy)]
pub(super) struct Choice {
    pub(super) node: usize,
    pub(super) pair: [usize; 2],
    share: [f64; 2],
    drawn: [f64; 2],
}

/// What choosing needs beside the tree.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    shares: Vec<f64>,
    solver: Solver,
}

/// A matrix of averages is solved again when a node's visits have grown by this share.
const STALE: u32 = 32;

impl Selector {
    /// Both players choose at a node.
    pub(super) fn choose<M: Copy>(
        self,
        tree: &mut Tree<M>,
        node: usize,
        rng: &mut SearchRng,
        scratch: &mut Scratch,
    ) -> Choice {
        let mut choice = Choice { node, pair: [0; 2], share: [1.0; 2], drawn: [1.0; 2] };
        for side in [0, 1] {
            let explored = match self {
                Selector::DecoupledUct { c } => {
                    choice.pair[side] = highest_bound(tree.node(node), tree.actions(node, side), c);
                    continue;
                }
                Selector::RegretMatching { exploration } | Selector::OutcomeSampling { exploration } => {
                    let gains = tree.actions(node, side).iter().map(|action| action.gain.max(0.0));
                    in_proportion(&mut scratch.shares, gains);
                    exploration
                }
                Selector::Exp3 { exploration } => {
                    exponential(&mut scratch.shares, tree.actions(node, side), exploration);
                    exploration
                }
                Selector::MatrixUcb { c } => {
                    let visits = tree.node(node).visits;
                    if visits.is_multiple_of((visits / STALE).max(1)) {
                        hopeful(tree, node, side, c, scratch);
                    }
                    let shares = tree.actions(node, side).iter().map(|action| action.gain);
                    in_proportion(&mut scratch.shares, shares);
                    0.0
                }
            };
            let shares = &scratch.shares;
            let place = draw(shares, explored, rng);
            choice.pair[side] = place;
            choice.share[side] = shares[place];
            choice.drawn[side] = (1.0 - explored) * shares[place] + explored / shares.len() as f64;
            if !matches!(self, Selector::OutcomeSampling { .. }) {
                for (action, share) in tree.actions_mut(node, side).iter_mut().zip(shares) {
                    action.weight += share;
                }
            }
        }
        choice
    }

    /// Both players learn at the nodes of a line from the value (of the first player, from 0 to 1) that it led to; `averaged` passes
    /// on what each position is worth on the average instead of what the line led to.
    pub(super) fn learn<M: Copy>(self, tree: &mut Tree<M>, line: &[Choice], value: f64, averaged: bool) {
        if let Selector::OutcomeSampling { .. } = self {
            return learn_by_sampling(tree, line, value);
        }
        let mut value = value;
        for choice in line.iter().rev() {
            if averaged && let Some(child) = tree.child(choice.node, choice.pair) {
                value = tree.node(child).mean().unwrap_or(value);
            }
            for side in [0, 1] {
                let seen = if side == 0 { value } else { 1.0 - value };
                let place = choice.pair[side];
                match self {
                    Selector::RegretMatching { .. } => learn_regrets(tree, choice, side, seen),
                    Selector::Exp3 { .. } => {
                        tree.actions_mut(choice.node, side)[place].gain += seen / choice.drawn[side];
                    }
                    _ => {}
                }
                let action = &mut tree.actions_mut(choice.node, side)[place];
                action.visits += 1;
                action.total += seen;
            }
            tree.add(choice.node, value);
        }
    }

    /// The strategy of one side at a node: average play, or visits, without what only exploration left behind (shares below
    /// `least`).
    pub(super) fn strategy<M: Copy>(self, tree: &Tree<M>, node: usize, side: usize, least: f64) -> Vec<f64> {
        let played = tree.actions(node, side).iter().map(|action| match self {
            Selector::DecoupledUct { .. } => f64::from(action.visits),
            _ => action.weight,
        });
        let mut shares = Vec::new();
        in_proportion(&mut shares, played);
        if shares.iter().any(|&share| share >= least) {
            let kept: Vec<f64> =
                shares.iter().map(|&share| if share < least { 0.0 } else { share }).collect();
            in_proportion(&mut shares, kept.into_iter());
        }
        shares
    }
}

/// Probabilities in proportion to weights; equal ones if there are none.
fn in_proportion(shares: &mut Vec<f64>, weights: impl Iterator<Item = f64>) {
    shares.clear();
    shares.extend(weights);
    let sum: f64 = shares.iter().sum();
    let even = 1.0 / shares.len().max(1) as f64;
    for share in shares.iter_mut() {
        *share = if sum > 0.0 { *share / sum } else { even };
    }
}

/// A place drawn by these probabilities, or with the probability `explored` any.
fn draw(shares: &[f64], explored: f64, rng: &mut SearchRng) -> usize {
    let even = 1.0 / shares.len() as f64;
    let mut left = rng.unit();
    for (place, share) in shares.iter().enumerate() {
        left -= (1.0 - explored) * share + explored * even;
        if left < 0.0 {
            return place;
        }
    }
    shares.len() - 1
}

/// The move with the highest upper confidence bound.
fn highest_bound<M>(node: &Node, actions: &[Action<M>], c: f64) -> usize {
    let log = libm::log(f64::from(node.visits.max(1)));
    let mut best = (0, f64::NEG_INFINITY);
    for (place, action) in actions.iter().enumerate() {
        let visits = f64::from(action.visits);
        let bound = if action.visits == 0 {
            f64::INFINITY
        } else {
            action.total / visits + c * (log / visits).sqrt()
        };
        if bound > best.1 {
            best = (place, bound);
        }
    }
    best.0
}

/// Probabilities by the exponential of the gains, as fast as the share of exploration makes up for.
fn exponential<M>(shares: &mut Vec<f64>, actions: &[Action<M>], exploration: f64) {
    let rate = exploration / actions.len() as f64;
    let most = actions.iter().map(|action| action.gain).fold(f64::NEG_INFINITY, f64::max);
    in_proportion(shares, actions.iter().map(|action| libm::exp(rate * (action.gain - most))));
}

/// Solves the matrix of averages with every pair as good for `side` as it may still turn out, and keeps the strategy in the gains.
fn hopeful<M: Copy>(tree: &mut Tree<M>, node: usize, side: usize, c: f64, scratch: &mut Scratch) {
    let counts = [0, 1].map(|side| tree.actions(node, side).len());
    let log = libm::log(f64::from(tree.node(node).visits.max(1)) + 1.0);
    let matrix = Matrix::from_fn(counts[side], counts[1 - side], |own, other| {
        let pair = if side == 0 { [own, other] } else { [other, own] };
        let child = tree.child(node, pair).map(|child| *tree.node(child));
        child.and_then(|child| Some((child.mean()?, f64::from(child.visits)))).map_or(
            1.0,
            |(mean, visits)| {
                let own = if side == 0 { mean } else { 1.0 - mean };
                (own + c * (log / visits).sqrt()).min(1.0)
            },
        )
    });
    let solution = scratch.solver.solve(&matrix);
    for (action, share) in tree.actions_mut(node, side).iter_mut().zip(solution.row) {
        action.gain = share;
    }
}

/// What each other move would have given against the same move of the opponent, as far as it is known.
fn learn_regrets<M: Copy>(tree: &mut Tree<M>, choice: &Choice, side: usize, seen: f64) {
    let Choice { node, pair, .. } = *choice;
    for place in 0..tree.actions(node, side).len() {
        let mut other = pair;
        other[side] = place;
        let instead = if place == pair[side] { None } else { tree.child(node, other) };
        if let Some(mean) = instead.and_then(|child| tree.node(child).mean()) {
            let gain = if side == 0 { mean } else { 1.0 - mean } - seen;
            let action = &mut tree.actions_mut(node, side)[place];
            action.gain = (action.gain + gain).max(0.0);
        }
    }
}

/// Counterfactual regrets from one line: its value, weighted by how likely the opponent and what came after lead along it and by
/// how likely it was sampled.
fn learn_by_sampling<M: Copy>(tree: &mut Tree<M>, line: &[Choice], value: f64) {
    // For each choice how likely the strategies are to go on along the line, over how likely the draws were.
    let mut ahead = vec![1.0; line.len()];
    for place in (1..line.len()).rev() {
        let Choice { share, drawn, .. } = line[place];
        ahead[place - 1] = ahead[place] * share[0] * share[1] / (drawn[0] * drawn[1]);
    }
    // How likely each player's strategy, and how likely the draws, lead to the node.
    let (mut reach, mut sampled) = ([1.0; 2], 1.0);
    for (choice, ahead) in line.iter().zip(ahead) {
        let drawn = choice.drawn[0] * choice.drawn[1];
        for side in [0, 1] {
            // Around the middle, so that a draw moves nothing.
            let payoff = if side == 0 { 2.0 * value - 1.0 } else { 1.0 - 2.0 * value };
            let other = 1 - side;
            let weight = payoff * reach[other] * choice.share[other] / (sampled * drawn) * ahead;
            let taken = choice.pair[side];
            let actions = tree.actions_mut(choice.node, side);
            let positive: f64 = actions.iter().map(|action| action.gain.max(0.0)).sum();
            let even = 1.0 / actions.len() as f64;
            let mine = choice.share[side];
            for (index, action) in actions.iter_mut().enumerate() {
                let share = if positive > 0.0 { action.gain.max(0.0) / positive } else { even };
                action.weight += reach[side] / sampled * share;
                action.gain += if index == taken { weight * (1.0 - mine) } else { -weight * mine };
            }
            let seen = if side == 0 { value } else { 1.0 - value };
            actions[taken].visits += 1;
            actions[taken].total += seen;
        }
        tree.add(choice.node, value);
        for side in [0, 1] {
            reach[side] *= choice.share[side];
        }
        sampled *= drawn;
    }
}
