//! What the champion's network sees: who reaches which cell first, how nearly the zones are cut apart, and the room around each player.
//!
//! Counts of cells are told as shares of the board and walks in terms of the longest one, so that boards of all sizes name the same rows.
//! A turned or mirrored board names the same rows.

use colosseum::{Bits, Grid, Position, Visitor};
use search_core::{Player, TurnBased};

use super::territory::{by_steps, by_turns};
use crate::network::Views;

/// The views of the champion's network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RegionViews;

/// The places of the groups of rows, each behind the one before.
mod at {
    /// The player to move or the other; rows and columns of the board, 6 at least.
    pub(super) const BOARD: usize = 0;
    /// Territory by steps less the enemy's.
    pub(super) const STEPS: usize = BOARD + 2 * 7;
    /// Territory by turns less the enemy's, and how many open sides lie between the two.
    pub(super) const TURNS: usize = STEPS + super::LEAD;
    /// The larger part of the lead by steps and by turns, in a coarse grid.
    pub(super) const LEADS: usize = TURNS + super::LEAD * super::CUTS;
    /// Open sides of the own cell, and how far the enemy is.
    pub(super) const SIDES: usize = LEADS + 49;
    /// Cells within two steps.
    pub(super) const NEAR: usize = SIDES + 5 * super::FAR;
    /// Cells that the first move takes, of those there could be; apart for the player who moves first and the other.
    pub(super) const REACH: usize = NEAR + 14;
    /// The same for the enemy.
    pub(super) const ENEMY_REACH: usize = REACH + 2 * 17;
    /// Cells of the joint zone, as a share of the board.
    pub(super) const ZONE: usize = ENEMY_REACH + 2 * 17;
    /// Open sides inside the own territory by steps, for each cell.
    pub(super) const OPENNESS: usize = ZONE + 17;
    /// Cells that both reach in the same steps, as a share of the zone.
    pub(super) const TIED: usize = OPENNESS + 17;
    pub(super) const END: usize = TIED + 9;
}

/// Classes of a lead: up to 16 either way, and none.
const LEAD: usize = 33;
/// Classes of open sides between the territories.
const CUTS: usize = 6;
/// Classes of the distance between the players.
const FAR: usize = 8;

/// What is counted for a player.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    steps: i32,
    turns: i32,
    open: usize,
    near: u32,
    reach: u32,
    inner: u32,
}

/// A board as both players see it.
struct Seen {
    sides: [Side; 2],
    cut: u32,
    distance: u32,
}

struct Look;

impl Visitor for Look {
    type Output = Seen;

    #[inline]
    fn visit<B: Bits>(self, grid: Grid<B>, position: &Position) -> Seen {
        let cells = Player::BOTH.map(|player| B::of(position.cell(player)));
        let longest = u32::from(position.max_steps());
        let mover = position.to_move().index();
        let steps = by_steps(&grid, cells[0], cells[1]);
        let turns = by_turns(&grid, cells[mover], cells[1 - mover], longest, steps.zone);
        let mut sides = [Side::default(); 2];
        let taken = [(turns.mine, turns.first[0]), (turns.theirs, turns.first[1])];
        for (player, territory) in [steps.mine, steps.theirs].into_iter().enumerate() {
            let (own, other) = (cells[player], cells[1 - player]);
            let (share, first) = taken[usize::from(player != mover)];
            let beside = grid.step(own).without(other);
            sides[player] = Side {
                steps: territory.count() as i32,
                turns: share.count() as i32,
                reach: first.count(),
                open: beside.count() as usize,
                near: (beside | grid.step(beside).without(other)).count(),
                inner: (territory & grid.right & territory.left()).count()
                    + (territory & grid.down & territory.up()).count(),
            };
        }
        let (one, two) = (turns.mine, turns.theirs);
        let cut = (grid.right & ((one & two.left()) | (two & one.left()))).count()
            + (grid.down & ((one & two.up()) | (two & one.up()))).count();
        Seen { sides, cut, distance: steps.distance }
    }
}

