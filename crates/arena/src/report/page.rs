//! The page itself.

use std::time::Duration;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::ReportInput;
use super::film::Reel;
use super::plot;
use crate::plan::BotPlan;
use crate::shown::shown;
use crate::standings::Standings;
use crate::statistics::Trinomial;
use crate::summary::{EventSummary, Summary, TimeScale};
use crate::tables::{columns, match_text, points, sprt_text, time_text, with_error};
use crate::tally::{BotTally, Tally};

/// One event of the page.
pub(super) struct EventPage<'a> {
    pub(super) summary: &'a EventSummary,
    pub(super) tally: &'a Tally,
    pub(super) bots: &'a [BotPlan],
    pub(super) reel: &'a Reel,
    /// Side files with the number of their games.
    pub(super) side: &'a [(String, usize)],
    /// Games that stand in the journal only.
    pub(super) left_out: u64,
}

pub(super) fn render(input: &ReportInput<'_>, events: &[EventPage<'_>]) -> String {
    let summary = input.summary;
    let title = "Tournament report";
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="data:,";
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                header {
                    h1 { (title) }
                    (facts(input, summary))
                    @if !summary.not_reproducible.is_empty() {
                        p.note { "Not reproducible: " (summary.not_reproducible.join("; ")) "." }
                    }
                    @if !summary.time_scales.is_empty() {
                        p.note {
                            "Limits in time were multiplied by the speed of the machine that planned the run over that of the machine "
                            "that played, in nodes per second: "
                            (summary.time_scales.iter().map(TimeScale::text).collect::<Vec<_>>().join(", ")) "."
                        }
                    }
                    @if let Some(text) = sprt_text(summary) { p.note { (text) } }
                }
                nav { div {
                    @for event in events {
                        @let name = &event.summary.standings.event;
                        a href={ "#" (anchor(name)) } { (shown(name)) }
                    }
                } }
                main { @for event in events { (section(event)) } }
                footer {
                    p {
                        "Every opening is played twice with the seats swapped; errors are 95 % intervals by pairs. "
                        "Ratings come from all pairings together, sum to zero, and hold two virtual draws for each bot, so "
                        "that they are finite. A match of two has one difference instead, that of its pairs, and its interval is "
                        "the same on the scales of score and Elo. LOS is the likelihood that a bot is stronger than the next one."
                    }
                    p { "Plan " code { (summary.plan) } }
                }
                script { (PreEscaped(include_str!("script.js"))) }
            }
        }
    };
    page.into_string()
}

fn facts(input: &ReportInput<'_>, summary: &Summary) -> Markup {
    let format = match summary.format {
        crate::schedule::Format::RoundRobin => "round robin",
        crate::schedule::Format::Gauntlet => "gauntlet",
        crate::schedule::Format::Swiss => "Swiss",
    };
    html! {
        div.facts {
            span { (summary.games_finished) " of " (summary.games_planned) " games" }
            span { (format) ", " (summary.rounds) " rounds" }
            span { (summary.bots.len()) " bots" }
            span { "seed " (summary.seed) }
            @if let Some((seconds, jobs)) = input.duration {
                span { (format!("{seconds:.1}")) " s with " (jobs) " jobs" }
            }
        }
        @if let Some(machine) = input.machine {
            div.facts {
                span { (machine.processor) ", " (machine.cores) " cores" }
                span { (machine.system) }
                span { (machine.compiler) }
                span { "version " (machine.version) }
            }
            @for (load, when) in machine.loads.iter().zip(["Before", "After"]) {
                p.note {
                    (when) " the games " (load)
                    @if load.is_busy() { ": the machine was too busy for limits in time to mean much" }
                    "."
                }
            }
        }
    }
}

