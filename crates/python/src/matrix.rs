//! Matrix games, and how much a strategy can be exploited.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use search_core::matrix::{Matrix, Solution, regret_matching_plus, solve};
use search_core::{Exploitability, Record, StopFlag};

use crate::analysis::dataclass;
use crate::arguments::{Seat, Whole, mistake, wrong_type};
use crate::game::{GameVisitor, PythonGame, viewer};
use crate::games::of_object;
use crate::interrupt::interruptible;
use crate::moves::read_move;
use crate::solve::Judged;

fn matrix(rows: &Bound<'_, PyAny>) -> PyResult<Matrix> {
    let rows: Vec<Vec<f64>> = rows.extract()?;
    let slices: Vec<&[f64]> = rows.iter().map(Vec::as_slice).collect();
    Matrix::from_rows(&slices).map_err(mistake)
}

fn solution(py: Python<'_>, found: Solution) -> PyResult<Bound<'_, PyAny>> {
    dataclass!(py, "MatrixSolution", {
        "value": found.value,
        "row": PyTuple::new(py, found.row)?,
        "column": PyTuple::new(py, found.column)?,
        "gap": found.gap,
    })
}

/// Solves a zero-sum matrix game, exactly but for rounding: rows of payoffs, which are what the row player gets and the column
/// player loses.
///
/// >>> import gamesearch
/// >>> found = gamesearch.solve_matrix([[0, -1, 2], [1, 0, -1], [-2, 1, 0]])
/// >>> [round(share, 3) for share in found.row], round(found.value, 3)
/// ([0.25, 0.5, 0.25], 0.0)
#[pyfunction]
#[pyo3(signature = (rows, /))]
pub(crate) fn solve_matrix<'py>(rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let (py, game) = (rows.py(), matrix(rows)?);
    let found = interruptible(py, &StopFlag::new(), || solve(&game))?;
    solution(py, found)
}

/// Approaches the solution of a matrix game by regret matching plus: the more iterations, the smaller the gap.
///
/// >>> import gamesearch
/// >>> gamesearch.regret_matching([[1, -1], [-1, 1]], 1000).gap < 0.1
/// True
#[pyfunction]
#[pyo3(signature = (rows, iterations, /))]
pub(crate) fn regret_matching<'py>(
    rows: &Bound<'py, PyAny>,
    iterations: Whole,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, game) = (rows.py(), matrix(rows)?);
    let found = interruptible(py, &StopFlag::new(), || regret_matching_plus(&game, iterations.small()))?;
    solution(py, found)
}

struct Measure<'a, 'py> {
    strategy: &'a Bound<'py, PyAny>,
    task: Judged,
}

impl GameVisitor for Measure<'_, '_> {
    type Output = PyResult<Exploitability>;

    fn visit<G: PythonGame>(self, record: Record<G>) -> Self::Output {
        let py = self.strategy.py();
        if let Some(end) = record.end() {
            return Err(mistake(format!("expected a game that goes on, found one that is over: {end}")));
        }
        let mut raised = None;
        let mut ask = |position: &G| {
            if raised.is_some() {
                return Vec::new();
            }
            let asked = py
                .check_signals()
                .and_then(|()| position.clone().into_python(py))
                .and_then(|position| self.strategy.call1((position,)))
                .and_then(|answer| shares::<G>(&answer));
            asked.unwrap_or_else(|error| {
                raised = Some(error);
                Vec::new()
            })
        };
        let found = <G as PythonGame>::exploitability(record.position(), &self.task, &mut ask);
        match raised {
            Some(error) => Err(error),
            None => found.map_err(mistake),
        }
    }
}

/// Moves with their probabilities.
fn shares<G: PythonGame>(answer: &Bound<'_, PyAny>) -> PyResult<Vec<(G::Move, f64)>> {
    let expected = || wrong_type("a strategy as a dict from moves to probabilities", answer);
    let answer = answer.cast::<PyDict>().map_err(|_| expected())?;
    answer.iter().map(|(mv, share)| Ok((read_move::<G>(&mv)?, share.extract()?))).collect()
}

/// How much a strategy loses against the opponent who knows it best, in a simultaneous game small enough to solve: from `position`
/// for at most `turns` turns (a game that goes on then counts as a draw). `strategy(position)` gives the moves of `player` with their
/// probabilities, as a dict.
///
/// >>> import gamesearch
/// >>> endgame = gamesearch.ropasci360.Position("5/6/7/3S4/2R3p2/3r4/7/6/5 9 9 20")
/// >>> def first(position):
/// ...     return {position.legal_moves(0)[0]: 1.0}
/// >>> found = gamesearch.exploitability(endgame, first, turns=1)
/// >>> found.value, found.loss
/// (0.0, 0.0)
#[pyfunction]
#[pyo3(
    signature = (position, strategy, *, player=None, turns=Whole(4), most_positions=Whole(100_000)),
    text_signature = "(position, strategy, *, player=0, turns=4, most_positions=100000)"
)]
pub(crate) fn exploitability<'py>(
    position: &Bound<'py, PyAny>,
    strategy: &Bound<'py, PyAny>,
    player: Option<Seat>,
    turns: Whole,
    most_positions: Whole,
) -> PyResult<Bound<'py, PyAny>> {
    let py = position.py();
    if !strategy.is_callable() {
        return Err(wrong_type("a function from positions to strategies", strategy));
    }
    let task = Judged {
        player: viewer(player).0,
        turns: turns.small(),
        most_positions: usize::try_from(most_positions.0).unwrap_or(usize::MAX),
    };
    let found = of_object(position, Measure { strategy, task })??;
    dataclass!(py, "Exploitability", {
        "value": found.value,
        "guaranteed": found.guaranteed,
        "loss": found.loss,
        "positions": found.positions,
    })
}
