//! Slow requests: what bots and searches find. A job holds all it needs, so that it can run in another worker or thread
//! than the one that keeps the game.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::time::Duration;

use arena::{Course, MatchLimits, TimeControl};
use search_core::{
    Active, Analysis, Answer, Bot, Clock, Game, Limits, Player, Record, StopFlag, Task, Time, Turn as _,
};
use serde_json::{Value, json};

use super::ask::Ask;
use super::looking::LookedAt;
use super::{Make, words};
use crate::{Listed, picks, score_scale, usual_limits};

/// What a job runs under.
pub(super) struct Seat<'a> {
    pub(super) clock: &'a dyn Clock,
    pub(super) stop: &'a StopFlag,
    /// Takes progress.
    pub(super) progress: &'a (dyn Fn(Value) + Sync),
    /// How many threads a search may use where its result depends on the clock anyway.
    pub(super) processors: usize,
}

/// Who thinks about one game: bots, kept from job to job.
pub(super) trait Thinker: Send {
    /// Does a job, or says in words why not.
    fn run(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String>;
}

/// A bot that has been asked before.
struct Kept<G: Listed> {
    spec: String,
    player: Player,
    seed: u64,
    bot: Box<dyn Bot<G>>,
    start: String,
    turns: Vec<G::Turn>,
}

pub(super) struct Thinking<G: Listed> {
    pub(super) make: Make<G>,
    kept: Vec<Kept<G>>,
    pub(super) looked_at: Option<LookedAt<G>>,
}

/// How many bots are kept.
const KEPT: usize = 4;
/// Between two pieces of news.
const PAUSE: Duration = Duration::from_millis(40);
/// How many root moves progress shows unless asked otherwise.
const LINES: usize = 5;

/// The limits of one move. Without any, a search runs until it is stopped.
pub(super) fn limits(text: &str) -> Result<Limits, String> {
    if text.trim().is_empty() {
        return Ok(Limits::default());
    }
    let limits: MatchLimits = text.parse().map_err(|error| format!("the limits: {error}"))?;
    let time = match limits.time {
        None => None,
        Some(TimeControl::PerMove { each, .. }) => Some(Time::Move(each)),
        Some(TimeControl::PerGame { .. }) => {
            return Err(
                "the limits: expected those of a move such as `movetime=1s`, found a game time".to_owned()
            );
        }
    };
    let MatchLimits { depth, nodes, playouts, .. } = limits;
    Ok(Limits { depth, nodes, playouts, time })
}

/// The record that a job is about.
pub(super) fn record<G: Game>(ask: Ask<'_>) -> Result<Record<G>, String> {
    let course = Course {
        game: ask.text("game")?.to_owned(),
        start: ask.text("start")?.to_owned(),
        turns: ask.text("turns")?.to_owned(),
        ..Course::default()
    };
    course.record().map_err(|error| error.to_string())
}

/// The player whose view of a position is asked for: the one to move, the first player where both do.
fn viewer(active: Active) -> Player {
    match active {
        Active::One(player) => player,
        Active::Both => Player::One,
    }
}

impl<G: Listed> Thinking<G> {
    pub(super) fn new(make: Make<G>) -> Thinking<G> {
        Thinking { make, kept: Vec::new(), looked_at: None }
    }

    /// The spec with as many threads as may be used, where the bot takes threads and their number was not given.
    fn threaded(spec: &str, limits: &Limits, processors: usize) -> String {
        let counted = limits.time.is_none() && *limits != Limits::default();
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let catalogue = G::catalogue();
        let takes = catalogue
            .bots()
            .iter()
            .any(|bot| bot.name == name && bot.options.iter().any(|option| option.key == "threads"));
        if processors < 2 || counted || !takes || options.contains("threads=") {
            return spec.to_owned();
        }
        let mut spec = spec.to_owned();
        let _ = write!(spec, "{}threads={processors}", if options.is_empty() { ":" } else { "," });
        spec
    }

