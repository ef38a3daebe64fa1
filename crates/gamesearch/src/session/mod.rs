//! The engine of the playground: a game under way, and what bots and searches find in it, as messages in JSON. The page's
//! worker and the program behind `play --web` hold the same [`Playground`]; the form of the messages is in
//! `crates/playground/PROTOCOL.md`.

mod ask;
mod describe;
mod file;
mod lesson;
pub(crate) mod link;
mod looking;
mod sitting;
mod textbook;
mod thinking;
pub(crate) mod words;

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use search_core::{Bot, Clock, StopFlag};
use serde_json::{Map, Value, json};

use crate::Listed;
use ask::Ask;
use file::File;
use sitting::{Beginning, Sitting, UnderWay};
use thinking::{Seat, Thinker, Thinking};

/// Makes a bot of `G` from its spec.
pub type Make<G> = Arc<dyn Fn(&str) -> Result<Box<dyn Bot<G>>, String> + Send + Sync>;

/// A game without its type, before it is played.
trait Offered: Send + Sync {
    fn name(&self) -> &'static str;
    fn describe(&self) -> Value;
    fn begin(&self, beginning: Beginning) -> Result<Box<dyn Sitting>, String>;
    fn check(&self, position: &str) -> Value;
    fn edit(&self, position: &str, brush: &str, target: &str) -> Result<Value, String>;
    fn thinker(&self) -> Box<dyn Thinker>;
}

/// The game `G`, with a way to make its bots.
struct Of<G: Listed> {
    make: Make<G>,
    game: PhantomData<fn() -> G>,
}

impl<G: Listed> Offered for Of<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn describe(&self) -> Value {
        describe::game::<G>()
    }

    fn begin(&self, beginning: Beginning) -> Result<Box<dyn Sitting>, String> {
        Ok(Box::new(UnderWay::<G>::begin(beginning)?))
    }

    fn check(&self, text: &str) -> Value {
        let position: G = match text.trim().parse() {
            Ok(position) => position,
            Err(error) => return json!({ "legal": false, "why": format!("{error}") }),
        };
        let text = position.to_string();
        let mut board = words::board(&position, None, position.end());
        board.insert("legal".to_owned(), json!(true));
        board.insert("areas".to_owned(), words::areas(&position));
        board.insert("line".to_owned(), json!(format!("{text};1;{}", search_core::perft(&position, 1))));
        board.insert(
            "rust".to_owned(),
            json!(format!("let position: {}::Position = {text:?}.parse().unwrap();", G::NAME)),
        );
        Value::Object(board)
    }

    fn edit(&self, position: &str, brush: &str, target: &str) -> Result<Value, String> {
        Ok(json!({ "position": G::edit(position.trim(), brush, target)? }))
    }

    fn thinker(&self) -> Box<dyn Thinker> {
        Box::new(Thinking::<G>::new(self.make.clone()))
    }
}

/// What a request comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Reply {
    /// The final answer.
    Answer(String),
    /// A job for [`Lane::run`] in a worker or thread of its own; a new one in a lane ends the one before.
    Job {
        /// The number of the request.
        id: u64,
        /// `play` or `analysis`.
        lane: &'static str,
        /// The job.
        job: String,
    },
    /// A request to stop: one request, or all that are under way. The answer has to follow.
    Stop {
        /// The number of the request.
        id: u64,
        /// The one to stop.
        of: Option<u64>,
    },
}

/// The games that a playground offers.
#[derive(Default)]
pub struct Games {
    games: Vec<Box<dyn Offered>>,
    about: Map<String, Value>,
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.games.iter().map(|game| game.name())).finish()
    }
}

impl Games {
    /// None.
    pub fn new() -> Games {
        Games::default()
    }

    /// With one more game and the bots of its catalogue.
    #[must_use]
    pub fn with<G: Listed>(self) -> Games {
        self.with_bots::<G>(Arc::new(|spec| G::catalogue().build(spec).map_err(|error| error.to_string())))
    }

    /// With one more game, whose bots are made by `make`.
    #[must_use]
    pub fn with_bots<G: Listed>(mut self, make: Make<G>) -> Games {
        self.games.push(Box::new(Of::<G> { make, game: PhantomData }));
        self
    }

    /// With something that the answer to `games` says besides, such as whether bots from outside can play.
    #[must_use]
    pub fn saying(mut self, key: &str, value: Value) -> Games {
        self.about.insert(key.to_owned(), value);
        self
    }

    fn find(&self, name: &str) -> Result<&dyn Offered, String> {
        if let Some(game) = self.games.iter().find(|game| game.name() == name) {
            return Ok(&**game);
        }
        let names: Vec<&str> = self.games.iter().map(|game| game.name()).collect();
        let nearest = agents::nearest(name, names.iter().copied());
        let hint = nearest.map_or(String::new(), |nearest| format!(", did you mean `{nearest}`?"));
        Err(format!("there is no game `{name}` here{hint} (the games are {})", names.join(", ")))
    }

