//! One game under way: the record, turns that can be redone, what the bots thought, choices that are still hidden.

use arena::{SavedGame, Thoughts};
use search_core::{Active, Game, Outcome, Player, Record, Turn, parse_turn, turn_text};
use serde_json::{Map, Value, json};

use super::ask::Ask;
use super::lesson::Lesson;
use super::{link, words};
use crate::{Listed, score_scale};

/// A game under way, without its type.
pub(super) trait Sitting: Send {
    /// The whole state.
    fn state(&self) -> Value;
    fn play(&mut self, ask: Ask<'_>) -> Result<(), String>;
    fn undo(&mut self, count: usize) -> Result<(), String>;
    fn redo(&mut self, count: usize) -> Result<(), String>;
    fn goto(&mut self, ply: usize) -> Result<(), String>;
    fn resign(&mut self, player: Player) -> Result<(), String>;
    fn look(&self, turns: &str) -> Result<Value, String>;
    fn reach(&self) -> Value;
    fn save(&self) -> Value;
    /// The game as a search needs it: where it started, the turns up to here, and all turns if `whole`.
    fn job(&self, whole: bool) -> Map<String, Value>;
    fn game(&self) -> &'static str;
    fn rename(&mut self, names: [String; 2]);
    fn lesson(&mut self, ask: Ask<'_>) -> Result<Value, String>;
}

/// How a game begins.
#[derive(Debug, Clone, Default)]
pub(super) struct Beginning {
    pub(super) setup: String,
    pub(super) seed: u64,
    /// The position at the start; that of the set-up and seed without one.
    pub(super) position: Option<String>,
    pub(super) turns: String,
    pub(super) names: Option<[String; 2]>,
    pub(super) thoughts: Thoughts,
    /// The end that the game was given, where it is not that of the rules.
    pub(super) result: Option<(Outcome, String)>,
}

/// A turn as the page shows it.
struct Shown<G: Game> {
    turn: G::Turn,
    text: String,
    moves: Map<String, Value>,
    paths: Map<String, Value>,
    thoughts: Map<String, Value>,
}

pub(super) struct UnderWay<G: Listed> {
    setup: G::Setup,
    seed: u64,
    names: [String; 2],
    /// Up to where one stands.
    record: Record<G>,
    /// All turns, those that can be redone too.
    turns: Vec<Shown<G>>,
    /// Moves chosen and not yet shown, with the thoughts behind them.
    chosen: [Option<(G::Move, Option<Value>)>; 2],
    result: Option<Value>,
    lesson: Option<Lesson<G>>,
}

impl<G: Listed> UnderWay<G> {
    pub(super) fn begin(beginning: Beginning) -> Result<UnderWay<G>, String> {
        let setup: G::Setup =
            beginning.setup.parse().map_err(|error| format!("the set-up of {}: {error}", G::TITLE))?;
        let start = match &beginning.position {
            None => G::initial(&setup, beginning.seed),
            Some(text) => text.trim().parse().map_err(|error| format!("the position: {error}"))?,
        };
        let mut game = UnderWay {
            setup,
            seed: beginning.seed,
            names: beginning.names.unwrap_or_else(|| G::SIDES.map(str::to_owned)),
            record: Record::new(start),
            turns: Vec::new(),
            chosen: [None, None],
            result: None,
            lesson: None,
        };
        game.play_turns(&beginning.turns)?;
        let scales = Player::BOTH.map(|player| score_scale::<G>(&game.names[player.index()]));
        // Each player's thoughts stand in the order of its own moves.
        let mut thoughts = Player::BOTH.map(|player| beginning.thoughts.of(player).iter());
        for shown in &mut game.turns {
            for player in Player::BOTH {
                if shown.moves.contains_key(&player.to_string())
                    && let Some(thought) = thoughts[player.index()].next()
                    && let Some(seen) = &thought.seen
                {
                    shown.thoughts.insert(
                        player.to_string(),
                        words::noted::<G>(seen, thought.time, player, scales[player.index()]),
                    );
                }
            }
        }
        if let Some((outcome, reason)) = beginning.result {
            // A referee may overrule the rules: a forfeit, a resignation.
            let own = game.record.end().map(|end| (end.outcome, end.reason));
            if own != Some((outcome, reason.as_str())) {
                game.result = Some(words::ended::<G>(outcome, &reason));
            }
        }
        Ok(game)
    }

    fn ply(&self) -> usize {
        self.record.turns().len()
    }

    fn play_turns(&mut self, turns: &str) -> Result<(), String> {
        for (index, text) in turns.split_whitespace().enumerate() {
            let turn = parse_turn::<G>(self.record.position().active(), text)
                .map_err(|error| unplayable(index, &error))?;
            self.play_turn(turn, Map::new()).map_err(|error| unplayable(index, &error))?;
        }
        Ok(())
    }

    /// Plays a turn; what could have been redone is forgotten, unless it is the same turn.
    fn play_turn(&mut self, turn: G::Turn, thoughts: Map<String, Value>) -> Result<(), String> {
        let position = self.record.position().clone();
        self.record.play(turn).map_err(|error| error.to_string())?;
        let ply = self.ply() - 1;
        if self.turns.get(ply).is_some_and(|shown| shown.turn == turn && thoughts.is_empty()) {
            return Ok(());
        }
        let active = position.active();
        let (mut moves, mut paths) = (Map::new(), Map::new());
        for player in active.players() {
            if let Some(mv) = turn.move_of(active, player) {
                moves.insert(player.to_string(), json!(mv.to_string()));
                paths.insert(player.to_string(), json!(G::path(&position, player, mv)));
            }
        }
        self.turns.truncate(ply);
        self.turns.push(Shown { turn, text: turn_text::<G>(active, turn), moves, paths, thoughts });
        self.result = None;
        Ok(())
    }

    /// One player's move: played at once, or kept hidden until the other player's comes.
    fn choose(&mut self, player: Player, text: &str, thought: Option<&Value>) -> Result<(), String> {
        let side = G::SIDES[player.index()];
        let mv: G::Move =
            text.trim().parse().map_err(|error| format!("`{text}` is no move of {}: {error}", G::TITLE))?;
        self.record.check(player, mv).map_err(|error| error.to_string())?;
        let active = self.record.position().active();
        self.chosen[player.index()] = Some((mv, thought.cloned()));
        let moves = [0, 1].map(|index| self.chosen[index].as_ref().map(|(mv, _)| *mv));
        // Where one player moves alone, the other's seat is empty.
        let complete = active.players().all(|player| moves[player.index()].is_some());
        if !complete {
            return Ok(());
        }
        let turn = G::Turn::from_moves(active, moves)
            .ok_or_else(|| format!("the move of {side} makes no turn of {}", G::TITLE))?;
        let chosen = std::mem::take(&mut self.chosen);
        let mut thoughts = Map::new();
        for (player, choice) in Player::BOTH.into_iter().zip(chosen) {
            if let Some((_, Some(thought))) = choice {
                thoughts.insert(player.to_string(), thought);
            }
        }
        self.play_turn(turn, thoughts)
    }

    fn initial_text(&self) -> String {
        G::initial(&self.setup, self.seed).to_string()
    }

    /// The position before this one, with the turn in between.
    fn last(&self) -> Option<(G, G::Turn)> {
        let turn = *self.record.turns().last()?;
        Some((self.record.without_last(1).position().clone(), turn))
    }

    fn link(&self) -> String {
        let setup = self.setup.to_string();
        let setup = if self.setup == G::Setup::default() { "" } else { &setup };
        let start = self.record.start().to_string();
        let start = if start == self.initial_text() { None } else { Some(start.as_str()) };
        let turns: Vec<Vec<&str>> = self.turns.iter().map(|shown| shown.text.split('|').collect()).collect();
        let ply = if self.ply() == self.turns.len() { None } else { Some(self.ply()) };
        link::write(G::NAME, setup, self.seed, start, &turns, ply)
    }
}

fn unplayable(index: usize, problem: &dyn std::fmt::Display) -> String {
    format!("turn {} cannot be played: {problem}", index + 1)
}

impl<G: Listed> Sitting for UnderWay<G> {
    fn state(&self) -> Value {
        let position = self.record.position();
        let last = self.last();
        let last = last.as_ref().map(|(before, turn)| (before, *turn));
        let mut state = words::board(position, last, self.record.end());
        let mut put = |key: &str, value: Value| state.insert(key.to_owned(), value);
        let active: Vec<Player> =
            if self.record.end().is_some() { Vec::new() } else { position.active().players().collect() };
        let mut legal = Map::new();
        for &player in &active {
            let moves = self.record.legal_moves(player);
            legal.insert(player.to_string(), words::playables(position, player, &moves));
        }
        let turns = self.turns.iter().map(|shown| {
            json!({ "text": shown.text, "moves": shown.moves, "paths": shown.paths, "thoughts": shown.thoughts })
        });
        let chosen = Player::BOTH.into_iter().filter(|player| self.chosen[player.index()].is_some());
        put("game", json!(G::NAME));
        put("setup", json!(self.setup.to_string()));
        put("seed", json!(self.seed));
        put("names", json!(self.names));
        put("ply", json!(self.ply()));
        put("plies", json!(self.turns.len()));
        put("turns", turns.collect());
        put("start", json!(self.record.start().to_string()));
        put("picture", json!(position.picture(search_core::Paint::Plain)));
        put("both", json!(active.len() == 2));
        put("active", active.iter().map(ToString::to_string).collect());
        put("chosen", chosen.map(|player| player.to_string()).collect());
        put("areas", words::areas(position));
        put("legal", Value::Object(legal));
        put("key", json!(format!("{:016x}", position.key())));
        put("occurrences", json!(self.record.occurrences()));
        put("link", json!(self.link()));
        let at_the_end = self.ply() == self.turns.len();
        put("result", self.result.clone().filter(|_| at_the_end).unwrap_or_default());
        Value::Object(state)
    }

    fn play(&mut self, ask: Ask<'_>) -> Result<(), String> {
        if let Some(ply) = ask.maybe_number("ply")?
            && ply != self.ply() as u64
        {
            return Err(format!("the move is for ply {ply}, but the game stands at ply {}", self.ply()));
        }
        if let Some(turns) = ask.maybe_text("turns")? {
            // All of them or none.
            self.look(turns)?;
            self.chosen = [None, None];
            return self.play_turns(turns);
        }
        self.choose(ask.player("player")?, ask.text("move")?, ask.value("thought"))
    }

    fn undo(&mut self, mut count: usize) -> Result<(), String> {
        if self.chosen.iter().any(Option::is_some) && count > 0 {
            self.chosen = [None, None];
            count -= 1;
        }
        let ply = self.ply().checked_sub(count).ok_or("there is nothing to take back")?;
        self.stand_at(ply);
        Ok(())
    }

    fn redo(&mut self, count: usize) -> Result<(), String> {
        self.goto(self.ply() + count).map_err(|_| "there is nothing to play again".to_owned())
    }

    fn goto(&mut self, ply: usize) -> Result<(), String> {
        if ply > self.turns.len() {
            return Err(format!("expected a ply from 0 to {}, found {ply}", self.turns.len()));
        }
        self.stand_at(ply);
        Ok(())
    }

    fn resign(&mut self, player: Player) -> Result<(), String> {
        if self.record.end().is_some() || self.result.is_some() {
            return Err("the game is over already".to_owned());
        }
        self.turns.truncate(self.ply());
        self.chosen = [None, None];
        self.result = Some(words::ended::<G>(Outcome::Win(player.opponent()), "resignation"));
        Ok(())
    }

    fn look(&self, turns: &str) -> Result<Value, String> {
        let mut record = self.record.clone();
        let mut last = self.last();
        for (index, text) in turns.split_whitespace().enumerate() {
            let before = record.position().clone();
            let turn = parse_turn::<G>(before.active(), text).map_err(|error| unplayable(index, &error))?;
            record.play(turn).map_err(|error| unplayable(index, &error))?;
            last = Some((before, turn));
        }
        let last = last.as_ref().map(|(before, turn)| (before, *turn));
        Ok(Value::Object(words::board(record.position(), last, record.end())))
    }

    fn reach(&self) -> Value {
        if self.record.end().is_some() {
            return Value::Null;
        }
        let Some(passed) = G::passed(self.record.position()) else { return Value::Null };
        let Active::One(player) = passed.active() else { return Value::Null };
        let moves = passed.move_list(player);
        json!({ "player": player.to_string(), "legal": words::playables(&passed, player, moves.as_ref()) })
    }

    fn save(&self) -> Value {
        let mut whole = self.record.clone();
        for shown in &self.turns[self.ply()..] {
            // They were legal when they were played.
            let _ = whole.play(shown.turn);
        }
        let mut saved = SavedGame::of(&whole, &self.setup, self.names.clone());
        if let Some(result) = &self.result {
            saved.outcome = result["outcome"].as_str().and_then(|outcome| outcome.parse().ok());
            saved.reason = result["reason"].as_str().map(str::to_owned);
        }
        let text = serde_json::to_string(&saved).unwrap_or_default();
        json!({ "name": format!("{}.json", G::NAME), "text": format!("{text}\n") })
    }

    fn job(&self, whole: bool) -> Map<String, Value> {
        let count = if whole { self.turns.len() } else { self.ply() };
        let turns: Vec<&str> = self.turns[..count].iter().map(|shown| shown.text.as_str()).collect();
        let mut job = Map::new();
        job.insert("game".to_owned(), json!(G::NAME));
        job.insert("start".to_owned(), json!(self.record.start().to_string()));
        job.insert("turns".to_owned(), json!(turns.join(" ")));
        job
    }

    fn game(&self) -> &'static str {
        G::NAME
    }

    fn lesson(&mut self, ask: Ask<'_>) -> Result<Value, String> {
        let position = self.record.position();
        let here =
            self.lesson.as_ref().is_some_and(|lesson| lesson.root().to_string() == position.to_string());
        if !here || ask.flag("start")? {
            let c = ask.maybe_float("c")?.unwrap_or(std::f64::consts::SQRT_2);
            if !(0.0..=1000.0).contains(&c) {
                return Err(format!("expected a number from 0 to 1000 for `c`, found {c}"));
            }
            self.lesson = Some(Lesson::new(position, ask.number("seed", 1)?, c)?);
        }
        match &mut self.lesson {
            Some(lesson) => lesson.go(ask.number("steps", 0)?),
            None => Err("there is no lesson under way".to_owned()),
        }
    }

    fn rename(&mut self, names: [String; 2]) {
        self.names = names;
    }
}

impl<G: Listed> UnderWay<G> {
    /// Goes to a ply that is there.
    fn stand_at(&mut self, ply: usize) {
        self.chosen = [None, None];
        if ply < self.ply() {
            self.record = self.record.without_last(self.ply() - ply);
        } else {
            for index in self.ply()..ply {
                // It was legal when it was played.
                let _ = self.record.play(self.turns[index].turn);
            }
        }
    }
}
