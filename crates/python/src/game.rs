//! What a game needs to be a pair of Python classes, and everything that those do, written once.

use std::hash::{DefaultHasher, Hash, Hasher};

use gamesearch::Listed;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyInt, PyList, PyString, PyTuple};
use search_core::{
    Active, End, Exploitability, Game, Indexed, Limits, Paint, Planes, Player, Record, SearchRng, StopFlag,
    Turn, parse_turn, play_out, sample_turn, turn_text,
};

use crate::arguments::{Seat, Whole, mistake, setup_text, wrong_type};
use crate::interrupt::interruptible;
use crate::moves::{asked, check_turn, read_move, read_turn};
use crate::solve::{Judged, Solved};

/// A game with its two Python classes.
pub(crate) trait PythonGame: Listed + Indexed + Planes + PartialEq {
    /// The numbers of the actions as objects of Python, made once: lists of actions are most of what a loop over games costs.
    fn action_numbers(py: Python<'_>) -> &'static [Py<PyInt>];

    /// A position as an object of Python.
    fn into_python(self, py: Python<'_>) -> PyResult<Py<PyAny>>;

    /// The record behind a `Game` of this game, or one that starts at a `Position`; `None` for any other object.
    fn record_of(object: &Bound<'_, PyAny>) -> Option<Record<Self>>;

    /// The value of the game from here, if the limits allow to find it.
    fn solve(record: &Record<Self>, limits: Limits, stop: &StopFlag) -> Solved;

    /// How much a strategy can be exploited; what is wrong if that cannot be measured.
    fn exploitability(
        position: &Self,
        task: &Judged,
        strategy: Strategy<'_, Self>,
    ) -> Result<Exploitability, String>;
}

/// A function from positions to moves with their probabilities.
pub(crate) type Strategy<'a, G> = &'a mut dyn FnMut(&G) -> Vec<(<G as Game>::Move, f64)>;

/// The class of a game that an object belongs to, and the type behind it.
pub(crate) trait GameVisitor {
    type Output;

    fn visit<G: PythonGame>(self, record: Record<G>) -> Self::Output;
}

pub(crate) fn setup<G: Game>(setup: Option<&Bound<'_, PyDict>>) -> PyResult<G::Setup> {
    setup_text(setup)?.parse().map_err(|error| mistake(format!("{}: {error}", G::NAME)))
}

/// The position of a text, or the start of a set-up.
pub(crate) fn position<G: PythonGame>(
    text: Option<&str>,
    seed: Option<Whole>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<G> {
    match text {
        Some(_) if seed.is_some() || options.is_some_and(|options| !options.is_empty()) => {
            Err(mistake("expected the text of a position or a set-up, found both"))
        }
        Some(text) => text.parse().map_err(mistake),
        None => Ok(G::initial(&setup::<G>(options)?, seed.map_or(0, |seed| seed.0))),
    }
}

/// Where a game starts: a position, its text, or a set-up.
pub(crate) fn start<G: PythonGame>(
    start: Option<&Bound<'_, PyAny>>,
    seed: Option<Whole>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Record<G>> {
    let Some(start) = start.filter(|start| !start.is_none()) else {
        return position(None, seed, options).map(Record::new);
    };
    if let Ok(text) = start.cast::<PyString>() {
        return position(Some(text.to_str()?), seed, options).map(Record::new);
    }
    match G::record_of(start) {
        Some(record) if seed.is_none() && options.is_none_or(PyDictMethods::is_empty) => {
            Ok(Record::new(record.position().clone()))
        }
        Some(_) => Err(mistake("expected a position or a set-up, found both")),
        None => Err(wrong_type(&format!("a position of {} or its text", G::NAME), start)),
    }
}

/// Plays turns that are given as texts, one text of all or a sequence.
pub(crate) fn play_all<G: PythonGame>(record: &mut Record<G>, turns: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut play = |number: usize, text: &str| {
        let fail = |problem: String| mistake(format!("turn {number} cannot be played: {problem}"));
        let turn =
            parse_turn::<G>(record.position().active(), text).map_err(|error| fail(error.to_string()))?;
        record.play(turn).map(|_| ()).map_err(|error| fail(error.to_string()))
    };
    if let Ok(text) = turns.cast::<PyString>() {
        return text
            .to_str()?
            .split_whitespace()
            .enumerate()
            .try_for_each(|(index, text)| play(index + 1, text));
    }
    for (index, turn) in turns.try_iter()?.enumerate() {
        let turn = turn?;
        let text = turn.cast::<PyString>().map_err(|_| wrong_type("turns as texts", &turn))?;
        play(index + 1, text.to_str()?)?;
    }
    Ok(())
}

pub(crate) fn to_move<G: Game>(position: &G) -> Option<usize> {
    match position.active() {
        Active::One(player) => Some(player.index()),
        Active::Both => None,
    }
}

pub(crate) fn outcome(end: Option<End>) -> Option<String> {
    end.map(|end| end.outcome.to_string())
}

pub(crate) fn legal_moves<G: PythonGame>(position: &G, player: Option<Seat>) -> PyResult<Vec<String>> {
    let moves = position.move_list(asked(position, player)?);
    Ok(moves.as_ref().iter().map(ToString::to_string).collect())
}

pub(crate) fn legal_actions<'py, G: PythonGame>(
    py: Python<'py>,
    position: &G,
    player: Option<Seat>,
) -> PyResult<Bound<'py, PyList>> {
    let moves = position.move_list(asked(position, player)?);
    let numbers = G::action_numbers(py);
    PyList::new(py, moves.as_ref().iter().map(|&mv| numbers[G::index_of(mv)].bind(py)))
}

/// The whole numbers below `count`, as objects.
pub(crate) fn numbers(py: Python<'_>, count: usize) -> Vec<Py<PyInt>> {
    (0..count)
        .map(|number| number.into_pyobject(py).map_or_else(|never| match never {}, Bound::unbind))
        .collect()
}

/// A byte for each action of the game, 1 where it is legal.
pub(crate) fn mask<'py, G: PythonGame>(
    py: Python<'py>,
    position: &G,
    player: Option<Seat>,
    actions: Option<Whole>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let moves = position.move_list(asked(position, player)?);
    mask_of::<G>(py, moves.as_ref(), actions)
}

/// The same of a record: no action is legal once the game is over, by repetition too.
pub(crate) fn record_mask<'py, G: PythonGame>(
    py: Python<'py>,
    record: &Record<G>,
    player: Option<Seat>,
    actions: Option<Whole>,
) -> PyResult<Bound<'py, PyByteArray>> {
    match record.end() {
        None => mask(py, record.position(), player, actions),
        Some(_) => mask_of::<G>(py, &[], actions),
    }
}