    fn describe(&self) -> Value {
        let mut about = Map::new();
        about.insert("version".to_owned(), json!(env!("CARGO_PKG_VERSION")));
        about.insert("native".to_owned(), json!(false));
        about.insert("processors".to_owned(), json!(1));
        about.extend(self.about.clone());
        about.insert("games".to_owned(), self.games.iter().map(|game| game.describe()).collect());
        Value::Object(about)
    }
}

/// The game under way and the file that was opened last: answers quick requests, and hands out slow ones as jobs.
#[derive(Debug)]
pub struct Playground {
    games: Arc<Games>,
    table: Table,
}

#[derive(Default)]
struct Table {
    sitting: Option<Box<dyn Sitting>>,
    file: File,
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table")
            .field("game", &self.sitting.as_ref().map(|sitting| sitting.game()))
            .finish_non_exhaustive()
    }
}

impl Table {
    fn sitting(&mut self) -> Result<&mut dyn Sitting, String> {
        match &mut self.sitting {
            Some(sitting) => Ok(&mut **sitting),
            None => Err("no game has been begun: send `new`, `open` or `link` first".to_owned()),
        }
    }
}

/// The final answer to a request.
pub fn answer(id: u64, result: Result<Value, String>) -> String {
    match result {
        Ok(done) => json!({ "id": id, "done": done }).to_string(),
        Err(problem) => json!({ "id": id, "failed": problem }).to_string(),
    }
}

/// The answer to a request that has nothing to say.
pub fn nothing() -> Value {
    Value::Object(Map::new())
}

/// A job as a message to another worker.
pub fn job_message(id: u64, lane: &str, job: &str) -> String {
    json!({ "id": id, "lane": lane, "job": job }).to_string()
}

/// The job in a message that is one, with the number of its request.
pub fn job_of(message: &str) -> Option<(u64, String)> {
    // Opened files are long: most messages need not be read for this.
    let value: Value = serde_json::from_str(message.contains("\"job\"").then_some(message)?).ok()?;
    Some((value["id"].as_u64()?, value.get("job")?.as_str()?.to_owned()))
}

impl Playground {
    /// A playground with these games and none under way.
    pub fn new(games: Arc<Games>) -> Playground {
        Playground { games, table: Table::default() }
    }

    /// Answers a request, or says what it needs.
    pub fn handle(&mut self, message: &str) -> Reply {
        let value: Value = match serde_json::from_str(message) {
            Ok(value) => value,
            Err(error) => {
                return Reply::Answer(answer(0, Err(format!("expected a request in JSON: {error}"))));
            }
        };
        let Some(ask) = value.as_object().map(Ask) else {
            return Reply::Answer(answer(0, Err("expected a JSON object".to_owned())));
        };
        let id = match ask.maybe_number("id") {
            Ok(Some(id)) => id,
            Ok(None) => return Reply::Answer(answer(0, Err("expected a number for `id`".to_owned()))),
            Err(problem) => return Reply::Answer(answer(0, Err(problem))),
        };
        let asked = ask.text("do");
        if let Ok(what @ ("think" | "analyse" | "review" | "matrix" | "tree")) = asked {
            return match self.job(what, ask) {
                Ok(job) => Reply::Job { id, lane: if what == "think" { "play" } else { "analysis" }, job },
                Err(problem) => Reply::Answer(answer(id, Err(problem))),
            };
        }
        if asked == Ok("stop") {
            return match ask.maybe_number("of") {
                Ok(of) => Reply::Stop { id, of },
                Err(problem) => Reply::Answer(answer(id, Err(problem))),
            };
        }
        Reply::Answer(answer(id, asked.and_then(|what| self.quick(what, ask))))
    }

    /// All that a lane needs to know: the request, and the game up to where it stands.
    fn job(&mut self, what: &str, ask: Ask<'_>) -> Result<String, String> {
        let mut job = ask.0.clone();
        job.extend(self.table.sitting()?.job(what == "review"));
        Ok(Value::Object(job).to_string())
    }

    fn begin(&mut self, game: &str, beginning: Beginning, ply: Option<usize>) -> Result<Value, String> {
        let mut sitting = self.games.find(game)?.begin(beginning)?;
        if let Some(ply) = ply {
            sitting.goto(ply)?;
        }
        let state = sitting.state();
        self.table.sitting = Some(sitting);
        Ok(state)
    }

