//! The module `gamesearch._native`: the games, bots and searches as Python classes.
//!
//! A game's classes are made by one macro (`classes.rs`) over one trait ([`game::PythonGame`]); everything that takes "a game" finds
//! the type behind it through `games.rs`, the one table of the four.
// The comments of what Python sees are its docstrings: examples are those of Python's doctest.
#![allow(rustdoc::broken_intra_doc_links, clippy::doc_link_with_quotes, clippy::doc_markdown)]

mod analysis;
mod arguments;
mod bot;
mod classes;
mod game;
mod games;
mod interrupt;
mod laws;
mod matrix;
mod moves;
mod playouts;
mod solve;

/// The compiled part of `gamesearch`. Import from `gamesearch` itself and from its modules.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::bot::Bot;
    #[pymodule_export]
    use crate::games::bots;
    #[pymodule_export]
    use crate::laws::compare_moves;
    #[pymodule_export]
    use crate::matrix::{exploitability, regret_matching, solve_matrix};
    #[pymodule_export]
    use crate::playouts::playouts;
    #[pymodule_export]
    use crate::solve::solve;

    /// The classes of the games, which are all called `Position` and `Game`, by names of their own.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::games::add_classes(module)
    }
}
