//! The laws that every game keeps.

mod from_the_start {
    search_core::game_laws!(ropasci360::Position, search_core::laws::Laws::new().cases(32).turns(80));
}

mod from_strange_positions {
    use ropasci360::strategies;
    use search_core::laws::Laws;

    search_core::game_laws!(
        ropasci360::Position,
        Laws::new().cases(96).turns(6).starts(strategies::positions())
    );
}