fn mask_of<'py, G: PythonGame>(
    py: Python<'py>,
    moves: &[G::Move],
    actions: Option<Whole>,
) -> PyResult<Bound<'py, PyByteArray>> {
    let length = actions.map_or(G::ACTIONS, |actions| actions.small() as usize).min(G::ACTIONS);
    PyByteArray::new_with(py, length, |bytes| {
        for &mv in moves {
            if let Some(legal) = bytes.get_mut(G::index_of(mv)) {
                *legal = 1;
            }
        }
        Ok(())
    })
}

/// The planes as the bytes of 32-bit floats.
pub(crate) fn planes<'py, G: PythonGame>(
    py: Python<'py>,
    position: &G,
    viewer: Seat,
) -> PyResult<Bound<'py, PyByteArray>> {
    let values = position.planes(viewer.0);
    PyByteArray::new_with(py, values.len() * 4, |bytes| {
        for (bytes, value) in bytes.chunks_exact_mut(4).zip(&values) {
            bytes.copy_from_slice(&value.to_ne_bytes());
        }
        Ok(())
    })
}

pub(crate) fn shape<G: PythonGame>(position: &G) -> (usize, usize, usize) {
    let shape = position.shape();
    (shape.planes, shape.rows, shape.columns)
}

pub(crate) fn play<G: PythonGame>(
    position: &G,
    first: &Bound<'_, PyAny>,
    second: Option<&Bound<'_, PyAny>>,
) -> PyResult<G> {
    let turn = read_turn::<G>(position.active(), first, second)?;
    check_turn(position, turn).map_err(mistake)?;
    let mut next = position.clone();
    next.play_turn(turn);
    Ok(next)
}

pub(crate) fn push<G: PythonGame>(
    record: &mut Record<G>,
    first: &Bound<'_, PyAny>,
    second: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let turn = read_turn::<G>(record.position().active(), first, second)?;
    record.play(turn).map(|_| ()).map_err(mistake)
}

pub(crate) fn pop<G: PythonGame>(record: &mut Record<G>) -> PyResult<String> {
    let turn = record.take_back().ok_or_else(|| mistake("no turn to take back: the game is at its start"))?;
    Ok(turn_text::<G>(record.position().active(), turn))
}

