//! What foreseeing may cost: a purse that begins small, pays for every risk, and grows by what the opponent gives away.
//!
//! The equilibrium strategy guarantees a value against the replies that are reckoned with. A move that answers a foreseen reply may be
//! worth less against another: that is its risk. It is played only with such a share that the risk does not exceed the purse. After the
//! turn the purse changes by how much more, or less, the mix was worth against the reply that came than was guaranteed ("risk what you
//! have won", Ganzfried and Sandholm 2015), and grows a little for a move that was foreseen right, until it has been given [`GIVEN`]: that is
//! the evidence. So the purse never falls below nothing, and in the champion's own judgement foreseeing costs, over a whole game and
//! whatever the opponent does, at most [`START`] and [`GIVEN`] together.

/// What the purse holds at the start of a game, in wins.
pub(super) const START: f64 = 0.05;
/// What it is given for a move that was foreseen right.
pub(super) const RIGHT: f64 = 0.1;
/// The most that it is given in a game.
pub(super) const GIVEN: f64 = 0.5;
/// The most it holds, and so the most that a turn may cost.
const MOST: f64 = 1.0;

/// What may be risked.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Purse {
    held: f64,
    /// What it was given so far for moves foreseen right.
    given: f64,
    staked: Option<Stake>,
}

/// A mix that was played: after how many turns of the record, and what it was worth against each reply more than what was guaranteed.
#[derive(Debug, Clone, PartialEq)]
struct Stake {
    turn: usize,
    gains: Vec<f64>,
    /// Which reply was foreseen.
    foreseen: usize,
}

impl Purse {
    /// The purse of a new game.
    pub(super) fn new() -> Purse {
        Purse { held: START, given: 0.0, staked: None }
    }

    /// The share with which the answer to a foreseen move may be played, and notes what is at stake: `answer` and `safe` are the
    /// values of the answer and of the equilibrium strategy against each reply, in the same order; `foreseen` is the reply that is expected.
    pub(super) fn stake(&mut self, turn: usize, foreseen: usize, answer: &[f64], safe: &[f64]) -> f64 {
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let guaranteed = least(safe);
        let share = share_within(self.held, answer, safe, guaranteed);
        let gain = |(answer, safe): (&f64, &f64)| share * answer + (1.0 - share) * safe - guaranteed;
        self.staked = Some(Stake { turn, gains: answer.iter().zip(safe).map(gain).collect(), foreseen });
        share
    }

    /// Settles the last stake, once `turns` turns are on the record; `reply` finds the reply that came among those reckoned with,
    /// `None` if it was not among them.
    pub(super) fn settle(&mut self, turns: usize, reply: impl FnOnce(usize) -> Option<usize>) {
        let Some(Stake { turn, gains, foreseen }) = self.staked.take_if(|stake| stake.turn < turns) else {
            return;
        };
        let came = reply(turn);
        let gain = came.and_then(|reply| gains.get(reply)).copied().unwrap_or(0.0);
        let right = if came == Some(foreseen) { RIGHT.min(GIVEN - self.given) } else { 0.0 };
        self.given += right;
        self.held = (self.held + gain + right).clamp(0.0, MOST);
    }
}

/// The largest share of the answer in the mix with which no reply makes it worth less than guaranteed by more than `held`.
fn share_within(held: f64, answer: &[f64], safe: &[f64], guaranteed: f64) -> f64 {
    let within = answer.iter().zip(safe).map(|(&answer, &safe)| {
        // The mix lies between the two; its lower end must not fall below this.
        let floor = guaranteed - held;
        if answer >= floor { 1.0 } else { ((safe - floor) / (safe - answer)).clamp(0.0, 1.0) }
    });
    within.fold(1.0, f64::min)
}

#[cfg(test)]
mod tests {
    use search_core::SearchRng;

    use super::*;

    #[test]
    fn it_never_costs_more_than_the_purse_was_given() {
        let mut rng = SearchRng::new(1, "purse");
        for _ in 0..200 {
            let mut purse = Purse::new();
            let mut balance = 0.0;
            for turn in 0..60 {
                let mut values = || -> Vec<f64> { (0..8).map(|_| 2.0 * rng.unit() - 1.0).collect() };
                let (answer, safe) = (values(), values());
                let guaranteed = safe.iter().copied().fold(f64::INFINITY, f64::min);
                let foreseen = (turn * 5) % 8;
                let share = purse.stake(turn, foreseen, &answer, &safe);
                // The reply that hurts most.
                let worth = |reply: usize| share * answer[reply] + (1.0 - share) * safe[reply] - guaranteed;
                let worst = (0..8).min_by(|&a, &b| worth(a).total_cmp(&worth(b))).unwrap();
                balance += worth(worst);
                assert!(balance >= -START - purse.given - 1e-9, "{balance} of {}", purse.given);
                purse.settle(turn + 1, |_| Some(worst));
                assert!(purse.held >= 0.0 && purse.given <= GIVEN);
            }
        }
    }

    #[test]
    fn gifts_may_be_risked() {
        let mut purse = Purse::new();
        let (answer, safe) = ([0.4, -0.6], [0.0, 0.0]);
        let first = purse.stake(0, 1, &answer, &safe);
        assert!((first - START / 0.6).abs() < 1e-12);
        // The foreseen reply comes again and again.
        for turn in 0..12 {
            purse.settle(turn + 1, |_| Some(0));
            purse.stake(turn + 1, 1, &answer, &safe);
        }
        let later = purse.stake(13, 1, &answer, &safe);
        assert!(later > 5.0 * first, "{later}");
        // An answer without a risk is played at once.
        assert_eq!(Purse::new().stake(0, 0, &[0.3, 0.0], &[0.1, 0.0]), 1.0);
    }

    #[test]
    fn what_was_foreseen_right_may_be_risked() {
        let mut purse = Purse::new();
        for turn in 0..3 {
            purse.stake(turn, 1, &[-0.5, 0.0], &[0.0, 0.0]);
            purse.settle(turn + 1, |_| Some(1));
        }
        assert!((purse.held - START - 3.0 * RIGHT).abs() < 1e-12);
        // And is lost where it was wrong.
        purse.stake(3, 1, &[-0.5, 0.0], &[0.0, 0.0]);
        purse.settle(4, |_| Some(0));
        assert!(purse.held.abs() < 1e-12, "{purse:?}");
        // It is not given for ever.
        for turn in 4..40 {
            purse.stake(turn, 1, &[-0.5, 0.0], &[0.0, 0.0]);
            purse.settle(turn + 1, |_| Some(1));
        }
        assert!((purse.given - GIVEN).abs() < 1e-12 && purse.held <= GIVEN, "{purse:?}");
    }

    #[test]
    fn what_was_not_reckoned_with_changes_nothing() {
        let mut purse = Purse::new();
        purse.stake(4, 0, &[1.0], &[0.0]);
        purse.settle(4, |_| Some(0));
        assert_eq!(purse.held, START, "the turn is not over");
        purse.settle(5, |_| None);
        assert_eq!(purse.held, START);
    }
}
