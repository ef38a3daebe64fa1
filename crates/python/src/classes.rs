//! The two Python classes of a game, `Position` and `Game`, by one macro: the signatures and the help texts. What they do stands in
//! `game.rs`, once for all games.

/// Makes the classes of a game: its type, the names of the two classes in Rust, the Python module, whether it is `turn_based` or
/// `simultaneous`, and an example for each class.
macro_rules! python_classes {
    ($game:ty, $position:ident, $record:ident, $module:tt, $kind:ident, $example:tt) => {
        #[doc = concat!("A position of the game: facts of the board only, no history. It never changes; `play` makes a new one.\n\n")]
        #[doc = concat!("`Position()` is the start, `Position(text)` reads a text, and other arguments choose a set-up. `seed` matters ")]
        #[doc = concat!("to games that draw their start.\n\n", $example)]
        #[pyclass(frozen, name = "Position", module = $module)]
        pub(crate) struct $position {
            inner: $game,
        }

        #[pymethods]
        impl $position {
            #[new]
            #[pyo3(signature = (text=None, *, seed=None, **setup))]
            fn new(
                text: Option<&str>,
                seed: Option<Whole>,
                setup: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                game::position(text, seed, setup).map(|inner| Self { inner })
            }

            /// The name of the game, as on the command line.
            #[classattr]
            const NAME: &'static str = <$game as Game>::NAME;

            /// The name of the game for people.
            #[classattr]
            const TITLE: &'static str = <$game as Listed>::TITLE;

            /// Whether both players move at the same time.
            #[classattr]
            const SIMULTANEOUS: bool = game::simultaneous::<$game>();

            /// How many actions the game has, whatever the set-up.
            #[classattr]
            const ACTIONS: usize = <$game as Indexed>::ACTIONS;

            /// What the two players are called.
            #[classattr]
            #[pyo3(name = "SIDES")]
            fn sides() -> (&'static str, &'static str) {
                let [one, two] = <$game as Listed>::SIDES;
                (one, two)
            }

            /// What each of the planes holds.
            #[classattr]
            #[pyo3(name = "PLANES")]
            fn plane_names(py: Python<'_>) -> PyResult<Py<PyTuple>> {
                PyTuple::new(py, <$game as Planes>::PLANES).map(Bound::unbind)
            }

            /// How many actions games of this set-up use: the first ones.
            #[staticmethod]
            #[pyo3(signature = (**setup))]
            fn actions(setup: Option<&Bound<'_, PyDict>>) -> PyResult<usize> {
                game::setup::<$game>(setup).map(|setup| <$game as Indexed>::actions_in(&setup))
            }

            /// The number of a move, which may not be legal here.
            #[staticmethod]
            #[pyo3(signature = (mv, /))]
            fn action_of(mv: &Bound<'_, PyAny>) -> PyResult<usize> {
                game::action_of::<$game>(mv)
            }

            /// The text of the action with a number.
            #[staticmethod]
            #[pyo3(signature = (action, /))]
            fn move_of(action: &Bound<'_, PyAny>) -> PyResult<String> {
                read_move::<$game>(action).map(|mv| mv.to_string())
            }

            /// The position as one line of text.
            #[getter]
            fn text(&self) -> String {
                self.inner.to_string()
            }

            /// The position without its counter of turns: equal just where `key` is.
            #[getter]
            fn key_text(&self) -> String {
                self.inner.key_text()
            }

            /// A number of 64 bits for tables: positions with equal keys are equal but for counters of turns.
            #[getter]
            fn key(&self) -> u64 {
                self.inner.key()
            }

            /// The player to move, 0 or 1; `None` where both move.
            #[getter]
            fn to_move(&self) -> Option<usize> {
                game::to_move(&self.inner)
            }

            /// Whether the game is over by facts of the board. (Repetition is a matter of a `Game`.)
            #[getter]
            fn is_over(&self) -> bool {
                self.inner.end().is_some()
            }

            /// Who won: `p1`, `p2` or `draw`; `None` while the game goes on.
            #[getter]
            fn outcome(&self) -> Option<String> {
                game::outcome(self.inner.end())
            }

            /// Why the game is over, in the game's own word; `None` while it goes on.
            #[getter]
            fn reason(&self) -> Option<&'static str> {
                self.inner.end().map(|end| end.reason)
            }

            /// How many turns are left before a cap on them ends the game; `None` in a game without one.
            #[getter]
            fn turns_left(&self) -> Option<u32> {
                self.inner.turns_left()
            }

            /// The payoff of a finished game for a player; 0 while it goes on.
            #[pyo3(signature = (player, /))]
            fn utility(&self, player: Seat) -> i32 {
                self.inner.utility(player.0)
            }

            /// The legal moves as texts. Where both players move, say whose.
            ///
            /// >>> from gamesearch import hus
            /// >>> hus.Position().legal_moves()[:3]
            /// ['0', '1', '2']
            #[pyo3(signature = (player=None))]
            fn legal_moves(&self, player: Option<Seat>) -> PyResult<Vec<String>> {
                game::legal_moves(&self.inner, player)
            }

            /// The legal moves as numbers of actions, in the order of `legal_moves`.
            ///
            /// >>> from gamesearch import expendibots
            /// >>> start = expendibots.Position()
            /// >>> [start.move_of(action) for action in start.legal_actions()] == start.legal_moves()
            /// True
            #[pyo3(signature = (player=None))]
            fn legal_actions<'py>(
                &self,
                py: Python<'py>,
                player: Option<Seat>,
            ) -> PyResult<Bound<'py, PyList>> {
                game::legal_actions(py, &self.inner, player)
            }

            /// A byte for each action, 1 where it is legal: `numpy.frombuffer(position.mask(), "int8")`. With `actions` only for
            /// the first ones.
            #[pyo3(signature = (player=None, *, actions=None))]
            fn mask<'py>(
                &self,
                py: Python<'py>,
                player: Option<Seat>,
                actions: Option<Whole>,
            ) -> PyResult<Bound<'py, PyByteArray>> {
                game::mask(py, &self.inner, player, actions)
            }

            /// The position as a network sees it, from the side of a player (the first, unless said otherwise): 32-bit floats from 0
            /// to 1, plane by plane (`PLANES` says what each holds), in each row by row:
            /// `numpy.frombuffer(position.planes(), "float32").reshape(position.shape)`.
            #[pyo3(signature = (viewer=None))]
            fn planes<'py>(&self, py: Python<'py>, viewer: Option<Seat>) -> PyResult<Bound<'py, PyByteArray>> {
                game::planes(py, &self.inner, game::viewer(viewer))
            }

            /// How many planes, rows and columns `planes` has.
            #[getter]
            fn shape(&self) -> (usize, usize, usize) {
                game::shape(&self.inner)
            }

            /// The position after a legal move, given as text or as the number of an action; after two moves where both players
            /// move, which may also be one text, `first|second`.
            ///
            /// >>> from gamesearch import hus
            /// >>> hus.Position().play("12").to_move
            /// 1
            /// >>> hus.Position().play("30")
            /// Traceback (most recent call last):
            ///     ...
            /// ValueError: `30` is not a legal move of p1; legal: 0 1 2 3 4 5 6 7 8 9 10 11 and 12 more
            #[pyo3(signature = (mv, second=None, /))]
            fn play(&self, mv: &Bound<'_, PyAny>, second: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
                game::play(&self.inner, mv, second).map(|inner| Self { inner })
            }

            /// The number of sequences of exactly this number of turns.
            ///
            /// >>> from gamesearch import hus
            /// >>> hus.Position().perft(3)
            /// 11040
            #[pyo3(signature = (depth, /))]
            fn perft(&self, py: Python<'_>, depth: Whole) -> PyResult<u64> {
                game::perft(py, &self.inner, depth)
            }

            /// `perft` below each legal turn.
            #[pyo3(signature = (depth, /))]
            fn divide<'py>(&self, py: Python<'py>, depth: Whole) -> PyResult<Bound<'py, PyDict>> {
                game::divide(py, &self.inner, depth)
            }

            /// The position at the end of a random game from here, the same for the same seed.
            #[pyo3(signature = (seed=Whole(0)), text_signature = "($self, seed=0)")]
            fn play_out(&self, seed: Whole) -> Self {
                Self { inner: game::played_out(&self.inner, seed) }
            }

            /// The board drawn with characters, with colours for terminals if asked for.
            #[pyo3(signature = (colour=false))]
            fn picture(&self, colour: bool) -> String {
                game::picture(&self.inner, colour)
            }

            /// The board as an SVG document: the drawing of the tournaments' reports.
            fn svg(&self) -> String {
                game::svg(&self.inner)
            }

            /// What a notebook shows.
            fn _repr_svg_(&self) -> String {
                game::svg(&self.inner)
            }

            fn __str__(&self) -> String {
                self.inner.to_string()
            }

            fn __repr__(&self) -> String {
                format!("{}.Position('{}')", <$game as Game>::NAME, self.inner)
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.cast::<Self>().is_ok_and(|other| other.get().inner == self.inner)
            }

            fn __hash__(&self) -> u64 {
                game::hash(&self.inner)
            }

            fn __copy__(slf: Py<Self>) -> Py<Self> {
                slf
            }

            #[pyo3(signature = (memo, /))]
            fn __deepcopy__(slf: Py<Self>, memo: &Bound<'_, PyAny>) -> Py<Self> {
                let _ = memo;
                slf
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
                Ok((py.get_type::<Self>().into_any(), (self.inner.to_string(),)))
            }
        }

        #[doc = concat!("A game from its start to now: it checks every move, counts repetitions and knows when it is over.\n\n")]
        #[doc = concat!("`start` is a `Position` or its text; without it, a set-up may be chosen as for `Position`. `turns` are played ")]
        #[doc = concat!("at once.\n\n", $example)]
        #[pyclass(name = "Game", module = $module)]
        pub(crate) struct $record {
            inner: Record<$game>,
        }

        #[pymethods]
        impl $record {
            #[new]
            #[pyo3(signature = (start=None, turns=None, *, seed=None, **setup))]
            fn new(
                start: Option<&Bound<'_, PyAny>>,
                turns: Option<&Bound<'_, PyAny>>,
                seed: Option<Whole>,
                setup: Option<&Bound<'_, PyDict>>,
            ) -> PyResult<Self> {
                let mut inner = game::start(start, seed, setup)?;
                if let Some(turns) = turns {
                    game::play_all(&mut inner, turns)?;
                }
                Ok(Self { inner })
            }

            /// The name of the game, as on the command line.
            #[classattr]
            const NAME: &'static str = <$game as Game>::NAME;

            /// A game of random turns from its start to its end, the same for the same seed.
            #[staticmethod]
            #[pyo3(signature = (seed=Whole(0), start=None), text_signature = "(seed=0, start=None)")]
            fn random(seed: Whole, start: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
                game::start(start, None, None).map(|record| Self { inner: game::random(record, seed) })
            }

            /// Where the game started.
            #[getter]
            fn start(&self) -> $position {
                $position { inner: self.inner.start().clone() }
            }

            /// Where the game stands.
            #[getter]
            fn position(&self) -> $position {
                $position { inner: self.inner.position().clone() }
            }

            /// The turns so far, as texts.
            #[getter]
            fn turns(&self) -> Vec<String> {
                self.inner.turn_texts()
            }

            /// The player to move, 0 or 1; `None` where both move.
            #[getter]
            fn to_move(&self) -> Option<usize> {
                game::to_move(self.inner.position())
            }

            /// Whether the game is over, by repetition too.
            #[getter]
            fn is_over(&self) -> bool {
                self.inner.end().is_some()
            }

            /// Who won: `p1`, `p2` or `draw`; `None` while the game goes on.
            #[getter]
            fn outcome(&self) -> Option<String> {
                game::outcome(self.inner.end())
            }

            /// Why the game is over, in the game's own word or `repetition`; `None` while it goes on.
            #[getter]
            fn reason(&self) -> Option<&'static str> {
                self.inner.end().map(|end| end.reason)
            }

            /// The key of the position.
            #[getter]
            fn key(&self) -> u64 {
                self.inner.position().key()
            }

            /// How often the position has occurred; always 1 in a game without a rule of repetition.
            #[getter]
            fn occurrences(&self) -> u32 {
                self.inner.occurrences()
            }

            /// The payoff of a finished game for a player; 0 while it goes on.
            #[pyo3(signature = (player, /))]
            fn utility(&self, player: Seat) -> i32 {
                game::utility(&self.inner, player)
            }

            /// The legal moves as texts: none once the game is over. Where both players move, say whose.
            #[pyo3(signature = (player=None))]
            fn legal_moves(&self, player: Option<Seat>) -> PyResult<Vec<String>> {
                match self.inner.end() {
                    None => game::legal_moves(self.inner.position(), player),
                    Some(_) => Ok(Vec::new()),
                }
            }

            /// The legal moves as numbers of actions, in the order of `legal_moves`.
            #[pyo3(signature = (player=None))]
            fn legal_actions<'py>(
                &self,
                py: Python<'py>,
                player: Option<Seat>,
            ) -> PyResult<Bound<'py, PyList>> {
                match self.inner.end() {
                    None => game::legal_actions(py, self.inner.position(), player),
                    Some(_) => Ok(PyList::empty(py)),
                }
            }

            /// Plays a legal move, given as text or as the number of an action; two moves where both players move, which may also
            /// be one text, `first|second`.
            ///
            /// >>> from gamesearch import ropasci360
            /// >>> game = ropasci360.Game()
            /// >>> game.push("r@i5", "p@a5")
            /// >>> game.turns
            /// ['r@i5|p@a5']
            #[pyo3(signature = (mv, second=None, /))]
            fn push(&mut self, mv: &Bound<'_, PyAny>, second: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
                game::push(&mut self.inner, mv, second)
            }

            /// Takes the last turn back, and returns it.
            ///
            /// >>> from gamesearch import hus
            /// >>> game = hus.Game(turns="12 3")
            /// >>> game.pop()
            /// '3'
            fn pop(&mut self) -> PyResult<String> {
                game::pop(&mut self.inner)
            }

            /// A byte for each action, 1 where it is legal: none once the game is over. With `actions` only for the first ones.
            #[pyo3(signature = (player=None, *, actions=None))]
            fn mask<'py>(
                &self,
                py: Python<'py>,
                player: Option<Seat>,
                actions: Option<Whole>,
            ) -> PyResult<Bound<'py, PyByteArray>> {
                game::record_mask(py, &self.inner, player, actions)
            }

            /// The position as a network sees it: `planes` of `Position`.
            #[pyo3(signature = (viewer=None))]
            fn planes<'py>(&self, py: Python<'py>, viewer: Option<Seat>) -> PyResult<Bound<'py, PyByteArray>> {
                game::planes(py, self.inner.position(), game::viewer(viewer))
            }

            /// Another game that is the same so far.
            fn copy(&self) -> Self {
                Self { inner: self.inner.clone() }
            }

            /// The board drawn with characters, with colours for terminals if asked for.
            #[pyo3(signature = (colour=false))]
            fn picture(&self, colour: bool) -> String {
                game::picture(self.inner.position(), colour)
            }

            /// The board as an SVG document, with the last turn shown: the drawing of the tournaments' reports.
            fn svg(&self) -> String {
                game::record_svg(&self.inner)
            }

            /// What a notebook shows.
            fn _repr_svg_(&self) -> String {
                game::record_svg(&self.inner)
            }

            /// Opens the playground, a page for the browser, with this game. With `open=False` only says where it is.
            #[pyo3(signature = (*, open=true))]
            fn show(slf: &Bound<'_, Self>, open: bool) -> PyResult<String> {
                let module = slf.py().import("gamesearch._page")?;
                module.getattr("show")?.call1((slf, open))?.extract()
            }

            fn __len__(&self) -> usize {
                self.inner.turns().len()
            }

            fn __bool__(&self) -> bool {
                true
            }

            fn __str__(&self) -> String {
                self.inner.turn_texts().join(" ")
            }

            fn __repr__(&self) -> String {
                let (name, start) = (<$game as Game>::NAME, self.inner.start());
                format!("{name}.Game('{start}', '{}')", self.inner.turn_texts().join(" "))
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.cast::<Self>().is_ok_and(|other| {
                    // A game is equal to itself; one that another thread is changing is not compared.
                    other.try_borrow().is_ok_and(|other| game::same_games(&self.inner, &other.inner))
                })
            }

            fn __copy__(&self) -> Self {
                self.copy()
            }

            #[pyo3(signature = (memo, /))]
            fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Self {
                let _ = memo;
                self.copy()
            }

            fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
                Ok((py.get_type::<Self>().into_any(), game::reduced(py, &self.inner)?))
            }
        }

        impl PythonGame for $game {
            fn action_numbers(py: Python<'_>) -> &'static [Py<PyInt>] {
                static NUMBERS: PyOnceLock<Vec<Py<PyInt>>> = PyOnceLock::new();
                NUMBERS.get_or_init(py, || game::numbers(py, <$game as Indexed>::ACTIONS))
            }

            fn into_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, $position { inner: self })?.into_any())
            }

            fn record_into_python(record: Record<Self>, py: Python<'_>) -> PyResult<Py<PyAny>> {
                Ok(Py::new(py, $record { inner: record })?.into_any())
            }

            fn record_of(object: &Bound<'_, PyAny>) -> Option<Record<Self>> {
                if let Ok(game) = object.cast::<$record>() {
                    return game.try_borrow().ok().map(|game| game.inner.clone());
                }
                object.cast::<$position>().ok().map(|position| Record::new(position.get().inner.clone()))
            }

            fn solve(record: &Record<Self>, limits: Limits, stop: &StopFlag) -> Solved {
                crate::solve::$kind::solve(record, limits, stop)
            }

            fn exploitability(
                position: &Self,
                task: &Judged,
                strategy: Strategy<'_, Self>,
            ) -> Result<Exploitability, String> {
                crate::solve::$kind::exploitability(position, task, strategy)
            }
        }
    };
}

pub(crate) use python_classes;
