//! The schedule: which two bots play which game at which number. Computed from the number, never stored.

use serde::{Deserialize, Serialize};

use crate::digest::Digest;
use crate::plan::Plan;

/// Who meets whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All players meet each other in each round.
    #[default]
    RoundRobin,
    /// The first bot meets each of the others in each round.
    Gauntlet,
    /// In each round bots with like scores meet; no pairing twice while it can be avoided.
    Swiss,
}

/// One game to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Job {
    /// Its number in the plan: two for each pair.
    pub index: u64,
    /// The event.
    pub event: usize,
    /// The round, from 0. It also numbers the openings.
    pub round: u32,
    /// The pairing: the first-named bot and its opponent.
    pub pairing: [usize; 2],
    /// Whether the seats are swapped: the first-named bot moves second.
    pub swapped: bool,
}

impl Job {
    /// The bots in order of their seats.
    pub fn seats(&self) -> [usize; 2] {
        let [a, b] = self.pairing;
        if self.swapped { [b, a] } else { [a, b] }
    }

    /// The number of the pair.
    pub fn pair(&self) -> u64 {
        self.index / 2
    }
}

/// A place in the schedule; its pairing may depend on earlier results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The event.
    pub event: usize,
    /// The round.
    pub round: u32,
    /// The board within the round.
    pub board: u64,
    /// Whether it is the second game of its pair.
    pub swapped: bool,
}

/// The arithmetic of a plan's games.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    events: u64,
    bots: u64,
    boards: u64,
    rounds: u64,
    format: Format,
}

impl Schedule {
    /// The schedule of a plan.
    pub fn new(plan: &Plan) -> Schedule {
        let bots = plan.bots.len() as u64;
        let boards = match plan.format {
            Format::RoundRobin => bots * bots.saturating_sub(1) / 2,
            Format::Gauntlet => bots.saturating_sub(1),
            Format::Swiss => bots / 2,
        };
        let (events, rounds) = (plan.events.len() as u64, u64::from(plan.rounds));
        Schedule { events, bots, boards, rounds, format: plan.format }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.rounds * self.events * self.boards
    }

    /// The number of pairs of one event in one round.
    pub fn boards(&self) -> u64 {
        self.boards
    }

    /// Where a game stands. Rounds come one after the other, so that provisional standings mean something.
    pub fn slot(&self, index: u64) -> Slot {
        let pair = index / 2;
        let per_round = self.events * self.boards;
        let within = pair % per_round;
        Slot {
            round: (pair / per_round) as u32,
            event: (within % self.events) as usize,
            board: within / self.events,
            swapped: index % 2 == 1,
        }
    }

    /// The pairing of a board, if it does not depend on results.
    pub fn fixed_pairing(&self, board: u64) -> Option<[usize; 2]> {
        match self.format {
            Format::Swiss => None,
            Format::Gauntlet => Some([0, board as usize + 1]),
            Format::RoundRobin => {
                let mut first = 0;
                let mut left = board;
                // Row by row through the upper triangle.
                while left >= self.bots - 1 - first {
                    left -= self.bots - 1 - first;
                    first += 1;
                }
                Some([first as usize, (first + 1 + left) as usize])
            }
        }
    }
}

/// The seed of a pair: of the master seed, the event, the two bots in whatever order, and the round; never of a thread,
/// a time or a shard.
pub(crate) fn pair_seed(plan: &Plan, event: usize, pairing: [usize; 2], round: u32) -> u64 {
    let event = &plan.events[event];
    let mut specs = pairing.map(|bot| plan.bots[bot].spec.as_str());
    specs.sort_unstable();
    Digest::of(&[
        "pair",
        &plan.seed.to_string(),
        &event.game,
        &event.setup,
        specs[0],
        specs[1],
        &round.to_string(),
    ])
    .number()
}

/// The seed of a bot in one game of a pair.
pub(crate) fn bot_seed(pair_seed: u64, first: &str, player: search_core::Player) -> u64 {
    Digest::of(&["bot", &pair_seed.to_string(), first, &player.to_string()]).number()
}

/// The seed of the opening of a round: the same for all pairings of an event.
pub(crate) fn opening_seed(plan: &Plan, event: usize, round: u32) -> u64 {
    let event = &plan.events[event];
    Digest::of(&["opening", &plan.seed.to_string(), &event.game, &event.setup, &round.to_string()]).number()
}

