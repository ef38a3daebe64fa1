//! The generators: symmetry, wall count, uniformity; and the text of a set-up.

use colosseum::{Cell, Edition, MAX_SIZE, MIN_SIZE, Position, Setup, SetupError, Side};
use search_core::{Game, Player, TurnBased};

fn setups() -> impl Iterator<Item = Setup> {
    (MIN_SIZE..=MAX_SIZE)
        .flat_map(|size| Edition::ALL.map(|edition| Setup::new(size, edition).expect("a size in range")))
}

/// The inner edges of a board as (cell, right or down).
fn edges(size: u8) -> Vec<(Cell, Side)> {
    let cells = (0..size).flat_map(|row| (0..size).filter_map(move |column| Cell::new(row, column)));
    cells
        .flat_map(|cell| [(cell, Side::Right), (cell, Side::Down)])
        .filter(|&(cell, side)| {
            cell.neighbour(side).is_some_and(|next| next.row() < size && next.column() < size)
        })
        .collect()
}

#[test]
fn starts_are_symmetric_connected_and_have_the_right_number_of_walls() {
    for setup in setups() {
        let size = setup.size();
        for seed in 0..200 {
            let start = Position::initial(&setup, seed);
            assert_eq!(start, Position::initial(&setup, seed), "the seed decides everything");
            assert_eq!((start.size(), start.plies(), start.to_move()), (size, 0, Player::One));
            assert!(!start.is_over(), "{start}");
            assert_eq!(start.inner_walls(), setup.edition().walls(size), "{setup} {start}");
            assert_eq!(start.cell(Player::One).half_turn(size), Some(start.cell(Player::Two)), "{start}");
            for (cell, side) in edges(size) {
                let image = cell.half_turn(size).expect("on the board");
                assert_eq!(start.has_wall(cell, side), start.has_wall(image, side.opposite()), "{start}");
            }
        }
    }
    assert_eq!(Edition::Winter2022.walls(7), 8);
    assert_eq!(Edition::Winter2022.walls(12), 12);
    assert_eq!(Edition::Fall2023.walls(12), 10);
    assert_eq!(Edition::Fall2023.walls(7), 4);
}

/// The statistic of a chi-square test for equal frequencies.
fn chi_square(counts: &[u32]) -> f64 {
    let expected = f64::from(counts.iter().sum::<u32>()) / counts.len() as f64;
    counts.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum()
}

/// Pairs of edges and pairs of cells come up equally often. The seeds are fixed, so the statistic is too; the bounds are
/// the 99.9 % points of the chi-square distribution. At these sizes redrawn starts are too rare to show.
#[test]
fn walls_and_cells_are_drawn_uniformly() {
    const DRAWS: u64 = 20_000;
    for (text, wall_bound, cell_bound) in [
        // 42 pairs of edges: 41 degrees of freedom; 24 pairs of different cells (49 - 1 cells): 47 cells' degrees.
        ("size=7,edition=fall2023", 74.7, 82.7),
        // 56 pairs of edges: 55 degrees; 64 cells: 63 degrees.
        ("size=8,edition=winter2022", 93.2, 103.4),
    ] {
        let setup: Setup = text.parse().expect(text);
        let size = setup.size();
        // Each pair is counted once, at the edge that comes first in the list.
        let pairs: Vec<(Cell, Side)> = edges(size)
            .into_iter()
            .filter(|&(cell, side)| {
                let image = cell.half_turn(size).expect("on the board");
                let same = image.neighbour(side.opposite()).expect("an inner edge");
                cell < same
            })
            .collect();
        assert_eq!(pairs.len(), usize::from(size) * usize::from(size - 1));
        let mut walls = vec![0_u32; pairs.len()];
        let mut cells = vec![0_u32; 192];
        for seed in 0..DRAWS {
            let start = Position::initial(&setup, seed);
            for (count, &(cell, side)) in walls.iter_mut().zip(&pairs) {
                *count += u32::from(start.has_wall(cell, side));
            }
            cells[start.cell(Player::One).index()] += 1;
        }
        let centre = if size % 2 == 1 { Cell::new(size / 2, size / 2) } else { None };
        let drawn: Vec<u32> = (0..size)
            .flat_map(|row| (0..size).filter_map(move |column| Cell::new(row, column)))
            .filter(|&cell| Some(cell) != centre)
            .map(|cell| cells[cell.index()])
            .collect();
        let (wall_statistic, cell_statistic) = (chi_square(&walls), chi_square(&drawn));
        assert!(wall_statistic < wall_bound, "{text}: walls {wall_statistic}");
        assert!(cell_statistic < cell_bound, "{text}: cells {cell_statistic}");
        // Far below would mean that the draws are not independent.
        assert!(cell_statistic > 20.0, "{text}: cells {cell_statistic}");
    }
}

#[test]
fn starts_are_pinned() {
    let start = |text: &str| Position::initial(&text.parse().expect(text), 2022).to_string();
    assert_eq!(start("size=6"), "6 911113/c0002a/90002a/a80006/a80003/c44446 c1 d6 a 0");
    assert_eq!(
        start("size=12,edition=fall2023"),
        "12 911151111113/800010000002/800000000002/840000000282/810000000282/800000002802/802800000002/828000000042/828000000012/800000000002/800000040002/c44444454446 g10 f3 a 0"
    );
}

#[test]
fn texts_round_trip_and_mistakes_are_named() {
    for setup in setups() {
        assert_eq!(setup.to_string().parse(), Ok(setup));
    }
    assert_eq!("".parse(), Ok(Setup::default()));
    assert_eq!("9".parse(), Setup::new(9, Edition::Winter2022));
    assert_eq!("9,edition=fall2023".parse(), Setup::new(9, Edition::Fall2023));
    assert_eq!(" edition=fall2023 , size=11".parse(), Setup::new(11, Edition::Fall2023));
    for (text, message) in [
        ("size=2", "expected a board size from 3 to 12, found `2`"),
        ("size=13", "expected a board size from 3 to 12, found `13`"),
        ("13", "expected a board size from 3 to 12, found `13`"),
        ("8,size=9", "`size=9` is given twice"),
        ("size=+8", "expected a board size from 3 to 12, found `+8`"),
        ("size=8,size=8", "`size=8` is given twice"),
        ("edition=fall2022x", "expected the edition `winter2022` or `fall2023`, found `fall2022x`"),
        ("eight", "expected `size=M` or `edition=NAME`, found `eight`"),
    ] {
        assert_eq!(text.parse::<Setup>().unwrap_err().to_string(), message);
    }
    assert_eq!(Setup::new(2, Edition::default()), Err(SetupError::Size("2".to_owned())));
    assert!(Setup::new(13, Edition::default()).is_err());
}
