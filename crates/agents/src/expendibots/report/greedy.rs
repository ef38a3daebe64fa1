//! The greedy bot: six classes of moves in order, the first that is not empty decides.

use ::expendibots::{Component, Move, Position, Square};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search_core::{Answer, Game, Player, Task};

use super::handover;
use crate::generic::Reflex;
use crate::{BotInfo, Choice, Range, Setting};

/// Where report and program differ: what counts as a component of a player in class 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Components that hold a stack of the player.
    Program,
    /// Components that hold stacks of the player only.
    Report,
}

/// Which move class 2 prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Saving {
    /// The one that saves the fewest tokens, as the program sorts.
    Fewest,
    /// The one that saves the most, as the program's comment wants.
    Most,
}

/// Which even booms class 1 holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trades {
    /// All.
    Always,
    /// None while the player is more than two tokens behind.
    UnlessBehind,
}

/// How the bot decides: as the authors' program, or as one of its unused variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) reading: Reading,
    pub(crate) saving: Saving,
    pub(crate) trades: Trades,
    /// How many classes are asked, from the first; where all of them are empty the move is random.
    pub(crate) classes: usize,
}

#[cfg(any(test, feature = "fidelity"))]
impl Variant {
    /// The authors' program.
    pub(crate) const PROGRAM: Variant =
        Variant { reading: Reading::Program, saving: Saving::Fewest, trades: Trades::Always, classes: 6 };
}

/// All six classes of one position. Each move carries its sort key (0 where the class is not sorted).
#[derive(Debug, Clone)]
pub(crate) struct Classes([Vec<(Move, u32)>; 6]);

/// What the first class that is not empty says.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "fidelity"), expect(dead_code, reason = "the comparison looks at all of it"))]
pub(crate) struct Decision {
    /// 1 to 6; 0 if there is no move at all.
    pub(crate) class: usize,
    /// All moves of the class.
    pub(crate) moves: Vec<Move>,
    /// Those that may be played.
    pub(crate) playable: Vec<Move>,
    /// The sort key of those, in a class that sorts.
    pub(crate) score: Option<u32>,
}

/// Whether a boom of this component is sensible for `player`: it must remove at least this many more enemy tokens than own ones.
fn is_sensible(component: &Component, player: Player, gain: u8) -> bool {
    component.tokens(player.opponent()) >= component.tokens(player) + gain
}

fn own_components(position: &Position, player: Player, reading: Reading) -> usize {
    position
        .components_meeting(position.stacks(player))
        .filter(|component| reading == Reading::Program || component.tokens(player.opponent()) == 0)
        .count()
}

/// The class 6 key: how far the stack at the destination is from every component with an enemy.
fn distance(position: &Position, mover: Player, mv: Move, height: u8) -> u32 {
    let enemy = position.stacks(mover.opponent());
    let apart = |square: Square| u32::from((square.manhattan(mv.to()).saturating_sub(1)) / height);
    position
        .components_meeting(enemy)
        .filter(|component| !component.squares.contains(mv.from()))
        .flat_map(|component| component.squares)
        .map(apart)
        .sum()
}

impl Classes {
    pub(crate) fn new(position: &Position, variant: Variant) -> Classes {
        let Variant { reading, trades, .. } = variant;
        let mover = position.side();
        let enemy = mover.opponent();
        let behind = position.tokens(enemy) > position.tokens(mover) + 2;
        let gain = u8::from(trades == Trades::UnlessBehind && behind);
        let contact = position.in_contact();
        let components = own_components(position, mover, reading);
        let [mut booms, mut leaves, mut slings, mut spreads, mut stacks, mut distances] =
            [const { Vec::new() }; 6];
        for &mv in position.move_list(mover).as_slice() {
            let from = mv.from();
            if mv.is_boom() {
                if position.component(from).is_some_and(|component| is_sensible(&component, mover, gain)) {
                    booms.push((mv, 0));
                }
                continue;
            }
            let after = position.played_on(mv);
            let count = u32::from(mv.count());
            // There is a stack at the destination of a move.
            let Some(there) = after.component(mv.to()) else { continue };
            if contact.contains(from) && there.tokens(enemy) == 0 {
                leaves.push((mv, count));
            }
            if is_sensible(&there, mover, 0) {
                slings.push((mv, count));
            }
            if own_components(&after, mover, reading) > components {
                spreads.push((mv, 0));
            }
            if position.height(mv.to()) > 0 {
                stacks.push((mv, 0));
            }
            distances.push((mv, distance(position, mover, mv, after.height(mv.to()))));
        }
        Classes([booms, leaves, slings, spreads, stacks, distances])
    }

    /// How many moves each class has.
    #[cfg(feature = "fidelity")]
    pub(crate) fn sizes(&self) -> [usize; 6] {
        [0, 1, 2, 3, 4, 5].map(|class| self.0[class].len())
    }

    /// What the first class that is not empty says.
    pub(crate) fn decision(&self, variant: Variant) -> Decision {
        let asked = self.0.iter().take(variant.classes).enumerate();
        let Some((index, class)) = asked.into_iter().find(|(_, class)| !class.is_empty()) else {
            return Decision { class: 0, moves: Vec::new(), playable: Vec::new(), score: None };
        };
        let keys = class.iter().map(|(_, key)| *key);
        let sorted = matches!(index + 1, 2 | 3 | 6);
        let wanted = match variant.saving {
            Saving::Most if index + 1 == 2 => keys.max(),
            _ => keys.min(),
        };
        let moves = class.iter().map(|(mv, _)| *mv).collect();
        let playable = class.iter().filter(|(_, key)| Some(*key) == wanted).map(|(mv, _)| *mv).collect();
        Decision { class: index + 1, moves, playable, score: wanted.filter(|_| sorted) }
    }
}

