//! The champion's evaluation: tokens, threats, exposure, reach.

use ::expendibots::{Component, Position, SquareSet};
use search_core::{Evaluate, Features, Linear, Player, Score};
use smallvec::SmallVec;

/// 100 * ln(tokens + 1): equal trades help the player who is ahead, as with the report's ratio.
const MATERIAL: [i32; 13] = [0, 69, 110, 139, 161, 179, 195, 208, 220, 230, 240, 248, 256];

/// The names of the features, in their order.
const NAMES: [&str; 9] =
    ["material", "tempo", "threat", "threats", "clusters", "reach", "components", "heights", "approach"];

/// The features of a position.
#[derive(Debug, Clone, Copy, Default)]
pub struct Threats;

/// What one player has.
#[derive(Debug, Clone, Copy, Default)]
struct Side {
    threat: i32,
    threats: i32,
    clusters: i32,
    reach: i32,
    components: i32,
    heights: i32,
    approach: i32,
}

fn side(position: &Position, components: &[Component], player: Player) -> Side {
    let enemy = player.opponent();
    let own = position.stacks(player);
    let tall = own & position.tall();
    let single = own - tall;
    // Single tokens reach the four squares around them; higher stacks are looked at one by one.
    let mut reached = SquareSet::EMPTY;
    for direction in ::expendibots::Direction::ALL {
        reached |= single.shifted(direction);
    }
    let free = SquareSet::FULL - position.stacks(enemy);
    reached &= free;
    let mut reach = reached.len() as i32;
    let mut heights = 0;
    for square in tall {
        let targets = position.targets(square);
        reach += targets.len() as i32;
        heights += i32::from(position.height(square)) - 1;
        reached |= targets;
    }
    let mut found = Side { reach, heights, ..Side::default() };
    for component in components {
        let (mine, theirs) = (i32::from(component.tokens(player)), i32::from(component.tokens(enemy)));
        if mine > 0 {
            found.components += 1;
            found.clusters += mine * mine;
        }
        if theirs > 0 {
            // A token beside the component could take it all in two moves, with what stands there already.
            let around = component.squares.grown();
            let gain = theirs - mine - 1;
            if gain > 0 && (around & reached).0 != 0 {
                found.threat = found.threat.max(gain);
                found.threats += gain;
            }
            // How much of our reach touches squares two steps around it: the way there.
            if (around.grown() & reached).0 != 0 {
                found.approach += theirs;
            }
        }
    }
    found
}

impl Features<Position> for Threats {
    fn names(&self) -> Vec<String> {
        NAMES.iter().map(ToString::to_string).collect()
    }

    fn extract(&self, position: &Position, player: Player, values: &mut [i32]) {
        let enemy = player.opponent();
        let components: SmallVec<[Component; 24]> = position.components().collect();
        let own = side(position, &components, player);
        let other = side(position, &components, enemy);
        let material = |player: Player| MATERIAL[usize::from(position.tokens(player)).min(12)];
        let tempo = if position.side() == player { 1 } else { -1 };
        let found = [
            material(player) - material(enemy),
            tempo,
            own.threat - other.threat,
            own.threats - other.threats,
            own.clusters - other.clusters,
            own.reach - other.reach,
            own.components - other.components,
            own.heights - other.heights,
            own.approach - other.approach,
        ];
        for (value, found) in values.iter_mut().zip(found) {
            *value = found;
        }
    }
}

/// The weights that the champion plays with.
pub const WEIGHTS: &str = include_str!("champion.weights");

/// The champion's evaluation.
#[derive(Debug, Clone)]
pub struct ThreatEvaluation(pub Linear<Threats>);

impl Evaluate<Position> for ThreatEvaluation {
    #[inline]
    fn evaluate(&self, position: &Position, player: Player) -> Score {
        self.0.evaluate(position, player)
    }
}
