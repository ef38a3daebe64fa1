//! Matches between two bots of a game: pairs of games from the same opening with the sides exchanged.

use std::collections::BTreeMap;
use std::fmt;

use agents::Catalogue;
use arena::statistics::{Interval, Pentanomial, Trinomial, score_interval};
use search_core::{
    Active, Analysis, Answer, Bot, Game, Limits, Player, Record, StopFlag, SystemClock, Task, Turn,
    derive_seed,
};

use super::in_parallel;
use super::verdict::{Verdict, within};

/// Where a game is played: the bots there are, and how a game begins.
pub(crate) struct Ground<'a, G: Game> {
    pub(crate) catalogue: Catalogue<G>,
    /// The opening of the pair of games with this number.
    pub(crate) opening: &'a (dyn Fn(u64) -> Record<G> + Sync),
}

/// A bot and how long it may think.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) spec: &'a str,
    pub(crate) limits: Limits,
}

impl<'a> From<&'a str> for Side<'a> {
    fn from(spec: &'a str) -> Self {
        Side { spec, limits: Limits::default() }
    }
}

/// What a bot did in some games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Work {
    pub(crate) answers: u64,
    pub(crate) nodes: u64,
    pub(crate) playouts: u64,
    /// The most nodes of one game.
    pub(crate) most_nodes: u64,
}

impl Work {
    fn add<M>(&mut self, analysis: Option<&Analysis<M>>) {
        self.answers += 1;
        if let Some(analysis) = analysis {
            self.nodes += analysis.stats.nodes;
            self.playouts += analysis.stats.playouts;
        }
        self.most_nodes = self.nodes;
    }

    fn plus(self, game: Work) -> Work {
        Work {
            answers: self.answers + game.answers,
            nodes: self.nodes + game.nodes,
            playouts: self.playouts + game.playouts,
            most_nodes: self.most_nodes.max(game.most_nodes),
        }
    }
}

/// The result of a match, seen from the first bot.
#[derive(Debug, Clone, Default)]
pub(crate) struct Match {
    pairs: Pentanomial,
    /// How often games ended for which reason.
    pub(crate) reasons: BTreeMap<&'static str, u64>,
    /// Games without a result, because a bot failed.
    pub(crate) failed: u64,
    /// What each bot did.
    pub(crate) work: [Work; 2],
}

impl Match {
    pub(crate) fn games(&self) -> Trinomial {
        self.pairs.games()
    }

    pub(crate) fn interval(&self) -> Interval {
        score_interval(&self.pairs.sample())
    }

    /// What the match makes of the claim that the first bot is the stronger one.
    pub(crate) fn first_is_stronger(&self) -> Verdict {
        Verdict::above(self.interval(), 0.5)
    }

    /// The games of both matches.
    pub(crate) fn plus(&self, other: &Match) -> Match {
        let mut all = self.clone();
        let Pentanomial { ll, ld, wl, dd, wd, ww } = other.pairs;
        for (one, two, times) in [(0, 0, ll), (0, 1, ld), (0, 2, wl), (1, 1, dd), (1, 2, wd), (2, 2, ww)] {
            all.pairs.add(one, two, times);
        }
        for (reason, times) in &other.reasons {
            *all.reasons.entry(reason).or_insert(0) += times;
        }
        all.failed += other.failed;
        for (all, work) in all.work.iter_mut().zip(other.work) {
            *all = all.plus(work);
        }
        all
    }
}

impl fmt::Display for Match {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games = self.games();
        let score = 100.0 * games.score().unwrap_or(0.0);
        write!(f, "+{} ={} -{}, {score:.1} %", games.wins, games.draws, games.losses)?;
        f.write_str(&within(self.interval(), 100.0, 1))?;
        if self.failed > 0 {
            write!(f, ", {} broken off", self.failed)?;
        }
        Ok(())
    }
}

/// One finished game, seen from the first bot.
#[derive(Debug)]
pub(crate) struct Finished<G: Game> {
    pub(crate) record: Record<G>,
    pub(crate) half_points: u8,
    pub(crate) reason: &'static str,
    pub(crate) work: [Work; 2],
}

