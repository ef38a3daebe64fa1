//! Random games by the thousand, in one call.

use pyo3::prelude::*;
use search_core::{Outcome, Player, Record, SearchRng, StopFlag, play_out};

use crate::analysis::dataclass;
use crate::arguments::Whole;
use crate::game::{GameVisitor, PythonGame};
use crate::games::of_object;
use crate::interrupt::interruptible;

/// What came out of some random games.
#[derive(Default)]
struct Counts {
    games: u64,
    turns: u64,
    wins: [u64; 2],
    draws: u64,
}

struct PlayOut<'py> {
    py: Python<'py>,
    count: u64,
    seed: u64,
}

impl GameVisitor for PlayOut<'_> {
    type Output = PyResult<Counts>;

    fn visit<G: PythonGame>(self, record: Record<G>) -> Self::Output {
        let stop = StopFlag::new();
        interruptible(self.py, &stop, || {
            let mut rng = SearchRng::new(self.seed, "playouts");
            let mut counts = Counts::default();
            while counts.games < self.count && !stop.is_set() {
                let mut position = record.position().clone();
                counts.turns += u64::from(play_out(&mut position, &mut rng));
                counts.games += 1;
                match position.end().map(|end| end.outcome) {
                    Some(Outcome::Win(Player::One)) => counts.wins[0] += 1,
                    Some(Outcome::Win(Player::Two)) => counts.wins[1] += 1,
                    Some(Outcome::Draw) | None => counts.draws += 1,
                }
            }
            counts
        })
    }
}

/// Plays `n` random games from a position to their ends by the rules of the board (repetition plays no part), at full speed and
/// without Python's lock. The same seed plays the same games.
///
/// >>> import gamesearch
/// >>> found = gamesearch.playouts(gamesearch.hus.Position(), 100, seed=7)
/// >>> found.games, sum(found.wins) + found.draws
/// (100, 100)
#[pyfunction]
#[pyo3(signature = (position, n, seed=Whole(0)), text_signature = "(position, n, seed=0)")]
pub(crate) fn playouts<'py>(
    position: &Bound<'py, PyAny>,
    n: Whole,
    seed: Whole,
) -> PyResult<Bound<'py, PyAny>> {
    let py = position.py();
    let counts = of_object(position, PlayOut { py, count: n.0, seed: seed.0 })??;
    let [one, two] = counts.wins;
    dataclass!(py, "Playouts", {
        "games": counts.games,
        "turns": counts.turns,
        "wins": (one, two),
        "draws": counts.draws,
    })
}
