//! Ready-made catalogues: every generic bot, with an evaluation of the game's own.

use search_core::{
    AlphaBeta, Decisive, Evaluate, Hooks, Mcts, SerialBot, Simultaneous, SimultaneousSearch,
    SimultaneousSettings, SmMcts, SmMctsSettings, TurnBased, Uniform,
};

use super::{
    ALPHABETA, CAP, DECISIVE, Greedy, MCTS, MEMORY, MOVETIME, Minimax, PLAYOUTS, Random, alphabeta, cap,
    mcts, mebibytes, searching,
};
use crate::{BotInfo, Catalogue};

/// The score that counts as a chance of 73 % to win, where nothing else is said: `mcts:scale=...`.
const SCALE: f64 = 100.0;

/// The bots for a game whose players move in turn: `random`, `greedy`, `minimax`, `alphabeta` and `mcts`.
///
/// `E` judges the leaves; [`Zero`](search_core::Zero) will do where ends are near.
///
/// ```
/// # fn test<G: search_core::TurnBased>() {
/// let catalogue = agents::generic::turn_based::<G, search_core::Zero>();
/// assert!(catalogue.build("alphabeta:depth=4").is_ok());
/// # }
/// ```
pub fn turn_based<G: TurnBased, E: Evaluate<G> + Default + 'static>() -> Catalogue<G> {
    Catalogue::new(vec![
        Random::info(),
        BotInfo::new("greedy", "the best move by the evaluation after one ply; ties drawn by seed", |_| {
            Ok(Box::new(Greedy::new(E::default())))
        }),
        BotInfo::new("minimax", "full-width minimax, deepening, no cut-offs", |options| {
            searching(Minimax::new(E::default()), options)
        })
        .with(CAP),
        BotInfo::new("alphabeta", "alpha-beta with a table", |options| {
            searching(AlphaBeta::new(Hooks::new(E::default()), alphabeta(options)), options)
        })
        .with(ALPHABETA),
        BotInfo::new("mcts", "Monte Carlo tree search with uniform playouts", |options| {
            let rollout = Decisive { active: options.get(&DECISIVE), ..Decisive::<Uniform>::default() };
            let hooks = Hooks::new(E::default()).with_rollout(rollout);
            searching(Mcts::new(hooks, mcts(options, SCALE)), options)
        })
        .with(MCTS)
        .with(&[&DECISIVE]),
    ])
}

/// The bots for a game in which both players move at once: `random`, `nash` (a matrix game at every node), `mcts` (in the form for
/// simultaneous moves), and `alphabeta` as the pessimist, "I move, then you answer".
///
/// ```
/// # fn test<G: search_core::Simultaneous>() {
/// let catalogue = agents::generic::simultaneous::<G, search_core::Zero>();
/// assert!(catalogue.build("nash:depth=2").is_ok());
/// # }
/// ```
pub fn simultaneous<G: Simultaneous, E: Evaluate<G> + Default + 'static>() -> Catalogue<G> {
    Catalogue::new(vec![
        Random::info(),
        BotInfo::new(
            "nash",
            "backward induction with a matrix game at every node; plays a draw from the equilibrium; depth in turns",
            |options| searching(SimultaneousSearch::new(Hooks::new(E::default()), SimultaneousSettings::default()), options),
        )
        .with(CAP),
        BotInfo::new("mcts", "Monte Carlo tree search for simultaneous moves", |options| {
            let settings =
                SmMctsSettings { memory_bytes: mebibytes(options.get(&MEMORY)), ..SmMctsSettings::default() };
            searching(SmMcts::new(Hooks::new(E::default()), settings), options)
        })
        .with(&[&PLAYOUTS, &MOVETIME, &MEMORY]),
        BotInfo::new(
            "alphabeta",
            "alpha-beta on \"I move, then you answer\"; two plies a turn",
            |options| {
                let search = AlphaBeta::new(Hooks::new(E::default()).serially(), alphabeta(options));
                Ok(Box::new(SerialBot::new(search).with_cap(cap(options))))
            },
        )
        .with(ALPHABETA),
    ])
}