impl<G: Game> Ground<'_, G> {
    /// Builds a bot. The specs of the tables are constants that a test builds.
    pub(crate) fn build(&self, spec: &str) -> Option<Box<dyn Bot<G>>> {
        self.catalogue.build(spec).ok()
    }

    /// All games of a match. Without a clock they are played on all processors; with one each has the machine alone.
    pub(crate) fn play<'a>(
        &self,
        first: impl Into<Side<'a>>,
        second: impl Into<Side<'a>>,
        pairs: u64,
    ) -> Match {
        let sides = [first.into(), second.into()];
        let one = |game: u64| {
            let finished = self.game(sides, Player::after(game as u32), game / 2, |_, _, _| {})?;
            Some((finished.half_points, finished.reason, finished.work))
        };
        let clocked = sides.iter().any(|side| side.limits.time.is_some());
        let games: Vec<_> =
            if clocked { (0..2 * pairs).map(one).collect() } else { in_parallel(2 * pairs, one) };
        let mut result = Match::default();
        for pair in games.chunks_exact(2) {
            for (_, reason, work) in pair.iter().flatten() {
                *result.reasons.entry(reason).or_insert(0) += 1;
                for (all, game) in result.work.iter_mut().zip(work) {
                    *all = all.plus(*game);
                }
            }
            match pair {
                [Some(one), Some(two)] => result.pairs.add(one.0, two.0, 1),
                // Half a pair says nothing without the other half.
                _ => result.failed += 1,
            }
        }
        result
    }

    /// One game with the first bot on `seat`; `look` sees every answer before it is played. `None` if a bot failed.
    pub(crate) fn game(
        &self,
        sides: [Side<'_>; 2],
        seat: Player,
        number: u64,
        mut look: impl FnMut(&Record<G>, Player, &Answer<G::Move>),
    ) -> Option<Finished<G>> {
        let place = |player: Player| usize::from(player != seat);
        let mut bots = [self.build(sides[0].spec)?, self.build(sides[1].spec)?];
        for player in Player::BOTH {
            bots[place(player)].new_game(player, derive_seed(number, &player.to_string())).ok()?;
        }
        let mut record = (self.opening)(number);
        let mut work = [Work::default(); 2];
        let (stop, clock) = (StopFlag::new(), SystemClock::new());
        while record.end().is_none() {
            let active = record.position().active();
            let mut moves = [None, None];
            for player in active.players() {
                let limits = sides[place(player)].limits;
                let task = Task::plain(&record, player, limits, &stop, &clock);
                let answer = bots[place(player)].choose(&task).ok()?;
                look(&record, player, &answer);
                work[place(player)].add(answer.analysis.as_ref());
                moves[player.index()] = Some(answer.mv);
            }
            record.play(G::Turn::from_moves(active, moves)?).ok()?;
        }
        let end = record.end()?;
        let half_points = (end.outcome.sign(seat) + 1) as u8;
        Some(Finished { reason: end.reason, half_points, record, work })
    }

    /// What a fresh bot says in a position.
    pub(crate) fn ask(&self, spec: &str, position: &G, limits: Limits) -> Analysis<G::Move> {
        let record = Record::new(position.clone());
        let (stop, clock) = (StopFlag::new(), SystemClock::new());
        let player = match position.active() {
            Active::One(player) => player,
            Active::Both => Player::One,
        };
        let task = Task::plain(&record, player, limits, &stop, &clock);
        self.build(spec)
            .and_then(|mut bot| {
                bot.new_game(player, 1).ok()?;
                bot.choose(&task).ok()
            })
            .and_then(|answer| answer.analysis)
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hus::Position;

    fn ground() -> Ground<'static, Position> {
        Ground { catalogue: agents::hus::catalogue(), opening: &|_| Record::new(Position::start()) }
    }

    #[test]
    fn matches_count_both_sides_and_what_was_done() {
        let result = ground().play("alphabeta:depth=2", "random", 8);
        let games = result.games();
        assert_eq!((games.wins, games.draws, games.losses, result.failed), (16, 0, 0, 0));
        assert_eq!(result.first_is_stronger(), Verdict::Holds);
        assert_eq!(result.reasons.values().sum::<u64>(), 16);
        assert!(result.work[0].nodes > 0 && result.work[0].most_nodes < result.work[0].nodes);
        assert_eq!(result.work[1].nodes, 0);
        assert!(result.to_string().starts_with("+16 =0 -0, 100.0 % ("), "{result}");
        let reversed = ground().play("random", "alphabeta:depth=2", 8);
        assert_eq!(reversed.games().losses, 16);
        assert_eq!(result.plus(&reversed).first_is_stronger(), Verdict::Open);
        assert_eq!(result.plus(&reversed).games().wins, 16);
    }

    #[test]
    fn a_bot_that_cannot_be_built_breaks_off() {
        let result = ground().play("nobody", "random", 2);
        assert_eq!((result.failed, result.interval()), (2, Interval::default()));
    }
}
