//! The report on Expendibots: its Table 1 in both ways of counting, and every claim that can be tried.

mod costs;
mod facts;
mod games;
mod searches;
mod table_1;

use std::hint::black_box;
use std::time::Duration;

use agents::expendibots::catalogue;
use agents::expendibots::counted_searches::{Counted, Study, count};
use expendibots::{Position, Square};
use search_core::{Limits, Player, Record, SearchRng, TurnBased};

use super::matches::{Ground, Side};
use super::{Effort, Progress, Section, time_of_each};

const START: &str = "aa1aa1aa/aa1aa1aa/8/8/8/8/AA1AA1AA/AA1AA1AA w 0";
const TABLE1: &str = "aa1aa1aa/aa1aa1aa/8/8/4B3/8/AA1A2AA/AA1A2AA w 4";
const FIG1: &str = "3aa1aa/3aa1aa/8/3a3D/5a2/b7/AA1B4/AA1AA3 w 20";
/// The order of the squares in the authors' board at the position of Table 1.
const TABLE1_MAP: &str = "a2 b2 d2 e4 g2 h2 a1 b1 d1 g1 h1 a8 b8 d8 e8 g8 h8 a7 b7 d7 e7 g7 h7";

/// The search without what the report's program does not have.
const PLAIN: &str =
    "iterative=false,table=off,pvs=false,killers=false,history=false,counter=false,quiesce=mixed";

/// All sections of the report.
pub(crate) fn sections(effort: Effort, progress: &Progress) -> Vec<Option<Section>> {
    vec![
        progress.section("Table 1", table_1::table_1),
        progress.section("nodes", table_1::counts),
        progress.section("searches", || searches::section(effort)),
        progress.section("costs", || costs::section(effort)),
        progress.section("whole games", || costs::whole_games(effort)),
        progress.section("facts", || facts::section(effort)),
        progress.section("order of strength", || games::order(effort)),
        progress.section("other matches", || games::section(effort)),
        progress.section("kept actions", || games::kept_actions(effort)),
    ]
}

fn position(text: &str) -> Position {
    // Only the constants of this chapter are read.
    text.parse().unwrap_or_default()
}

/// What a search counts.
fn counted(start: &str, study: Study, plies: u32, map: &str) -> Counted {
    let map: Vec<Square> = map.split_whitespace().filter_map(|square| square.parse().ok()).collect();
    black_box(count(&position(start), study, plies, &map))
}

/// The same, and how long it takes.
fn timed(start: &str, study: Study, plies: u32, map: &str) -> (Counted, Duration) {
    (counted(start, study, plies, map), time_of_each(|| _ = counted(start, study, plies, map)))
}

/// Matches from openings of random moves without booms.
fn ground() -> Ground<'static, Position> {
    Ground { catalogue: catalogue(), opening: &opening }
}

/// Plies of random moves without booms from the start, so that no two games are alike.
fn opening(seed: u64) -> Record<Position> {
    const PLIES: usize = 4;
    let mut rng = SearchRng::new(seed, "openings");
    let mut record = Record::new(Position::start());
    while record.turns().len() < PLIES {
        let moves = record.legal_moves(record.position().to_move());
        let quiet: Vec<_> = moves.into_iter().filter(|mv| !mv.is_boom()).collect();
        if quiet.is_empty() || record.play(quiet[rng.below(quiet.len())]).is_err() {
            break;
        }
    }
    record
}

/// Positions in the first plies of games of the greedy bot against itself.
fn middles(games: u64) -> Vec<Position> {
    let (ground, mut positions) = (ground(), Vec::new());
    for game in 0..games {
        let plies = 4 + (game % 12) as usize;
        let mut seen = Vec::new();
        let _ = ground.game([Side::from("greedy"); 2], Player::One, game, |record, _, _| {
            if seen.len() < plies {
                seen.push(*record.position());
            }
        });
        positions.extend(seen);
    }
    positions
}

/// Searches positions one after the other with fresh bots; the nodes, and how many of these were quiescence.
fn search_all(spec: &str, positions: &[Position], limits: Limits) -> (u64, u64) {
    let (ground, mut nodes, mut quiescence) = (ground(), 0, 0);
    for position in positions {
        let stats = ground.ask(spec, position, limits).stats;
        nodes += stats.nodes;
        quiescence += stats.quiescence_nodes;
    }
    (nodes, quiescence)
}
