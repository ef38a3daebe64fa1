//! The story of a finished game: the score after each move, mistakes marked.

use anstyle::Style;
use comfy_table::{Table, presets};
use search_core::{Active, Analysis, Bot, Game, Limits, Player, Record, Score, Turn, turn_text};

use super::Failure;
use super::thinking::ask;

/// A loss of so much of the worth of a position, of the 2 between lost and won, is a mistake, or a blunder.
const MISTAKE: f64 = 0.25;
const BLUNDER: f64 = 0.5;

/// What a score is worth between -1 (lost) and +1 (won). The units of evaluations differ from game to game, so the scale
/// comes from the game itself.
fn worth(score: Score, scale: f64) -> f64 {
    match score {
        score if score.is_win() => 1.0,
        score if score.is_loss() => -1.0,
        score => {
            let value = f64::from(score.value());
            value / (value.abs() + scale)
        }
    }
}

/// The scale of the heuristic scores of a game, all for the same player: three quarters of them are smaller; and six
/// usual steps from one to the next fit in, so that the trembling of a quiet game is not a row of blunders.
fn scale(scores: &[Score]) -> f64 {
    let values: Vec<i32> =
        scores.iter().filter(|score| !score.is_decided()).map(|score| score.value()).collect();
    let quantile = |mut sizes: Vec<i32>, quarters: usize| {
        sizes.sort_unstable();
        sizes.get(sizes.len() * quarters / 4).copied().unwrap_or(0)
    };
    let sizes = values.iter().map(|value| value.abs()).collect();
    let steps = values.windows(2).map(|two| two[0].abs_diff(two[1]).min(1 << 30) as i32).collect();
    f64::from(quantile(sizes, 3)).max(6.0 * f64::from(quantile(steps, 2))).max(1.0)
}

fn mark(loss: f64) -> &'static str {
    match loss {
        loss if loss >= BLUNDER => "??",
        loss if loss >= MISTAKE => "?",
        _ => "",
    }
}

/// Analyses every position of a game and prints the table.
pub(crate) fn review<G: Game>(
    record: &Record<G>,
    bot: &mut dyn Bot<G>,
    limits: Limits,
    seed: u64,
) -> Result<(), Failure> {
    if record.turns().is_empty() {
        outln!("There is no move to analyse.");
        return Ok(());
    }
    let table = if G::Turn::SIMULTANEOUS {
        review_joint(record, bot, limits, seed)?
    } else {
        review_moves(record, bot, limits, seed)?
    };
    outln!("\n{table}");
    let faint = Style::new().dimmed();
    let legend = if G::Turn::SIMULTANEOUS {
        "score: for p1, before the turn; a dash: the analysis would not have played this"
    } else {
        "score: for p1, after the move; ?: a mistake, ??: a blunder (it gave away an eighth, a quarter of the way from won to lost)"
    };
    outln!("{faint}{legend}{faint:#}");
    Ok(())
}

/// Whether a bot reports what it sees, tried at the start of a game.
pub(crate) fn can_analyse<G: Game>(bot: &mut dyn Bot<G>, record: &Record<G>, seed: u64) -> bool {
    let start = record.without_last(record.turns().len());
    let player = start.position().active().players().next();
    player.is_none_or(|player| look(bot, &start, player, Limits::nodes(100), seed).is_ok())
}

/// What the bot thinks of a position.
fn look<G: Game>(
    bot: &mut dyn Bot<G>,
    record: &Record<G>,
    player: Player,
    limits: Limits,
    seed: u64,
) -> Result<Analysis<G::Move>, Failure> {
    let fail = |failure| Failure::failed(format!("the analysing bot failed, {failure}"));
    bot.new_game(player, seed).map_err(fail)?;
    let answer = ask(bot, record, player, limits, false).map_err(fail)?;
    answer.analysis.ok_or_else(|| {
        Failure::usage(
            "the analysing bot gives no analysis, only moves; choose another with --hints, such as alphabeta",
        )
    })
}

/// The records of a game from its start to its end, one for each position.
fn steps<G: Game>(record: &Record<G>) -> Result<Vec<Record<G>>, Failure> {
    let mut step = Record::new(record.start().clone());
    let mut all = vec![step.clone()];
    for &turn in record.turns() {
        step.play(turn).map_err(Failure::failed)?;
        all.push(step.clone());
    }
    Ok(all)
}

fn heading(table: &mut Table, words: &[&str]) {
    table.load_style(presets::UTF8_BORDERS_ONLY).set_header(words);
}

