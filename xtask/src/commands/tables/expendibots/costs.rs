//! What parts of the report's bots cost: features of the evaluation, maps, searching stacks on, playouts.

use std::hint::black_box;

use agents::expendibots::counted_searches::KeySums;
use expendibots::Position;
use search_core::{Game, Limits, Player, SearchRng, TurnBased};

use super::{FIG1, PLAIN, ground, middles, opening, position, search_all};
use crate::commands::tables::matches::Side;
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Verdict, correlation, percent, ratio, within};
use crate::commands::tables::{Effort, Section, fastest, in_parallel, time_of, times};

/// Positions with stacks of four or more.
const STACKS: [&str; 4] = [
    FIG1,
    "1d5c/1a3d2/8/8/8/2A5/AA3B1B/1BA3B1 b 37",
    "1a2a1A1/6a1/3a1a2/2a5/a7/8/8/6H1 w 62",
    "2a3ab/1a4a1/a1a1E2b/4a3/2a5/8/4A1A1/AA1A1A1A w 46",
];

const EVALUATIONS: [&str; 3] = ["ratio", "ratio+mobility", "ratio+components"];

pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Costs",
        "Times are ratios of the shortest of several runs, in turn; they depend on the machine, nodes do not. \"Too expensive\" \
         is read as: twice the time or more.",
    );
    features(&mut section, effort);
    mobility(&mut section, effort);
    maps(&mut section, effort);
    stacks(&mut section, effort);
    playouts(&mut section, effort);
    section
}

fn features(section: &mut Section, effort: Effort) {
    let positions = middles(effort.pick(2, 12));
    let limits = Limits::depth(effort.pick(2, 3));
    let mut nodes = [0; 3];
    let spent = fastest::<3>(effort.pick(1, 5), |piece| {
        let spec = format!("alphabeta:eval={},{PLAIN}", EVALUATIONS[piece]);
        nodes[piece] = search_all(&spec, &positions, limits).0;
    });
    for (claim, piece) in [
        ("The ratio of available moves is too expensive", 1),
        ("The ratio of connected components is too expensive", 2),
    ] {
        let (time, nodes) = (times(spent[piece], spent[0]), nodes[piece] as f64 / nodes[0].max(1) as f64);
        section.claim(
            claim,
            Source::Report,
            format!(
                "`alphabeta:eval={},{PLAIN}` to 3 plies on {} positions of games, against `eval=ratio`",
                EVALUATIONS[piece],
                positions.len()
            ),
            format!(
                "{time:.1} times the time, {nodes:.1} times the nodes: {:.1} times the time of a node",
                time / nodes
            ),
            Verdict::of(time >= 2.0),
        );
    }
}

/// A game of a bot against itself: its processor time in seconds, and its plies.
fn self_play(spec: &str, game: u64) -> Option<(f64, f64)> {
    let (game, spent) = time_of(|| ground().game([Side::from(spec); 2], Player::One, game, |_, _, _| {}));
    Some((spent.as_secs_f64(), game?.record.turns().len() as f64))
}

/// What the ratio of moves does to the time of whole games.
pub(super) fn whole_games(effort: Effort) -> Section {
    let mut section = Section::claims(
        "Whole games",
        "Processor time of each game, in one run. The time of games differs much from game to game: the interval is that of the games.",
    );
    let games = effort.pick(1, 60);
    let specs = [0, 1].map(|piece| format!("alphabeta:depth=2,eval={},{PLAIN}", EVALUATIONS[piece]));
    let played: Vec<_> =
        in_parallel(games, |game| Some((self_play(&specs[1], game)?, self_play(&specs[0], game)?)))
            .into_iter()
            .flatten()
            .collect();
    let seconds: Vec<(f64, f64)> = played.iter().map(|(with, without)| (with.0, without.0)).collect();
    let plies: Vec<(f64, f64)> = played.iter().map(|(with, without)| (with.1, without.1)).collect();
    let ((time, interval), (longer, more)) = (ratio(&seconds), ratio(&plies));
    section.claim(
        "The ratio of available moves makes an average game take over 15 times as long",
        Source::Report,
        format!(
            "{games} whole games of `{}` against itself, against `eval=ratio` from the same openings: time and plies",
            specs[1]
        ),
        format!(
            "{time:.1} times the time{}: {longer:.1} times the plies{}, {:.1} times the time of a ply",
            within(interval, 1.0, 1),
            within(more, 1.0, 1),
            time / longer
        ),
        Verdict::above(interval, 15.0),
    );
    section
}

