//! The laws of games whose moves and positions are numbers too: not a part of the battery, which holds for all games.

use std::collections::HashMap;

use super::differences::{Broken, holds, same};
use super::keys::around;
use crate::strategies::Walk;
use crate::{Indexed, Planes, Player};

/// Every number below [`Indexed::ACTIONS`] is an action and no other number is, every action has its number, and so has every
/// legal move. Asked for by name: `Laws::<MyGame>::new().check_one(action_indices_round_trip)`.
pub fn action_indices_round_trip<G: Indexed>(walk: &Walk<G>) -> Result<(), Broken> {
    for index in 0..G::ACTIONS {
        let mv =
            G::action(index).ok_or_else(|| format!("no action has the number {index} of {}", G::ACTIONS))?;
        same(
            &format!("the number of the action `{mv}`"),
            ["`action`", "`index_of`"],
            &index,
            &G::index_of(mv),
        )?;
    }
    for index in [G::ACTIONS, G::ACTIONS + 1, usize::MAX] {
        holds(G::action(index).is_none(), || {
            format!("there are {} actions, but number {index} is one", G::ACTIONS)
        })?;
    }
    for position in walk.positions() {
        for player in Player::BOTH {
            let moves = position.move_list(player);
            for &mv in moves.as_ref() {
                let index = G::index_of(mv);
                holds(index < G::ACTIONS, || {
                    format!("`{mv}` has the number {index} of {} actions", G::ACTIONS)
                })?;
                same(
                    &format!("the action with the number {index}"),
                    ["`index_of`", "`action`"],
                    &Some(mv),
                    &G::action(index),
                )?;
            }
            let mut mask = vec![false; G::ACTIONS];
            position.mark_legal(player, &mut mask);
            let marked = mask.iter().filter(|&&legal| legal).count();
            same(
                &format!("the number of legal actions of {player} at `{position}`"),
                ["listed", "marked"],
                &moves.as_ref().len(),
                &marked,
            )?;
        }
    }
    Ok(())
}

/// Each player's planes have the shape the game says, hold numbers from 0 to 1, and are the same for two positions of the walk
/// just if these are equal apart from the counter ([`Game::key_text`](crate::Game::key_text)); positions one turn around the walk
/// are looked at too. Asked for by name:
/// `Laws::<MyGame>::new().check_one(planes_tell_positions_apart)`.
pub fn planes_tell_positions_apart<G: Planes>(walk: &Walk<G>) -> Result<(), Broken> {
    let shape = walk.start().shape();
    same("the number of planes", ["`shape`", "`PLANES`"], &shape.planes, &G::PLANES.len())?;
    for viewer in Player::BOTH {
        let mut texts: HashMap<Vec<u32>, String> = HashMap::new();
        let mut seen: HashMap<String, Vec<u32>> = HashMap::new();
        for position in walk.positions().iter().flat_map(around) {
            same(
                &format!("the shape of the planes at `{position}`"),
                ["at the start", "there"],
                &shape,
                &position.shape(),
            )?;
            // What stood in the slice before does not shine through.
            let mut values = vec![f32::NAN; shape.len()];
            position.write_planes(viewer, &mut values);
            if let Some(odd) = values.iter().find(|value| !(0.0..=1.0).contains(*value)) {
                return Err(format!(
                    "the planes of {viewer} at `{position}` hold {odd}, which is not from 0 to 1"
                ));
            }
            let bits: Vec<u32> = values.into_iter().map(f32::to_bits).collect();
            let text = position.key_text();
            let known = texts.entry(bits.clone()).or_insert_with(|| text.clone());
            holds(*known == text, || format!("`{known}` and `{text}` have the same planes for {viewer}"))?;
            let known = seen.entry(text).or_insert_with(|| bits.clone());
            holds(*known == bits, || {
                format!(
                    "positions that differ at most in a counter, such as `{position}`, have unequal planes for {viewer}"
                )
            })?;
        }
    }
    Ok(())
}
