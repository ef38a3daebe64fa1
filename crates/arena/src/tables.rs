//! Standings and crosstables as text, for terminals.

use std::fmt::Write as _;
use std::time::Duration;

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table, presets};

use crate::pairings::PairingRow;
use crate::shown::shown;
use crate::standings::{Row, Standings};
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

/// `+12.3 (+4.5 to +20.1)`, `above +28.4`, `below -28.4`: an Elo difference with its 95 % interval. Where all games went one
/// way there is a bound and no value.
pub(crate) fn difference(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    match (low, high) {
        (None, None) => signed(value),
        (Some(low), None) => format!("above {low:+.1}"),
        (None, Some(high)) => format!("below {high:+.1}"),
        (Some(low), Some(high)) => format!("{} ({low:+.1} to {high:+.1})", signed(value)),
    }
}

/// The difference of a match of two as the bot `name` sees it, of the games that count and of the others beside.
pub(crate) fn match_difference(pairing: &PairingRow, name: &str) -> [Option<String>; 2] {
    let seen = |value: Option<f64>, low: Option<f64>, high: Option<f64>| {
        // Adding zero turns the -0 of an even match into 0.
        let turned = |value: Option<f64>| value.map(|value| 0.0 - value);
        if pairing.first == name {
            difference(value, low, high)
        } else {
            difference(turned(value), turned(high), turned(low))
        }
    };
    let beside = pairing.beside().map(|beside| seen(beside.elo, beside.elo_low, beside.elo_high));
    [Some(seen(pairing.elo, pairing.elo_low, pairing.elo_high)), beside]
}

/// `0.4 µs`, `12.3 ms`, `1.5 s`.
pub(crate) fn time_text(time: Duration) -> String {
    let micros = time.as_nanos() as f64 / 1e3;
    if micros < 1000.0 {
        format!("{micros:.1} µs")
    } else if micros < 1e6 {
        format!("{:.1} ms", micros / 1000.0)
    } else {
        format!("{:.1} s", micros / 1e6)
    }
}

/// The columns of standings behind the bot's name, and their cells for each row: what terminal and page show alike.
pub(crate) fn columns(standings: &Standings) -> (Vec<String>, Vec<Vec<String>>) {
    let duel = standings.match_of_two();
    let failures = standings.has_failures();
    let over =
        standings.anchor.as_ref().filter(|_| duel.is_none()).map(|name| format!("over {}", shown(name)));
    let mut header: Vec<String> = ["points", "games", "W-D-L"].map(str::to_owned).into();
    let timed = standings.rows.iter().any(|row| row.time_per_move.is_some());
    if timed {
        header.push("time/move".to_owned());
    }
    header.push(if duel.is_some() { "Elo difference" } else { "Elo" }.to_owned());
    header.extend(over.clone());
    header.push(if duel.is_some() { "LOS" } else { "LOS next" }.to_owned());
    if failures {
        let beside = if standings.no_faults { "Elo of all games" } else { "Elo without" };
        header.extend(["by failure".to_owned(), beside.to_owned()]);
    }
    let cells = |row: &Row| {
        let Row { results, .. } = row;
        if row.withdrawn {
            let mut cells = vec!["withdrawn".to_owned()];
            cells.resize(header.len(), "-".to_owned());
            return cells;
        }
        let mut cells = vec![
            points(row.points),
            row.games.to_string(),
            format!("{}-{}-{}", results.wins, results.draws, results.losses),
        ];
        if timed {
            cells.push(row.time_per_move.map_or_else(|| "-".to_owned(), time_text));
        }
        let (other, other_error) = row.beside();
        let [main, beside] = match duel {
            Some(pairing) => match_difference(pairing, &row.bot),
            None => [Some(with_error(row.elo, row.elo_error)), Some(with_error(other, other_error))],
        };
        cells.extend(main);
        if over.is_some() {
            cells.push(match row.over_anchor {
                None if standings.anchor.as_ref() == Some(&row.bot) => "0".to_owned(),
                value => with_error(value, row.over_anchor_error),
            });
        }
        cells.push(percent(row.los_next));
        if failures {
            cells.push(format!("{}-{}", row.won_by_failure, row.lost_by_failure));
            cells.push(beside.unwrap_or_else(|| "-".to_owned()));
        }
        cells
    };
    let rows = standings.rows.iter().map(cells).collect();
    (header, rows)
}

