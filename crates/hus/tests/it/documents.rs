//! What `docs/property-testing.md` shows comes out so.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hus::{Pit, Position};
use search_core::laws::Laws;
use search_core::{Game, Player};

const PAGE: &str = include_str!("../../../../docs/property-testing.md");

/// The generator of the page, with its mistake: the last pit is left out.
fn my_moves(position: &Position, player: Player) -> Vec<Pit> {
    let playable = |pit: &Pit| position.counts(player)[pit.index()] >= 2;
    if position.active() != search_core::Active::One(player) || position.end().is_some() {
        return Vec::new();
    }
    (0..31).filter_map(Pit::new).filter(playable).collect()
}

#[test]
fn the_message_of_a_wrong_generator_stands_on_the_page() {
    if ["LAWS_SEED", "LAWS_FACTOR"].iter().any(|name| std::env::var_os(name).is_some()) {
        // Other games are drawn then, and another one may be the shortest.
        return;
    }
    let laws = Laws::<Position>::new().cases(20).turns(100);
    let said = catch_unwind(AssertUnwindSafe(|| laws.moves_agree(my_moves))).expect_err("it is wrong");
    let said = said.downcast::<String>().expect("a message");
    assert!(
        PAGE.contains(&format!("```text\n{}\n```", said.trim_end())),
        "docs/property-testing.md does not say\n{said}"
    );
}
