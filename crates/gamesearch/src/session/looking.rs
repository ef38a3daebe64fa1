//! Looking into a search: what it remembers of a node, and the matrix of a position where both players choose at once.

use search_core::matrix::{Matrix, solve};
use search_core::{Active, Answer, Bot, Child, Limits, Player, Record, Task, Turn, parse_turn};
use serde_json::{Value, json};

use super::ask::Ask;
use super::thinking::{Seat, Thinking, limits, record};
use super::words;
use crate::{Listed, Scale, picks, score_scale, usual_limits};

/// A search that is kept to be looked into.
pub(super) struct LookedAt<G: Listed> {
    /// What it was asked: the game, the bot, its limits and seed.
    asked: String,
    bot: Box<dyn Bot<G>>,
    nodes: u64,
    /// That of its scores.
    scale: Scale,
}

impl<G: Listed> Thinking<G> {
    /// The children of a node in a search of the position, which is made at the first look and kept.
    pub(super) fn tree(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String> {
        let root = record::<G>(ask)?;
        let Active::One(player) = root.position().active() else {
            return Err(format!("in {} both players choose at once: ask for the matrix", G::TITLE));
        };
        if let Some(end) = root.end() {
            return Err(format!("the game is over, {end}: there is nothing to search"));
        }
        let with_trees = picks::with_trees::<G>();
        let spec = match ask.maybe_text("bot")? {
            Some(spec) => spec,
            None => {
                with_trees.first().copied().ok_or_else(|| format!("no bot of {} keeps a tree", G::TITLE))?
            }
        };
        let (text, seed) =
            (ask.maybe_text("limits")?.unwrap_or(usual_limits::<G>(spec)), ask.number("seed", 1)?);
        let limits = limits(text)?;
        let asked = format!("{spec} {limits:?} {seed} {} {}", ask.text("start")?, ask.text("turns")?);
        if self.looked_at.as_ref().is_none_or(|looked_at| looked_at.asked != asked) {
            self.looked_at = None;
            self.looked_at = Some(self.search_to_look(spec, &asked, &root, player, limits, seed, seat)?);
        }
        let Some(looked_at) = &self.looked_at else { return Err("the search is gone".to_owned()) };
        let mut line = root;
        for text in ask.texts("line")? {
            let turn = parse_turn::<G>(line.position().active(), text).map_err(|error| error.to_string())?;
            line.play(turn).map_err(|error| error.to_string())?;
        }
        let children = looked_at.bot.children(&line).ok_or_else(|| {
            format!("{spec} keeps nothing to look into; expected one of {}", with_trees.join(", "))
        })?;
        Ok(show(looked_at, &line, &children))
    }

    #[expect(clippy::too_many_arguments, reason = "a question has that many parts")]
    fn search_to_look(
        &self,
        spec: &str,
        asked: &str,
        root: &Record<G>,
        player: Player,
        limits: Limits,
        seed: u64,
        seat: &Seat<'_>,
    ) -> Result<LookedAt<G>, String> {
        if limits == Limits::default() {
            return Err("expected limits such as `playouts=5000`, found none".to_owned());
        }
        let mut bot = (self.make)(spec)?;
        let task = Task::plain(root, player, limits, seat.stop, seat.clock);
        let answer: Result<Answer<G::Move>, _> = bot.new_game(player, seed).and_then(|()| bot.choose(&task));
        let answer = answer.map_err(|failure| format!("{spec} failed, {failure}"))?;
        let stats = answer.analysis.map(|found| found.stats).unwrap_or_default();
        Ok(LookedAt { asked: asked.to_owned(), bot, nodes: stats.nodes, scale: score_scale::<G>(spec) })
    }

    /// The matrix of a position where both players choose at once, over the moves that matter.
    pub(super) fn matrix(&mut self, ask: Ask<'_>, seat: &Seat<'_>) -> Result<Value, String> {
        let root = record::<G>(ask)?;
        let position = root.position();
        if position.active() != Active::Both || !<G::Turn as Turn<G::Move>>::SIMULTANEOUS {
            return Err(format!("in {} the players move in turn: there is no matrix", G::TITLE));
        }
        if let Some(end) = root.end() {
            return Err(format!("the game is over, {end}"));
        }
        let size = ask.number("size", 8)?.clamp(1, 24) as usize;
        let spec = Self::analyst(ask)?;
        let limits = limits(ask.maybe_text("limits")?.unwrap_or("nodes=200"))?;
        if limits == Limits::default() {
            return Err("expected limits such as `nodes=200` for each pair, found none".to_owned());
        }
        let seed = ask.number("seed", 1)?;
        let quiet = Seat { clock: seat.clock, stop: seat.stop, progress: &|_| (), processors: 1 };
        let moves = self.that_matter(&spec, &root, limits, seed, size, &quiet)?;
        let mut values = Vec::new();
        for (number, &first) in moves[0].iter().enumerate() {
            let mut row = Vec::new();
            for &second in &moves[1] {
                let turn = G::Turn::from_moves(Active::Both, [Some(first), Some(second)])
                    .ok_or("two moves make no turn here")?;
                let mut next = root.clone();
                next.play(turn).map_err(|error| error.to_string())?;
                row.push(self.value(&spec, &next, limits, seed, &quiet)?);
                if seat.stop.is_set() {
                    return Err("it was stopped".to_owned());
                }
            }
            values.push(row);
            (seat.progress)(json!({ "rows": number + 1, "of": moves[0].len() }));
        }
        let solution =
            solve(&Matrix::from_fn(moves[0].len(), moves[1].len(), |row, column| values[row][column]));
        let texts = |side: usize| moves[side].iter().map(ToString::to_string).collect::<Vec<String>>();
        let shares =
            |shares: &[f64]| shares.iter().map(|&share| words::rounded(share, 6)).collect::<Vec<f64>>();
        let tidy = |row: &Vec<f64>| row.iter().map(|&value| words::rounded(value, 4)).collect::<Vec<f64>>();
        Ok(json!({
            "p1": texts(0),
            "p2": texts(1),
            "values": values.iter().map(tidy).collect::<Vec<_>>(),
            "shares": { "p1": shares(&solution.row), "p2": shares(&solution.column) },
            "value": words::rounded(solution.value, 4),
            "ply": root.turns().len(),
        }))
    }

    /// At most `size` moves of each player: those that a search mixes, then its next best, then any.
    fn that_matter(
        &mut self,
        spec: &str,
        root: &Record<G>,
        limits: Limits,
        seed: u64,
        size: usize,
        seat: &Seat<'_>,
    ) -> Result<[Vec<G::Move>; 2], String> {
        let mut lists = [Vec::new(), Vec::new()];
        for player in Player::BOTH {
            let more = Limits { nodes: limits.nodes.map(|nodes| nodes.saturating_mul(10)), ..limits };
            let found =
                self.ask_bot(spec, player, seed, root, more, size, seat)?.analysis.unwrap_or_default();
            let mixed = found.mixed.iter().flat_map(|mixed| &mixed.strategies[player.index()]);
            let mixed = mixed.filter(|(_, share)| *share > 0.0).map(|&(mv, _)| mv);
            let rows = found.root.iter().map(|row| row.mv);
            let list = &mut lists[player.index()];
            for mv in mixed.chain(rows).chain(root.legal_moves(player)) {
                if list.len() < size && !list.contains(&mv) {
                    list.push(mv);
                }
            }
        }
        Ok(lists)
    }

    /// The value of a position for the first player, from -1 to 1.
    fn value(
        &mut self,
        spec: &str,
        record: &Record<G>,
        limits: Limits,
        seed: u64,
        seat: &Seat<'_>,
    ) -> Result<f64, String> {
        if let Some(end) = record.end() {
            return Ok(f64::from(end.outcome.sign(Player::One)));
        }
        let found =
            self.ask_bot(spec, Player::One, seed, record, limits, 1, seat)?.analysis.unwrap_or_default();
        let mixed = found.mixed.as_ref().map(|mixed| mixed.value).filter(|value| value.abs() <= 1.0);
        Ok(mixed.unwrap_or_else(|| {
            2.0 * words::chance_of(found.score, Player::One, score_scale::<G>(spec)) - 1.0
        }))
    }
}

/// A node with its children.
fn show<G: Listed>(looked_at: &LookedAt<G>, line: &Record<G>, children: &[Child<G::Move>]) -> Value {
    let position = line.position();
    let last = line.turns().last().map(|&turn| (line.without_last(1).position().clone(), turn));
    let last = last.as_ref().map(|(before, turn)| (before, *turn));
    let mut node = words::board(position, last, line.end());
    let Active::One(player) = position.active() else { return Value::Object(node) };
    let all: u64 = children.iter().map(|child| child.visits).sum();
    let rows = children.iter().map(|child| {
        let mut row = words::playable(position, player, child.mv);
        let mut put = |key: &str, value: Value| row.insert(key.to_owned(), value);
        put("visits", json!(child.visits));
        put("share", json!(if all == 0 { 0.0 } else { words::rounded(child.visits as f64 / all as f64, 6) }));
        put("depth", json!(child.depth));
        put(
            "score",
            child.score.map_or(Value::Null, |(score, _)| words::score::<G>(score, player, looked_at.scale)),
        );
        put("bound", child.score.map_or(Value::Null, |(_, bound)| json!(words::bound(bound, player))));
        let proof = child.score.filter(|_| child.proven).map(|(score, _)| match score {
            score if score.is_win() => player.to_string(),
            score if score.is_loss() => player.opponent().to_string(),
            _ => "draw".to_owned(),
        });
        put("proof", json!(proof));
        row
    });
    let mut rows: Vec<_> = rows.collect();
    let rank = |row: &serde_json::Map<String, Value>| row["visits"].as_u64().unwrap_or_default();
    rows.sort_by_key(|row| std::cmp::Reverse(rank(row)));
    if all == 0 {
        let known = |row: &serde_json::Map<String, Value>| {
            let chance = row["score"]["chance"].as_f64()?;
            Some(if player == Player::One { chance } else { 1.0 - chance })
        };
        rows.sort_by(|one, two| known(two).partial_cmp(&known(one)).unwrap_or(std::cmp::Ordering::Equal));
    }
    // Where the line leads to, as turns.
    let texts = line.turn_texts();
    node.insert("turns".to_owned(), json!(texts));
    node.insert("player".to_owned(), json!(player.to_string()));
    node.insert("nodes".to_owned(), json!(looked_at.nodes));
    node.insert("children".to_owned(), json!(rows));
    Value::Object(node)
}
