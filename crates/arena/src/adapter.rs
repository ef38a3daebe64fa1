//! Adapters: bots that speak another protocol than UGI, with a program between that speaks both.

/// A kind of bots from outside, `NAME:WHAT` in spec strings. A game brings its adapters along as data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Adapter {
    /// The kind's name in spec strings.
    pub name: &'static str,
    /// What stands after the colon.
    pub takes: Takes,
    /// The adapter's command line, word by word. A word `{bot}` stands for what the spec string names, word by word;
    /// `{python}` for the Python to use; `{NAME}` for the contents of the file of this name.
    pub command: &'static [&'static str],
    /// The files that the command line holds: names and contents.
    pub files: &'static [(&'static str, &'static str)],
    /// Whether its bots can only follow games from the standard start, move by move.
    pub from_the_start: bool,
}

/// What an adapter needs to be told of a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// A command line.
    Command,
    /// A folder; this says of what. The adapter runs beside it.
    Folder(&'static str),
    /// A file; this says of what. The adapter runs beside it.
    File(&'static str),
}
