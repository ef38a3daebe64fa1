//! The exact value of a game from a position on, where the limits allow to find it.

use pyo3::prelude::*;
use search_core::{Limits, Mixed, Player, Record, StopFlag, StopReason};

use crate::analysis::{dataclass, mixed, stop_word, texts};
use crate::arguments::{Whole, limits, mistake};
use crate::game::{GameVisitor, PythonGame};
use crate::games::of_object;
use crate::interrupt::interruptible;

/// What was found out, in texts.
pub(crate) struct Solved {
    /// What the game is worth to the first player.
    value: Option<f64>,
    line: Vec<String>,
    plies: Option<u32>,
    mixed: Option<Mixed<String>>,
    nodes: u64,
    stop: StopReason,
}

/// Whose strategy is judged, and how far.
pub(crate) struct Judged {
    pub(crate) player: Player,
    pub(crate) turns: u32,
    pub(crate) most_positions: usize,
}

/// Games in turns: two proof searches, whether the player to move wins and, if not, whether the other does.
pub(crate) mod turn_based {
    use search_core::{
        Exploitability, Limits, ProofResult, ProofSearch, ProofSettings, Record, StopFlag, StopReason,
        SystemClock, Task, Time, TurnBased,
    };

    use super::{Judged, Solved};
    use crate::game::Strategy;

    pub(crate) fn solve<G: TurnBased>(record: &Record<G>, limits: Limits, stop: &StopFlag) -> Solved {
        let clock = SystemClock::new();
        let mover = record.position().to_move();
        let mut solved = Solved {
            value: None,
            line: Vec::new(),
            plies: None,
            mixed: None,
            nodes: 0,
            stop: StopReason::default(),
        };
        // The two questions share the limits.
        let limits = Limits {
            nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
            time: limits.time.map(|time| match time {
                Time::Move(time) => Time::Move(time / 2),
                other => other,
            }),
            ..limits
        };
        let mut lost = 0;
        for player in [mover, mover.opponent()] {
            let mut search = ProofSearch::new(ProofSettings::default());
            let task = Task::plain(record, player, limits, stop, &clock);
            let found = search.prove_task(&task);
            solved.nodes += found.stats.nodes;
            solved.stop = found.stop;
            match found.result {
                ProofResult::Proven => {
                    solved.value = Some(if player == search_core::Player::One { 1.0 } else { -1.0 });
                    solved.line = found.line.iter().map(ToString::to_string).collect();
                    solved.plies = found.plies;
                    solved.stop = StopReason::Proven;
                    return solved;
                }
                ProofResult::Disproven => lost += 1,
                ProofResult::Unknown => {}
            }
        }
        if lost == 2 {
            solved.value = Some(0.0);
            solved.stop = StopReason::Proven;
        }
        solved
    }

    pub(crate) fn exploitability<G: TurnBased>(
        _: &G,
        _: &Judged,
        _: Strategy<'_, G>,
    ) -> Result<Exploitability, String> {
        Err(format!("expected a game in which both players move at once, found {}", G::NAME))
    }
}

/// Games in which both move at once: backward induction, deeper and deeper, until nothing is left open.
pub(crate) mod simultaneous {
    use search_core::{
        Ends, Exploitability, Hooks, Limits, Mixed, Player, Record, Search, Simultaneous, SimultaneousSearch,
        SimultaneousSettings, StopFlag, StopReason, SystemClock, Task, Zero,
    };

    use super::{Judged, Solved};
    use crate::game::Strategy;

    pub(crate) fn solve<G: Simultaneous>(record: &Record<G>, limits: Limits, stop: &StopFlag) -> Solved {
        // No turn is worth less for coming later, and a single move is looked behind too.
        let settings =
            SimultaneousSettings { discount: 1.0, only_move: false, ..SimultaneousSettings::default() };
        let mut search = SimultaneousSearch::new(Hooks::new(Zero), settings);
        let clock = SystemClock::new();
        let found = search.search(&Task::plain(record, Player::One, limits, stop, &clock));
        let proven = found.stop == StopReason::Proven;
        let mixed = found.mixed.map(|Mixed { strategies, value, gap, payoffs }| Mixed {
            strategies: strategies
                .map(|strategy| strategy.into_iter().map(|(mv, share)| (mv.to_string(), share)).collect()),
            value,
            gap,
            payoffs,
        });
        Solved {
            value: mixed.as_ref().map(|mixed: &Mixed<String>| mixed.value).filter(|_| proven),
            line: Vec::new(),
            plies: proven.then_some(found.depth),
            mixed,
            nodes: found.stats.nodes,
            stop: found.stop,
        }
    }

    pub(crate) fn exploitability<G: Simultaneous>(
        position: &G,
        task: &Judged,
        strategy: Strategy<'_, G>,
    ) -> Result<Exploitability, String> {
        let Judged { player, turns, most_positions } = *task;
        search_core::exploitability(position, player, turns, Ends::Outcome, most_positions, strategy)
            .map_err(|error| error.to_string())
    }
}

struct Solve<'py> {
    py: Python<'py>,
    limits: Limits,
}

impl GameVisitor for Solve<'_> {
    type Output = PyResult<Solved>;

    fn visit<G: PythonGame>(self, record: Record<G>) -> Self::Output {
        if let Some(end) = record.end() {
            return Err(mistake(format!("expected a game that goes on, found one that is over: {end}")));
        }
        let stop = StopFlag::new();
        interruptible(self.py, &stop, || G::solve(&record, self.limits, &stop))
    }
}

/// The exact value of a `Game` (or `Position`) if both play their best: a `Solution`, whose `value` is `None` if the limits came
/// first. Games in turns are proven by proof-number search, simultaneous ones by backward induction with a mixed strategy for each
/// player. Endgames are what it can do.
///
/// >>> import gamesearch
/// >>> endgame = gamesearch.hus.Position("0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,2,94/0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0 0 4")
/// >>> gamesearch.solve(endgame).value
/// 1.0
#[pyfunction]
#[pyo3(
    signature = (game, *, nodes=Whole(1_000_000), movetime=None, depth=None),
    text_signature = "(game, *, nodes=1000000, movetime=None, depth=None)"
)]
pub(crate) fn solve<'py>(
    game: &Bound<'py, PyAny>,
    nodes: Option<Whole>,
    movetime: Option<f64>,
    depth: Option<Whole>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = game.py();
    let found = of_object(game, Solve { py, limits: limits(depth, nodes, None, movetime)? })??;
    dataclass!(py, "Solution", {
        "value": found.value,
        "line": texts(py, &found.line)?,
        "plies": found.plies,
        "mixed": found.mixed.as_ref().map(|found| mixed(py, found)).transpose()?,
        "nodes": found.nodes,
        "stop": stop_word(found.stop),
    })
}
