//! The claims of the Expendibots report that games decide: the order of strength, and single ideas.

use agents::expendibots::catalogue;
use expendibots::Position;
use search_core::{
    Answer, Bot, Limits, Player, Record, SearchRng, StopFlag, SystemClock, Task, TurnBased, derive_seed,
};

use super::{Effort, Section, in_parallel};

/// The search without what the report's program does not have.
pub(super) const PLAIN: &str =
    "iterative=false,table=off,pvs=false,killers=false,history=false,counter=false,quiesce=mixed";

/// Plies of random moves without booms from the start, so that no two games are alike.
pub(super) fn opening(seed: u64) -> Record<Position> {
    const PLIES: usize = 4;
    let mut rng = SearchRng::new(seed, "openings");
    let mut record = Record::new(Position::start());
    while record.turns().len() < PLIES {
        let moves = record.legal_moves(record.position().to_move());
        let quiet: Vec<_> = moves.into_iter().filter(|mv| !mv.is_boom()).collect();
        if quiet.is_empty() || record.play(quiet[rng.below(quiet.len())]).is_err() {
            break;
        }
    }
    record
}

pub(super) type Built = Option<Box<dyn Bot<Position>>>;

/// A bot of the catalogue; the specs here are constants, so there always is one.
pub(super) fn build(spec: &str) -> Built {
    catalogue().build(spec).ok()
}

pub(super) fn start(bots: &mut [Built; 2], player: Player, seed: u64) {
    if let Some(bot) = &mut bots[player.index()] {
        // Own bots do not fail to start.
        let _ = bot.new_game(player, derive_seed(seed, &player.to_string()));
    }
}

/// Lets the bot whose turn it is play; its answer, or `None` if it failed.
pub(super) fn step(
    bots: &mut [Built; 2],
    record: &mut Record<Position>,
    limits: Limits,
) -> Option<Answer<expendibots::Move>> {
    let player = record.position().to_move();
    let clock = SystemClock::new();
    let task = Task { record, player, limits, stop: &StopFlag::new(), clock: &clock, watch: None };
    let answer = bots[player.index()].as_mut()?.choose(&task).ok()?;
    record.play(answer.mv).ok()?;
    Some(answer)
}

/// Wins, draws and losses of the first bot over pairs of games from the same opening with colours exchanged.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
    failed: u32,
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let games = self.won + self.drawn + self.lost;
        let score = f64::from(2 * self.won + self.drawn) / f64::from(2 * games.max(1));
        write!(f, "{} won, {} drawn, {} lost ({:.0} %)", self.won, self.drawn, self.lost, 100.0 * score)?;
        if self.failed > 0 {
            write!(f, ", {} broken off", self.failed)?;
        }
        Ok(())
    }
}

/// All games of one bot against another. They look at no clock, so they are played on all processors.
fn matches(first: &str, second: &str, pairs: u64) -> Tally {
    let mut tally = Tally::default();
    for sign in in_parallel(2 * pairs, |game| {
        let (pair, colour) = (game / 2, Player::after(game as u32));
        one_game(first, second, pair, colour)
    }) {
        match sign {
            Some(1) => tally.won += 1,
            Some(0) => tally.drawn += 1,
            Some(_) => tally.lost += 1,
            None => tally.failed += 1,
        }
    }
    tally
}

/// One game with the first bot on `colour`: 1 if it won, 0 for a draw, -1 if it lost; `None` if a bot failed.
fn one_game(first: &str, second: &str, pair: u64, colour: Player) -> Option<i32> {
    let mut bots =
        if colour == Player::One { [build(first), build(second)] } else { [build(second), build(first)] };
    for player in Player::BOTH {
        start(&mut bots, player, derive_seed(pair, &colour.to_string()));
    }
    let mut record = opening(pair);
    while record.end().is_none() {
        step(&mut bots, &mut record, Limits::default())?;
    }
    record.end().map(|end| end.outcome.sign(colour))
}

/// Minimax and alpha-beta as the submitted bot, but for what they lack: three plies, its leaf routine.
fn minimax() -> String {
    "minimax:depth=3,quiesce=mixed".to_owned()
}

fn plain() -> String {
    format!("alphabeta:depth=3,order=booms,{PLAIN}")
}