/// The payoff of a finished game: by the record, which knows of repetitions.
pub(crate) fn utility<G: PythonGame>(record: &Record<G>, player: Seat) -> i32 {
    match (record.end(), record.position().end()) {
        (Some(end), Some(by_position)) if end == by_position => record.position().utility(player.0),
        (Some(end), _) => end.outcome.sign(player.0),
        (None, _) => 0,
    }
}

pub(crate) fn perft<G: PythonGame>(py: Python<'_>, position: &G, depth: Whole) -> PyResult<u64> {
    let stop = StopFlag::new();
    interruptible(py, &stop, || count(position, depth.small(), &stop))
}

pub(crate) fn divide<'py, G: PythonGame>(
    py: Python<'py>,
    position: &G,
    depth: Whole,
) -> PyResult<Bound<'py, PyDict>> {
    let stop = StopFlag::new();
    let rows = interruptible(py, &stop, || {
        let mut rows = Vec::new();
        if depth.0 > 0 {
            search_core::for_each_turn(position, |turn| {
                let mut next = position.clone();
                next.play_turn(turn);
                rows.push((turn_text::<G>(position.active(), turn), count(&next, depth.small() - 1, &stop)));
            });
        }
        rows
    })?;
    let counts = PyDict::new(py);
    for (turn, leaves) in rows {
        counts.set_item(turn, leaves)?;
    }
    Ok(counts)
}

/// Perft that gives up when it is told to.
fn count<G: Game>(position: &G, depth: u32, stop: &StopFlag) -> u64 {
    // What is left below is counted in a moment.
    const BRIEF: u32 = 2;
    if stop.is_set() {
        return 0;
    }
    if depth <= BRIEF {
        return search_core::perft(position, depth);
    }
    let mut leaves = 0;
    search_core::for_each_turn(position, |turn| {
        let mut next = position.clone();
        next.play_turn(turn);
        leaves += count(&next, depth - 1, stop);
    });
    leaves
}

pub(crate) fn picture<G: Game>(position: &G, colour: bool) -> String {
    position.picture(if colour { Paint::Ansi } else { Paint::Plain })
}

/// The drawing of the report, as one SVG document.
pub(crate) fn svg<G: PythonGame>(position: &G) -> String {
    G::draw(position, None).svg()
}

/// The drawing of the position with the last turn shown.
pub(crate) fn record_svg<G: PythonGame>(record: &Record<G>) -> String {
    let before = record.without_last(1);
    let last = record.turns().last().map(|&turn| (before.position(), turn));
    G::draw(record.position(), last).svg()
}

/// Equal positions have equal keys.
pub(crate) fn hash<G: Game>(position: &G) -> u64 {
    let mut hasher = DefaultHasher::new();
    position.key().hash(&mut hasher);
    hasher.finish()
}

/// A game of random turns until its end, by repetition too.
pub(crate) fn random<G: Game>(mut record: Record<G>, seed: Whole) -> Record<G> {
    let mut rng = SearchRng::new(seed.0, "random game");
    while record.end().is_none() {
        let Some(turn) = sample_turn(record.position(), &mut rng) else { break };
        // Sampled turns are legal.
        if record.play(turn).is_err() {
            break;
        }
    }
    record
}

/// A position after a random playout, for those who want only its end.
pub(crate) fn played_out<G: Game>(position: &G, seed: Whole) -> G {
    let mut end = position.clone();
    play_out(&mut end, &mut SearchRng::new(seed.0, "playouts"));
    end
}

pub(crate) fn action_of<G: PythonGame>(mv: &Bound<'_, PyAny>) -> PyResult<usize> {
    read_move::<G>(mv).map(G::index_of)
}

pub(crate) fn same_games<G: PythonGame>(one: &Record<G>, other: &Record<G>) -> bool {
    one.start() == other.start() && one.turns() == other.turns()
}

/// The arguments that make an equal game again.
pub(crate) fn reduced<'py, G: PythonGame>(
    py: Python<'py>,
    record: &Record<G>,
) -> PyResult<Bound<'py, PyTuple>> {
    (record.start().to_string(), record.turn_texts()).into_pyobject(py)
}

/// Whose view: 0 unless said otherwise.
pub(crate) fn viewer(seat: Option<Seat>) -> Seat {
    seat.unwrap_or(Seat(Player::One))
}

/// Whether both players move at once.
pub(crate) const fn simultaneous<G: Game>() -> bool {
    <G::Turn as Turn<G::Move>>::SIMULTANEOUS
}
