//! A tournament in pieces, for many machines: playing some of its pairs anywhere, and gathering what came out.
//!
//! A piece is a list of pairs, each a number of the plan and who meets. What is played of it are lines as a journal has them, so
//! a gathered tournament is an ordinary journal. Which pairs come next may depend on what was gathered: a [`Gathering`]
//! knows the pairings of the next Swiss round, and when a sequential test has ended.

mod gathering;
mod play;

use serde::{Deserialize, Serialize};

pub use self::gathering::{Gathering, GatheringError, first_round};
pub use self::play::play_pairs;

use crate::plan::Plan;
use crate::schedule::{Job, Schedule};

/// A pair of games to play: its number in the plan, and who meets, the first-named bot first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairToPlay {
    /// The number of the pair.
    pub pair: u64,
    /// The names of the two bots.
    pub bots: [String; 2],
}

impl PairToPlay {
    /// The pair of this number, if its pairing does not depend on results.
    pub fn fixed(plan: &Plan, pair: u64) -> Option<PairToPlay> {
        let schedule = Schedule::new(plan);
        if pair >= schedule.pairs() {
            return None;
        }
        let pairing = schedule.fixed_pairing(schedule.slot(2 * pair).board)?;
        Some(PairToPlay { pair, bots: pairing.map(|bot| plan.bots[bot].name.clone()) })
    }

    /// Its two games; in words what is wrong if the plan has no such pair.
    pub fn jobs(&self, plan: &Plan) -> Result<[Job; 2], String> {
        let schedule = Schedule::new(plan);
        if self.pair >= schedule.pairs() {
            return Err(format!("pair {} is beyond the {} of the plan", self.pair, schedule.pairs()));
        }
        let find = |name: &String| {
            let place = plan.bots.iter().position(|bot| bot.name == *name);
            place.ok_or_else(|| format!("the plan has no bot `{name}`"))
        };
        let pairing = [find(&self.bots[0])?, find(&self.bots[1])?];
        if pairing[0] == pairing[1] {
            return Err(format!("pair {}: `{}` cannot meet itself", self.pair, self.bots[0]));
        }
        Ok([2 * self.pair, 2 * self.pair + 1].map(|index| {
            let slot = schedule.slot(index);
            Job { index, event: slot.event, round: slot.round, pairing, swapped: slot.swapped }
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::ClockKind;
    use crate::plan::{BotPlan, EventPlan, FORMAT_VERSION};
    use crate::schedule::Format;

    fn plan() -> Plan {
        let bot = |name: &str| BotPlan {
            name: name.to_owned(),
            spec: name.to_owned(),
            fingerprint: String::new(),
            start_only: false,
        };
        Plan {
            version: FORMAT_VERSION,
            events: vec![EventPlan {
                name: "nim".to_owned(),
                game: "nim".to_owned(),
                setup: String::new(),
                simultaneous: false,
                openings: "start".to_owned(),
                limits: vec!["none".to_owned(); 3],
            }],
            bots: ["a", "b", "c"].map(bot).to_vec(),
            format: Format::RoundRobin,
            rounds: 2,
            seed: 1,
            margin_micros: 0,
            at_once: false,
            clock: ClockKind::Wall,
            replay: None,
            sprt: None,
        }
    }

    #[test]
    fn a_pair_knows_its_two_games() {
        let plan = plan();
        let pair = PairToPlay::fixed(&plan, 4).unwrap();
        assert_eq!(pair.bots, ["a", "c"]);
        let [first, second] = pair.jobs(&plan).unwrap();
        assert_eq!((first.index, second.index, first.round), (8, 9, 1));
        assert_eq!((first.seats(), second.seats()), ([0, 2], [2, 0]));
        assert_eq!(PairToPlay::fixed(&plan, 6), None);
    }

    #[test]
    fn a_pair_of_another_plan_is_refused() {
        let pair = |pair, one: &str, other: &str| PairToPlay { pair, bots: [one, other].map(str::to_owned) };
        let problem = |wrong: PairToPlay| wrong.jobs(&plan()).unwrap_err();
        assert!(problem(pair(6, "a", "b")).contains("beyond the 6"));
        assert!(problem(pair(0, "a", "d")).contains("no bot `d`"));
        assert!(problem(pair(0, "a", "a")).contains("itself"));
    }
}
