//! The rules a second time, straight from the text with arrays and loops: the oracle of the tests and the baseline of
//! the benches. It shares no code with the crate.
#![allow(dead_code, reason = "every user of this file uses another part of it")]

use std::collections::VecDeque;

/// Steps of the four sides up, right, down, left.
const STEPS: [(i32, i32); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
const LETTERS: [char; 4] = ['u', 'r', 'd', 'l'];

/// A position: walls as four flags a cell, cells as (row, column).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NaivePosition {
    pub(crate) size: usize,
    pub(crate) walls: Vec<Vec<[bool; 4]>>,
    pub(crate) cells: [(usize, usize); 2],
    pub(crate) to_move: usize,
    pub(crate) plies: usize,
}

/// A destination and a side.
pub(crate) type NaiveMove = ((usize, usize), usize);

impl NaivePosition {
    /// Reads a text that is known to be a position.
    pub(crate) fn parse(text: &str) -> NaivePosition {
        let fields: Vec<&str> = text.split(' ').collect();
        let size = fields[0].parse().expect("a size");
        let walls = fields[1]
            .split('/')
            .map(|row| {
                row.chars()
                    .map(|digit| {
                        let digit = digit.to_digit(16).expect("a hex digit");
                        [digit & 1 != 0, digit & 2 != 0, digit & 4 != 0, digit & 8 != 0]
                    })
                    .collect()
            })
            .collect();
        let cell = |text: &str| {
            (text[1..].parse::<usize>().expect("a row") - 1, usize::from(text.as_bytes()[0] - b'a'))
        };
        NaivePosition {
            size,
            walls,
            cells: [cell(fields[2]), cell(fields[3])],
            to_move: usize::from(fields[4] == "b"),
            plies: fields[5].parse().expect("a number"),
        }
    }

    pub(crate) fn text(&self) -> String {
        let rows: Vec<String> = self
            .walls
            .iter()
            .map(|row| {
                row.iter()
                    .map(|walls| {
                        let digit: u32 = (0..4).filter(|&side| walls[side]).map(|side| 1 << side).sum();
                        char::from_digit(digit, 16).expect("below 16")
                    })
                    .collect()
            })
            .collect();
        format!(
            "{} {} {} {} {} {}",
            self.size,
            rows.join("/"),
            cell_text(self.cells[0]),
            cell_text(self.cells[1]),
            ['a', 'b'][self.to_move],
            self.plies
        )
    }

    /// The cell on a side; only asked where there is no wall.
    fn beside(cell: (usize, usize), side: usize) -> (usize, usize) {
        let (row, column) = STEPS[side];
        ((cell.0 as i32 + row) as usize, (cell.1 as i32 + column) as usize)
    }

    /// Breadth-first distances from a cell; `None` where no walk leads.
    pub(crate) fn distances(
        &self,
        from: (usize, usize),
        obstacle: Option<(usize, usize)>,
    ) -> Vec<Vec<Option<usize>>> {
        let mut distances = vec![vec![None; self.size]; self.size];
        distances[from.0][from.1] = Some(0);
        let mut queue = VecDeque::from([(from, 0)]);
        while let Some((cell, steps)) = queue.pop_front() {
            for side in 0..4 {
                if self.walls[cell.0][cell.1][side] {
                    continue;
                }
                let next = Self::beside(cell, side);
                if Some(next) != obstacle && distances[next.0][next.1].is_none() {
                    distances[next.0][next.1] = Some(steps + 1);
                    queue.push_back((next, steps + 1));
                }
            }
        }
        distances
    }

    pub(crate) fn moves(&self) -> Vec<NaiveMove> {
        if self.scores().is_some() { Vec::new() } else { self.moves_while_running() }
    }

    /// The moves without a look at the end of the game.
    pub(crate) fn moves_while_running(&self) -> Vec<NaiveMove> {
        let longest = self.size.div_ceil(2);
        let distances = self.distances(self.cells[self.to_move], Some(self.cells[1 - self.to_move]));
        let mut moves = Vec::new();
        for (row, line) in distances.iter().enumerate() {
            for (column, steps) in line.iter().enumerate() {
                if steps.is_some_and(|steps| steps <= longest) {
                    for side in 0..4 {
                        if !self.walls[row][column][side] {
                            moves.push(((row, column), side));
                        }
                    }
                }
            }
        }
        moves
    }

    pub(crate) fn play(&mut self, (cell, side): NaiveMove) {
        self.cells[self.to_move] = cell;
        let next = Self::beside(cell, side);
        self.walls[cell.0][cell.1][side] = true;
        self.walls[next.0][next.1][(side + 2) % 4] = true;
        self.to_move = 1 - self.to_move;
        self.plies += 1;
    }

    /// The areas if walls separate the players.
    pub(crate) fn scores(&self) -> Option<[usize; 2]> {
        let first = self.distances(self.cells[0], None);
        let (row, column) = self.cells[1];
        if first[row][column].is_some() {
            return None;
        }
        let second = self.distances(self.cells[1], None);
        Some([first, second].map(|zone| zone.iter().flatten().filter(|steps| steps.is_some()).count()))
    }

    /// The number of leaves of the game tree at a depth.
    pub(crate) fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut leaves = 0;
        for mv in self.moves() {
            let mut next = self.clone();
            next.play(mv);
            leaves += next.perft(depth - 1);
        }
        leaves
    }
}

pub(crate) fn cell_text((row, column): (usize, usize)) -> String {
    format!("{}{}", char::from(b'a' + column as u8), row + 1)
}

pub(crate) fn move_text((cell, side): NaiveMove) -> String {
    format!("{}{}", cell_text(cell), LETTERS[side])
}