    fn quick(&mut self, what: &str, ask: Ask<'_>) -> Result<Value, String> {
        let table = &mut self.table;
        match what {
            "games" => Ok(self.games.describe()),
            "new" => {
                let beginning = Beginning {
                    setup: ask.maybe_text("setup")?.unwrap_or_default().to_owned(),
                    seed: ask.number("seed", 1)?,
                    position: ask.maybe_text("position")?.map(str::to_owned),
                    turns: ask.maybe_text("turns")?.unwrap_or_default().to_owned(),
                    names: ask.maybe_pair("names")?,
                    ..Beginning::default()
                };
                self.begin(ask.text("game")?, beginning, None)
            }
            "link" => {
                let (game, beginning, ply) = link::read(ask.text("text")?)?;
                self.begin(&game, beginning, ply)
            }
            "open" => self.open(ask),
            "check" => {
                let game = match ask.maybe_text("game")? {
                    Some(game) => game,
                    None => table.sitting()?.game(),
                };
                Ok(self.games.find(game)?.check(ask.text("position")?))
            }
            "edit" => {
                let game = match ask.maybe_text("game")? {
                    Some(game) => game,
                    None => table.sitting()?.game(),
                };
                let target = ask.maybe_text("target")?.unwrap_or_default();
                self.games.find(game)?.edit(ask.text("position")?, ask.text("brush")?, target)
            }
            "look" => table.sitting()?.look(ask.text("turns")?),
            "textbook" => textbook::trace(ask.text("tree")?, ask.text("search")?),
            "lesson" => table.sitting()?.lesson(ask),
            "reach" => Ok(table.sitting()?.reach()),
            "save" => Ok(table.sitting()?.save()),
            _ => {
                let sitting = table.sitting()?;
                match what {
                    "show" => {}
                    "play" => sitting.play(ask)?,
                    "undo" => sitting.undo(ask.number("count", 1)? as usize)?,
                    "redo" => sitting.redo(ask.number("count", 1)? as usize)?,
                    "goto" => sitting.goto(ask.number("ply", 0)? as usize)?,
                    "resign" => sitting.resign(ask.player("player")?)?,
                    "names" => {
                        let names = ask.maybe_pair("names")?;
                        sitting.rename(names.ok_or("expected two texts for `names`, found nothing")?);
                    }
                    other => return Err(format!("there is no request `{other}`")),
                }
                Ok(sitting.state())
            }
        }
    }

    /// Opens a file, or a game of the one that is open.
    fn open(&mut self, ask: Ask<'_>) -> Result<Value, String> {
        if let Some(text) = ask.maybe_text("text")? {
            self.table.file = File::read(ask.maybe_text("name")?.unwrap_or("the file"), text)?;
        }
        let number = match ask.maybe_number("game")? {
            Some(number) => number as usize,
            None if self.table.file.len() == 1 => 0,
            None => {
                let (from, count) = (ask.number("from", 0)?, ask.number("count", 100)?);
                return Ok(self.table.file.list(from as usize, count as usize));
            }
        };
        let (game, beginning) = self.table.file.game(number)?;
        self.begin(&game, beginning, None)
    }
}

/// Does jobs, one after the other: the bots of a side, or the analysis.
pub struct Lane {
    games: Arc<Games>,
    thinker: Option<(String, Box<dyn Thinker>)>,
    processors: usize,
}

impl fmt::Debug for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lane")
            .field("game", &self.thinker.as_ref().map(|(game, _)| game))
            .finish_non_exhaustive()
    }
}

impl Lane {
    /// A lane that has not thought yet; a search may use `processors` threads.
    pub fn new(games: Arc<Games>, processors: usize) -> Lane {
        Lane { games, thinker: None, processors }
    }

    /// Does the job of request `id`, telling of progress; the final answer.
    pub fn run(
        &mut self,
        id: u64,
        job: &str,
        clock: &dyn Clock,
        stop: &StopFlag,
        emit: &(dyn Fn(String) + Sync),
    ) -> String {
        let result =
            self.done(job, clock, stop, &|news| emit(json!({ "id": id, "progress": news }).to_string()));
        if stop.is_set() {
            return json!({ "id": id, "stopped": true }).to_string();
        }
        answer(id, result)
    }

    fn done(
        &mut self,
        job: &str,
        clock: &dyn Clock,
        stop: &StopFlag,
        progress: &(dyn Fn(Value) + Sync),
    ) -> Result<Value, String> {
        let value: Value = serde_json::from_str(job).map_err(|error| format!("expected a job: {error}"))?;
        let ask = Ask(value.as_object().ok_or("expected a job, found no JSON object")?);
        let game = ask.text("game")?;
        let thinker = match &mut self.thinker {
            Some((known, thinker)) if known == game => thinker,
            other => &mut other.insert((game.to_owned(), self.games.find(game)?.thinker())).1,
        };
        thinker.run(ask, &Seat { clock, stop, progress, processors: self.processors })
    }
}
