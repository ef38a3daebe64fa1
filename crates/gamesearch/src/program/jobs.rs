//! How many things are done at the same time.

/// How many processors there are to work with; one where the system does not say.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// What `--jobs` asks for: at least one, and as many as there are processors where nothing is asked for.
pub fn jobs(wanted: Option<usize>) -> usize {
    wanted.unwrap_or_else(processors).max(1)
}
