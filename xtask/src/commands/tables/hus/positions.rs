//! What the Hus report says about the game itself: how long it lasts, what a gain is worth, how far one can see.

use hus::Position;
use search_core::{Game, Limits, Player, SearchRng, TurnBased, perft};

use super::{ground, sample};
use crate::commands::tables::matches::Side;
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Share, Verdict, correlation, within};
use crate::commands::tables::{Effort, Section, in_parallel};

/// Plies and ends of random games.
pub(super) fn random_games(effort: Effort) -> Section {
    let games = effort.pick(500, 20_000);
    let mut rng = SearchRng::new(1, "random games");
    let mut plies = Vec::new();
    let mut ends = [("no-moves", 0_u64), ("infinite-move", 0), ("turn-limit", 0)];
    for _ in 0..games {
        let mut position = Position::start();
        let mut turns = 0_u32;
        while let Some(pit) = position.sample(position.to_move(), &mut rng) {
            position.play(pit);
            turns += 1;
        }
        plies.push(turns);
        for (reason, count) in &mut ends {
            *count += u64::from(position.end().is_some_and(|end| end.reason == *reason));
        }
    }
    plies.sort_unstable();
    let at = |share: f64| plies[((plies.len() - 1) as f64 * share) as usize];
    let mean = f64::from(plies.iter().sum::<u32>()) / plies.len() as f64;
    let mut section = Section::claims(
        "Random games",
        "The report prints no figures. Very long is read as: longer than 500 plies, half of the games.",
    );
    section.claim(
        "Random games can last very long",
        Source::Report,
        format!("{games} random games, plies"),
        format!(
            "mean {mean:.1}, median {}, 90 % {}, 99 % {}, longest {}",
            at(0.5),
            at(0.9),
            at(0.99),
            at(1.0)
        ),
        Verdict::of(at(0.5) > 500),
    );
    let no_moves = Share { part: ends[0].1, whole: games };
    section.claim(
        "It is almost a coincidence that such a game ends",
        Source::Report,
        "how the same games ended: because a player had no move, rather than by the turn limit or an infinite move",
        format!("{no_moves}; infinite moves {}, turn limit {}", ends[1].1, ends[2].1),
        Verdict::below(no_moves.interval(), 0.5),
    );
    section
}

pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims("Positions", "");
    gain_and_victory(&mut section, effort);
    fading(&mut section, effort);
    by_moves(&mut section, effort);
    horizon(&mut section, effort);
    accident(&mut section, effort);
    let leaves = perft(&Position::start(), effort.pick(4, 6));
    let bytes = leaves * size_of::<Position>() as u64;
    section.claim(
        "Breadth-first search needs very much memory",
        Source::Report,
        "the positions after 6 plies from the start, each as one state of this engine, against the 0.5 GB of the contest",
        format!("{leaves} positions, {:.2} GB", bytes as f64 / 1e9),
        Verdict::of(bytes > 500_000_000),
    );
    section.claim(
        "A table of states near the end would not fit into the 10 MB of a submission",
        Source::Report,
        "boards of 96 seeds in 64 pits, C(159, 63): all seeds stay on the board, so there is no small endgame to tabulate",
        format!("about 10^{:.0} boards", boards_log10()),
        Verdict::of(boards_log10() > 7.0),
    );
    section.claim(
        "A neural network from the board to the move would not work well",
        Source::Report,
        "the report tried none; a network that judges positions is part of our `champion` (docs/strength/hus.md)",
        "-",
        Verdict::Untestable,
    );
    section.claim(
        "A supercomputer behind the network would be better",
        Source::Report,
        "the report did not try; the rules of the contest would have to allow it",
        "-",
        Verdict::Untestable,
    );
    section
}

/// How the gain of one move and the end of the game go together: one ply of each game.
fn gain_and_victory(section: &mut Section, effort: Effort) {
    let games = effort.pick(20, 600);
    for spec in ["random", "greedy"] {
        let found = in_parallel(games, |game| {
            let wanted = 6 + SearchRng::new(game, "which ply").below(30);
            let (mut plies, mut gained) = (0, None);
            let seat = Player::One;
            let game = ground().game([Side::from(spec); 2], seat, game, |record, player, answer| {
                if plies == wanted {
                    let before = record.position();
                    let after = before.after(answer.mv);
                    gained = Some((player, f64::from(after.seeds(player)) - f64::from(before.seeds(player))));
                }
                plies += 1;
            })?;
            let (player, gain) = gained?;
            let end = game.record.end()?;
            Some((gain, f64::from(end.outcome.sign(player))))
        });
        let pairs: Vec<(f64, f64)> = found.into_iter().flatten().collect();
        let (r, interval) = correlation(&pairs);
        section.claim(
            "A gain of the moment and victory correlate little",
            Source::Report,
            format!(
                "one move each of {} games of `{spec}` against itself, ply 6 to 35: the seeds it gained and whether its player \
                 won (little: the interval ends below 0.3)",
                pairs.len()
            ),
            format!("{r:.2}{}", within(interval, 1.0, 2)),
            Verdict::below(interval, 0.3),
        );
    }
}

