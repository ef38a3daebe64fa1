//! Two other agents of the report's authors: their older one, and their sparring partner.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use ropasci360::{Hex, Move, Position, Symbol};
use search_core::{Answer, Bot, BotFailure, FailureKind, Game, Player, Task, stream};

use super::search::{Movers, generate};
use super::token_lists::Tokens;
use crate::{BotInfo, Options, SpecError};

fn no_move() -> BotFailure {
    BotFailure::new(FailureKind::Protocol, "asked for a move where there is none")
}

/// Chooses evenly among its tokens and, if one is left, a throw; then a random slide (never a swing) or a random throw.
#[derive(Debug)]
pub struct Sparring {
    rng: ChaCha8Rng,
}

impl Sparring {
    /// Its entry in the catalogue.
    pub fn info() -> BotInfo<Position> {
        fn build(_: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
            Ok(Box::new(Sparring { rng: stream(0, "sparring") }))
        }
        BotInfo {
            name: "sparring",
            about: "the authors' sparring partner: a random token slides, or a random throw",
            options: Vec::new(),
            build,
        }
    }
}

impl Bot<Position> for Sparring {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "sparring");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let player = task.player;
        let tokens: Vec<Hex> =
            position.stacks(player).flat_map(|(hex, _, count)| (0..count).map(move |_| hex)).collect();
        let zone: Vec<Hex> = position.throw_zone(player).into_iter().collect();
        let choices = tokens.len() + usize::from(!zone.is_empty());
        if choices == 0 {
            return Err(no_move());
        }
        let mv = if let Some(&from) = tokens.get(self.rng.random_range(0..choices)) {
            let targets: Vec<Hex> = from.neighbours().into_iter().collect();
            Move::step(from, targets[self.rng.random_range(0..targets.len())])
        } else {
            let symbol = Symbol::ALL[self.rng.random_range(0..3)];
            Some(Move::throw(symbol, zone[self.rng.random_range(0..zone.len())]))
        };
        mv.map(Answer::plain).ok_or_else(no_move)
    }
}

/// The older agent: one turn deep, other weights, and a min step that returns after the first enemy reply.
#[derive(Debug, Clone, Copy, Default)]
pub struct Older;

impl Older {
    /// Its entry in the catalogue.
    pub fn info() -> BotInfo<Position> {
        fn build(_: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
            Ok(Box::new(Older))
        }
        BotInfo {
            name: "older",
            about: "the authors' older agent: one turn deep, looks at the first enemy reply only",
            options: Vec::new(),
            build,
        }
    }

    /// Its evaluation.
    fn evaluate(tokens: &Tokens, player: Player) -> f64 {
        let enemy = player.opponent();
        let left = |side: Player| (ropasci360::Position::THROWS - tokens.thrown(side)) as f64;
        let owned = |side: Player| left(side) + tokens.count(side) as f64;
        let sum = |from: Hex, others: &[Hex]| others.iter().map(|&to| from.distance(to) as f64).sum::<f64>();
        // Distances to prey count against, those to hunters doubly for.
        let distances: f64 = tokens
            .all(player)
            .map(|token| {
                2.0 * sum(token.hex, tokens.of(enemy, token.symbol.hunter()))
                    - sum(token.hex, tokens.of(enemy, token.symbol.prey()))
            })
            .sum();
        let beats = Symbol::ALL.into_iter().any(|symbol| {
            !tokens.of(player, symbol).is_empty() && !tokens.of(enemy, symbol.prey()).is_empty()
        });
        2000.0 * owned(player) - 2100.0 * owned(enemy) + 1000.0 * left(player) + 5.0 * distances
            - if beats { 0.0 } else { 500.0 }
    }
}

impl Bot<Position> for Older {
    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let player = task.player;
        let (_, tokens) = super::repetition_guard::Guard::of(task.record, player);
        let reply = generate(&tokens, player.opponent(), Movers::All).first().copied();
        let mut best: Option<(f64, Move)> = None;
        for mv in generate(&tokens, player, Movers::All) {
            let mut next = tokens;
            match (reply, player) {
                (Some(reply), Player::One) => next.play([mv, reply]),
                (Some(reply), Player::Two) => next.play([reply, mv]),
                (None, _) => next.play_alone(player, mv),
            }
            let value = Older::evaluate(&next, player);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, mv));
            }
        }
        let chosen = best.map(|(_, mv)| mv).filter(|&mv| position.is_legal(player, mv));
        chosen.or_else(|| position.nth_move(player, 0)).map(Answer::plain).ok_or_else(no_move)
    }
}