    /// The bot of this spec for this player, with a new game begun unless `record` goes on from where it last thought.
    fn bot(
        &mut self,
        spec: &str,
        player: Player,
        seed: u64,
        record: &Record<G>,
    ) -> Result<&mut Kept<G>, String> {
        let start = record.start().to_string();
        let place =
            self.kept.iter().position(|kept| kept.spec == spec && kept.player == player && kept.seed == seed);
        let mut kept = if let Some(place) = place {
            self.kept.remove(place)
        } else {
            let bot = (self.make)(spec)?;
            // A start that no game has: the bot begins its first game below.
            Kept { spec: spec.to_owned(), player, seed, bot, start: String::new(), turns: Vec::new() }
        };
        if kept.start != start || !record.turns().starts_with(&kept.turns) {
            kept.bot.new_game(player, seed).map_err(|failure| format!("{spec} did not start, {failure}"))?;
            kept.start = start;
        }
        kept.turns = record.turns().to_vec();
        if self.kept.len() >= KEPT {
            self.kept.remove(0);
        }
        self.kept.push(kept);
        self.kept.last_mut().ok_or_else(|| "no bot is left".to_owned())
    }

    /// Asks a bot, with news on the way.
    #[expect(clippy::too_many_arguments, reason = "a question has that many parts")]
    pub(super) fn ask_bot(
        &mut self,
        spec: &str,
        player: Player,
        seed: u64,
        record: &Record<G>,
        limits: Limits,
        lines: usize,
        seat: &Seat<'_>,
    ) -> Result<Answer<G::Move>, String> {
        let spec = &Self::threaded(spec, &limits, seat.processors);
        let last = Mutex::new(seat.clock.now());
        let scale = score_scale::<G>(spec);
        let position = record.position();
        let ply = record.turns().len();
        let watch = |found: &Analysis<G::Move>| {
            // Nothing is lost if one piece of news is left out.
            let Ok(mut last) = last.try_lock() else { return };
            let now = seat.clock.now();
            if now.saturating_sub(*last) >= PAUSE {
                *last = now;
                (seat.progress)(words::analysis(position, ply, player, found, lines, scale));
            }
        };
        let task = Task { record, player, limits, stop: seat.stop, clock: seat.clock, watch: Some(&watch) };
        let kept = self.bot(spec, player, seed, record)?;
        kept.bot.choose(&task).map_err(|failure| {
            // It may be in any state now: it begins anew when it is asked again.
            kept.start.clear();
            format!("{spec} failed, {failure}")
        })
    }

