//! Monte Carlo tree search: 200,000 simulations from the empty board of Connect Four, uniform playouts.

use benches::Comparison;
use benches::connect_four::{Column, ConnectFour};
use board_game::ai::mcts::mcts_build_tree;
use board_game::games::connect4::Connect4;
use minimax::{MCTSOptions, MonteCarloTreeSearch, Strategy};
use rand08::SeedableRng;
use search_core::{
    Game, Hooks, Limits, Mcts, MctsSettings, Outcome, Player, Record, Search, SearchRng, TurnBased, Zero,
};
use treant::tree_policy::UCTPolicy;
use treant::{Evaluator, MCTS, MCTSManager, SearchHandle};

use crate::games::{Board, Ours};

const SIMULATIONS: u64 = 200_000;

fn ours() -> u64 {
    let settings = MctsSettings { reuse_tree: false, memory_bytes: 256 << 20, ..MctsSettings::default() };
    let mut search = Mcts::new(Hooks::new(Zero), settings);
    search.new_game(1);
    search.analyse(&Record::new(ConnectFour::EMPTY), Limits::playouts(SIMULATIONS)).stats.playouts
}

fn minimax_crate() -> u64 {
    let mut search: MonteCarloTreeSearch<Ours<ConnectFour>> =
        MonteCarloTreeSearch::new(MCTSOptions::default().with_num_threads(1));
    search.set_max_rollouts(SIMULATIONS as u32);
    search.choose_move(&ConnectFour::EMPTY).map_or(0, |_| SIMULATIONS)
}

fn board_game_crate() -> u64 {
    let mut rng = rand08::rngs::SmallRng::seed_from_u64(1);
    let tree = mcts_build_tree(&Connect4::default(), SIMULATIONS, std::f32::consts::SQRT_2, &mut rng);
    tree[0].visits as u64
}

#[derive(Default)]
struct Treant;

impl MCTS for Treant {
    type State = Board;
    type Eval = Playout;
    type NodeData = ();
    type ExtraThreadData = ();
    type TreePolicy = UCTPolicy;
    type TranspositionTable = ();
}

/// One uniform playout. The generator is made from the position, for the evaluator is shared and cannot hold one; ours
/// is used, so that both draw equally fast.
struct Playout;

impl Evaluator<Treant> for Playout {
    type StateEvaluation = i64;

    fn evaluate_new_state(
        &self,
        state: &Board,
        moves: &Vec<Column>,
        _: Option<SearchHandle<Treant>>,
    ) -> (Vec<()>, i64) {
        let mut position = state.0;
        let mut rng = SearchRng::new(position.key(), "");
        let value = loop {
            if let Some(end) = position.end() {
                break match end.outcome {
                    Outcome::Draw => 0,
                    outcome => i64::from(outcome.sign(Player::One)),
                };
            }
            match position.sample(position.to_move(), &mut rng) {
                Some(mv) => position.play(mv),
                None => break 0,
            }
        };
        (vec![(); moves.len()], value)
    }

    fn evaluate_existing_state(&self, _: &Board, evaluation: &i64, _: SearchHandle<Treant>) -> i64 {
        *evaluation
    }

    fn interpret_evaluation_for_player(&self, evaluation: &i64, player: &Player) -> i64 {
        if *player == Player::One { *evaluation } else { -*evaluation }
    }
}

fn treant_crate() -> u64 {
    let mut manager = MCTSManager::new(
        Board(ConnectFour::EMPTY),
        Treant,
        Playout,
        UCTPolicy::new(std::f64::consts::SQRT_2),
        (),
    );
    manager.playout_n(SIMULATIONS);
    manager.best_move().map_or(0, |_| SIMULATIONS)
}

/// The rows of this part.
pub fn rows() -> Vec<Comparison> {
    let about = "200,000 simulations of Connect Four from the empty board";
    vec![
        Comparison::ratio(
            "search-mcts-minimax",
            about,
            "simulations",
            ours,
            "minimax 0.6",
            minimax_crate,
            1.5,
        )
        .on_the_wall(),
        Comparison::ratio(
            "search-mcts-board-game",
            about,
            "simulations",
            ours,
            "board-game 0.8",
            board_game_crate,
            1.5,
        ),
        Comparison::ratio("search-mcts-treant", about, "simulations", ours, "treant 0.4", treant_crate, 1.5),
    ]
}
