//! The claims of the Hus report that games decide.

use hus::Position;
use search_core::{Limits, Player};

use super::ground;
use crate::commands::tables::matches::{Ground, Match, Side};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict};
use crate::commands::tables::{Effort, Section, in_parallel};

pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Matches",
        "Pairs of games from the same four random plies with the sides exchanged, the score of the bot named first.",
    );
    let pairs = effort.pick(2, 100);
    section.claim(
        "Humans are bad at it even against minimax of depth 3",
        Source::Report,
        "no humans at hand",
        "-",
        Verdict::Untestable,
    );
    for (claim, source, first, second) in [
        ("(depth 3 against bots that do not look ahead)", Source::Ours, "report:depth=3", "random"),
        ("(the same)", Source::Ours, "report:depth=3", "greedy"),
        (
            "Counting the opponent's possible moves is very useful",
            Source::Report,
            "alphabeta:depth=4,hash=1",
            "alphabeta:depth=4,hash=1,moves=0",
        ),
        (
            "One level deeper gains what more analysis would",
            Source::Report,
            "alphabeta:depth=5,hash=1,moves=0",
            "alphabeta:depth=4,hash=1",
        ),
        (
            "The best static weights can be learned, which makes a better evaluation",
            Source::Report,
            "champion:depth=4,hash=1,evaluation=sum,reduce=0,proof=0",
            "alphabeta:depth=4,hash=1",
        ),
        ("(the report as text)", Source::Ours, "report:depth=4,as=text", "report:depth=4"),
    ] {
        let result = ground().play(first, second, pairs);
        let verdict = if source == Source::Report { result.first_is_stronger() } else { Verdict::Figure };
        let tested = format!("`{first}` against `{second}`, {pairs} pairs");
        section.claim(claim, source, tested, result.to_string(), verdict);
    }
    monte_carlo(&mut section, effort);
    leaderboard(&mut section, effort);
    accident(&mut section, effort);
    section
}

/// The report's evaluation in hundredths, so that a weight can be a small part of a seed.
const HUNDREDTHS: &str = "alphabeta:depth=4,hash=1,pits=100,moves=100";

/// The weights that are tried for a seed that stands open, in hundredths of a seed.
const TRIED: [u32; 4] = [2, 5, 15, 40];

/// The openings on which a weight is chosen: none of those on which the chosen one is then judged.
fn ground_to_choose_on() -> Ground<'static, Position> {
    Ground { opening: &|pair| super::opening(1_000_000 + pair), ..ground() }
}

/// The weights that depend on the phase of the game: each tried in several sizes on some openings, the best judged on others.
pub(super) fn phases(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Weights that depend on the game",
        "Pairs of games as above. The weight of a seed that stands open to a capture is given in hundredths of a seed; its size is chosen on \
         some openings, and the chosen one judged on others.",
    );
    let (trials, pairs) = (effort.pick(1, 40), effort.pick(2, 200));
    let mut chosen = Vec::new();
    for (claim, source, option) in [
        ("Weights that depend on the game: more aggressive at the beginning", Source::Report, "attack="),
        ("more defensive with a low amount of seeds", Source::Report, "defence="),
        ("(defensive all the time)", Source::Ours, "exposed=-"),
    ] {
        let scores = TRIED.map(|weight| {
            let tried =
                ground_to_choose_on().play(&*format!("{HUNDREDTHS},{option}{weight}"), HUNDREDTHS, trials);
            tried.games().score().unwrap_or(0.0)
        });
        let best = (0..TRIED.len()).max_by(|&one, &other| scores[one].total_cmp(&scores[other])).unwrap_or(0);
        let shown: Vec<String> = TRIED
            .iter()
            .zip(scores)
            .map(|(weight, score)| format!("{weight} {:.1} %", 100.0 * score))
            .collect();
        let with = format!("{option}{}", TRIED[best]);
        let result = ground().play(&*format!("{HUNDREDTHS},{with}"), HUNDREDTHS, pairs);
        section.claim(
            claim,
            source,
            format!(
                "`{HUNDREDTHS},{option}N` against the same without, in {trials} pairs each: N = {}; the best of them, `{with}`, in \
                 {pairs} pairs from other openings",
                shown.join(", ")
            ),
            result.to_string(),
            if source == Source::Report { result.first_is_stronger() } else { Verdict::Figure },
        );
        if source == Source::Report {
            chosen.push(with);
        }
    }
    let both = format!("{HUNDREDTHS},{}", chosen.join(","));
    let result = ground().play(&*both, HUNDREDTHS, pairs);
    section.claim(
        "both together",
        Source::Report,
        format!("`{both}` against the same without, in those {pairs} pairs"),
        result.to_string(),
        result.first_is_stronger(),
    );
    section
}