/// How the two ratios of the report go together: one position of each game, so that no two are neighbours.
fn mobility(section: &mut Section, effort: Effort) {
    let (ground, mut pairs) = (ground(), Vec::new());
    for game in 0..effort.pick(10, 300) {
        let wanted = SearchRng::new(game, "which ply").below(40);
        let (mut plies, mut found) = (0, None);
        let _ = ground.game(["greedy", "random"].map(Side::from), Player::One, game, |record, _, _| {
            if plies == wanted {
                found = Some(*record.position());
            }
            plies += 1;
        });
        let Some(position) = found else { continue };
        let ratio = |of: &dyn Fn(Player) -> f64| (of(Player::One) + 1.0) / (of(Player::Two) + 1.0);
        let count = |player| position.move_list(player).as_slice().len() as f64;
        pairs.push((ratio(&count).ln(), ratio(&|player| f64::from(position.tokens(player))).ln()));
    }
    let (r, interval) = correlation(&pairs);
    section.claim(
        "The ratio of moves goes with the ratio of pieces",
        Source::Report,
        format!(
            "one position each of {} games of `greedy` against `random`: correlation of the logarithms of both ratios",
            pairs.len()
        ),
        format!("{r:.2}{}", within(interval, 1.0, 2)),
        Verdict::above(interval, 0.0),
    );
}

fn maps(section: &mut Section, effort: Effort) {
    let (sums, positions) = (KeySums::new(), middles(effort.pick(2, 12)));
    let spent = fastest::<2>(effort.pick(3, 30), |piece| {
        for position in &positions {
            black_box(if piece == 0 { sums.cached(position) } else { KeySums::uncached(position) });
        }
    });
    let faster = times(spent[1], spent[0]);
    section.claim(
        "Keeping the movement maps makes the ordering about 4 times as fast",
        Source::Report,
        "the keys of all moves of the same positions, with kept maps and with maps blurred again for each move",
        format!("{faster:.0} times"),
        Verdict::of(faster >= 4.0),
    );
}

fn stacks(section: &mut Section, effort: Effort) {
    let booms = format!("alphabeta:{}", PLAIN.replace("quiesce=mixed", "quiesce=booms"));
    let positions = STACKS.map(position);
    let stacks = |least: u32, extension: u32| {
        booms.replace("quiesce=booms", &format!("quiesce=booms+stacks,k={least},extension={extension}"))
    };
    let specs = [booms.clone(), stacks(4, 2), stacks(4, 3), stacks(1, 2), stacks(1, 3)];
    let mut nodes = [(0, 0); 5];
    let limits = Limits::depth(effort.pick(2, 3));
    let spent = fastest::<5>(effort.pick(1, 3), |piece| {
        nodes[piece] = search_all(&specs[piece], &positions, limits);
    });
    for (piece, source, which) in [
        (1, Source::Report, "slingshots of stacks of 4, 2 plies"),
        (2, Source::Report, "slingshots of stacks of 4, 3 plies"),
        (3, Source::Beside, "every move to beside an enemy (the authors' test bench), 2 plies"),
        (4, Source::Beside, "every move to beside an enemy (the authors' test bench), 3 plies"),
    ] {
        let below = percent(nodes[piece].1 as f64, nodes[piece].0 as f64);
        section.claim(
            "Searching high stacks on takes a large bulk of the time",
            source,
            format!(
                "four positions with such stacks, `{}`, against `quiesce=booms`: {which} below the horizon",
                specs[piece]
            ),
            format!(
                "{below:.0} % of the nodes are below the horizon, {:.1} times the time",
                times(spent[piece], spent[0])
            ),
            Verdict::of(below >= 50.0),
        );
    }
}

fn playouts(section: &mut Section, effort: Effort) {
    let specs = ["uniform", "nosuicide"].map(|rollout| format!("mcts:iterations=20,rollout={rollout}"));
    let positions: Vec<Position> = (0..effort.pick(1, 6)).map(|seed| *opening(seed).position()).collect();
    let spent = fastest::<2>(effort.pick(1, 3), |piece| {
        for position in &positions {
            black_box(ground().ask(&specs[piece], position, Limits::default()));
        }
    });
    let plies = [false, true].map(|sensible| mean_length(sensible, effort.pick(5, 100)));
    let time = times(spent[1], spent[0]);
    section.claim(
        "Leaving suicide booms out of playouts takes too much time",
        Source::Report,
        format!(
            "`{}` against `{}` after openings: time; and the mean length of 100 such random games",
            specs[1], specs[0]
        ),
        format!(
            "{time:.1} times the time; {:.0} plies instead of {:.0}: {:.1} times the time of a ply",
            plies[1],
            plies[0],
            time * plies[0] / plies[1].max(1.0)
        ),
        Verdict::of(time >= 2.0),
    );
}

/// The mean length of random games, with or without booms that hit no enemy.
fn mean_length(sensible: bool, games: u64) -> f64 {
    let mut plies = 0;
    for game in 0..games {
        let mut record = opening(game);
        let mut rng = SearchRng::new(game, "playout");
        while record.end().is_none() {
            let position = *record.position();
            let beside = position.touching(position.side());
            let mut moves = record.legal_moves(position.to_move());
            if sensible {
                moves.retain(|mv| !mv.is_boom() || beside.contains(mv.from()));
            }
            let Some(&mv) = moves.get(rng.below(moves.len().max(1))) else { break };
            if record.play(mv).is_err() {
                break;
            }
        }
        plies += record.turns().len();
    }
    plies as f64 / games.max(1) as f64
}
