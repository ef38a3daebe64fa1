//! What a search found, as dataclasses of `gamesearch.results`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use search_core::{Analysis, Bound as ScoreBound, Game, Mixed, Score, Stats, StopReason};

/// A dataclass of `gamesearch.results` with these fields.
pub(crate) fn result<'py>(
    py: Python<'py>,
    name: &str,
    fields: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("gamesearch.results")?.getattr(name)?.call((), Some(fields))
}

/// A dataclass with fields given as `name: value`.
macro_rules! dataclass {
    ($py:expr, $name:literal, { $($field:literal: $value:expr),* $(,)? }) => {{
        let fields = pyo3::types::PyDict::new($py);
        $(fields.set_item($field, $value)?;)*
        $crate::analysis::result($py, $name, &fields)
    }};
}

pub(crate) use dataclass;

/// Why a search came back, in one word.
pub(crate) fn stop_word(stop: StopReason) -> String {
    stop.word().replace(' ', "-")
}

pub(crate) fn score(py: Python<'_>, score: Score) -> PyResult<Bound<'_, PyAny>> {
    let plies = score.plies_to_end();
    dataclass!(py, "Score", {
        "value": score.value(),
        "text": score.to_string(),
        "win_in": plies.filter(|_| score.is_win()),
        "loss_in": plies.filter(|_| score.is_loss()),
    })
}

pub(crate) fn statistics<'py>(py: Python<'py>, stats: &Stats) -> PyResult<Bound<'py, PyAny>> {
    dataclass!(py, "Statistics", {
        "nodes": stats.nodes,
        "quiescence_nodes": stats.quiescence_nodes,
        "evaluations": stats.evaluations,
        "cutoffs": stats.cutoffs,
        "first_move_cutoffs": stats.first_move_cutoffs,
        "table_hits": stats.table_hits,
        "playouts": stats.playouts,
        "seconds": stats.time.as_secs_f64(),
    })
}

pub(crate) fn mixed<'py, M: ToString>(py: Python<'py>, mixed: &Mixed<M>) -> PyResult<Bound<'py, PyAny>> {
    let strategies = mixed.strategies.each_ref().map(|strategy| {
        let shares = PyDict::new(py);
        strategy.iter().try_for_each(|(mv, share)| shares.set_item(mv.to_string(), share)).map(|()| shares)
    });
    let [one, two] = strategies;
    let rows = mixed.payoffs.iter().map(|row| PyTuple::new(py, row)).collect::<PyResult<Vec<_>>>()?;
    dataclass!(py, "Mixed", {
        "strategies": (one?, two?),
        "value": mixed.value,
        "gap": mixed.gap,
        "matrix": PyTuple::new(py, rows)?,
    })
}

pub(crate) fn texts<'py, M: ToString>(py: Python<'py>, moves: &[M]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, moves.iter().map(ToString::to_string))
}

/// An answer of a bot, whether it looked ahead or not.
pub(crate) fn analysis<'py, G: Game>(
    py: Python<'py>,
    mv: G::Move,
    found: Option<&Analysis<G::Move>>,
) -> PyResult<Bound<'py, PyAny>> {
    let nothing = Analysis::default();
    let known = found.unwrap_or(&nothing);
    let rows = known.root.iter().map(|row| {
        let bound = match row.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Upper => "upper",
            ScoreBound::Lower => "lower",
        };
        dataclass!(py, "RootMove", {
            "move": row.mv.to_string(),
            "score": score(py, row.score)?,
            "bound": bound,
            "visits": row.visits,
            "weight": row.weight,
        })
    });
    let rows = rows.collect::<PyResult<Vec<_>>>()?;
    dataclass!(py, "Analysis", {
        "move": mv.to_string(),
        "score": found.map(|found| score(py, found.score)).transpose()?,
        "line": texts(py, &known.pv)?,
        "depth": known.depth,
        "stop": found.map(|found| stop_word(found.stop)),
        "statistics": statistics(py, &known.stats)?,
        "moves": PyTuple::new(py, rows)?,
        "mixed": known.mixed.as_ref().map(|found| mixed(py, found)).transpose()?,
    })
}