/// The standings of one event.
pub fn standings_table(standings: &Standings) -> String {
    let (header, rows) = columns(standings);
    let columns = header.len() + 2;
    let mut table = table(["#", "bot"].map(str::to_owned).into_iter().chain(header).collect());
    for (row, cells) in standings.rows.iter().zip(rows) {
        let first = [row.rank.to_string(), shown(&row.bot).into_owned()];
        table.add_row(first.into_iter().chain(cells).map(Cell::new));
    }
    align_right(&mut table, 2..columns);
    align_right(&mut table, 0..1);
    table.to_string()
}

/// With more bots a crosstable is wider than any terminal.
const CROSSTABLE_BOTS: usize = 40;

/// All against all: the points of the row's bot against the column's.
pub fn crosstable(standings: &Standings) -> String {
    let bots = standings.rows.len();
    if bots > CROSSTABLE_BOTS {
        return format!("(no crosstable of {bots} bots here: summary.json has every pairing)");
    }
    let mut header = vec!["#".to_owned(), "bot".to_owned()];
    header.extend(standings.rows.iter().map(|row| row.rank.to_string()));
    let columns = header.len();
    let mut table = table(header);
    for row in &standings.rows {
        let mut cells = vec![row.rank.to_string(), shown(&row.bot).into_owned()];
        for other in &standings.rows {
            cells.push(match standings.between(row, other) {
                _ if row.number == other.number => "·".to_owned(),
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

/// A match of two in a line: the score and the Elo difference with their interval, which is one on two scales, and the pairs.
pub(crate) fn match_text(pairing: &PairingRow) -> Option<String> {
    let percent = |score: Option<f64>| score.map(|score| format!("{:.1}", 100.0 * score));
    let PairingRow { first, second, .. } = pairing;
    let mut text = format!("{} makes {} % against {}", shown(first), percent(pairing.score)?, shown(second));
    // Writing to a string does not fail.
    if let (Some(low), Some(high)) = (percent(pairing.score_low), percent(pairing.score_high)) {
        let [main, _] = match_difference(pairing, first);
        let _ = write!(
            text,
            " ({low} to {high}), Elo {}: the same 95 % interval on both scales",
            main.unwrap_or_default()
        );
    }
    let counts = pairing.pairs.counts().map(|count| count.to_string()).join(", ");
    let _ = write!(text, "; pairs from lost twice to won twice: {counts}");
    Some(text)
}

/// One event for the terminal: crosstable, standings, facts and warnings.
pub fn event_text(standings: &Standings) -> String {
    let setup =
        if standings.setup == "standard" { String::new() } else { format!(" ({})", shown(&standings.setup)) };
    let mut text = format!("{}{setup}: {} games\n", shown(&standings.event), standings.games);
    // Writing to a string does not fail.
    let _ = writeln!(text, "{}\n{}", crosstable(standings), standings_table(standings));
    if let Some(advantage) = standings.advantage {
        let shown = with_error(Some(advantage), standings.advantage_error);
        let _ = writeln!(text, "moving first is worth {shown} Elo");
    }
    if let Some(line) = standings.match_of_two().and_then(match_text) {
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
    let first = shown(&summary.bots[0].name);
    let verdict = match sprt.decision {
        None => "still open".to_owned(),
        Some(crate::statistics::Decision::Accepted) => {
            format!("{first} is stronger: elo1 = {} is accepted", sprt.test.elo1)
        }
        Some(crate::statistics::Decision::Rejected) => {
            format!("{first} is not stronger: elo0 = {} is accepted", sprt.test.elo0)
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
