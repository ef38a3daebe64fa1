//! `Bot`: a bot of a game by its spec string.

use std::sync::{Mutex, PoisonError};

use arena::MatchLimits;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use search_core::{Answer, BotFailure, FailureKind, Limits, Player, Record, StopFlag, SystemClock, Task};

use crate::analysis::analysis;
use crate::arguments::{Seat, Whole, limits, mistake, wrong_type};
use crate::game::PythonGame;
use crate::games::{NameVisitor, of_name};
use crate::interrupt::interruptible;
use crate::moves::asked;

/// A bot without its game's type.
trait Thinker: Send + Sync {
    /// The move that the bot chooses, as text, and what it saw.
    fn answer<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        player: Option<Seat>,
        limits: Option<Limits>,
        whole: bool,
    ) -> PyResult<Bound<'py, PyAny>>;

    fn new_game(&self, py: Python<'_>, seed: u64);
}

/// The bots that play the two sides, made when they are first asked, and the game that they are in.
struct Sides<G: PythonGame> {
    bots: [Option<Box<dyn search_core::Bot<G>>>; 2],
    seed: u64,
    /// Where the game started, and the turns at the last question.
    game: Option<(G, Vec<G::Turn>)>,
}

struct Thinking<G: PythonGame> {
    spec: String,
    sides: Mutex<Sides<G>>,
}

impl<G: PythonGame> Sides<G> {
    /// Forgets the game in hand, unless `record` goes on with it.
    fn follow(&mut self, record: &Record<G>) {
        let same = self
            .game
            .as_ref()
            .is_some_and(|(start, turns)| start == record.start() && record.turns().starts_with(turns));
        if !same {
            self.bots = [None, None];
        }
        self.game = Some((record.start().clone(), record.turns().to_vec()));
    }

    fn choose(&mut self, spec: &str, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        self.follow(task.record);
        let place = &mut self.bots[task.player.index()];
        let bot = if let Some(bot) = place {
            bot
        } else {
            let failure = |error| BotFailure::new(FailureKind::Start, format!("{error}"));
            let mut bot = G::catalogue().build(spec).map_err(failure)?;
            bot.new_game(task.player, self.seed)?;
            place.insert(bot)
        };
        bot.choose(task)
    }
}

impl<G: PythonGame> Thinker for Thinking<G> {
    fn answer<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        player: Option<Seat>,
        limits: Option<Limits>,
        whole: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = game.py();
        let expected = || wrong_type(&format!("a Game or a Position of {}", G::NAME), game);
        let record = G::record_of(game).ok_or_else(expected)?;
        if let Some(end) = record.end() {
            return Err(mistake(format!("expected a game that goes on, found one that is over: {end}")));
        }
        // A bot that is asked in a game in which both move, and is not told its side, is the first player.
        let player = match (player, search_core::Active::Both == record.position().active()) {
            (None, true) => Player::One,
            _ => asked(record.position(), player)?,
        };
        if !record.position().active().includes(player) {
            return Err(mistake(format!("expected the player to move, found player {}", player.index())));
        }
        let limits = limits.unwrap_or_else(|| usual::<G>(&self.spec));
        let stop = StopFlag::new();
        let answer = interruptible(py, &stop, || {
            let mut sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
            let clock = SystemClock::new();
            let task = Task::plain(&record, player, limits, &stop, &clock);
            sides.choose(&self.spec, &task)
        })?;
        let Answer { mv, analysis: found } =
            answer.map_err(|failure| PyRuntimeError::new_err(failure.to_string()))?;
        if whole {
            analysis::<G>(py, mv, found.as_ref())
        } else {
            Ok(mv.to_string().into_pyobject(py)?.into_any())
        }
    }

    fn new_game(&self, py: Python<'_>, seed: u64) {
        // Another thread may be searching.
        py.detach(|| {
            let mut sides = self.sides.lock().unwrap_or_else(PoisonError::into_inner);
            *sides = Sides { bots: [None, None], seed, game: None };
        });
    }
}

/// The limits with which the game's bots take about the same time.
fn usual<G: PythonGame>(spec: &str) -> Limits {
    let MatchLimits { depth, nodes, playouts, .. } =
        gamesearch::usual_limits::<G>(spec).parse().unwrap_or_default();
    Limits { depth, nodes, playouts, time: None }
}

