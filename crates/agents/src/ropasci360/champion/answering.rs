//! Answers to what the opponent is foreseen to play, and whether their risk can be afforded.

use std::time::Duration;

use ropasci360::{Move, Position};
use search_core::matrix::Matrix;
use search_core::{Evaluate, Game, Linear, Player, Prune, Score, Task};

use super::Champion;
use crate::ropasci360::candidates::Selective;
use crate::ropasci360::evaluation::Balance;

/// How many answers to a foreseen move are looked at beyond the turn.
const ANSWERS: usize = 24;
/// The moves of each side in the turn after a foreseen one.
const AFTERWARDS: Selective = Selective { width: 6, throws: 2 };
/// The replies of the opponent against which a risk is measured.
const RECKONED: Selective = Selective { width: 10, throws: 4 };
/// A position that occurred before is worth a little less than a draw: going round leads nowhere.
const REPEATED: f64 = -0.02;

impl Champion {
    /// The value of a position for the first player: its end, or a matrix game over few moves judged after one turn.
    fn value(&mut self, position: &Position, eager: bool) -> f64 {
        if let Some(end) = position.end() {
            return f64::from(end.outcome.sign(Player::One));
        }
        let [upper, lower] = Player::BOTH.map(|player| {
            let mut moves = <Position as Game>::Moves::default();
            AFTERWARDS.candidates(position, player, &mut moves);
            moves
        });
        let (judge, scale) = (self.judge(eager), self.scale);
        let matrix = Matrix::from_fn(upper.len(), lower.len(), |row, column| {
            let mut next = *position;
            next.play_turn([upper[row], lower[column]]);
            match next.end() {
                Some(end) => f64::from(end.outcome.sign(Player::One)),
                None => worth(judge.evaluate(&next, Player::One), scale),
            }
        });
        self.solver.solve(&matrix).value
    }

    fn judge(&self, eager: bool) -> &Linear<Balance> {
        if eager { &self.eager.answers } else { &self.patient.answers }
    }

    /// Whether the purse lets this answer be played now, instead of a draw from the equilibrium strategy. Not if there is no time
    /// to find out.
    pub(super) fn dares(
        &mut self,
        task: &Task<'_, Position>,
        due: Option<Duration>,
        answer: Move,
        safe: &[(Move, f64)],
        likely: &[(Move, f64)],
    ) -> bool {
        let position = task.record.position();
        let eager = self.is_eager(task.record);
        let sign = if task.player == Player::One { 1.0 } else { -1.0 };
        let mut replies = <Position as Game>::Moves::default();
        RECKONED.candidates(position, task.player.opponent(), &mut replies);
        let mut reckoned: Vec<Move> = replies.iter().copied().collect();
        reckoned.extend(likely.iter().map(|&(reply, _)| reply));
        reckoned.sort_unstable();
        reckoned.dedup();
        let mut worth_of = |mv: Move| -> Vec<f64> {
            let after = |&reply: &Move| {
                let mut next = *position;
                next.play_turn(if task.player == Player::One { [mv, reply] } else { [reply, mv] });
                sign * self.value(&next, eager)
            };
            reckoned.iter().map(after).collect()
        };
        let against = worth_of(answer);
        let total: f64 = safe.iter().map(|&(_, share)| share).sum();
        let mut of_safe = vec![0.0; reckoned.len()];
        for &(mv, share) in safe {
            if due.is_some_and(|due| task.clock.now() >= due) {
                return false;
            }
            for (sum, worth) in of_safe.iter_mut().zip(worth_of(mv)) {
                *sum += share / total.max(f64::MIN_POSITIVE) * worth;
            }
        }
        // The last of the likely replies is the foreseen one.
        let foreseen =
            likely.last().and_then(|&(foreseen, _)| reckoned.iter().position(|&mv| mv == foreseen));
        let foreseen = foreseen.unwrap_or_default();
        let share = self.purse.stake(task.record.turns().len(), foreseen, &against, &of_safe);
        self.reckoned = reckoned;
        self.rng.unit() < share
    }

    /// The best answer to what the opponent is likely to play, as moves with their chances; the best so far once it is due.
    pub(super) fn answer(
        &mut self,
        task: &Task<'_, Position>,
        due: Option<Duration>,
        foreseen: &[(Move, f64)],
    ) -> Option<(Move, f64)> {
        let (record, player) = (task.record, task.player);
        let position = record.position();
        let sign = if player == Player::One { 1.0 } else { -1.0 };
        let eager = self.is_eager(record);
        let judge = self.judge(eager);
        let after = |mv: Move, reply: Move| {
            let mut next = *position;
            next.play_turn(if player == Player::One { [mv, reply] } else { [reply, mv] });
            next
        };
        let mut answers: Vec<(f64, Move)> = Vec::new();
        for &mv in position.move_list(player).as_ref() {
            let value: f64 = foreseen
                .iter()
                .map(|&(reply, chance)| {
                    let next = after(mv, reply);
                    chance
                        * match next.end() {
                            Some(end) => f64::from(end.outcome.sign(player)),
                            None => worth(judge.evaluate(&next, player), self.scale),
                        }
                })
                .sum();
            answers.push((value, mv));
        }
        answers.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut best: Option<(Move, f64)> = None;
        for (_, mv) in answers.into_iter().take(ANSWERS) {
            if best.is_some() && due.is_some_and(|due| task.clock.now() >= due) {
                break;
            }
            let mut value = 0.0;
            for &(reply, chance) in foreseen {
                let next = after(mv, reply);
                let repeated = next.repetition_key().is_some_and(|key| record.history().contains(&key));
                value += chance * if repeated { REPEATED } else { sign * self.value(&next, eager) };
            }
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((mv, value));
            }
        }
        best
    }
}

/// A score as a value from -1 to 1.
fn worth(score: Score, scale: f64) -> f64 {
    let score = f64::from(score.value());
    score / (score.abs() + scale)
}
