//! Claims of the report that are facts of single positions, and figures it prints.

use agents::expendibots::counted_searches::{boom_map, movement_map};
use expendibots::{Position, Square};
use search_core::{End, Game, Limits, Player, TurnBased};

use super::{FIG1, ground, middles, position};
use crate::commands::tables::section::Source;
use crate::commands::tables::verdict::{Verdict, percent};
use crate::commands::tables::{Effort, Section};

/// The ranks of the report's Figure 4 that the text has, from the corner up; one rank is missing between the corner and the
/// top, and its zeros beyond the board are left out.
const FIGURE_4: [[f64; 8]; 7] = [
    [0.05, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0.0],
    [0.04, 0.04, 0.03, 0.03, 0.02, 0.01, 0.01, 0.0],
    [0.03, 0.03, 0.03, 0.02, 0.01, 0.01, 0.0, 0.0],
    [0.02, 0.02, 0.02, 0.01, 0.01, 0.01, 0.0, 0.0],
    [0.01, 0.01, 0.01, 0.01, 0.01, 0.0, 0.0, 0.0],
    [0.01, 0.01, 0.01, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0; 8],
];

pub(super) fn section(effort: Effort) -> Section {
    let mut section = Section::claims("Facts", "");
    let components = Position::start().components().count();
    section.claim(
        "The start position has 6 components",
        Source::Report,
        "flood fill",
        components.to_string(),
        Verdict::of(components == 6),
    );
    let one = position("8/8/8/3aA3/3Aa3/8/8/8 w 30");
    let end =
        Square::new(4, 4).and_then(|square| one.boom_result(square)).and_then(|result| result.after.end());
    section.claim(
        "With one component on the board any boom draws",
        Source::Report,
        "two stacks a side in one component, a boom",
        end.map_or(String::from("the game goes on"), |end| end.to_string()),
        Verdict::of(end.is_some_and(|end| end.outcome.winner().is_none())),
    );
    let forced = forced_to_win();
    section.claim(
        "A player can force the enemy to win by committing suicide",
        Source::Report,
        "from the start White explodes each of its blocks, Black plays its first quiet move each time",
        forced.map_or(String::from("the game goes on"), |end| end.to_string()),
        Verdict::of(forced.is_some_and(|end| end.outcome.winner() == Some(Player::Two))),
    );
    figures(&mut section);
    monte_carlo(&mut section, effort);
    section.claim(
        "The cover names the tutors' player last, as the strongest",
        Source::Report,
        "that program was never given out",
        "-",
        Verdict::Untestable,
    );
    section
}

/// How the game ends in which White does nothing but explode and Black never does.
fn forced_to_win() -> Option<End> {
    let mut position = Position::start();
    while position.end().is_none() {
        let booms = position.side() == Player::One;
        let moves = position.move_list(position.side());
        let mv = moves.as_slice().iter().copied().find(|mv| mv.is_boom() == booms)?;
        position.play(mv);
    }
    position.end()
}

fn figures(section: &mut Section) {
    let mut worths: Vec<u32> = boom_map(&position(FIG1)).into_iter().map(|(_, worth)| worth).collect();
    worths.sort_unstable();
    section.claim(
        "Figure 2: 4 on the eight squares of the blocks, 1 on d5 and f4, 2 on a3",
        Source::Report,
        "White's boom map in the position of figure 1, worths in ascending order",
        format!("{worths:?}"),
        Verdict::of(worths == [1, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4]),
    );
    for tokens in [2, 3] {
        let ranks: Vec<[f64; 8]> = (0..8).map(|rank| rank_of_map(tokens, rank)).collect();
        let shown: Vec<String> =
            ranks.iter().map(|rank| rank.map(|value| format!("{value:.2}")).join(" ")).collect();
        // Seven of the eight ranks stand in the text, in this order.
        let mut left = ranks.iter();
        let same = FIGURE_4.iter().all(|printed| left.any(|found| rounds_to(found, printed)));
        section.claim(
            "Figure 4 shows the map of a stack of 2 on the corner, 0.05 0.05 0.04 0.03 0.02 0.01 0.01 0 in its first rank",
            Source::Report,
            format!("all ranks of the movement map of {tokens} tokens on a1 against the seven in the text, from a1 up"),
            shown.join("; "),
            Verdict::of(same),
        );
    }
}

fn rank_of_map(tokens: u8, rank: u8) -> [f64; 8] {
    let value = |file: u8| Some(movement_map(tokens, Square::new(0, 0)?, Square::new(file, rank)?));
    std::array::from_fn(|file| value(file as u8).unwrap_or(f64::NAN))
}

/// Whether the numbers are the printed ones when rounded to two decimals.
fn rounds_to(found: &[f64; 8], printed: &[f64; 8]) -> bool {
    found.iter().zip(printed).all(|(found, printed)| (found - printed).abs() <= 0.005_000_1)
}

fn monte_carlo(section: &mut Section, effort: Effort) {
    let spec = "mcts:iterations=300,expand=6";
    let nodes = ground().ask(spec, &Position::start(), Limits::default()).stats.nodes;
    section.claim(
        "Selecting d times with a branching of b keeps about b * d nodes",
        Source::Report,
        format!("nodes of the tree after one move of `{spec}` from the start"),
        format!("{nodes} for 6 * 300 = {}", 6 * 300),
        Verdict::near(nodes as f64, 1800.0, 0.01),
    );
    let kept = |count: u64| percent(count.saturating_sub(6) as f64, count as f64);
    let start = Position::start();
    let first = start.move_count(start.to_move()) as u64;
    let counts: Vec<u64> = middles(effort.pick(2, 12))
        .iter()
        .map(|position| position.move_count(position.to_move()) as u64)
        .collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    let mean = counts.iter().map(|&count| kept(count)).sum::<f64>() / counts.len().max(1) as f64;
    section.claim(
        "Keeping 6 actions leaves out min(0, k - 6) of k",
        Source::Report,
        format!("the formula at the start, k = {first}"),
        format!(
            "{}; {} are left out, which is max(0, k - 6)",
            0.min(first as i64 - 6),
            first.saturating_sub(6)
        ),
        Verdict::of(0.min(first as i64 - 6) == first.saturating_sub(6) as i64),
    );
    section.claim(
        "That leaves out potentially 80 % of the actions",
        Source::Report,
        format!("the start position, and {} positions of games", counts.len()),
        format!(
            "{:.0} % at the start ({first} moves), {mean:.0} % on average, {:.0} % at most",
            kept(first),
            kept(most)
        ),
        Verdict::of(kept(first.max(most)) >= 80.0),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figure_4_is_a_stack_of_three() {
        let ranks: Vec<[f64; 8]> = (0..8).map(|rank| rank_of_map(3, rank)).collect();
        assert!(rounds_to(&ranks[0], &FIGURE_4[0]), "{:?}", ranks[0]);
        assert!(!rounds_to(&rank_of_map(2, 0), &FIGURE_4[0]));
    }
}