/// The class of a lead of so many of `all` cells: fine where it is small.
#[inline]
fn lead(cells: i32, all: i32) -> usize {
    let share = cells * 64 / all.max(1);
    let size = share.unsigned_abs();
    let class = match size {
        0..=7 => size,
        8..=15 => 8 + (size - 8) / 2,
        16..=31 => 12 + (size - 16) / 6,
        _ => 15 + u32::from(size >= 48),
    } as usize;
    if share < 0 { 16 - class.min(16) } else { 16 + class.min(16) }
}

impl Views<Position> for RegionViews {
    const NAME: &'static str = "colosseum-regions-1";
    const LISTS: usize = 1;
    const ROWS: usize = at::END;

    #[inline]
    fn see(position: &Position, player: Player, mut see: impl FnMut(usize, usize)) {
        name(position, &position.visit(Look), player, |row| see(0, row));
    }

    #[inline]
    fn see_both(position: &Position, mut see: impl FnMut(usize, usize, usize)) {
        let seen = position.visit(Look);
        for player in Player::BOTH {
            name(position, &seen, player, |row| see(player.index(), 0, row));
        }
    }
}

/// The classes of the open sides between two territories.
#[inline]
fn cut_class(cut: u32) -> usize {
    match cut {
        0 | 1 => 0,
        2 => 1,
        3 | 4 => 2,
        5 | 6 => 3,
        7..=9 => 4,
        _ => 5,
    }
}

