//! What a bot sees, for people: one line while it thinks and when it has answered.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anstyle::Style;
use search_core::{
    Analysis, Answer, Bot, BotFailure, Game, Limits, Player, Record, StopFlag, SystemClock, Task,
};

/// The moves of a mixed strategy that are shown, the likeliest first.
const SHARES_SHOWN: usize = 3;
/// The longest variation that is shown.
const MOVES_SHOWN: usize = 8;
/// Between two updates of the line.
const PAUSE: Duration = Duration::from_millis(100);

/// A number with a letter for its size.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// An analysis in one line.
pub(crate) fn view<M: Display>(analysis: &Analysis<M>) -> String {
    let stats = &analysis.stats;
    let mut parts = vec![format!("depth {}", analysis.depth), format!("score {}", analysis.score)];
    if stats.playouts > 0 {
        parts.push(format!("{} playouts", short(stats.playouts)));
    } else if stats.nodes > 0 {
        parts.push(format!("{} nodes", short(stats.nodes)));
    }
    if !stats.time.is_zero() {
        parts.push(format!("{:.1} s", stats.time.as_secs_f64()));
    }
    let text = parts.join(", ");
    if analysis.pv.is_empty() {
        return text;
    }
    let moves: Vec<String> = analysis.pv.iter().take(MOVES_SHOWN).map(ToString::to_string).collect();
    format!("{text}: {}", moves.join(" "))
}

/// A move that was drawn from a mixed strategy: what from, and what the search saw.
pub(super) fn drawn<M: Copy + Display>(strategy: &[(M, f64)], analysis: &Analysis<M>) -> String {
    let shares = strategy.iter().take(SHARES_SHOWN).map(|(mv, share)| format!("{mv} {:.0} %", 100.0 * share));
    let shares: Vec<String> = shares.collect();
    // The line begins with the likeliest move, which need not be the one that was drawn.
    let seen = view(&Analysis { pv: Vec::new(), ..analysis.clone() });
    format!("drawn from {}; {seen}", shares.join(", "))
}

/// Asks a bot; what it thinks is shown meanwhile on a terminal, unless it is a secret.
pub(super) fn ask<G: Game>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    player: Player,
    limits: Limits,
    secret: bool,
) -> Result<Answer<G::Move>, BotFailure> {
    let live = io::stderr().is_terminal() && !secret;
    let last = Mutex::new(Instant::now());
    let faint = Style::new().dimmed();
    let watch = |analysis: &Analysis<G::Move>| {
        // Only one thread at a time, and nothing is lost if one line is left out.
        let Ok(mut last) = last.try_lock() else { return };
        if last.elapsed() >= PAUSE {
            err!("\r\x1b[2K{faint}{player} thinks: {}{faint:#}", view(analysis));
            let _ = io::stderr().flush();
            *last = Instant::now();
        }
    };
    let task = Task {
        record,
        player,
        limits,
        stop: &StopFlag::new(),
        clock: &SystemClock::new(),
        watch: if live { Some(&watch) } else { None },
    };
    let answer = bot.choose(&task);
    if live {
        err!("\r\x1b[2K");
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use search_core::{Score, Stats};

    #[test]
    fn an_analysis_fits_one_line() {
        let stats = Stats { nodes: 123_456, time: Duration::from_millis(1240), ..Stats::default() };
        let analysis =
            Analysis { score: Score::new(-7), depth: 6, pv: vec![3, 4], stats, ..Analysis::default() };
        assert_eq!(view(&analysis), "depth 6, score -7, 123k nodes, 1.2 s: 3 4");
        let proven = Analysis::<u8> { score: Score::win_in(3), ..Analysis::default() };
        assert_eq!(view(&proven), "depth 0, score win in 3");
    }
}