fn review_moves<G: Game>(
    record: &Record<G>,
    bot: &mut dyn Bot<G>,
    limits: Limits,
    seed: u64,
) -> Result<Table, Failure> {
    let steps = steps(record)?;
    // Scores for the player to move, with the move that was thought best.
    let mut seen: Vec<(Player, Score, String)> = Vec::new();
    for step in &steps {
        let Active::One(player) = step.position().active() else { continue };
        let (score, best) = if let Some(end) = step.end() {
            (Score::of_outcome(end.outcome, player, 0), String::new())
        } else {
            let analysis = look(bot, step, player, limits, seed)?;
            (analysis.score, analysis.best.map_or(String::new(), |best| best.to_string()))
        };
        seen.push((player, score, best));
    }
    let for_one = |(player, score, _): &(Player, Score, String)| match player {
        Player::One => *score,
        Player::Two => -*score,
    };
    let scores: Vec<Score> = seen.iter().map(for_one).collect();
    let scale = scale(&scores);
    let mut table = Table::new();
    heading(&mut table, &["ply", "player", "move", "", "score", "better"]);
    for (index, (&turn, pair)) in record.turns().iter().zip(seen.windows(2)).enumerate() {
        let [(player, before, best), (next, after, _)] = pair else { continue };
        // Some games let one player move twice.
        let after_for = |who: Player| if *next == who { *after } else { -*after };
        let text = turn_text::<G>(steps[index].position().active(), turn);
        // What the analysis would have played itself is not called a mistake, whatever it finds out a move later.
        let loss = worth(*before, scale) - worth(after_for(*player), scale);
        let mark = if *best == text { "" } else { mark(loss) };
        let better = if mark.is_empty() { "" } else { best };
        table.add_row([
            (index + 1).to_string(),
            player.to_string(),
            text,
            mark.to_owned(),
            after_for(Player::One).to_string(),
            better.to_owned(),
        ]);
    }
    Ok(table)
}

fn review_joint<G: Game>(
    record: &Record<G>,
    bot: &mut dyn Bot<G>,
    limits: Limits,
    seed: u64,
) -> Result<Table, Failure> {
    let mut table = Table::new();
    heading(&mut table, &["turn", "p1", "p2", "score", "p1's chances", "p2's chances"]);
    let steps = steps(record)?;
    for (index, &turn) in record.turns().iter().enumerate() {
        let step = &steps[index];
        let active = step.position().active();
        let mut cells = vec![(index + 1).to_string()];
        cells.extend(
            active.players().filter_map(|player| turn.move_of(active, player)).map(|mv| mv.to_string()),
        );
        let mut chances = Vec::new();
        for player in Player::BOTH {
            let analysis = look(bot, step, player, limits, seed)?;
            if player == Player::One {
                cells.push(analysis.score.to_string());
            }
            chances.push(match turn.move_of(active, player) {
                Some(mv) => chance(&analysis, player, mv),
                None => String::new(),
            });
        }
        cells.extend(chances);
        table.add_row(cells);
    }
    Ok(table)
}

/// How likely the analysis would have played a move.
fn chance<M: PartialEq + Copy>(analysis: &Analysis<M>, player: Player, mv: M) -> String {
    let weight = match &analysis.mixed {
        Some(mixed) => {
            mixed.strategies[player.index()].iter().find(|(known, _)| *known == mv).map(|(_, weight)| *weight)
        }
        None => analysis.root.iter().find(|root| root.mv == mv).map(|root| root.weight),
    };
    match weight {
        Some(weight) if weight > 0.0 => format!("{:.0} %", weight * 100.0),
        _ if analysis.best == Some(mv) => "best".to_owned(),
        _ => "-".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worth_grows_with_the_score_and_ends_at_one() {
        assert_eq!(worth(Score::win_in(5), 10.0), 1.0);
        assert_eq!(worth(Score::loss_in(5), 10.0), -1.0);
        assert_eq!(worth(Score::new(10), 10.0), 0.5);
        assert!(worth(Score::new(-40), 10.0) > -1.0);
    }

    #[test]
    fn the_scale_comes_from_the_game() {
        // A game that one side wins slowly, and one that trembles around nothing.
        let scores: Vec<Score> = [1, 2, 3, 100, 101, 102, 103, 104].map(Score::new).to_vec();
        assert_eq!(scale(&scores), 103.0);
        let scores: Vec<Score> = [5, -5, 5, -5, 5].map(Score::new).to_vec();
        assert_eq!(scale(&scores), 60.0);
        assert_eq!(scale(&[Score::win_in(1)]), 1.0);
        assert_eq!((mark(0.6), mark(0.3), mark(0.1)), ("??", "?", ""));
    }
}