/// How long a lead in seeds lasts: its correlation with the lead some plies later.
fn fading(section: &mut Section, effort: Effort) {
    const LATER: [usize; 3] = [2, 6, 12];
    let games = effort.pick(20, 600);
    let found = in_parallel(games, |game| {
        let wanted = 6 + SearchRng::new(game, "which ply").below(30);
        let mut leads = Vec::new();
        let _ = ground().game([Side::from("greedy"); 2], Player::One, game, |record, _, _| {
            let position = record.position();
            leads.push(f64::from(position.seeds(Player::One)) - f64::from(position.seeds(Player::Two)));
        });
        LATER.map(|plies| leads.get(wanted).copied().zip(leads.get(wanted + plies).copied()))
    });
    let correlations = [0, 1, 2].map(|later| {
        let pairs: Vec<(f64, f64)> = found.iter().filter_map(|leads| leads[later]).collect();
        correlation(&pairs)
    });
    let shown = LATER
        .iter()
        .zip(&correlations)
        .map(|(plies, (r, interval))| format!("after {plies} plies {r:.2}{}", within(*interval, 1.0, 2)));
    section.claim(
        "Most static reasoning is irrelevant past a few moves",
        Source::Report,
        format!(
            "{games} games of `greedy` against itself, ply 6 to 35: the lead in seeds and the lead some plies later (irrelevant: the \
             interval after 6 plies ends below 0.3)"
        ),
        shown.collect::<Vec<_>>().join(", "),
        Verdict::below(correlations[1].1, 0.3),
    );
}

/// What the best move gains, by the moves there are.
fn by_moves(section: &mut Section, effort: Effort) {
    let positions = sample(effort.pick(30, 600));
    let mut pairs = Vec::new();
    let mut sums = [(0.0, 0_u32); 4];
    for position in &positions {
        let mover = position.to_move();
        let moves = position.move_list(mover);
        let seeds = |next: &Position| f64::from(next.seeds(mover));
        let gain = moves.iter().map(|&pit| seeds(&position.after(pit)) - seeds(position)).fold(0.0, f64::max);
        pairs.push((moves.len() as f64, gain));
        let class = &mut sums[(moves.len() / 6).min(3)];
        *class = (class.0 + gain, class.1 + 1);
    }
    let means: Vec<String> = ["up to 5", "6 to 11", "12 to 17", "18 or more"]
        .iter()
        .zip(sums)
        .map(|(moves, (gain, count))| {
            format!("{moves} moves {:.1} ({count})", gain / f64::from(count.max(1)))
        })
        .collect();
    let (r, interval) = correlation(&pairs);
    section.claim(
        "The value of the best move goes with the number of moves",
        Source::Report,
        format!(
            "{} positions of games of `greedy`: the seeds that the best move wins at once",
            positions.len()
        ),
        format!(
            "correlation {r:.2}{}; seeds by moves (positions): {}",
            within(interval, 1.0, 2),
            means.join(", ")
        ),
        Verdict::above(interval, 0.0),
    );
}

/// How often the move of one depth turns out worth less by ten seeds or more one ply further.
fn horizon(section: &mut Section, effort: Effort) {
    let positions = sample(effort.pick(10, 300));
    for depth in [3, 5] {
        let spec = format!("alphabeta:hash=1,depth={depth}");
        let failed = Share::count(in_parallel(positions.len() as u64, |index| {
            let position = &positions[index as usize];
            let ask = |position: &Position| ground().ask(&spec, position, Limits::default());
            let before = ask(position);
            let Some(next) = before.best.map(|mv| position.after(mv)) else { return false };
            if next.end().is_some() {
                return false;
            }
            // Seen from the other side, one ply further than before; a seed counts twice in the score.
            -ask(&next).score.value() + 20 <= before.score.value()
        }));
        section.claim(
            "A move that looks best to some depth can be a catastrophe right after",
            Source::Report,
            format!(
                "{} positions of games of `greedy`: the move of `{spec}`, searched one ply deeper, is worth less by ten seeds or \
                 more (sometimes: more often than 1 in 100)",
                positions.len()
            ),
            failed.to_string(),
            Verdict::above(failed.interval(), 0.01),
        );
    }
}

/// What one random move costs.
fn accident(section: &mut Section, effort: Effort) {
    let positions = sample(effort.pick(10, 300));
    let lost = in_parallel(positions.len() as u64, |index| {
        let position = positions[index as usize];
        let mover = position.to_move();
        let random = position.sample(mover, &mut SearchRng::new(index, "accident"))?;
        let value = |next: &Position| {
            if let Some(end) = next.end() {
                return 200 * end.outcome.sign(mover);
            }
            let score = -ground().ask("alphabeta:hash=1,depth=4", next, Limits::default()).score.value();
            score.clamp(-200, 200)
        };
        let best = ground().ask("alphabeta:hash=1,depth=5", &position, Limits::default()).best?;
        Some(f64::from(value(&position.after(best)) - value(&position.after(random))) / 2.0)
    });
    let lost: Vec<f64> = lost.into_iter().flatten().collect();
    let mean = lost.iter().sum::<f64>() / lost.len().max(1) as f64;
    let drastic = Share::count(lost.iter().map(|&seeds| seeds >= 10.0));
    section.claim(
        "One random move after a time-out can change the game drastically",
        Source::Report,
        format!(
            "{} positions of games of `greedy`: the value of a random move against the best of `alphabeta:depth=5`, in seeds \
             (drastic: ten or more; can: more often than 1 in 10)",
            lost.len()
        ),
        format!("{mean:.1} seeds on average; ten or more in {drastic}"),
        Verdict::above(drastic.interval(), 0.1),
    );
}

/// The decimal logarithm of the number of ways to lay 96 seeds into 64 pits.
fn boards_log10() -> f64 {
    (1..=63).map(|k| f64::from(96 + k).log10() - f64::from(k).log10()).sum()
}