/// A name as a fragment of an address.
fn anchor(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn section(event: &EventPage<'_>) -> Markup {
    let (summary, standings) = (event.summary, &event.summary.standings);
    html! {
        section id=(anchor(&standings.event)) {
            h2 { (shown(&standings.event)) }
            div.facts {
                span { (standings.games) " games, " (summary.distinct_games) " different" }
                @if standings.setup != "standard" { span { "set-up " (shown(&standings.setup)) } }
                span { "openings " (shown(&summary.openings)) }
                @if let Some(lengths) = &summary.lengths {
                    span { (lengths.shortest) " to " (lengths.longest) " turns, half of the games at most " (lengths.median) }
                }
            }
            @for warning in &standings.warnings { p.note { (warning) } }
            div.card { h3 { "Standings" } (standings_table(standings, summary)) }
            div.card { h3 { "Crosstable: points of the row against the column" } (crosstable(standings)) }
            div.grid {
                (card("Ratings", &plot::ratings(standings)))
                (card("Game lengths", &plot::lengths(&summary.length_counts)))
                (card("Time per move", &times(event)))
                (thinking(event))
                (first_mover(event))
                (card("End reasons", &reasons(summary)))
            }
            (games(event))
        }
    }
}

fn card(title: &str, svg: &str) -> Markup {
    html! { @if !svg.is_empty() { div.card { h3 { (title) } (PreEscaped(svg)) } } }
}

fn standings_table(standings: &Standings, summary: &EventSummary) -> Markup {
    let (header, rows) = columns(standings);
    html! {
        table {
            thead { tr {
                th { "#" } th.left { "bot" }
                @for title in &header { th { (title) } }
                th.left { "limits" }
            } }
            tbody {
                @for (row, cells) in standings.rows.iter().zip(&rows) { tr {
                    td { (row.rank) }
                    td.left { (shown(&row.bot)) }
                    @if row.withdrawn {
                        td colspan=(header.len() + 1) { "withdrawn" }
                    } @else {
                        @for cell in cells { td { (cell) } }
                        td.left { (summary.limits.get(&row.bot).map_or("".into(), |limits| shown(limits))) }
                    }
                } }
            }
        }
        @if let Some(line) = standings.match_of_two().and_then(match_text) { p.note { (line) } }
    }
}

/// With more bots a crosstable has more cells than a browser likes.
const CROSSTABLE_BOTS: usize = 200;

fn crosstable(standings: &Standings) -> Markup {
    let bots = standings.rows.len();
    if bots > CROSSTABLE_BOTS {
        return html! { p.note { "No crosstable of " (bots) " bots: summary.json has every pairing." } };
    }
    html! {
        table.cross {
            thead { tr {
                th { "#" } th.left { "bot" }
                @for row in &standings.rows { th style="text-align:center" { (row.rank) } }
            } }
            tbody {
                @for row in &standings.rows { tr {
                    td { (row.rank) }
                    td.left { (shown(&row.bot)) }
                    @for other in &standings.rows {
                        @match standings.between(row, other) {
                            Some(results) if row.number != other.number => { (cell(results)) }
                            _ => { td { "·" } }
                        }
                    }
                } }
            }
        }
    }
}

/// A result on a ground between the colours of losing and winning.
fn cell(results: Trinomial) -> Markup {
    let score = results.score().unwrap_or(0.5);
    let (colour, strength) =
        if score >= 0.5 { ("--win", (score - 0.5) * 2.0) } else { ("--loss", (0.5 - score) * 2.0) };
    let ground =
        format!("background: color-mix(in srgb, var({colour}) {:.0}%, transparent)", 45.0 * strength);
    html! {
        td style=(ground) {
            (points(results.points())) " / " (results.games())
            small { (results.wins) "-" (results.draws) "-" (results.losses) }
        }
    }
}

fn times(event: &EventPage<'_>) -> String {
    let rows: Vec<(String, f64, String)> = event
        .bots
        .iter()
        .zip(&event.tally.bots)
        .filter(|(_, used)| used.moves > 0)
        .map(|(bot, used)| {
            let mean = used.micros as f64 / used.moves as f64;
            // From a microsecond to a minute on one axis: the bar is the logarithm, the text the truth.
            let text = format!("{} (slowest {})", micros_text(mean), micros_text(used.slowest as f64));
            (shown(&bot.name).into_owned(), (1.0 + mean).log10() + 0.2, text)
        })
        .collect();
    plot::bars("Mean time per move, logarithmic", &rows)
}

/// What the bots said of their searches.
fn thinking(event: &EventPage<'_>) -> Markup {
    let bots = event.bots.iter().zip(&event.tally.bots).filter(|(_, used)| used.thinking.moves > 0);
    let rows: Vec<_> = bots
        .map(|(bot, BotTally { thinking, .. })| {
            let number = |value: Option<f64>, digits: usize| {
                value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
            };
            let mean = thinking.micros as f64 / thinking.moves as f64;
            let cells = [
                number(thinking.mean_depth(), 1),
                number(thinking.mean_nodes(), 0),
                number(thinking.nodes_per_second(), 0),
                micros_text(mean),
            ];
            (shown(&bot.name), cells)
        })
        .collect();
    html! {
        @if !rows.is_empty() {
            div.card {
                h3 { "What the bots thought" }
                table {
                    thead { tr {
                        th.left { "bot" } th { "depth" } th { "nodes" } th { "nodes/s" } th { "time" }
                    } }
                    tbody {
                        @for (bot, cells) in &rows {
                            tr { td.left { (bot) } @for cell in cells { td { (cell) } } }
                        }
                    }
                }
                p { "means of a move, where the bot told; the graph under each game has the scores" }
            }
        }
    }
}

fn micros_text(micros: f64) -> String {
    time_text(Duration::from_nanos((micros * 1e3) as u64))
}

fn first_mover(event: &EventPage<'_>) -> Markup {
    let standings = &event.summary.standings;
    let svg = plot::seats(event.tally.seats);
    html! {
        @if !svg.is_empty() {
            div.card {
                h3 { "Moving first" }
                (PreEscaped(svg))
                @if let Some(advantage) = standings.advantage {
                    p { "worth " (with_error(Some(advantage), standings.advantage_error)) " Elo between equal bots" }
                } @else {
                    p { "both move at once: the seats are equal by the rules" }
                }
            }
        }
    }
}

fn reasons(summary: &EventSummary) -> String {
    let mut rows: Vec<(String, f64, String)> = summary
        .reasons
        .iter()
        .map(|(reason, &count)| {
            let share = 100.0 * count as f64 / summary.standings.games.max(1) as f64;
            (reason.clone(), count as f64, format!("{count} ({share:.1} %)"))
        })
        .collect();
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    plot::bars("Games by the reason of their end", &rows)
}

fn games(event: &EventPage<'_>) -> Markup {
    let name = &event.summary.standings.event;
    html! {
        div.card {
            h3 { "Games: failures, upsets and a sample" }
            div.games data-event=(name) {
                div {
                    div.list {}
                    @if !event.side.is_empty() {
                        p { select.more {
                            option value="" { "load more games …" }
                            @for (file, count) in event.side { option value=(file) { (file) ", " (count) " games" } }
                        } }
                    }
                    @if event.left_out > 0 {
                        p.note { (event.left_out) " more games stand in the journal only: cargo xtask replay RUN GAME" }
                    }
                }
                div.board {
                    p.head {}
                    div.picture {}
                    div.controls {
                        button.play type="button" aria-label="play or pause" { "▶" }
                        button.back type="button" aria-label="one turn back" { "‹" }
                        input type="range" min="0" value="0" aria-label="turn";
                        button.next type="button" aria-label="one turn on" { "›" }
                        span.ply {}
                    }
                    div.scores {}
                    p.thoughts {}
                    div.moves {}
                    p.fault {}
                }
            }
            script type="application/json" id={ "reel-" (name) } { (PreEscaped(event.reel.json())) }
        }
    }
}
