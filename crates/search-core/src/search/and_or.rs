//! AND-OR search: a plan that leads one player to a goal whatever the other does.
//!
//! The player's own moves are choices (OR: one of them has to work), the opponent's are contingencies (AND: all of them have
//! to be answered). Minimax asks for more, the best value that can be forced; where there is only a goal and none between,
//! AND-OR search is enough, and the goal need not be the end of the game.

use crate::{Player, TurnBased};

/// A contingency plan: what to do, and what to do after each answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan<M> {
    /// The goal is reached.
    Done,
    /// Play this move and go on with the rest.
    Play(M, Box<Plan<M>>),
    /// The opponent moves; for each of its moves the rest of the plan.
    Answer(Vec<(M, Plan<M>)>),
}

impl<M> Plan<M> {
    /// The moves of one's own that the plan holds, over all contingencies.
    pub fn moves(&self) -> usize {
        match self {
            Plan::Done => 0,
            Plan::Play(_, rest) => 1 + rest.moves(),
            Plan::Answer(answers) => answers.iter().map(|(_, rest)| rest.moves()).sum(),
        }
    }

    /// The plies to the goal if the opponent holds out as long as the plan lets it.
    pub fn plies(&self) -> u32 {
        match self {
            Plan::Done => 0,
            Plan::Play(_, rest) => 1 + rest.plies(),
            Plan::Answer(answers) => 1 + answers.iter().map(|(_, rest)| rest.plies()).max().unwrap_or(0),
        }
    }
}

/// What an AND-OR search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned<M> {
    /// A plan that reaches the goal within the depth; `None` if the opponent can prevent that.
    pub plan: Option<Plan<M>>,
    /// Positions visited, the root included.
    pub nodes: u64,
}

/// Looks for a plan of `player` that reaches `goal` within `depth` plies, whatever the opponent does. Depth first: the first
/// plan that works, in the generator's order, not the shortest. The history of a game is not looked at.
///
/// ```
/// use search_core::{Outcome, Player, Game, and_or};
/// use toys::tic_tac_toe::TicTacToe;
///
/// let position: TicTacToe = "xo.......".parse()?;
/// let won = |position: &TicTacToe| position.end().is_some_and(|end| end.outcome == Outcome::Win(Player::One));
/// let found = and_or::plan(&position, Player::One, 7, &won);
/// assert!(found.plan.is_some(), "beside the corner is a losing answer");
/// # Ok::<(), toys::tic_tac_toe::ParseError>(())
/// ```
pub fn plan<G: TurnBased>(
    position: &G,
    player: Player,
    depth: u32,
    goal: &impl Fn(&G) -> bool,
) -> Planned<G::Move> {
    let mut nodes = 0;
    let plan = search(position, player, depth, goal, &mut nodes);
    Planned { plan, nodes }
}

fn search<G: TurnBased>(
    position: &G,
    player: Player,
    depth: u32,
    goal: &impl Fn(&G) -> bool,
    nodes: &mut u64,
) -> Option<Plan<G::Move>> {
    *nodes += 1;
    if goal(position) {
        return Some(Plan::Done);
    }
    if depth == 0 || position.end().is_some() {
        return None;
    }
    let mover = position.to_move();
    let moves = position.move_list(mover);
    let mut go_on = |mv| search(&position.after(mv), player, depth - 1, goal, nodes);
    if mover == player {
        // One that works is enough.
        return moves.as_ref().iter().find_map(|&mv| Some(Plan::Play(mv, Box::new(go_on(mv)?))));
    }
    // One that cannot be answered is too many.
    let answers: Option<Vec<_>> = moves.as_ref().iter().map(|&mv| Some((mv, go_on(mv)?))).collect();
    answers.map(Plan::Answer)
}
