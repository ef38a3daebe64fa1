//! The claims of the Hus report.

mod games;
mod positions;
mod searches;

use agents::hus::catalogue;
use hus::Position;
use search_core::{Game, Limits, Player, Record, SearchRng, TurnBased};

use super::matches::{Ground, Side};
use super::{Effort, Progress, Section};

/// Named positions: the start, an opening, a balanced middle game, a poor side to move.
const POSITIONS: [(&str, &str); 4] = [
    (
        "start",
        "2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0/2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,0,0,0,0,0,0,0,0 0 0",
    ),
    (
        "opening, 58-38",
        "3,1,2,2,0,0,2,2,2,0,2,2,2,2,2,0,3,0,1,1,2,3,0,4,5,5,1,1,3,2,1,2/2,0,3,0,0,3,0,0,0,0,3,3,0,0,0,1,0,5,1,1,0,3,1,1,2,2,3,1,1,1,1,0 0 10",
    ),
    (
        "balanced, 46-50",
        "2,4,0,1,0,0,0,4,2,0,3,1,4,0,2,1,0,1,2,2,1,0,1,6,3,1,0,0,0,0,3,2/2,1,4,1,2,1,0,3,0,1,0,3,1,0,3,0,3,1,2,0,2,2,1,1,0,1,4,1,2,1,1,6 1 77",
    ),
    (
        "poor side to move, 14-82",
        "2,0,1,0,0,0,1,0,2,0,1,1,1,0,0,0,0,1,0,0,0,0,0,0,0,0,1,0,0,0,3,0/2,0,10,2,1,3,0,1,0,1,0,1,3,2,0,1,0,3,1,5,8,3,1,5,4,5,0,3,1,11,3,2 0 42",
    ),
];

pub(super) fn sections(effort: Effort, progress: &Progress) -> Vec<Option<Section>> {
    vec![
        progress.section("depth within the time limit", || depths(effort)),
        progress.section("random games", || positions::random_games(effort)),
        progress.section("positions", || positions::section(effort)),
        progress.section("searches", || searches::section(effort)),
        progress.section("matches", || games::section(effort)),
        progress.section("weights by phase", || games::phases(effort)),
    ]
}

/// The named positions. All of them can be read; one that could not would be left out.
fn positions() -> impl Iterator<Item = (&'static str, Position)> {
    POSITIONS.into_iter().filter_map(|(name, text)| Some((name, text.parse().ok()?)))
}

/// Matches from openings of four random plies.
fn ground() -> Ground<'static, Position> {
    Ground { catalogue: catalogue(), opening: &opening }
}

fn opening(seed: u64) -> Record<Position> {
    let mut record = Record::new(Position::start());
    let mut rng = SearchRng::new(seed, "opening");
    for _ in 0..4 {
        let position = record.position();
        let Some(pit) = position.sample(position.to_move(), &mut rng) else { break };
        if record.play(pit).is_err() {
            break;
        }
    }
    record
}

/// Positions of games of the greedy bot that plays at random now and then, every few plies.
fn sample(count: usize) -> Vec<Position> {
    let (ground, mut found) = (ground(), Vec::new());
    for game in 0.. {
        let mut plies = 0;
        let _ = ground.game([Side::from("greedy"); 2], Player::One, game, |record, _, _| {
            plies += 1;
            if plies % 7 == 6 && found.len() < count {
                found.push(*record.position());
            }
        });
        if found.len() == count {
            break;
        }
    }
    found
}

fn depths(effort: Effort) -> Section {
    let specs = ["report", "report:as=text", "alphabeta:hash=64,order_from=2"];
    let nodes = effort.pick(20_000, 5_000_000);
    let rows = positions().map(|(name, position)| {
        let depths = specs.map(|spec| ground().ask(spec, &position, Limits::nodes(nodes)).depth.to_string());
        [name.to_owned(), "about 10".to_owned()].into_iter().chain(depths).collect()
    });
    Section {
        title: format!("Depth reached within {nodes} nodes"),
        text: "The last finished depth in plies. The report speaks of a horizon at a depth of about 10 within 2 s; how many nodes its \
               program, written in Java, visited in that time is not known."
            .to_owned(),
        columns: vec![
            "position",
            "printed",
            "`report`",
            "`report:as=text`",
            "`alphabeta:hash=64,order_from=2`",
        ],
        rows: rows.collect(),
    }
}
