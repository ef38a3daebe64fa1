//! What `game_laws!` says where the laws are not compiled in.

/// The laws of a game as tests; the feature `proptest` of `search-core` is missing here.
#[macro_export]
macro_rules! game_laws {
    ($($anything:tt)*) => {
        compile_error!(
            "`game_laws!` needs the feature `proptest` of search-core. Add to Cargo.toml:\n\n\
             [dev-dependencies]\n\
             search-core = { version = \"0.1\", features = [\"proptest\"] }\n"
        );
    };
}
