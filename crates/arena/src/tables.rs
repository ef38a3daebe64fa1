//! Standings and crosstables as text, for terminals.

use std::fmt::Write as _;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::standings::{PairingRow, Row, Standings};
use crate::summary::Summary;

/// `+12.3`, or a dash.
fn signed(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.1}"))
}

/// `+12.3 ± 4.5`; the error may be missing.
pub(crate) fn with_error(value: Option<f64>, error: Option<f64>) -> String {
    match (value, error) {
        (None, _) => "-".to_owned(),
        (value, None) => signed(value),
        (value, Some(error)) => format!("{} ± {error:.1}", signed(value)),
    }
}

/// A probability in percent that never claims certainty.
pub(crate) fn percent(probability: Option<f64>) -> String {
    match probability {
        None => "-".to_owned(),
        Some(p) if p > 0.999 => "> 99.9 %".to_owned(),
        Some(p) if p < 0.001 => "< 0.1 %".to_owned(),
        Some(p) => format!("{:.1} %", 100.0 * p),
    }
}

/// Points without a needless `.0`.
pub(crate) fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

fn table(header: Vec<String>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_BORDERS_ONLY).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header);
    table
}

fn align_right(table: &mut Table, columns: std::ops::Range<usize>) {
    for column in columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// The standings of one event.
pub fn standings_table(standings: &Standings) -> String {
    let mut header = vec!["#", "bot", "points", "games", "W-D-L", "Elo"];
    let over = standings.anchor.as_ref().map(|anchor| format!("over {anchor}"));
    header.extend(over.as_deref());
    header.push("LOS next");
    let columns = header.len();
    let mut table = table(header.into_iter().map(str::to_owned).collect());
    for row in &standings.rows {
        let Row { results, .. } = row;
        let mut cells = vec![row.rank.to_string(), row.bot.clone()];
        if row.withdrawn {
            cells.push("withdrawn".to_owned());
            cells.resize(columns, "-".to_owned());
        } else {
            cells.push(points(row.points));
            cells.push(row.games.to_string());
            cells.push(format!("{}-{}-{}", results.wins, results.draws, results.losses));
            cells.push(with_error(row.elo, row.elo_error));
            if over.is_some() {
                cells.push(match row.over_anchor {
                    None => "0".to_owned(),
                    value => with_error(value, row.over_anchor_error),
                });
            }
            cells.push(percent(row.los_next));
        }
        table.add_row(cells.into_iter().map(Cell::new));
    }
    align_right(&mut table, 2..columns);
    align_right(&mut table, 0..1);
    table.to_string()
}

/// Everybody against everybody: the points of the row's bot against the column's.
pub fn crosstable(standings: &Standings) -> String {
    let mut header = vec!["#".to_owned(), "bot".to_owned()];
    header.extend(standings.rows.iter().map(|row| row.rank.to_string()));
    let columns = header.len();
    let mut table = table(header);
    for row in &standings.rows {
        let mut cells = vec![row.rank.to_string(), row.bot.clone()];
        for other in &standings.rows {
            cells.push(match standings.between(&row.bot, &other.bot) {
                _ if row.bot == other.bot => "·".to_owned(),
                None => String::new(),
                Some(results) => format!("{}/{}", points(results.points()), results.games()),
            });
        }
        table.add_row(cells.into_iter().map(Cell::new));
    }
    align_right(&mut table, 2..columns);
    align_right(&mut table, 0..1);
    table.to_string()
}

/// A match of two in a line: the score and the Elo difference with their intervals, and the pairs.
fn match_text(pairing: &PairingRow) -> Option<String> {
    let percent = |score: Option<f64>| score.map(|score| format!("{:.1}", 100.0 * score));
    let PairingRow { first, second, .. } = pairing;
    let mut text = format!("{first} makes {} % against {second}", percent(pairing.score)?);
    // Writing to a string does not fail.
    if let (Some(low), Some(high)) = (percent(pairing.score_low), percent(pairing.score_high)) {
        let _ = write!(text, " ({low} to {high})");
    }
    match (pairing.elo_low, pairing.elo_high) {
        (None, None) => {}
        (Some(low), None) => _ = write!(text, ", Elo above {low:+.1}"),
        (None, Some(high)) => _ = write!(text, ", Elo below {high:+.1}"),
        (Some(low), Some(high)) => {
            let _ = write!(text, ", Elo {} ({low:+.1} to {high:+.1})", signed(pairing.elo));
        }
    }
    let counts = pairing.pairs.counts().map(|count| count.to_string()).join(", ");
    let _ = write!(text, "; pairs from lost twice to won twice: {counts}");
    Some(text)
}

/// One event for the terminal: crosstable, standings, facts and warnings.
pub fn event_text(standings: &Standings) -> String {
    let setup = if standings.setup == "standard" { String::new() } else { format!(" ({})", standings.setup) };
    let mut text = format!("{}{setup}: {} games\n", standings.event, standings.games);
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}\n{}", crosstable(standings), standings_table(standings));
    if let Some(advantage) = standings.advantage {
        let shown = with_error(Some(advantage), standings.advantage_error);
        let _ = writeln!(text, "moving first is worth {shown} Elo");
    }
    if let ([_, _], [pairing]) = (&*standings.rows, &*standings.pairings)
        && let Some(line) = match_text(pairing)
    {
        let _ = writeln!(text, "{line}");
    }
    for warning in &standings.warnings {
        let _ = writeln!(text, "note: {warning}");
    }
    text
}

/// The sequential test for the terminal.
pub fn sprt_text(summary: &Summary) -> Option<String> {
    let sprt = summary.sprt.as_ref()?;
    let counts = sprt.pairs.counts().map(|count| count.to_string()).join(", ");
    let verdict = match sprt.decision {
        None => "still open".to_owned(),
        Some(crate::statistics::Decision::Accepted) => {
            format!("{} is stronger: elo1 = {} is accepted", summary.bots[0].name, sprt.test.elo1)
        }
        Some(crate::statistics::Decision::Rejected) => {
            format!("{} is not stronger: elo0 = {} is accepted", summary.bots[0].name, sprt.test.elo0)
        }
    };
    Some(format!(
        "SPRT {} against {} ({:?} Elo): LLR {:.2} within {:.2} and {:.2} after {} pairs ({counts}): {verdict}",
        sprt.test.elo0,
        sprt.test.elo1,
        sprt.test.model,
        sprt.llr,
        sprt.lower,
        sprt.upper,
        sprt.pairs.pairs(),
    ))
}
