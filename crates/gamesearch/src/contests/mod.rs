//! The four contest games, described: bots, drawings, official limits, adapters. The only place in this crate that names a game.

mod adapters;
mod brushes;
mod colosseum;
mod expendibots;
mod hus;
mod ropasci360;

use search_core::Game;

use crate::Visitor;

/// The table of games, in the order of lists.
macro_rules! games {
    ($($game:ty),* $(,)?) => {
        /// The names of the games.
        pub const NAMES: &[&str] = &[$(<$game as Game>::NAME),*];

        /// Does the work of `visitor` for the game of this name; `None` if there is no such game.
        pub fn with_game<V: Visitor>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $(name if name == <$game as Game>::NAME => Some(visitor.visit::<$game>()),)*
                _ => None,
            }
        }

        /// The four games for a playground.
        #[cfg(feature = "session")]
        pub fn playground() -> crate::session::Games {
            crate::session::Games::new()$(.with::<$game>())*
        }

        /// A program with the four games. They are compiled already, with this crate.
        #[cfg(feature = "program")]
        pub fn app() -> crate::App {
            crate::App::new()$(.with::<$game>())*
        }
    };
}

games![::expendibots::Position, ::ropasci360::Position, ::hus::Position, ::colosseum::Position];
