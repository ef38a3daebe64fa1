//! A move generator written in Python, compared with ours on random games.

use std::cell::RefCell;
use std::collections::BTreeSet;

use pyo3::prelude::*;
use pyo3::types::PyString;
use search_core::laws::{Counterexample, Laws};
use search_core::strategies::Walk;
use search_core::{Player, Record};

use crate::analysis::{dataclass, texts};
use crate::arguments::{Whole, mistake, wrong_type};
use crate::game::{GameVisitor, PythonGame};
use crate::games::of_object;

/// Where the two generators part: the position, whose moves, and what one list alone has.
#[derive(Default, Clone)]
struct Difference {
    player: usize,
    missing: Vec<String>,
    extra: Vec<String>,
    raised: Option<String>,
}

struct Found {
    start: String,
    turns: Vec<String>,
    position: String,
    difference: Difference,
}

struct Compare<'a, 'py> {
    generator: &'a Bound<'py, PyAny>,
    games: u32,
    turns: usize,
}

impl GameVisitor for Compare<'_, '_> {
    type Output = PyResult<Option<Found>>;

    fn visit<G: PythonGame>(self, record: Record<G>) -> Self::Output {
        let py = self.generator.py();
        // The last one said is that of the game which the search for a shorter one ended with.
        let last: RefCell<Difference> = RefCell::default();
        let stopped: RefCell<Option<PyErr>> = RefCell::default();
        let start = record.position().clone();
        let law = |walk: &Walk<G>| {
            for position in walk.positions() {
                if stopped.borrow().is_some() {
                    return Ok(());
                }
                if let Err(error) = py.check_signals() {
                    *stopped.borrow_mut() = Some(error);
                    return Ok(());
                }
                for player in Player::BOTH {
                    if let Some(difference) = difference(self.generator, position, player) {
                        *last.borrow_mut() = difference;
                        return Err(position.to_string());
                    }
                }
            }
            Ok(())
        };
        let laws = Laws::<G>::new().cases(self.games).turns(self.turns).starting_at(start);
        let found = laws.find(law).map_err(mistake)?;
        if let Some(error) = stopped.take() {
            return Err(error);
        }
        let Some(Counterexample { walk, broken, .. }) = found else { return Ok(None) };
        // The walk may end behind the position: its end is where the generators part, once it is as short as it gets.
        let position: G = broken.parse().map_err(mistake)?;
        let difference =
            Player::BOTH.into_iter().find_map(|player| difference(self.generator, &position, player));
        Ok(Some(Found {
            start: walk.start().to_string(),
            turns: walk.turn_texts(),
            position: broken,
            difference: difference.unwrap_or_else(|| last.take()),
        }))
    }
}

fn difference<G: PythonGame>(
    generator: &Bound<'_, PyAny>,
    position: &G,
    player: Player,
) -> Option<Difference> {
    let ours: BTreeSet<String> =
        position.move_list(player).as_ref().iter().map(ToString::to_string).collect();
    let none = Difference { player: player.index(), ..Difference::default() };
    match theirs(generator, position, player) {
        Err(error) => Some(Difference { raised: Some(error.to_string()), ..none }),
        Ok(theirs) => {
            let twice = theirs.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone());
            let set: BTreeSet<String> = theirs.iter().cloned().collect();
            let extra: Vec<String> = set.difference(&ours).cloned().chain(twice).collect();
            let missing: Vec<String> = ours.difference(&set).cloned().collect();
            let same = extra.is_empty() && missing.is_empty();
            (!same).then_some(Difference { missing, extra, ..none })
        }
    }
}

/// What the generator lists, sorted.
fn theirs<G: PythonGame>(
    generator: &Bound<'_, PyAny>,
    position: &G,
    player: Player,
) -> PyResult<Vec<String>> {
    let object = position.clone().into_python(generator.py())?;
    let mut moves = Vec::new();
    for mv in generator.call1((object, player.index()))?.try_iter()? {
        let mv = mv?;
        moves.push(match mv.cast::<PyString>() {
            Ok(text) => text.to_str()?.to_owned(),
            Err(_) => crate::moves::read_move::<G>(&mv)?.to_string(),
        });
    }
    moves.sort_unstable();
    Ok(moves)
}

/// Compares a move generator of yours with the game's own on random games from a `Game` or a `Position`.
/// `generator(position, player)` lists the legal moves of a player, as texts or numbers of actions, in any order; a player who is
/// not to move has none, and nobody has once the game is over.
///
/// `None` if they agree everywhere; else a `Disagreement`, with the game that leads to it made as short as it gets.
///
/// >>> import gamesearch
/// >>> def no_pit_three(position, player):
/// ...     moves = position.legal_moves(player)
/// ...     return [move for move in moves if move != "3"]
/// >>> found = gamesearch.compare_moves(gamesearch.hus.Position(), no_pit_three)
/// >>> found.turns, found.player, found.missing
/// ((), 0, ('3',))
#[pyfunction]
#[pyo3(
    signature = (start, generator, *, games=Whole(64), turns=Whole(60)),
    text_signature = "(start, generator, *, games=64, turns=60)"
)]
pub(crate) fn compare_moves<'py>(
    start: &Bound<'py, PyAny>,
    generator: &Bound<'py, PyAny>,
    games: Whole,
    turns: Whole,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = start.py();
    if !generator.is_callable() {
        return Err(wrong_type("a function that lists moves", generator));
    }
    let turns = turns.small() as usize;
    let found = of_object(start, Compare { generator, games: games.small(), turns })??;
    found
        .map(|Found { start, turns, position, difference }| {
            dataclass!(py, "Disagreement", {
                "start": start,
                "turns": texts(py, &turns)?,
                "position": position,
                "player": difference.player,
                "missing": texts(py, &difference.missing)?,
                "extra": texts(py, &difference.extra)?,
                "raised": difference.raised,
            })
        })
        .transpose()
}
