//! Two other agents of the report's authors: their older one, and their sparring partner.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use ropasci360::{Hex, Move, Position, Symbol};
use search_core::{Answer, Game, Player, Task};

use super::repetition_guard::RepetitionGuard;
use super::search::{Movers, generate};
use super::token_lists::Tokens;
use crate::BotInfo;
use crate::generic::Reflex;

/// The entry of the sparring partner.
pub(crate) fn sparring() -> BotInfo<Position> {
    BotInfo::new(
        "sparring",
        "the authors' sparring partner: a random token slides, or a random throw",
        |_| {
            Ok(Box::new(Reflex::new("sparring", |task: &Task<'_, Position>, rng: &mut ChaCha8Rng| {
                slide_or_throw(task.record.position(), task.player, rng).map(Answer::plain)
            })))
        },
    )
}

/// Chooses evenly among its tokens and, if one is left, a throw; then a random slide (never a swing) or a random throw.
fn slide_or_throw(position: &Position, player: Player, rng: &mut ChaCha8Rng) -> Option<Move> {
    let tokens: Vec<Hex> =
        position.stacks(player).flat_map(|(hex, _, count)| (0..count).map(move |_| hex)).collect();
    let zone: Vec<Hex> = position.throw_zone(player).into_iter().collect();
    let choices = tokens.len() + usize::from(!zone.is_empty());
    if choices == 0 {
        return None;
    }
    if let Some(&from) = tokens.get(rng.random_range(0..choices)) {
        let targets: Vec<Hex> = from.neighbours().into_iter().collect();
        return Move::step(from, targets[rng.random_range(0..targets.len())]);
    }
    let symbol = Symbol::ALL[rng.random_range(0..3)];
    Some(Move::throw(symbol, zone[rng.random_range(0..zone.len())]))
}

/// The entry of the older agent.
pub(crate) fn older() -> BotInfo<Position> {
    BotInfo::new(
        "older",
        "the authors' older agent: one turn deep, looks at the first enemy reply only",
        |_| {
            Ok(Box::new(Reflex::new("older", |task: &Task<'_, Position>, _: &mut ChaCha8Rng| {
                first_reply(task).map(Answer::plain)
            })))
        },
    )
}

/// One turn deep, other weights, and a min step that returns after the first enemy reply.
fn first_reply(task: &Task<'_, Position>) -> Option<Move> {
    let position = task.record.position();
    let player = task.player;
    let (_, tokens) = RepetitionGuard::of(task.record, player);
    let reply = generate(&tokens, player.opponent(), Movers::All).first().copied();
    let mut best: Option<(f64, Move)> = None;
    for mv in generate(&tokens, player, Movers::All) {
        let mut next = tokens;
        match (reply, player) {
            (Some(reply), Player::One) => next.play([mv, reply]),
            (Some(reply), Player::Two) => next.play([reply, mv]),
            (None, _) => next.play_alone(player, mv),
        }
        let value = evaluate(&next, player);
        if best.is_none_or(|(most, _)| value > most) {
            best = Some((value, mv));
        }
    }
    let chosen = best.map(|(_, mv)| mv).filter(|&mv| position.is_legal(player, mv));
    chosen.or_else(|| position.nth_move(player, 0))
}

/// The older agent's evaluation.
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
    let beats = Symbol::ALL
        .into_iter()
        .any(|symbol| !tokens.of(player, symbol).is_empty() && !tokens.of(enemy, symbol.prey()).is_empty());
    2000.0 * owned(player) - 2100.0 * owned(enemy) + 1000.0 * left(player) + 5.0 * distances
        - if beats { 0.0 } else { 500.0 }
}
