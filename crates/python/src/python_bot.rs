//! An object of Python that plays: anything with a method `choose(game)`.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use search_core::{Active, Answer, Bot, BotFailure, FailureKind, Player, Task};

use crate::game::PythonGame;
use crate::moves::read_move;

/// What the spec strings of such bots begin with.
pub(crate) const PREFIX: &str = "python:";

/// A bot that asks an object; or, given a class, an object of it for every game.
pub(crate) struct PythonBot<G> {
    given: Py<PyAny>,
    player: Option<Py<PyAny>>,
    game: std::marker::PhantomData<fn() -> G>,
}

impl<G: PythonGame> PythonBot<G> {
    pub(crate) fn new(given: &Py<PyAny>) -> PythonBot<G> {
        let given = Python::attach(|py| given.clone_ref(py));
        PythonBot { given, player: None, game: std::marker::PhantomData }
    }

    fn begin(&mut self, py: Python<'_>, seat: Player, seed: u64) -> PyResult<()> {
        let given = self.given.bind(py);
        let player = if given.is_instance_of::<PyType>() { given.call0()? } else { given.clone() };
        if !player.hasattr("choose")? {
            let kind = player.get_type().name()?;
            return Err(crate::arguments::mistake(format!(
                "expected a bot with a method `choose`, found {kind}"
            )));
        }
        // Those who draw by chance want the seed. Our own `Bot` has one already.
        if player.hasattr("new_game")? && !player.is_instance_of::<crate::bot::Bot>() {
            player.call_method1("new_game", (seat.index(), seed))?;
        }
        self.player = Some(player.unbind());
        Ok(())
    }

    fn ask(&self, py: Python<'_>, task: &Task<'_, G>) -> PyResult<G::Move> {
        let player = self.player.as_ref().unwrap_or(&self.given).bind(py);
        let game = G::record_into_python(task.record.clone(), py)?;
        let keywords = PyDict::new(py);
        if task.record.position().active() == Active::Both {
            keywords.set_item("player", task.player.index())?;
        }
        read_move::<G>(&player.call_method("choose", (game,), Some(&keywords))?)
    }
}

/// What went wrong, with the traceback.
fn failure(py: Python<'_>, kind: FailureKind, error: &PyErr) -> BotFailure {
    let trace = error.traceback(py).and_then(|trace| trace.format().ok()).unwrap_or_default();
    BotFailure::new(kind, format!("{trace}{error}"))
}

impl<G: PythonGame> Bot<G> for PythonBot<G> {
    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        Python::attach(|py| {
            self.begin(py, player, seed).map_err(|error| failure(py, FailureKind::Start, &error))
        })
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        Python::attach(|py| {
            self.ask(py, task).map(Answer::plain).map_err(|error| failure(py, FailureKind::Crash, &error))
        })
    }
}
