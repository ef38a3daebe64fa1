//! The rows of the RoPaSci 360 report.

mod claims;
mod games;
mod growth;

use agents::ropasci360::{Movers, Tokens, catalogue, generate};
use ropasci360::Position;
use search_core::{Game, Player, Record, stream};

use super::matches::Ground;
use super::{Effort, Progress, Section};

/// All sections of this report.
pub(crate) fn sections(effort: Effort, progress: &Progress) -> Vec<Option<Section>> {
    vec![
        progress.section("leaves", || growth::leaves(effort)),
        progress.section("growth with throws", || growth::growth(effort)),
        progress.section("claims", || claims::section(effort)),
        progress.section("games", || games::section(effort)),
        progress.section("single ideas", || games::ablations(effort)),
    ]
}

/// Matches from openings of two random turns.
fn ground() -> Ground<'static, Position> {
    Ground { catalogue: catalogue(), opening: &opening }
}

fn opening(seed: u64) -> Record<Position> {
    let mut record = Record::new(Position::start());
    let mut rng = stream(seed, "opening");
    for _ in 0..2 {
        let moves = Player::BOTH.map(|player| record.position().sample(player, &mut rng));
        let [Some(one), Some(two)] = moves else { break };
        if record.play([one, two]).is_err() {
            break;
        }
    }
    record
}

/// What the report's generator gives a side.
fn actions(tokens: &Tokens, player: Player) -> usize {
    generate(tokens, player, Movers::Useful).len()
}
