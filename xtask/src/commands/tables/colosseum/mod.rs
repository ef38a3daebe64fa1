//! The report on Colosseum Survival! (Zhang and Trinh): depth and strength by board size, memory, and its claims.

mod games;
mod memory;
mod positions;

use agents::colosseum::catalogue;
use colosseum::{Edition, Position, Setup};
use search_core::{Game, Record, TurnBased, stream};

use super::matches::Ground;
use super::verdict::Share;
use super::{Effort, Progress, Section};

/// The board sizes of the contests.
const SIZES: std::ops::RangeInclusive<u8> = 6..=12;

/// All sections of this report.
pub(crate) fn sections(effort: Effort, progress: &Progress) -> Vec<Option<Section>> {
    let samples: Vec<Sample> =
        progress.part("positions", || SIZES.map(|size| Sample::new(size, effort)).collect());
    vec![
        progress.section("depth by size", || positions::depth(&samples, effort)),
        progress.section("matches by size", || games::by_size(effort)),
        progress.section("memory", || memory::section(effort)),
        progress.section("positions and searches", || positions::section(&samples, effort)),
        progress.section("games", || games::section(effort)),
    ]
}

/// Positions of one board size: starts, and what random games come through.
struct Sample {
    size: u8,
    starts: Vec<Position>,
    positions: Vec<Position>,
    /// The random games that end with cells that belong to neither player.
    unowned: Share,
    /// Plies of the longest of these games.
    longest: u32,
}

impl Sample {
    fn new(size: u8, effort: Effort) -> Sample {
        let count = effort.pick(2, 6);
        let starts = starts(size, count);
        let mut rng = stream(1, "tables");
        let mut sample =
            Sample { size, starts, positions: Vec::new(), unowned: Share::default(), longest: 0 };
        for game in 0..effort.pick(10, 200) {
            let mut position = sample.starts[game % count];
            while let Some(mv) = position.sample(position.to_move(), &mut rng) {
                // A position of each quarter of an average game, from the first few games.
                if game < count && position.plies().is_multiple_of(u32::from(size) / 2) {
                    sample.positions.push(position);
                }
                position.play(mv);
            }
            sample.longest = sample.longest.max(position.plies());
            let owned: u32 = position.scores().unwrap_or_default().into_iter().map(u32::from).sum();
            sample.unowned.add(owned < u32::from(size).pow(2));
        }
        sample
    }
}

fn start(size: u8, seed: u64) -> Position {
    // Only sizes of the contests are asked for.
    let setup = Setup::new(size, Edition::default()).unwrap_or_default();
    Position::initial(&setup, seed)
}

fn starts(size: u8, count: usize) -> Vec<Position> {
    (0..count as u64).map(|seed| start(size, seed)).collect()
}

/// Matches on boards of one size, a start for each pair.
fn with_ground<T>(size: u8, work: impl FnOnce(&Ground<'_, Position>) -> T) -> T {
    work(&Ground { catalogue: catalogue(), opening: &|seed| Record::new(start(size, seed)) })
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for value in values {
        sum += value;
        count += 1.0;
    }
    if count > 0.0 { sum / count } else { 0.0 }
}
