//! A strong bot that errs: opponents of graded strength.

use std::fmt;

use search_core::{Answer, Bot, BotFailure, Game, Limits, Player, SearchRng, Task};

use super::no_move;
use crate::{BotInfo, Built, Declared, Optional, Options, Range, Setting};

/// How weak a level is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weakness {
    /// The share of the moves at which it errs, from 0 to 1.
    pub errs: f64,
    /// Where it errs, it looks at this number of moves drawn at random and plays the one that the champion thinks best of: the more, the
    /// smaller the error.
    pub picks: u32,
    /// The champion's most nodes per move.
    pub nodes: u64,
}

/// The levels of a game from the first to the last but one; the last is the champion itself.
pub type Levels = [Weakness; 7];

/// The last level.
const CHAMPION: u32 = 8;

const LEVEL: Setting<Range<u32>> =
    Setting::range("level", 1..=CHAMPION, 4, "from 1, for beginners, to 8, the champion");

const ERRS: Setting<Optional<f64>> =
    Setting::optional("errs", 0.0..=1.0, "the share of moves at which it errs; the level's own without it");

const PICKS: Setting<Optional<u32>> = Setting::optional(
    "picks",
    1..=1000,
    "where it errs, it plays the best of this number of moves drawn at random; the level's own without it",
);

const NODES: Setting<Optional<u64>> =
    Setting::optional("nodes", 1..=u64::MAX, "most nodes per move; the level's own without it");

/// The options of a bot with levels.
const OPTIONS: &[&dyn Declared] = &[&LEVEL, &ERRS, &PICKS, &NODES];

/// The champion, with errors.
pub struct Level<G: Game> {
    champion: Box<dyn Bot<G>>,
    weakness: Option<Weakness>,
    rng: SearchRng,
}

impl<G: Game> fmt::Debug for Level<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Level").field("weakness", &self.weakness).finish_non_exhaustive()
    }
}

impl<G: Game> Level<G> {
    /// This bot with this weakness; without one it plays as it is.
    pub fn new(champion: Box<dyn Bot<G>>, weakness: Option<Weakness>) -> Level<G> {
        Level { champion, weakness, rng: SearchRng::new(0, "level") }
    }

    /// The entry of a catalogue, of which `build` calls [`Level::build`].
    pub fn info(about: &'static str, build: crate::Build<G>) -> BotInfo<G> {
        BotInfo::new("level", about, build).with(OPTIONS)
    }

    /// Builds the bot that the options name.
    pub fn build(options: &Options<'_>, champion: &BotInfo<G>, levels: &Levels) -> Built<G> {
        let bot = (champion.build)(&Options::new(champion.name, &champion.options, &[]))?;
        let level = levels.get(options.get(&LEVEL) as usize - 1).copied();
        let changed = (options.get(&ERRS), options.get(&PICKS), options.get(&NODES));
        let weakness = match (level, changed) {
            (None, (None, None, None)) => None,
            (level, (errs, picks, nodes)) => {
                let own = level.unwrap_or(Weakness { errs: 0.0, picks: 1, nodes: u64::MAX });
                Some(Weakness {
                    errs: errs.unwrap_or(own.errs),
                    picks: picks.unwrap_or(own.picks),
                    nodes: nodes.unwrap_or(own.nodes),
                })
            }
        };
        Ok(Box::new(Level::new(bot, weakness)))
    }
}

impl<G: Game> Bot<G> for Level<G> {
    fn opening(&mut self, origin: &G, turns: &[G::Turn]) {
        self.champion.opening(origin, turns);
    }

    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = SearchRng::new(seed, "level");
        self.champion.new_game(player, seed)
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        let Some(Weakness { errs, picks, nodes }) = self.weakness else { return self.champion.choose(task) };
        let legal = task.record.position().move_list(task.player);
        let legal = legal.as_ref();
        if legal.is_empty() {
            return Err(no_move());
        }
        let err = self.rng.unit() < errs;
        if err && picks == 1 {
            return Ok(Answer::plain(legal[self.rng.below(legal.len())]));
        }
        let Task { record, player, stop, clock, watch, .. } = *task;
        let limits = task.limits.and(Limits::nodes(nodes));
        let answer = self.champion.choose(&Task { record, player, limits, stop, clock, watch })?;
        if !err {
            return Ok(answer);
        }
        // Root moves stand in the order of what the champion thinks of them; what it left out comes last.
        let order = answer.analysis.map(|analysis| analysis.root).unwrap_or_default();
        let place = |mv: G::Move| order.iter().position(|root| root.mv == mv).unwrap_or(usize::MAX);
        let drawn = (0..picks).map(|_| legal[self.rng.below(legal.len())]);
        drawn.min_by_key(|&mv| place(mv)).map(Answer::plain).ok_or_else(no_move)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hus::catalogue;
    use search_core::{Record, StopFlag, SystemClock};

    /// The answers at the start of Hus in a hundred games.
    fn answers(spec: &str) -> Vec<String> {
        let mut bot = catalogue().build(spec).unwrap();
        let record = Record::new(hus::Position::start());
        (0..100)
            .map(|seed| {
                bot.new_game(Player::One, seed).unwrap();
                let stop = StopFlag::new();
                let clock = SystemClock::new();
                let task = Task::plain(&record, Player::One, Limits::nodes(200), &stop, &clock);
                bot.choose(&task).unwrap().mv.to_string()
            })
            .collect()
    }

    #[test]
    fn errors_come_as_often_and_are_as_bad_as_asked() {
        let best = answers("champion")[0].clone();
        let right = |spec: &str| answers(spec).iter().filter(|mv| **mv == best).count();
        assert_eq!(right("level:8"), 100);
        assert_eq!(right("level:level=8,errs=0"), 100);
        assert_eq!(right("level:1,errs=0,nodes=200"), 100);
        // Of 24 moves one is the champion's.
        assert!(right("level:8,errs=1,picks=1") < 20);
        assert!((30..70).contains(&right("level:8,errs=0.5,picks=1")));
        assert!(right("level:8,errs=1,picks=200") > 90, "the best of many is the champion's own");
        assert_eq!(answers("level:3"), answers("level:3"), "by seed");
    }
}