#[inline(always)]
fn name(position: &Position, seen: &Seen, player: Player, mut see: impl FnMut(usize)) {
    let (own, enemy) = (&seen.sides[player.index()], &seen.sides[player.opponent().index()]);
    let size = usize::from(position.size());
    let longest = u32::from(position.max_steps());
    let board = (size * size) as i32;
    let zone = (own.turns + enemy.turns).max(1);
    let moves = usize::from(position.to_move() == player);
    let (steps, turns) = (lead(own.steps - enemy.steps, board), lead(own.turns - enemy.turns, board));
    let far = match seen.distance {
        0 | 1 => 0,
        2 => 1,
        3 => 2,
        far if far <= longest => 3,
        far if far <= longest + 1 => 4,
        far if far <= longest * 3 / 2 => 5,
        far if far <= longest * 2 => 6,
        _ => 7,
    };
    // Cells within so many steps of an open board without borders, but no more than the board has.
    let most = (2 * longest * (longest + 1) + 1).min(board as u32);
    let share = |count: u32, of: u32| (16 * count / of.max(1)).min(16) as usize;
    see(at::BOARD + 7 * moves + size.saturating_sub(6).min(6));
    see(at::STEPS + steps);
    see(at::TURNS + LEAD * cut_class(seen.cut) + turns);
    see(at::LEADS + 7 * (steps / 5) + turns / 5);
    see(at::SIDES + FAR * own.open.min(4) + far);
    see(at::NEAR + own.near.min(13) as usize);
    see(at::REACH + 17 * moves + share(own.reach, most));
    see(at::ENEMY_REACH + 17 * moves + share(enemy.reach, most));
    see(at::ZONE + share(zone as u32, board as u32));
    // Twice the cells, less the way round, is the most that there are.
    see(at::OPENNESS + share(own.inner, 2 * own.steps as u32));
    let tied = (zone - own.steps - enemy.steps).max(0) as u32;
    see(at::TIED + (16 * tied / zone as u32).min(8) as usize);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use colosseum::{Edition, Setup, Side as Wall};
    use search_core::{Evaluate, Game, SearchRng};

    use super::*;
    use crate::colosseum::champion::{CHAMPION, Learned};

    /// Positions of random games on boards of all sizes, the smallest and the largest too.
    fn positions(seed: u64) -> Vec<Position> {
        let mut rng = SearchRng::new(seed, "positions");
        let mut positions = Vec::new();
        for game in 0..60 {
            let setup = Setup::new(3 + (game % 10) as u8, Edition::default()).unwrap();
            let mut position = Position::initial(&setup, game);
            while position.end().is_none() {
                positions.push(position);
                let mv = position.sample(position.to_move(), &mut rng).unwrap();
                position.play(mv);
            }
        }
        positions
    }

    #[test]
    fn every_row_lies_in_the_table_and_many_are_named() {
        let mut named = BTreeSet::new();
        let positions = positions(1);
        for position in &positions {
            let mut together = [Vec::new(), Vec::new()];
            RegionViews::see_both(position, |side, list, row| {
                assert!(list < RegionViews::LISTS && row < RegionViews::ROWS, "{row} in {position}");
                together[side].push(row);
            });
            for player in Player::BOTH {
                let mut rows = Vec::new();
                RegionViews::see(position, player, |_, row| rows.push(row));
                assert_eq!(rows, together[player.index()]);
                named.extend(rows);
            }
        }
        assert!(positions.len() > 1_000 && named.len() > RegionViews::ROWS / 2, "{}", named.len());
    }

    /// A board with columns and rows exchanged, or with its columns from right to left.
    fn image(position: &Position, exchanged: bool) -> Position {
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let [size, rows, one, two, side, plies] = fields[..] else { panic!("{text}") };
        let digits: Vec<Vec<u32>> = rows
            .split('/')
            .map(|row| row.chars().map(|digit| digit.to_digit(16).unwrap()).collect())
            .collect();
        let last = digits.len() - 1;
        let place = |row: usize, column: usize| if exchanged { (column, row) } else { (row, last - column) };
        let turned = |wall: Wall| match (exchanged, wall) {
            (true, Wall::Up) => Wall::Left,
            (true, Wall::Left) => Wall::Up,
            (true, Wall::Right) => Wall::Down,
            (true, Wall::Down) => Wall::Right,
            (false, Wall::Left | Wall::Right) => wall.opposite(),
            (false, wall) => wall,
        };
        let digit = |row: usize, column: usize| {
            let (row, column) = place(row, column);
            let found = digits[row][column];
            let bits = Wall::ALL.into_iter().filter(|&wall| found & u32::from(wall.bit()) != 0);
            char::from_digit(bits.map(|wall| u32::from(turned(wall).bit())).sum(), 16).unwrap()
        };
        let row = |row: usize| (0..=last).map(|column| digit(row, column)).collect::<String>();
        let rows: Vec<String> = (0..=last).map(row).collect();
        let cell = |text: &str| {
            let cell: colosseum::Cell = text.parse().unwrap();
            let (row, column) = place(cell.row().into(), cell.column().into());
            colosseum::Cell::new(row as u8, column as u8).unwrap()
        };
        format!("{size} {} {} {} {side} {plies}", rows.join("/"), cell(one), cell(two)).parse().unwrap()
    }

    /// The players' places and turns exchanged.
    fn exchanged(position: &Position) -> Position {
        let text = position.to_string();
        let fields: Vec<&str> = text.split(' ').collect();
        let [size, rows, one, two, side, plies] = fields[..] else { panic!("{text}") };
        let side = if side == "a" { "b" } else { "a" };
        format!("{size} {rows} {two} {one} {side} {plies}").parse().unwrap()
    }

    #[test]
    fn what_is_the_same_by_the_rules_has_the_same_value() {
        let network = Learned::from_bytes(CHAMPION).expect("the weights that come with it");
        let (mut decided, mut others) = (0, 0);
        for position in positions(2) {
            let value = network.evaluate(&position, Player::One);
            assert_eq!(network.evaluate(&position, Player::Two), -value);
            assert_eq!(network.evaluate(&exchanged(&position), Player::Two), value, "{position}");
            for exchanged in [false, true] {
                let image = image(&position, exchanged);
                // A few boards are their own image.
                others += u32::from(image != position);
                assert_eq!(network.evaluate(&image, Player::One), value, "{position}");
            }
            decided += u32::from(value.value().abs() > 100);
            assert!(value.value().abs() < 5_000, "{value} in {position}");
        }
        assert!(decided > 100 && others > 1_000, "{decided}, {others}");
    }

    #[test]
    fn leads_are_in_order_and_the_same_both_ways() {
        for all in [9, 36, 64, 144] {
            for cells in -all..all {
                assert!(lead(cells, all) <= lead(cells + 1, all) && lead(cells, all) < LEAD);
                assert_eq!(lead(-cells, all), LEAD - 1 - lead(cells, all));
            }
        }
    }
}