fn monte_carlo(section: &mut Section, effort: Effort) {
    let pairs = effort.pick(1, 30);
    for playouts in [100, 1000] {
        let nodes = 20 * playouts;
        let playouts = effort.pick(playouts / 50, playouts);
        let mcts = Side { spec: "mcts:memory=16", limits: Limits::playouts(playouts) };
        let report = Side { spec: "report", limits: Limits::nodes(nodes) };
        let result = ground().play(report, mcts, pairs);
        section.claim(
            "Monte Carlo tree search is unsuitable, minimax is very well suited",
            Source::Report,
            format!(
                "`report` with {nodes} nodes a move against `mcts:memory=16` with {playouts} playouts, {pairs} pairs: a playout of \
                 some 140 plies costs more than 20 nodes"
            ),
            result.to_string(),
            result.first_is_stronger(),
        );
    }
}

/// Which kind of bot comes out on top with equal work.
fn leaderboard(section: &mut Section, effort: Effort) {
    let pairs = effort.pick(1, 40);
    let nodes = Limits::nodes(effort.pick(500, 5_000));
    let kinds = ["alphabeta:hash=4", "report", "minimax", "mcts:memory=16", "greedy", "random"];
    let mut points = kinds.map(|_| 0.0);
    for first in 0..kinds.len() {
        for second in first + 1..kinds.len() {
            let limits = |kind: usize| {
                // A playout is worth more than a node: see above.
                if kind == 3 { Limits::playouts(nodes.nodes.unwrap_or(0) / 20) } else { nodes }
            };
            let side = |kind: usize| Side { spec: kinds[kind], limits: limits(kind) };
            let result: Match = ground().play(side(first), side(second), pairs);
            points[first] += result.games().points();
            points[second] += result.games().reversed().points();
        }
    }
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    order.sort_by(|&one, &other| points[other].total_cmp(&points[one]));
    let shown: Vec<String> =
        order.iter().map(|&kind| format!("`{}` {:.1}", kinds[kind], points[kind])).collect();
    let of = 2 * pairs * (kinds.len() as u64 - 1);
    section.claim(
        "The top of the leaderboard is mostly minimax agents",
        Source::Report,
        format!(
            "a round robin of the kinds of bots here with equal work ({} nodes, or a 20th of that in playouts), {pairs} pairs each, \
             points of {of}; the contest's own table is not public",
            nodes.nodes.unwrap_or(0)
        ),
        shown.join(", "),
        // Alpha-beta, the report's bot and plain minimax are such agents.
        Verdict::of(order.iter().take(2).all(|&kind| kind < 3)),
    );
}

/// A bot that plays one random move in a game, against itself without it.
fn accident(section: &mut Section, effort: Effort) {
    const PLY: usize = 20;
    let games = effort.pick(4, 200);
    let results = in_parallel(games, |game| {
        let (number, seat) = (game / 2, Player::after(game as u32));
        let without = ground().game([Side::from("report:depth=4"); 2], seat, number, |_, _, _| {})?;
        let struck = with_accident(number, seat, PLY)?;
        Some((without.half_points, struck))
    });
    let results: Vec<(u8, u8)> = results.into_iter().flatten().collect();
    let held = Share::count(results.iter().filter(|(before, _)| *before == 2).map(|(_, after)| *after == 2));
    section.claim(
        "so such a mistake costs games",
        Source::Report,
        format!(
            "`report:depth=4` against itself, {games} games; each won one again with one random move of the winner at its first \
             turn from ply {PLY} on: how many does it still win? (costs: less than nine tenths)"
        ),
        held.to_string(),
        Verdict::below(held.interval(), 0.9),
    );
}

/// The half points of the bot on `seat` if its first move from `ply` on is random.
fn with_accident(number: u64, seat: Player, ply: usize) -> Option<u8> {
    use search_core::{Game, SearchRng, StopFlag, SystemClock, Task, TurnBased};
    let ground = ground();
    let mut bots = [ground.build("report:depth=4")?, ground.build("report:depth=4")?];
    let mut record = super::opening(number);
    let mut rng = SearchRng::new(number, "accident");
    let (stop, clock, mut struck) = (StopFlag::new(), SystemClock::new(), false);
    while record.end().is_none() {
        let player = record.position().to_move();
        let mv = if !struck && player == seat && record.turns().len() >= ply {
            struck = true;
            record.position().sample(player, &mut rng)?
        } else {
            let limits = Limits::default();
            let task = Task::plain(&record, player, limits, &stop, &clock);
            bots[player.index()].choose(&task).ok()?.mv
        };
        record.play(mv).ok()?;
    }
    Some((record.end()?.outcome.sign(seat) + 1) as u8)
}
