//! The table of games: their Python classes, and the way from an object or a name to the game behind it.

use ::colosseum::Position as Colosseum;
use ::expendibots::Position as Expendibots;
use ::hus::Position as Hus;
use ::ropasci360::Position as Ropasci360;
use gamesearch::Listed;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyDict, PyInt, PyList, PyTuple};
use search_core::{Exploitability, Game, Indexed, Limits, Planes, Record, StopFlag};

use crate::arguments::{Seat, Whole, mistake, wrong_type};
use crate::classes::python_classes;
use crate::game::{self, GameVisitor, PythonGame, Strategy};
use crate::moves::read_move;
use crate::solve::{Judged, Solved};

python_classes!(
    Expendibots,
    ExpendibotsPosition,
    ExpendibotsGame,
    "gamesearch.expendibots",
    turn_based,
    ">>> from gamesearch import expendibots\n>>> expendibots.Position().legal_moves()[0]\n'a1!'"
);
python_classes!(
    Ropasci360,
    Ropasci360Position,
    Ropasci360Game,
    "gamesearch.ropasci360",
    simultaneous,
    ">>> from gamesearch import ropasci360\n>>> len(ropasci360.Position().legal_moves(1))\n15"
);
python_classes!(
    Hus,
    HusPosition,
    HusGame,
    "gamesearch.hus",
    turn_based,
    ">>> from gamesearch import hus\n>>> len(hus.Position().legal_moves())\n24"
);
python_classes!(
    Colosseum,
    ColosseumPosition,
    ColosseumGame,
    "gamesearch.colosseum",
    turn_based,
    ">>> from gamesearch import colosseum\n>>> colosseum.Position(size=6, seed=3).shape\n(7, 6, 6)"
);

/// Does the work for each of these games in turn until it has been done.
macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// Does the work for the game that an object is a `Game` or a `Position` of.
        pub(crate) fn of_object<V: GameVisitor>(object: &Bound<'_, PyAny>, visitor: V) -> PyResult<V::Output> {
            $(if let Some(record) = <$game as PythonGame>::record_of(object) {
                return Ok(visitor.visit(record));
            })*
            Err(wrong_type("a Game or a Position", object))
        }

        /// Does the work for the game of this name.
        pub(crate) fn of_name<V: NameVisitor>(name: &str, visitor: V) -> PyResult<V::Output> {
            match name {
                $(name if name == <$game as Game>::NAME => Ok(visitor.visit::<$game>()),)*
                _ => Err(unknown(name, &[$(<$game as Game>::NAME),*])),
            }
        }
    };
}

macro_rules! add_classes {
    ($($name:literal: $class:ty),* $(,)?) => {
        /// Adds the classes to the module, which are all called `Position` and `Game`, under names of their own.
        pub(crate) fn add_classes(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add($name, module.py().get_type::<$class>())?;)*
            Ok(())
        }
    };
}

add_classes![
    "ExpendibotsPosition": ExpendibotsPosition,
    "ExpendibotsGame": ExpendibotsGame,
    "Ropasci360Position": Ropasci360Position,
    "Ropasci360Game": Ropasci360Game,
    "HusPosition": HusPosition,
    "HusGame": HusGame,
    "ColosseumPosition": ColosseumPosition,
    "ColosseumGame": ColosseumGame,
];

games![Expendibots, Ropasci360, Hus, Colosseum];

/// Work that is the same for every game.
pub(crate) trait NameVisitor {
    type Output;

    fn visit<G: PythonGame>(self) -> Self::Output;
}

fn unknown(name: &str, known: &[&str]) -> PyErr {
    let meant = agents::nearest(name, known.iter().copied());
    let meant = meant.map_or(String::new(), |near| format!(" (did you mean `{near}`?)"));
    mistake(format!("there is no game `{name}`{meant}; the games are {}", known.join(", ")))
}

/// The bots that play a game: their names with one line about each.
///
/// >>> import gamesearch
/// >>> gamesearch.bots("hus")["random"]
/// 'uniform over the legal moves'
#[pyfunction]
#[pyo3(signature = (game, /))]
pub(crate) fn bots<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyDict>> {
    struct Bots;

    impl NameVisitor for Bots {
        type Output = Vec<(&'static str, &'static str)>;

        fn visit<G: PythonGame>(self) -> Self::Output {
            G::catalogue().bots().iter().map(|bot| (bot.name, bot.about)).collect()
        }
    }

    let bots = PyDict::new(py);
    for (name, about) in of_name(game, Bots)? {
        bots.set_item(name, about)?;
    }
    Ok(bots)
}
