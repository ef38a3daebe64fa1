//! What the workbench needs to know of a game besides its rules.

use agents::{Catalogue, Random};
use arena::{Adapter, Area, Drawing, Target};
use search_core::{Ends, Exploitability, Game, Player, TooLarge};

/// A game described: its bots, its drawing, the limits of its contest. Everything has a default, so a game joins by
/// `impl Listed for MyGame {}`.
pub trait Listed: Game {
    /// The limits of the game's own contest, for `--limits official`.
    const OFFICIAL: Option<&'static str> = None;

    /// Limits in counts with which the game's bots take about the same time for a move, for tournaments without others: the name
    /// of a bot and its limits; an empty name stands for every other bot.
    const USUAL: &'static [(&'static str, &'static str)] =
        &[("", "nodes=2000,playouts=200"), ("mcts", "playouts=200")];

    /// How moves are typed, a line for each kind: an example and what it means.
    const NOTATION: &'static str = "";

    /// Known counts of move sequences, in the form that `search_core::perft_suite` reads.
    const PERFT: &'static str = "";

    /// Bots that speak another protocol than UGI, such as that of the game's own contest.
    const ADAPTERS: &'static [Adapter] = &[];

    /// The name for people.
    const TITLE: &'static str = Self::NAME;

    /// What the two players are called.
    const SIDES: [&'static str; 2] = ["first player", "second player"];

    /// Set-ups worth offering, each with a name for people.
    const SETUPS: &'static [(&'static str, &'static str)] = &[("", "standard")];

    /// The rules in short, in Markdown (headings, lists, paragraphs, bold), for one screen.
    const RULES: &'static str = "";

    /// Goal and turns in plain text, for the command `rules` of `play`: with [`Listed::NOTATION`] ten lines at most. Without it the
    /// rules in short are shown.
    const GOAL: &'static str = "";

    /// What scores say of the chances to win, bot by bot, for each counts in points of its own: the name of a bot and its scale; an
    /// empty name stands for every other bot. `cargo xtask scales` fits them to games of a bot against itself.
    const SCALES: &'static [(&'static str, Scale)] =
        &[("mcts", Scale::new(0.0, 400.0)), ("nash", Scale::new(0.0, 400.0)), ("", Scale::POINTS)];

    /// Balanced openings, for tournaments without others: a list in the form that [`arena::ListedOpenings::read`] reads. `{program}
    /// openings` makes one. Without it, or in a set-up for which there is none, openings are drawn at random.
    fn openings(setup: &Self::Setup) -> Option<&'static str> {
        let _ = setup;
        None
    }

    /// What one can set up by hand, for the sandbox of the rules.
    const BRUSHES: &'static [Brush] = &[];

    /// Changes the text of a position with a brush at a target. The text need not be legal, nor what comes out: positions
    /// are set up in steps.
    fn edit(text: &str, brush: &str, target: &str) -> Result<String, String> {
        let _ = (text, target);
        Err(format!("positions of this game are set up by text: it has no brush `{brush}`"))
    }

    /// The bots that play it.
    fn catalogue() -> Catalogue<Self> {
        Catalogue::new(vec![Random::info()])
    }

    /// Draws a position for reports and pages, with the last turn and where it was played.
    fn draw(position: &Self, last: Option<(&Self, Self::Turn)>) -> Drawing {
        let _ = last;
        Drawing::of_text(position)
    }

    /// What can be pointed at on the drawing of this position, and its name for those who do not see it.
    fn areas(position: &Self) -> Vec<Area> {
        let _ = position;
        Vec::new()
    }

    /// The targets that one points at, in order, to play a legal move: a pit; a stack, how many, a square. A target
    /// without an area is shown as a button, so that a game which says nothing is played by a list of its moves.
    ///
    /// No path of a position is the beginning of another: see [`check_paths`].
    fn path(position: &Self, player: Player, mv: Self::Move) -> Vec<Target> {
        let _ = (position, player);
        vec![mv.to_string()]
    }

    /// How exploitability is measured: [`search_core::exploitability`] in a game where both players choose at once, nothing in
    /// others.
    fn exploitability() -> Option<MeasureExploitability<Self>> {
        None
    }

    /// The same board with the other player to move, to see what that player threatens; `None` where there is no such
    /// thing.
    fn passed(position: &Self) -> Option<Self> {
        let _ = position;
        None
    }
}

/// A strategy: the moves of a player at a position with their probabilities.
pub type Strategy<'a, G> = &'a mut dyn FnMut(&G) -> Vec<(<G as Game>::Move, f64)>;

