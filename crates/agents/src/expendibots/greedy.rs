//! The greedy bot: six classes of moves in order, the first that is not empty decides.

use ::expendibots::{Component, Move, Position, Square};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use search_core::{Answer, Bot, BotFailure, FailureKind, Game, Player, Task, stream};

use crate::{BotInfo, OptionInfo, Options, SpecError, Values};

/// Where report and program differ: what counts as a component of a player in class 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// Components that hold a stack of the player.
    Program,
    /// Components that hold stacks of the player only.
    Report,
}

/// Which move class 2 prefers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Saving {
    /// The one that saves the fewest tokens, as the program sorts.
    Fewest,
    /// The one that saves the most, as the program's comment wants.
    Most,
}

/// All six classes of one position. Each move carries its sort key (0 where the class is not sorted).
#[derive(Debug, Clone)]
pub(super) struct Classes([Vec<(Move, u32)>; 6]);

/// What the first class that is not empty says.
#[derive(Debug, Clone)]
#[cfg_attr(not(feature = "fidelity"), expect(dead_code, reason = "the comparison looks at all of it"))]
pub(super) struct Decision {
    /// 1 to 6; 0 if there is no move at all.
    pub(super) class: usize,
    /// All moves of the class.
    pub(super) moves: Vec<Move>,
    /// Those that may be played.
    pub(super) playable: Vec<Move>,
    /// The sort key of those, in a class that sorts.
    pub(super) score: Option<u32>,
}

/// Whether a boom of this component is sensible for `player`: at least as many enemy tokens as own.
fn is_sensible(component: &Component, player: Player) -> bool {
    component.tokens(player.opponent()) >= component.tokens(player)
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
    pub(super) fn new(position: &Position, reading: Reading) -> Classes {
        let mover = position.side();
        let enemy = mover.opponent();
        let contact = position.in_contact();
        let components = own_components(position, mover, reading);
        let [mut booms, mut leaves, mut slings, mut spreads, mut stacks, mut distances] =
            [const { Vec::new() }; 6];
        for &mv in position.move_list(mover).as_slice() {
            let from = mv.from();
            if mv.is_boom() {
                if position.component(from).is_some_and(|component| is_sensible(&component, mover)) {
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
            if is_sensible(&there, mover) {
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
    pub(super) fn sizes(&self) -> [usize; 6] {
        [0, 1, 2, 3, 4, 5].map(|class| self.0[class].len())
    }

    /// What the first class that is not empty says.
    pub(super) fn decision(&self, saving: Saving) -> Decision {
        let Some((index, class)) = self.0.iter().enumerate().find(|(_, class)| !class.is_empty()) else {
            return Decision { class: 0, moves: Vec::new(), playable: Vec::new(), score: None };
        };
        let keys = class.iter().map(|(_, key)| *key);
        let sorted = matches!(index + 1, 2 | 3 | 6);
        let wanted = match saving {
            Saving::Most if index + 1 == 2 => keys.max(),
            _ => keys.min(),
        };
        let moves = class.iter().map(|(mv, _)| *mv).collect();
        let playable = class.iter().filter(|(_, key)| Some(*key) == wanted).map(|(mv, _)| *mv).collect();
        Decision { class: index + 1, moves, playable, score: wanted.filter(|_| sorted) }
    }
}

/// The bot of the six classes. What the authors' program leaves to chance is drawn by seed.
#[derive(Debug)]
struct Greedy {
    rng: ChaCha8Rng,
    reading: Reading,
    saving: Saving,
}

impl Bot<Position> for Greedy {
    fn new_game(&mut self, _: Player, seed: u64) -> Result<(), BotFailure> {
        self.rng = stream(seed, "greedy");
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Position>) -> Result<Answer<Move>, BotFailure> {
        let position = task.record.position();
        let mut choices = Classes::new(position, self.reading).decision(self.saving).playable;
        if choices.is_empty() {
            // Only booms that hit nobody are left, which no class contains.
            choices = position.move_list(task.player).as_slice().to_vec();
        }
        if choices.is_empty() {
            return Err(BotFailure::new(FailureKind::Protocol, "asked for a move where there is none"));
        }
        Ok(Answer::plain(choices[self.rng.random_range(0..choices.len())]))
    }
}

/// The entry of the catalogue.
pub(super) fn info() -> BotInfo<Position> {
    fn build(options: &Options<'_>) -> Result<Box<dyn Bot<Position>>, SpecError> {
        Ok(Box::new(Greedy {
            rng: stream(0, "greedy"),
            reading: if options.text("components") == "pure" { Reading::Report } else { Reading::Program },
            saving: if options.text("save") == "most" { Saving::Most } else { Saving::Fewest },
        }))
    }
    BotInfo {
        name: "greedy",
        about: "six classes of moves in order: good boom, leave, slingshot, spread, stack, approach",
        options: vec![
            OptionInfo {
                key: "save",
                values: Values::Choice(&["fewest", "most"]),
                default: "fewest",
                about: "which move leaves a threatened component: as the authors' program sorts, or as it means to",
            },
            OptionInfo {
                key: "components",
                values: Values::Choice(&["any", "pure"]),
                default: "any",
                about: "what spreading counts: components with an own stack (program), or own stacks only (report)",
            },
        ],
        build,
    }
}