    fn think(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String> {
        let record = record::<G>(ask)?;
        let (player, spec) = (ask.player("player")?, ask.text("bot")?);
        let lines = ask.number("lines", LINES as u64)? as usize;
        let limits = limits(ask.maybe_text("limits")?.unwrap_or_default())?;
        if limits == Limits::default() {
            return Err(
                "expected limits such as `movetime=1s`, found none: the bot would think for ever".to_owned()
            );
        }
        let seed = ask.number("seed", 1)?;
        let answer = self.ask_bot(spec, player, seed, &record, limits, lines, seat)?;
        let scale = score_scale::<G>(spec);
        record
            .check(player, answer.mv)
            .map_err(|error| format!("{spec} plays against the rules: {error}"))?;
        let (position, ply) = (record.position(), record.turns().len());
        let mut done = words::playable(position, player, answer.mv);
        done.insert("ply".to_owned(), json!(ply));
        done.insert("player".to_owned(), json!(player.to_string()));
        let analysis = answer.analysis.as_ref();
        done.insert(
            "thought".to_owned(),
            analysis.map_or(Value::Null, |found| words::thought::<G>(found, player, scale)),
        );
        let analysis = analysis.map(|found| words::analysis(position, ply, player, found, lines, scale));
        done.insert("analysis".to_owned(), analysis.unwrap_or_default());
        Ok(Value::Object(done))
    }

    pub(super) fn analyst(ask: Ask<'_>) -> Result<String, String> {
        match ask.maybe_text("bot")? {
            Some(spec) => Ok(spec.to_owned()),
            None => picks::analyst::<G>()
                .map(str::to_owned)
                .ok_or_else(|| format!("{} has no bot that reports what it sees", G::TITLE)),
        }
    }

    /// The spec that makes a search look for several best moves, where the bot knows how to.
    fn several(spec: &str, lines: usize) -> String {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let catalogue = G::catalogue();
        let bot = catalogue.bots().iter().find(|bot| bot.name == name);
        let takes = bot.is_some_and(|bot| bot.options.iter().any(|option| option.key == "lines"));
        if lines < 2 || !takes || options.contains("lines=") {
            return spec.to_owned();
        }
        format!("{spec}{}lines={lines}", if options.is_empty() { ":" } else { "," })
    }

    fn analyse(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String> {
        let record = record::<G>(ask)?;
        let lines = ask.number("lines", LINES as u64)?.clamp(1, 100) as usize;
        let spec = Self::several(&Self::analyst(ask)?, lines);
        let limits = limits(ask.maybe_text("limits")?.unwrap_or_default())?;
        let seed = ask.number("seed", 1)?;
        let player = viewer(record.position().active());
        let answer = self.ask_bot(&spec, player, seed, &record, limits, lines, seat)?;
        let found = answer.analysis.ok_or_else(|| format!("{spec} tells its move only, not what it sees"))?;
        Ok(words::analysis(
            record.position(),
            record.turns().len(),
            player,
            &found,
            lines,
            score_scale::<G>(&spec),
        ))
    }

    /// Looks at every position of a game.
    fn review(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String> {
        let whole = record::<G>(ask)?;
        let spec = Self::analyst(ask)?;
        let limits = limits(ask.maybe_text("limits")?.unwrap_or(usual_limits::<G>(&spec)))?;
        let seed = ask.number("seed", 1)?;
        let quiet =
            Seat { clock: seat.clock, stop: seat.stop, progress: &|_| (), processors: seat.processors };
        let scale = score_scale::<G>(&spec);
        let plies = whole.turns().len();
        let mut record = Record::new(whole.start().clone());
        let (mut scores, mut bests, mut chances) = (Vec::new(), Vec::new(), Vec::new());
        for ply in 0..=plies {
            let (mut score, mut best, mut chance) = (Value::Null, Value::Null, None);
            if let Some(end) = record.end() {
                let sign = f64::from(end.outcome.sign(Player::One));
                score = words::ended_score::<G>(end.outcome);
                chance = Some(f64::midpoint(sign, 1.0));
            } else {
                let player = viewer(record.position().active());
                // Every position is looked at on its own, so that no score depends on those before.
                self.kept.clear();
                let answer = self.ask_bot(&spec, player, seed, &record, limits, 1, &quiet)?;
                best = json!(answer.mv.to_string());
                if let Some(found) = answer.analysis {
                    score = words::score::<G>(found.score, player, scale);
                    chance = Some(words::chance_of(found.score, player, scale));
                }
            }
            (seat.progress)(json!({ "ply": ply, "of": plies, "score": score, "best": best }));
            scores.push(score);
            bests.push(best);
            chances.push(chance);
            if seat.stop.is_set() {
                return Err("it was stopped".to_owned());
            }
            if let Some(&turn) = whole.turns().get(ply) {
                record.play(turn).map_err(|error| error.to_string())?;
            }
        }
        Ok(json!({ "scores": scores, "best": bests, "mistakes": mistakes(&whole, &chances, &bests) }))
    }
}

/// The turns that cost their player most, the worst first.
fn mistakes<G: Listed>(record: &Record<G>, chances: &[Option<f64>], bests: &[Value]) -> Value {
    const LEAST: f64 = 0.05;
    const MOST: usize = 10;
    let mut found: Vec<(usize, Player, f64)> = Vec::new();
    for (ply, (position, _)) in record.replay().enumerate().take(record.turns().len()) {
        // Where both choose at once the mistake is not one player's alone.
        let (Active::One(player), Some(Some(before)), Some(Some(after))) =
            (position.active(), chances.get(ply), chances.get(ply + 1))
        else {
            continue;
        };
        let loss = if player == Player::One { before - after } else { after - before };
        // What the search would have played itself is no mistake, whatever it finds out a move later.
        let played = record.turns()[ply].move_of(position.active(), player);
        let advised = played.is_some_and(|mv| bests.get(ply) == Some(&json!(mv.to_string())));
        if loss >= LEAST && !advised {
            found.push((ply, player, loss));
        }
    }
    found.sort_by(|one, two| two.2.total_cmp(&one.2));
    let rows = found.iter().take(MOST).map(|&(ply, player, loss)| {
        json!({ "ply": ply, "player": player.to_string(), "loss": words::rounded(loss, 4), "best": bests[ply] })
    });
    rows.collect()
}

impl<G: Listed> Thinker for Thinking<G> {
    fn run(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String> {
        match ask.text("do")? {
            "think" => self.think(ask, seat),
            "analyse" => self.analyse(ask, seat),
            "review" => self.review(ask, seat),
            "matrix" => self.matrix(ask, seat),
            "tree" => self.tree(ask, seat),
            other => Err(format!("there is no slow request `{other}`")),
        }
    }
}