/// A move of the first class that is not empty. What the authors' program leaves to chance is drawn by seed.
fn choose(position: &Position, variant: Variant, rng: &mut ChaCha8Rng) -> Option<Answer<Move>> {
    let mut choices = Classes::new(position, variant).decision(variant).playable;
    if choices.is_empty() {
        // Only booms without a target are left, which no class contains; or not all classes are asked.
        choices = position.move_list(position.side()).as_slice().to_vec();
    }
    (!choices.is_empty()).then(|| Answer::plain(choices[rng.random_range(0..choices.len())]))
}

const SAVE: Setting<Choice<Saving>> = Setting::choice(
    "save",
    &[("fewest", Saving::Fewest), ("most", Saving::Most)],
    "fewest",
    "which move leaves a threatened component: as the authors' program sorts, or as it means to",
);

const COMPONENTS: Setting<Choice<Reading>> = Setting::choice(
    "components",
    &[("any", Reading::Program), ("pure", Reading::Report)],
    "any",
    "what spreading counts: components with an own stack (program), or own stacks only (report)",
);

const CLASSES: Setting<Range<usize>> = Setting::range(
    "classes",
    1..=6,
    6,
    "how many classes from the first, then a random move (unused variants of the program)",
);

const TRADES: Setting<Choice<Trades>> = Setting::choice(
    "trades",
    &[("always", Trades::Always), ("unless-behind", Trades::UnlessBehind)],
    "always",
    "even booms of class 1: always, or not while more than 2 tokens behind (unused variant)",
);

/// The entry of the catalogue.
pub(crate) fn info() -> BotInfo<Position> {
    BotInfo::new(
        "greedy",
        "six classes of moves in order: good boom, leave, slingshot, spread, stack, approach",
        |options| {
            let variant = Variant {
                reading: options.get(&COMPONENTS),
                saving: options.get(&SAVE),
                trades: options.get(&TRADES),
                classes: options.get(&CLASSES),
            };
            let greedy = Reflex::new("greedy", move |task: &Task<'_, Position>, rng: &mut ChaCha8Rng| {
                choose(task.record.position(), variant, rng)
            });
            Ok(handover::handing_over(Box::new(greedy), options))
        },
    )
    .with(&[&SAVE, &COMPONENTS, &CLASSES, &TRADES])
    .with(handover::OPTIONS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decision(position: &str, variant: Variant) -> Decision {
        let position = position.parse().expect("a position");
        Classes::new(&position, variant).decision(variant)
    }

    #[test]
    fn even_booms_are_left_out_only_by_who_is_more_than_two_behind() {
        let careful = Variant { trades: Trades::UnlessBehind, ..Variant::PROGRAM };
        // White has 2 tokens, Black 4: two behind, so the even boom of a1 and b1 stays.
        let two_behind = "8/8/8/aaa5/8/8/8/Aa5A w 20";
        assert_eq!(decision(two_behind, careful).class, 1);
        // Three behind.
        let three_behind = "8/8/8/aaaa4/8/8/8/Aa5A w 20";
        assert_eq!(decision(three_behind, Variant::PROGRAM).class, 1);
        assert_ne!(decision(three_behind, careful).class, 1);
        // A boom that wins tokens is always sensible.
        assert_eq!(decision("8/8/8/aaa5/8/8/8/Ab5A w 20", careful).class, 1);
    }

    #[test]
    fn fewer_classes_leave_the_rest_to_chance() {
        let quiet = "8/8/8/8/8/8/8/A6a w 20";
        let of = |classes| decision(quiet, Variant { classes, ..Variant::PROGRAM });
        assert_eq!(of(6).class, 6);
        // No token can be reached or split off: without class 6 nothing is left.
        assert_eq!((of(5).class, of(5).playable.len()), (0, 0));
        assert_eq!(of(1).class, 0);
    }

    #[test]
    fn class_two_saves_the_fewest_tokens_or_the_most() {
        // A stack of three beside four black tokens: its boom is sensible, so make the boom a bad one.
        let text = "8/8/8/8/8/8/a7/C7 w 20";
        let fewest = decision(text, Variant::PROGRAM);
        let most = decision(text, Variant { saving: Saving::Most, ..Variant::PROGRAM });
        assert_eq!((fewest.class, fewest.score), (2, Some(1)));
        assert_eq!((most.class, most.score), (2, Some(3)));
        assert!(most.playable.iter().all(|mv| mv.count() == 3));
        assert_eq!(fewest.moves, most.moves);
    }

    #[test]
    fn the_distance_of_class_six_rounds_down() {
        // From a1 to b1: to h1 the Manhattan distance is 6, (6 - 1) / 1 = 5; two tokens: 5 / 2 = 2.
        assert_eq!(decision("8/8/8/8/8/8/8/A6a w 20", Variant::PROGRAM).score, Some(5));
        let two = "8/8/8/8/8/8/8/B6a w 20".parse().expect("a position");
        assert_eq!(distance(&two, Player::One, "2a1b1".parse().expect("a move"), 2), 2);
    }
}