/// The pairings of a Swiss round. `points` are half points so far, `met(a, b)` says how often two have met, `byes` how
/// often each sat out. With an odd number the lowest bot with the fewest byes sits out.
pub(crate) fn swiss_round(
    points: &[u64],
    met: &dyn Fn(usize, usize) -> u64,
    byes: &[u64],
) -> (Vec<[usize; 2]>, Option<usize>) {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[b].cmp(&points[a]).then(a.cmp(&b)));
    let bye = if order.len() % 2 == 1 {
        let fewest = byes.iter().min().copied().unwrap_or(0);
        let place = order.iter().rposition(|&bot| byes[bot] == fewest).unwrap_or(order.len() - 1);
        Some(order.remove(place))
    } else {
        None
    };
    // The fewest rematches with which all players can be paired: almost always none.
    for allowed in 0.. {
        let mut pairs = Vec::new();
        if pair_up(&mut order.clone(), met, allowed, &mut pairs, &mut 20_000) {
            return (pairs, bye);
        }
        if allowed > points.len() as u64 * 1000 {
            break;
        }
    }
    (order.chunks_exact(2).map(|two| [two[0], two[1]]).collect(), bye)
}

/// Pairs the first with the nearest whom it met at most `allowed` times, and goes back when that leaves a player over.
fn pair_up(
    left: &mut Vec<usize>,
    met: &dyn Fn(usize, usize) -> u64,
    allowed: u64,
    pairs: &mut Vec<[usize; 2]>,
    patience: &mut u32,
) -> bool {
    if left.is_empty() {
        return true;
    }
    let first = left.remove(0);
    for place in 0..left.len() {
        let second = left[place];
        if met(first, second) > allowed || *patience == 0 {
            continue;
        }
        *patience -= 1;
        left.remove(place);
        pairs.push([first, second]);
        if pair_up(left, met, allowed, pairs, patience) {
            return true;
        }
        pairs.pop();
        left.insert(place, second);
    }
    left.insert(0, first);
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(bots: u64, format: Format) -> Schedule {
        let boards = match format {
            Format::RoundRobin => bots * (bots - 1) / 2,
            Format::Gauntlet => bots - 1,
            Format::Swiss => bots / 2,
        };
        Schedule { events: 3, bots, boards, rounds: 5, format }
    }

    #[test]
    fn a_round_robin_has_every_pairing_once_a_round() {
        for bots in 2..9 {
            let schedule = schedule(bots, Format::RoundRobin);
            let mut seen: Vec<[usize; 2]> =
                (0..schedule.boards).filter_map(|board| schedule.fixed_pairing(board)).collect();
            seen.sort_unstable();
            let expected: Vec<[usize; 2]> =
                (0..bots as usize).flat_map(|a| (a + 1..bots as usize).map(move |b| [a, b])).collect();
            assert_eq!(seen, expected);
        }
    }

    #[test]
    fn rounds_come_one_after_the_other_and_seats_swap() {
        let schedule = schedule(4, Format::Gauntlet);
        assert_eq!(schedule.games(), 2 * 5 * 3 * 3);
        let slots: Vec<Slot> = (0..schedule.games()).map(|index| schedule.slot(index)).collect();
        assert!(slots.is_sorted_by_key(|slot| slot.round));
        assert!(slots.chunks_exact(2).all(|pair| {
            !pair[0].swapped && pair[1].swapped && Slot { swapped: true, ..pair[0] } == pair[1]
        }));
        let mut all: Vec<(u32, usize, u64, bool)> =
            slots.iter().map(|slot| (slot.round, slot.event, slot.board, slot.swapped)).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len() as u64, schedule.games());
    }

    #[test]
    fn swiss_rounds_avoid_rematches_while_they_can() {
        let mut met = vec![[0_u64; 6]; 6];
        let mut points = [0_u64; 6];
        for round in 0..5 {
            let (pairs, bye) = swiss_round(&points, &|a, b| met[a][b], &[0; 6]);
            assert_eq!((pairs.len(), bye), (3, None));
            for [a, b] in pairs {
                assert_eq!(met[a][b], 0, "round {round}");
                met[a][b] += 1;
                met[b][a] += 1;
                points[a.min(b)] += 4;
            }
        }
        // All have met each other: a sixth round repeats each pairing at most once.
        let (pairs, _) = swiss_round(&points, &|a, b| met[a][b], &[0; 6]);
        assert_eq!(pairs.len(), 3);
    }

    #[test]
    fn an_odd_bot_sits_out_and_not_twice_before_the_others() {
        let mut byes = [0_u64; 5];
        for _ in 0..5 {
            let (pairs, bye) = swiss_round(&[0; 5], &|_, _| 0, &byes);
            assert_eq!(pairs.len(), 2);
            byes[bye.unwrap()] += 1;
        }
        assert_eq!(byes, [1; 5]);
    }
}