/// Makes a bot of the game.
struct Make<'a> {
    spec: &'a str,
    seed: u64,
}

impl NameVisitor for Make<'_> {
    type Output = PyResult<Box<dyn Thinker>>;

    fn visit<G: PythonGame>(self) -> Self::Output {
        // Every option is looked at, before the first question.
        G::catalogue().build(self.spec).map_err(mistake)?;
        let sides = Sides::<G> { bots: [None, None], seed: self.seed, game: None };
        Ok(Box::new(Thinking { spec: self.spec.to_owned(), sides: Mutex::new(sides) }))
    }
}

/// A bot of a game, by its spec string: `name[:key=value,...]`, the same as on the command line (`gamesearch.bots(game)` lists
/// the names). It plays either side, and may be asked about any game: in one that goes on from where it was asked before it
/// remembers what it learned, for any other it starts anew.
///
/// With the same seed, the same questions and limits other than time it gives the same answers.
///
/// >>> import gamesearch
/// >>> bot = gamesearch.Bot("hus", "champion", seed=1)
/// >>> game = gamesearch.hus.Game()
/// >>> bot.choose(game, nodes=1000) in game.legal_moves()
/// True
#[pyclass(frozen, module = "gamesearch")]
pub(crate) struct Bot {
    game: String,
    spec: String,
    seed: u64,
    thinker: Box<dyn Thinker>,
}

#[pymethods]
impl Bot {
    #[new]
    #[pyo3(signature = (game, spec, seed=Whole(1)), text_signature = "(game, spec, seed=1)")]
    fn new(game: &str, spec: &str, seed: Whole) -> PyResult<Self> {
        let thinker = of_name(game, Make { spec, seed: seed.0 })??;
        Ok(Bot { game: game.to_owned(), spec: spec.to_owned(), seed: seed.0, thinker })
    }

    /// The name of its game.
    #[getter]
    fn game(&self) -> &str {
        &self.game
    }

    /// Its spec string.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// The seed of its randomness.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// The move that the bot plays in a `Game` (or a `Position`), as text. It ends with whichever limit comes first; without any
    /// it takes the game's usual ones. `movetime` is in seconds. Where both players move, `player` says for whom.
    ///
    /// Other Python threads run while it searches, and Ctrl-C stops it.
    #[pyo3(signature = (game, *, player=None, movetime=None, nodes=None, playouts=None, depth=None))]
    fn choose<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        player: Option<Seat>,
        movetime: Option<f64>,
        nodes: Option<Whole>,
        playouts: Option<Whole>,
        depth: Option<Whole>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.thinker.answer(game, player, given(depth, nodes, playouts, movetime)?, false)
    }

    /// What the bot thinks of a `Game` (or a `Position`): an `Analysis`. Takes the same arguments as `choose`.
    ///
    /// >>> import gamesearch
    /// >>> bot = gamesearch.Bot("hus", "alphabeta")
    /// >>> found = bot.analyse(gamesearch.hus.Position(), depth=4)
    /// >>> found.depth, found.move == found.line[0], found.stop
    /// (4, True, 'depth')
    #[pyo3(signature = (game, *, player=None, movetime=None, nodes=None, playouts=None, depth=None))]
    fn analyse<'py>(
        &self,
        game: &Bound<'py, PyAny>,
        player: Option<Seat>,
        movetime: Option<f64>,
        nodes: Option<Whole>,
        playouts: Option<Whole>,
        depth: Option<Whole>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.thinker.answer(game, player, given(depth, nodes, playouts, movetime)?, true)
    }

    /// Forgets everything about earlier games.
    fn new_game(&self, py: Python<'_>) {
        self.thinker.new_game(py, self.seed);
    }

    fn __repr__(&self) -> String {
        format!("Bot('{}', '{}', seed={})", self.game, self.spec.escape_default(), self.seed)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (&str, &str, u64)) {
        (py.get_type::<Self>().into_any(), (&self.game, &self.spec, self.seed))
    }
}

/// The limits if any is given.
fn given(
    depth: Option<Whole>,
    nodes: Option<Whole>,
    playouts: Option<Whole>,
    movetime: Option<f64>,
) -> PyResult<Option<Limits>> {
    let given = limits(depth, nodes, playouts, movetime)?;
    Ok((given != Limits::default()).then_some(given))
}