/// What a strategy of a player loses against a best response, from a position over a number of turns, unless there are more positions
/// than allowed.
pub type MeasureExploitability<G> =
    fn(&G, Player, u32, Ends, usize, Strategy<'_, G>) -> Result<Exploitability, TooLarge>;

/// A way to change a position by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Brush {
    /// Its name for [`Listed::edit`].
    pub name: &'static str,
    /// What it does, for people.
    pub title: &'static str,
    /// Whether one points at a target with it; otherwise it acts by itself.
    pub needs_target: bool,
}

/// The limits of [`Listed::USUAL`] for a bot, by its spec; the default for `""`.
pub fn usual_limits<G: Listed>(spec: &str) -> &'static str {
    of_bot(G::USUAL, spec).unwrap_or("none")
}

/// The scale of [`Listed::SCALES`] for a bot, by its spec or any other name that a record knows it by.
pub fn score_scale<G: Listed>(spec: &str) -> Scale {
    of_bot(G::SCALES, spec).unwrap_or(Scale::POINTS)
}

/// What the scores of a bot say of its chances: `1 / (1 + exp((even - score) / unit))`. Averages of playouts and values of matrix games
/// are scores from -1000 to 1000.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The score that stands for even chances: not 0 where an evaluation looks at one side only, or favours the player to move.
    pub even: f64,
    /// The points above `even` that stand for a chance of 73 %.
    pub unit: f64,
}

impl Scale {
    /// Hundredths of what counts.
    pub const POINTS: Scale = Scale::new(0.0, 100.0);

    /// A scale.
    pub const fn new(even: f64, unit: f64) -> Scale {
        Scale { even, unit }
    }

    /// The chance to win of a player whose bot says this score.
    ///
    /// ```
    /// let scale = gamesearch::Scale::new(0.0, 100.0);
    /// assert_eq!(scale.chance(0.0), 0.5);
    /// assert!((scale.chance(100.0) - 0.731).abs() < 0.001);
    /// ```
    pub fn chance(self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.even - score) / self.unit).exp())
    }
}

/// What a list by bots' names holds for the bot of this spec; an empty name stands for every other bot.
fn of_bot<T: Copy>(list: &[(&str, T)], spec: &str) -> Option<T> {
    let name = spec.split(':').next().unwrap_or(spec);
    let named = list.iter().find(|(bot, _)| *bot == name);
    let others = || list.iter().find(|(bot, _)| bot.is_empty());
    named.or_else(others).map(|&(_, value)| value)
}

/// The law of [`Listed::path`] and [`Listed::areas`] in one position, in words where it is broken: no path is empty or the
/// beginning of another move's, and no two areas have one target.
pub fn check_paths<G: Listed>(position: &G) -> Result<(), String> {
    let problem = position.active().players().find_map(|player| {
        let moves = position.move_list(player);
        let paths = moves.as_ref().iter().map(|&mv| (G::path(position, player, mv), mv.to_string()));
        unclear(paths.collect())
    });
    let problem = problem.or_else(|| {
        let mut targets: Vec<Target> = G::areas(position).into_iter().map(|area| area.target).collect();
        targets.sort();
        let twice = targets.windows(2).find(|pair| pair[0] == pair[1]);
        twice.map(|pair| format!("two areas have the target `{}`", pair[0]))
    });
    problem.map_or(Ok(()), |problem| Err(format!("{problem}, in {position}")))
}

/// What keeps the paths of a player's moves from telling them apart.
fn unclear(mut paths: Vec<(Vec<Target>, String)>) -> Option<String> {
    paths.sort();
    if let Some((_, mv)) = paths.first().filter(|(path, _)| path.is_empty()) {
        return Some(format!("the path of `{mv}` is empty"));
    }
    // In order, what begins another path stands right before one of those it begins.
    let pair = paths.windows(2).find(|pair| pair[1].0.starts_with(&pair[0].0))?;
    let [(short, one), (long, other)] = pair else { return None };
    Some(format!("the path of `{one}` ({}) begins that of `{other}` ({})", short.join(" "), long.join(" ")))
}

/// Work that is the same for every game.
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Does the work for one game.
    fn visit<G: Listed>(self) -> Self::Output;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unclear_paths_are_named() {
        let path =
            |text: &str, mv: &str| (text.split_whitespace().map(str::to_owned).collect(), mv.to_owned());
        assert_eq!(unclear(vec![path("a b", "1"), path("a c", "2"), path("b", "3")]), None);
        let begins = unclear(vec![path("a b", "1"), path("c", "2"), path("a", "3")]);
        assert_eq!(begins.as_deref(), Some("the path of `3` (a) begins that of `1` (a b)"));
        let same = unclear(vec![path("a b", "1"), path("a b", "2")]);
        assert_eq!(same.as_deref(), Some("the path of `1` (a b) begins that of `2` (a b)"));
        assert_eq!(unclear(vec![path("", "1")]).as_deref(), Some("the path of `1` is empty"));
    }
}
