//! A program of one's own: the games Breakthrough and Footsteps with every command of the workbench.

mod breakthrough;
mod footsteps;

use std::process::ExitCode;

use breakthrough::Breakthrough;
use footsteps::Footsteps;
use gamesearch::agents::{Catalogue, generic};
use gamesearch::search_core::{Evaluate, Player, Score, Zero, exploitability};
use gamesearch::{App, Listed, MeasureExploitability};

/// Breakthrough judged by the pieces that are left.
#[derive(Debug, Default)]
struct Material;

impl Evaluate<Breakthrough> for Material {
    fn evaluate(&self, position: &Breakthrough, player: Player) -> Score {
        Score::new(100 * (position.pieces(player) - position.pieces(player.opponent())))
    }
}

impl Listed for Breakthrough {
    const NOTATION: &'static str = "a2a3    from a2 to a3; onto a piece only diagonally";

    fn catalogue() -> Catalogue<Self> {
        generic::turn_based::<Self, Material>()
    }
}

impl Listed for Footsteps {
    const NOTATION: &'static str = "3       bid 3 coins";

    fn catalogue() -> Catalogue<Self> {
        generic::simultaneous::<Self, Zero>()
    }

    fn exploitability() -> Option<MeasureExploitability<Self>> {
        Some(|position, player, turns, ends, most, strategy| {
            exploitability(position, player, turns, ends, most, strategy)
        })
    }
}

fn main() -> ExitCode {
    App::new().with::<Breakthrough>().with::<Footsteps>().main()
}