/// The order of strength on the report's cover, by a round robin.
pub(super) fn order(effort: Effort) -> Section {
    const NAMES: [&str; 6] = ["random", "MCTS", "minimax", "greedy", "alpha-beta", "ordered alpha-beta"];
    let specs = [
        "random".to_owned(),
        "mcts:faithful=true".to_owned(),
        minimax(),
        "greedy".to_owned(),
        plain(),
        "report".to_owned(),
    ];
    let pairs = effort.pick(1, 10);
    // For each bot its points in half points, and its results against the others.
    let mut points = [0; 6];
    let mut cells: [[String; 6]; 6] = Default::default();
    for stronger in 1..6 {
        for weaker in 0..stronger {
            let tally = matches(&specs[stronger], &specs[weaker], pairs);
            points[stronger] += 2 * tally.won + tally.drawn;
            points[weaker] += 2 * tally.lost + tally.drawn;
            cells[stronger][weaker] = format!("+{} ={} -{}", tally.won, tally.drawn, tally.lost);
            cells[weaker][stronger] = format!("+{} ={} -{}", tally.lost, tally.drawn, tally.won);
        }
    }
    let mut found: Vec<usize> = (0..6).collect();
    found.sort_by_key(|&bot| points[bot]);
    let found: Vec<&str> = found.into_iter().map(|bot| NAMES[bot]).collect();
    let games = 10 * pairs;
    Section {
        title: "The order of strength".to_owned(),
        text: format!(
            "The report's cover ranks, weak to strong: {}. A round robin of {} games for each pairing, from the same four random \
             plies with colours exchanged, all bots as the authors' programs, faults included: `{}`. By points the order here is: \
             {}. That is {}.",
            NAMES.join(", "),
            2 * pairs,
            specs.join("`, `"),
            found.join(", "),
            if found == NAMES { "the report's order" } else { "not the report's order" }
        ),
        columns: ["bot"].into_iter().chain(NAMES).chain(["points"]).collect(),
        rows: (0..6)
            .map(|bot| {
                let mut row = vec![NAMES[bot].to_owned()];
                row.extend(cells[bot].iter().cloned());
                row.push(format!("{:.1} of {games}", f64::from(points[bot]) / 2.0));
                row
            })
            .collect(),
    }
}

/// Other claims that a match decides.
pub(super) fn strength(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Other matches",
        "Pairs of games from the same four random plies with colours exchanged. Rows in brackets are not claims of the report.",
    );
    let pairs = effort.pick(1, 10);
    for (claim, stronger, weaker, pairs) in [
        ("MCTS lost clearly to the greedy bot", "greedy", "mcts:faithful=true", pairs),
        ("The greedy bot loses to the submitted bot", "report", "greedy", 2 * pairs),
        ("Random is very easy to beat", "report", "random", 5 * pairs),
        ("(our correction of its two faults helps the Monte Carlo bot)", "mcts", "mcts:faithful=true", pairs),
        (
            "Suicide booms spoil the playouts of the Monte Carlo bot",
            "mcts:iterations=100,rollout=nosuicide",
            "mcts:iterations=100",
            pairs.min(5),
        ),
        ("The width of 6 harms the Monte Carlo bot", "mcts:iterations=50,expand=0", "mcts", pairs),
        (
            "The ratio of moves makes the evaluation better, but slower",
            "alphabeta:depth=2,eval=ratio+mobility",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "The ratio of components makes the evaluation better, but slower",
            "alphabeta:depth=2,eval=ratio+components",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "(test bench: 300 times the ratio and 2 for each token)",
            "alphabeta:depth=2,eval=ratio+tokens",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "(test bench: the ratios of all components)",
            "alphabeta:depth=2,eval=parts",
            "alphabeta:depth=2",
            pairs,
        ),
        (
            "(test bench: the ordering keys of all stacks)",
            "alphabeta:depth=2,eval=keys",
            "alphabeta:depth=2",
            pairs,
        ),
        ("(flat Monte Carlo, 10 playouts a move)", "mcts:flat=10", "greedy", pairs),
        ("(greedy hands over to alpha-beta after 15 plies)", "greedy:until=plies", "greedy", pairs),
        ("(greedy without even trades when behind)", "greedy:trades=unless-behind", "greedy", 5 * pairs),
        ("(greedy with its first three classes only)", "greedy:classes=3", "greedy", 5 * pairs),
        ("(the greedy bot's class 2 as its comment wants it)", "greedy:save=most", "greedy", 5 * pairs),
        ("(the report as text against the program)", "report:as=text", "report", pairs),
        ("(without the program's faults against with them)", "report:sound=true", "report", pairs),
    ] {
        let tally = matches(stronger, weaker, pairs);
        section.claim(
            claim,
            format!("`{stronger}` against `{weaker}`, {} games", 2 * pairs),
            tally.to_string(),
        );
    }
    section
}
