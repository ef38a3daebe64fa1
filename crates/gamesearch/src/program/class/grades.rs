//! Grades: one line for each team, for a spreadsheet.

use std::collections::BTreeMap;

use arena::csv_text;
use search_core::FailureKind;

use super::finals;
use super::ladder::Ladder;
use super::ladder::table::Table;
use super::roster::Roster;
use crate::program::Failure;

/// Whether a player has shown that it is stronger than a reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beats {
    /// The whole 95 % interval of the difference is above zero.
    Yes,
    /// All of it is below.
    No,
    /// Zero is in it, or they have not been compared.
    Open,
}

impl Beats {
    fn word(self) -> &'static str {
        match self {
            Beats::Yes => "yes",
            Beats::No => "no",
            Beats::Open => "not shown",
        }
    }
}

fn beats(difference: Option<f64>, error: Option<f64>) -> Beats {
    match (difference, error) {
        (Some(difference), Some(error)) if difference - error > 0.0 => Beats::Yes,
        (Some(difference), Some(error)) if difference + error < 0.0 => Beats::No,
        _ => Beats::Open,
    }
}

/// The grades as a table in CSV.
pub(crate) fn csv(ladder: &Ladder<'_>) -> Result<String, Failure> {
    let settings = ladder.settings;
    let (roster, plan, counts, table) = ladder.table(None)?;
    let mut against: Vec<(String, BTreeMap<String, Beats>)> = Vec::new();
    for reference in &settings.grades.beat {
        let measured = Table::new(&plan, &counts.pairings, Some(reference.text()));
        let rows = measured.standings.rows.iter().filter(|row| row.games > 0);
        let verdicts =
            rows.map(|row| (row.bot.clone(), beats(row.over_anchor, row.over_anchor_error))).collect();
        against.push((reference.text().to_owned(), verdicts));
    }
    let finals = finals::results(ladder.home.root());
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut head: Vec<String> = [
        "rank",
        "team",
        "score",
        "elo",
        "elo_low",
        "elo_high",
        "provisional",
        "games",
        "won",
        "drawn",
        "lost",
    ]
    .map(str::to_owned)
    .to_vec();
    head.extend(FailureKind::ALL.iter().map(|kind| format!("failed_by_{kind}")));
    head.extend(against.iter().map(|(name, _)| format!("beats_{name}")));
    head.extend(finals.iter().map(|result| format!("final_{}", result.name)));
    head.push("state".to_owned());
    writer.write_record(&head).map_err(Failure::failed)?;
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1}"));
    let mut rank = 0;
    let mut graded = Vec::new();
    for row in &table.standings.rows {
        let Some(team) = Roster::team_of(&row.bot) else { continue };
        rank += 1;
        graded.push(team.to_owned());
        let (elo, error) = (row.elo.filter(|_| row.games > 0), row.elo_error.filter(|_| row.games > 0));
        let end = |sign: f64| Some(elo? + sign * error?);
        let provisional = error.is_none_or(|error| error > settings.ladder.provisional);
        let failures = counts.players.get(&row.bot).map(|player| &player.failures);
        let mut line = vec![
            rank.to_string(),
            csv_text(roster.name_of(&row.bot)),
            row.results.score().map_or(String::new(), |score| format!("{score:.4}")),
            number(elo),
            number(end(-1.0)),
            number(end(1.0)),
            provisional.to_string(),
            row.games.to_string(),
            row.results.wins.to_string(),
            row.results.draws.to_string(),
            row.results.losses.to_string(),
        ];
        line.extend(FailureKind::ALL.iter().map(|kind| {
            failures.and_then(|failures| failures.get(&kind.to_string())).copied().unwrap_or(0).to_string()
        }));
        line.extend(
            against.iter().map(|(_, verdicts)| {
                verdicts.get(&row.bot).copied().unwrap_or(Beats::Open).word().to_owned()
            }),
        );
        line.extend(finals.iter().map(|result| {
            let place = result.places.iter().find(|place| Roster::team_of(&place.player) == Some(team));
            place.map_or(String::new(), |place| place.rank.to_string())
        }));
        let refused = roster.teams.get(team).and_then(|team| team.judged.as_ref());
        let state = match refused {
            Some(judged) if !judged.accepted => "plays; the newest submission was refused",
            _ => "plays",
        };
        line.push(state.to_owned());
        writer.write_record(&line).map_err(Failure::failed)?;
    }
    // A team that does not play has a line as well, so that none is forgotten.
    for (_, known) in roster.teams.iter().filter(|(team, _)| !graded.contains(team)) {
        let mut line = vec![String::new(); head.len()];
        line[1] = csv_text(&known.name);
        line[head.len() - 1] = match &known.entry {
            Some(entry) if entry.out.is_some() => "does not start any more".to_owned(),
            _ => "no good submission".to_owned(),
        };
        writer.write_record(&line).map_err(Failure::failed)?;
    }
    let bytes = writer.into_inner().map_err(Failure::failed)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_is_beaten_by_the_whole_interval() {
        assert_eq!(beats(Some(50.0), Some(49.0)), Beats::Yes);
        assert_eq!(beats(Some(50.0), Some(51.0)), Beats::Open);
        assert_eq!(beats(Some(-50.0), Some(49.0)), Beats::No);
        assert_eq!(beats(Some(900.0), None), Beats::Open);
        assert_eq!(beats(None, None), Beats::Open);
    }
}
