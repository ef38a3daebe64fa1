//! The battery of laws as tests of a game, in one line.

use super::{Laws, turn_based};
use crate::{Game, TurnBased};

/// Makes one `#[test]` of each law, for a game in one line: `search_core::game_laws!(MyGame);`. A second argument says
/// how hard to try or where games start: `search_core::game_laws!(MyGame, Laws::new().turns(200).longest(400));`.
///
/// Needs the feature `proptest` of `search-core` among the dev-dependencies.
#[macro_export]
macro_rules! game_laws {
    ($game:ty) => {
        $crate::game_laws!($game, $crate::laws::Laws::<$game>::new());
    };
    ($game:ty, $laws:expr) => {
        $crate::game_laws!(@tests $game, $laws,
            legal_moves_are_distinct
            only_a_finished_game_has_no_turn
            position_texts_round_trip
            move_texts_round_trip
            keys_are_those_from_scratch
            equal_keys_mean_equal_positions
            sinks_agree
            is_legal_is_the_list
            sample_reaches_every_move
            sample_is_uniform
            perft_by_sink_is_perft_by_list
            playing_is_repeatable
            the_record_agrees
            utility_is_zero_sum
            turn_caps_count_down
        );

        #[test]
        fn keys_agree_over_games() {
            let laws: $crate::laws::Laws<$game> = $laws;
            laws.check_keys_over_games();
        }

        #[test]
        fn games_end_in_time() {
            let laws: $crate::laws::Laws<$game> = $laws;
            laws.check_length();
        }

        $crate::game_laws!(@turn_based $game, $laws, to_move_is_active winning_moves_win);
    };
    (@tests $game:ty, $laws:expr, $($law:ident)*) => {
        $(
            #[test]
            fn $law() {
                let laws: $crate::laws::Laws<$game> = $laws;
                laws.check_named(stringify!($law));
            }
        )*
    };
    // Of the two methods with one name the compiler takes that of games in turns where the game is one.
    (@turn_based $game:ty, $laws:expr, $($law:ident)*) => {
        $(
            #[test]
            fn $law() {
                #[allow(unused_imports, reason = "which of them is used depends on the game")]
                use $crate::laws::{AnyKind as _, InTurns as _};
                let laws: $crate::laws::Laws<$game> = $laws;
                (&laws).check_if_turn_based(stringify!($law));
            }
        )*
    };
}

/// Games in turns, for [`game_laws!`](crate::game_laws).
#[doc(hidden)]
pub trait InTurns {
    fn check_if_turn_based(&self, law: &str);
}

impl<G: TurnBased> InTurns for Laws<G> {
    fn check_if_turn_based(&self, law: &str) {
        self.check_listed(turn_based(), law);
    }
}

/// All games, for [`game_laws!`](crate::game_laws): simultaneous ones have nothing to check here.
#[doc(hidden)]
pub trait AnyKind {
    fn check_if_turn_based(&self, law: &str);
}

impl<G: Game> AnyKind for &Laws<G> {
    fn check_if_turn_based(&self, _: &str) {}
}
