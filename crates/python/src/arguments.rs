//! What Python hands over, read strictly: what does not fit is a `ValueError` that says what was expected and what came.

use std::fmt::Display;
use std::time::Duration;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyAnyMethods, PyDict, PyString};
use search_core::{Limits, Player};

/// A mistake in words.
pub(crate) fn mistake(problem: impl Display) -> PyErr {
    PyValueError::new_err(problem.to_string())
}

/// Something of another type than was asked for.
pub(crate) fn wrong_type(expected: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected {expected}, found {name}"))
}

/// A whole number that is not negative.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.extract::<u64>().map(Whole).map_err(|error| {
            let found = object.to_owned();
            if error.is_instance_of::<PyTypeError>(object.py()) {
                return wrong_type("a whole number", &found);
            }
            // What does not fit has any number of digits.
            mistake(format!("expected a whole number from 0 to {}, found {}", u64::MAX, shown(&found)))
        })
    }
}

impl Whole {
    /// The number where no more than 32 bits are of use.
    pub(crate) fn small(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

/// How an object shows itself, cut short.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    const SHOWN: usize = 60;
    let text = object.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// One of the two players: 0 or 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seat(pub(crate) Player);

impl<'py> FromPyObject<'_, 'py> for Seat {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<i64>() {
            Ok(0) => Ok(Seat(Player::One)),
            Ok(1) => Ok(Seat(Player::Two)),
            _ => Err(mistake(format!("expected the player 0 or 1, found {}", shown(&object.to_owned())))),
        }
    }
}

/// The limits of one search.
pub(crate) fn limits(
    depth: Option<Whole>,
    nodes: Option<Whole>,
    playouts: Option<Whole>,
    movetime: Option<f64>,
) -> PyResult<Limits> {
    let time = movetime
        .map(|seconds| {
            // A week is as good as for ever, and a clock can hold it.
            Duration::try_from_secs_f64(seconds.min(604_800.0))
                .ok()
                .filter(|time| !time.is_zero())
                .ok_or_else(|| mistake(format!("movetime: expected seconds above 0, found {seconds}")))
        })
        .transpose()?;
    for (name, number) in [("depth", depth), ("nodes", nodes), ("playouts", playouts)] {
        if let Some(Whole(0)) = number {
            return Err(mistake(format!("{name}: expected a whole number from 1, found 0")));
        }
    }
    Ok(Limits {
        depth: depth.map(Whole::small),
        nodes: nodes.map(|Whole(nodes)| nodes),
        playouts: playouts.map(|Whole(playouts)| playouts),
        time: time.map(search_core::Time::Move),
    })
}

/// The text of a set-up from keyword arguments, such as `size=6,edition=fall2023`, in the order given.
pub(crate) fn setup_text(setup: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let mut parts = Vec::new();
    for (key, value) in setup.into_iter().flatten() {
        let value = match value.cast::<PyString>() {
            Ok(text) => text.to_str()?.to_owned(),
            Err(_) => value.str()?.to_string(),
        };
        parts.push(format!("{key}={value}"));
    }
    Ok(parts.join(","))
}
