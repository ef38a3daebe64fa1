//! What the workbench needs to know of a game besides its rules.

use agents::{Catalogue, Random};
use arena::{Adapter, Drawing};
use search_core::Game;

/// A game described: its bots, its drawing, the limits of its contest. Everything has a default, so a game joins by
/// `impl Listed for MyGame {}`.
pub trait Listed: Game {
    /// The limits of the game's own contest, for `--limits official`.
    const OFFICIAL: Option<&'static str> = None;

    /// Known counts of move sequences, in the form that `search_core::perft_suite` reads.
    const PERFT: &'static str = "";

    /// Bots that speak another protocol than UGI, such as that of the game's own contest.
    const ADAPTERS: &'static [Adapter] = &[];

    /// The bots that play it.
    fn catalogue() -> Catalogue<Self> {
        Catalogue::new(vec![Random::info()])
    }

    /// Draws a position for reports and pages, with the last turn and where it was played.
    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        let _ = last;
        Drawing::of_text(position)
    }
}

/// Work that is the same for every game.
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Does the work for one game.
    fn visit<G: Listed>(self) -> Self::Output;
}
