//! Finals in which points decide: round robin and Swiss.

use arena::{Ending, Standings, run};

use super::{FinalResult, Place, Stage};
use crate::program::Failure;
use crate::program::class::settings::FinalFormat;

const RULES: &str = "Places by points; then by the rating from the games of this final; then by fewer losses by a failure; then by \
                     the seed, which is the place in the ladder.";

/// Plays all rounds.
pub(super) fn play(stage: &Stage<'_>) -> Result<FinalResult, Failure> {
    let count = stage.entrants.bots.len();
    let seeds: Vec<usize> = (0..count).collect();
    let (format, rounds) = match stage.settings.format {
        // Two more than a knock-out would have tell the best from the next.
        FinalFormat::Swiss => {
            let enough = count.next_power_of_two().trailing_zeros() + 2;
            (arena::Format::Swiss, stage.settings.rounds.unwrap_or(enough))
        }
        _ => (arena::Format::RoundRobin, stage.settings.pairs),
    };
    let plan = stage.plan(&seeds, format, rounds, stage.ladder.settings.seed);
    let contests = std::slice::from_ref(&stage.ladder.contest);
    let mut told = 0;
    let report = run(
        &plan,
        contests,
        stage.folder.join("journal.jsonl"),
        &stage.options(Vec::new()),
        stage.control,
        &mut |progress| {
            if progress.done / 100 != told {
                told = progress.done / 100;
                errln!("{} of {} games", progress.done, progress.total);
            }
        },
    )
    .map_err(Failure::failed)?;
    if let Some(error) = report.error {
        return Err(Failure::failed(error));
    }
    for problem in &report.tampered {
        errln!("journal: {problem}");
    }
    let tally = &report.results.tallies[0];
    let standings = Standings::new(&plan, 0, tally, None, &report.results.withdrawn);
    let mut rows: Vec<_> = standings.rows.iter().collect();
    rows.sort_by(|a, b| {
        b.points
            .total_cmp(&a.points)
            .then(b.elo.unwrap_or(f64::NEG_INFINITY).total_cmp(&a.elo.unwrap_or(f64::NEG_INFINITY)))
            .then(a.lost_by_failure.cmp(&b.lost_by_failure))
            .then(a.number.cmp(&b.number))
    });
    let places = rows
        .into_iter()
        .enumerate()
        .map(|(number, row)| Place {
            rank: number + 1,
            player: row.bot.clone(),
            name: stage.entrants.names[row.number].clone(),
            seed: row.number + 1,
            result: if row.withdrawn {
                "did not start".to_owned()
            } else {
                format!("{} of {} points", row.points, row.games)
            },
        })
        .collect();
    Ok(FinalResult {
        name: stage.settings.name.text().to_owned(),
        over: report.ending == Ending::Complete,
        places,
        rounds: Vec::new(),
        rules: RULES.to_owned(),
    })
}
