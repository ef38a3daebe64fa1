//! The pages: standings, crosstable, teams, games. Whatever comes from a team is text, and shown as such.

use arena::{shown, shown_lines};
use maud::{Markup, PreEscaped, html};

use super::drawing;
use super::page::whole;
use super::{Line, PLAYGROUND, Publisher, Scene, facts, page_of};
use crate::program::class::finals::FinalResult;
use crate::program::class::ladder::history::Point;
use crate::program::class::ladder::notes::GameNote;
use crate::program::class::roster::{Roster, Team};
use crate::program::class::time;

/// How many entries, from the best down, have a line in the picture of the first page.
const DRAWN: usize = 8;

fn navigation(up: &str) -> Markup {
    html! { nav { a href={ (up) "index.html" } { "Standings" } a href={ (up) "crosstable.html" } { "Crosstable" } } }
}

fn elo(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| format!("{value:+.0}"))
}

pub(super) fn index(
    publisher: &Publisher,
    scene: &Scene,
    lines: &[Line<'_>],
    files: &[u64],
    finals: &[FinalResult],
) -> String {
    let ways: Vec<(&str, &[Point])> = lines
        .iter()
        .take(DRAWN)
        .filter_map(|line| {
            let points = scene.history.teams.get(line.team.unwrap_or(line.player))?;
            Some((line.name, points.as_slice()))
        })
        .collect();
    let body = html! {
        header {
            h1 { (shown(&publisher.title)) }
            p.faint id="facts" { (facts(scene)) }
            (navigation(""))
        }
        main {
            @if !finals.is_empty() {
                p { "Finals: " @for result in finals { a href={ "final-" (result.name) ".html" } { (result.name) } " " } }
            }
            h2 { "Standings" }
            div.wide { table {
                thead { tr {
                    th.n { "#" } th { "Team" } th.n { "Elo" } th.n { "95 %" } th.n { "Score" } th.n { "Games" }
                    th.n { "+" } th.n { "=" } th.n { "−" } th.n { "Failures" } th {}
                } }
                tbody id="standings" { @for line in lines { (row(line)) } }
            } }
            p.faint {
                "Ratings of the newest good submission of each team, by its games against those of the others; a rating is \
                 provisional while its 95 % interval reaches further than " (format!("{:.0}", publisher.provisional))
                " Elo to each side. Every opening is played twice with the seats swapped. Names in italics are reference bots."
            }
            @for warning in &scene.table.standings.warnings { p.faint { (named(scene, warning)) } }
            h2 { "Playing now" }
            ul id="playing" {
                @for game in &scene.under_way {
                    li { (scene.roster.name_of(&game.players[0])) " – " (scene.roster.name_of(&game.players[1])) }
                }
            }
            h2 { "Ratings over time" }
            (drawing::ratings(&ways, [900.0, 320.0]))
            h2 { "All games" }
            p { @for number in files.iter().rev() { a href={ "games/" (format!("{number:06}")) ".html" } { (number) } " " } }
        }
        script src="script.js" {}
    };
    whole(&publisher.title, "", &body)
}

/// A warning of the tables with the names of teams in place of those of the journal.
fn named(scene: &Scene, warning: &str) -> String {
    let mut text = warning.to_owned();
    for bot in scene.plan.bots.iter().filter(|bot| bot.name.contains('@')) {
        text = text.replace(&bot.name, scene.roster.name_of(&bot.name));
    }
    text
}

fn row(line: &Line<'_>) -> Markup {
    let class = match (line.team.is_some(), line.provisional) {
        (true, true) => "provisional",
        (true, false) => "",
        (false, true) => "reference provisional",
        (false, false) => "reference",
    };
    html! { tr class=(class) {
        td.n { (line.rank) }
        td { a href=(line.page()) { (line.name) } }
        td.n { (elo(line.elo)) }
        td.n { @if let Some(error) = line.error { "±" (format!("{error:.0}")) } }
        td.n { @if let Some(score) = line.score() { (format!("{:.1} %", 100.0 * score)) } }
        td.n { (line.games) } td.n { (line.wins) } td.n { (line.draws) } td.n { (line.losses) }
        td.n { @if line.failures > 0 { (line.failures) } }
        td { @if line.provisional { "provisional" } }
    } }
}

pub(super) fn crosstable(publisher: &Publisher, scene: &Scene, lines: &[Line<'_>]) -> String {
    let standings = &scene.table.standings;
    let body = html! {
        header { h1 { "Crosstable" } (navigation("")) }
        main {
            p.faint { "Points of the team on the left against the one above, and games. Rest on a cell for both names." }
            div.wide { table.cross {
                tr { th {} th {} @for line in lines { th { (line.rank) } } }
                @for (line, row) in lines.iter().zip(&standings.rows) {
                    tr {
                        th { (line.rank) }
                        th { a href=(line.page()) { (line.name) } }
                        @for (other, column) in lines.iter().zip(&standings.rows) {
                            @match standings.between(row, column) {
                                Some(results) if row.number != column.number => {
                                    td title={ (line.name) " – " (other.name) } {
                                        (results.points()) "/" (results.games())
                                    }
                                }
                                _ => { td {} }
                            }
                        }
                    }
                }
            } }
        }
    };
    whole(&format!("{}: crosstable", publisher.title), "", &body)
}

/// A list of games with links into the playground.
fn games_table(publisher: &Publisher, scene: &Scene, games: &[&GameNote]) -> Markup {
    html! {
        div.wide { table {
            tr { th.n { "Game" } th { "First" } th { "Second" } th { "Result" } th { "Reason" } th.n { "Turns" } th {} }
            @for game in games {
                tr {
                    td.n { (game.index) }
                    @for player in &game.players { td { a href={ "../" (page_of(player)) } { (scene.roster.name_of(player)) } } }
                    td { (game.outcome) } td { (game.reason) } td.n { (game.plies) }
                    td { a href={ "../" (PLAYGROUND) "#" (game.link) } { "replay" } }
                }
            }
        } }
        @if !publisher.playground {
            p.faint {
                "To replay games the page of the playground is needed beside the first page, as " code { (PLAYGROUND) } "."
            }
        }
    }
}

pub(super) fn games(
    publisher: &Publisher,
    scene: &Scene,
    number: u64,
    files: &[u64],
    games: &[GameNote],
) -> String {
    let list: Vec<&GameNote> = games.iter().collect();
    let beside = |other: Option<u64>| other.filter(|other| files.contains(other));
    let body = html! {
        header { h1 { "Games " (number) } (navigation("../")) }
        main {
            p {
                @if let Some(before) = beside(number.checked_sub(1)) { a href={ (format!("{before:06}")) ".html" } { "earlier" } " " }
                @if let Some(after) = beside(number.checked_add(1)) { a href={ (format!("{after:06}")) ".html" } { "later" } }
            }
            (games_table(publisher, scene, &list))
        }
    };
    whole(&format!("{}: games {number}", publisher.title), "../", &body)
}

/// What a player has done, for its page.
fn figures(scene: &Scene, publisher: &Publisher, line: Option<&Line<'_>>) -> Markup {
    let Some(line) = line else { return html! { p { "No submission of this team plays yet." } } };
    let counts = scene.players.get(line.player);
    html! {
        p {
            "Rank " (line.rank) ", Elo " (elo(line.elo))
            @if let Some(error) = line.error { " ±" (format!("{error:.0}")) }
            @if line.provisional { " (provisional)" }
            "; " (line.games) " games: " (line.wins) " won, " (line.draws) " drawn, " (line.losses) " lost."
        }
        @if let Some(counts) = counts {
            @if counts.moves > 0 {
                p.faint {
                    (format!("{:.1} ms a move, the slowest {:.0} ms.", counts.micros as f64 / 1e3 / counts.moves as f64, counts.slowest as f64 / 1e3))
                }
            }
            @if !counts.failures.is_empty() {
                p.bad { "Lost by failures: " @for (kind, count) in &counts.failures { (kind) " " (count) "; " } }
            }
        }
        @if let Some(points) = scene.history.teams.get(line.team.unwrap_or(line.player)) {
            (drawing::ratings(&[(line.name, points.as_slice())], [900.0, 220.0]))
        }
        h2 { "Opponents" }
        (opponents(scene, line, publisher))
    }
}

fn opponents(scene: &Scene, line: &Line<'_>, publisher: &Publisher) -> Markup {
    let standings = &scene.table.standings;
    let own = standings.rows.iter().find(|row| row.bot == line.player);
    let lines = scene.lines(publisher.provisional);
    html! { div.wide { table {
        tr { th.n { "#" } th { "Opponent" } th.n { "Points" } th.n { "Games" } }
        @if let Some(own) = own {
            @for (other, row) in lines.iter().zip(&standings.rows) {
                @if let Some(results) = standings.between(own, row).filter(|results| results.games() > 0 && row.bot != own.bot) {
                    tr {
                        td.n { (other.rank) } td { a href={ "../" (other.page()) } { (other.name) } }
                        td.n { (results.points()) } td.n { (results.games()) }
                    }
                }
            }
        }
    } } }
}

fn last_games(publisher: &Publisher, scene: &Scene, owner: &str) -> Markup {
    let games: Vec<&GameNote> = scene.notes.games.get(owner).into_iter().flatten().collect();
    html! { h2 { "Last games" } (games_table(publisher, scene, &games)) }
}

pub(super) fn team(
    publisher: &Publisher,
    scene: &Scene,
    short: &str,
    team: &Team,
    line: Option<&Line<'_>>,
) -> String {
    let body = html! {
        header { h1 { (team.name) } (navigation("../")) }
        main {
            @if let Some(judged) = &team.judged {
                @if judged.accepted {
                    p.good { "Submission of " (time::text(judged.at)) " accepted; version " (team.versions) "." }
                } @else {
                    p.bad {
                        "The submission of " (time::text(judged.at)) " was refused; the team's own page says why."
                        @if team.entry.is_some() { " The last good one plays on." }
                    }
                }
            }
            @if team.entry.as_ref().is_some_and(|entry| entry.out.is_some()) {
                p.bad { "It does not start any more and plays no longer; a new submission plays again." }
            }
            (figures(scene, publisher, line))
            (last_games(publisher, scene, short))
        }
    };
    whole(&format!("{}: {}", publisher.title, team.name), "../", &body)
}

pub(super) fn reference(publisher: &Publisher, scene: &Scene, line: &Line<'_>) -> String {
    let body = html! {
        header { h1 { (line.name) } (navigation("../")) }
        main {
            p { "A reference bot of the workbench." }
            (figures(scene, publisher, Some(line)))
            (last_games(publisher, scene, line.player))
        }
    };
    whole(&format!("{}: {}", publisher.title, line.name), "../", &body)
}

/// The page of a team for the team alone: the report on its submission, and its failures with what it wrote.
pub(super) fn secret(publisher: &Publisher, scene: &Scene, short: &str, team: &Team) -> String {
    let faults = scene.notes.faults.get(short);
    let body = html! {
        header {
            h1 { (team.name) ": for the team alone" }
            p.faint { "Whoever knows the address of this page can read it. Do not pass it on." }
            (navigation("../../"))
            p { a href={ "../../teams/" (short) ".html" } { "The team's page for everybody" } }
        }
        main {
            h2 { "Report on the last submission" }
            @match &team.judged {
                None => { p { "There is none yet." } }
                Some(judged) => {
                    @if judged.accepted {
                        p.good { "Accepted, " (time::text(judged.at)) "." }
                    } @else {
                        p.bad {
                            "Refused, " (time::text(judged.at)) ". "
                            @if team.entry.is_some() { "The last good submission plays on. " }
                            "Put right what is marked WRONG and hand in again."
                        }
                    }
                    table {
                        @for note in &judged.findings {
                            tr {
                                td class=(if note.verdict == "WRONG" { "bad" } else { "" }) { (note.verdict) }
                                td { (note.check) }
                                td { @if !note.text.is_empty() { pre { (shown_lines(&note.text)) } } }
                            }
                        }
                    }
                }
            }
            @if let Some(problem) = team.entry.as_ref().and_then(|entry| entry.out.as_ref()) {
                h2 { "It plays no longer" }
                p { "It failed to start three times in a row:" }
                pre { (shown_lines(problem)) }
            }
            h2 { "Failures in games" }
            @match faults.filter(|faults| !faults.is_empty()) {
                None => { p { "None among the last games." } }
                Some(faults) => {
                    @for fault in faults {
                        h3 { "Game " (fault.game) " against " (scene.roster.name_of(&fault.opponent)) ": " (fault.kind) }
                        p.faint { "Version " (version(&fault.player)) }
                        pre { (shown_lines(&fault.message)) }
                    }
                }
            }
        }
    };
    whole(&format!("{}: {}", publisher.title, team.name), "../../", &body)
}

/// The part of a player's name that tells versions apart.
fn version(player: &str) -> &str {
    match Roster::team_of(player) {
        Some(team) => player.get(team.len() + 1..).unwrap_or_default(),
        None => player,
    }
}

/// A page of a final. `table` is what came out, `bracket` a picture of the way there.
pub(crate) fn final_page(title: &str, name: &str, bracket: Option<&Markup>, table: &Markup) -> String {
    let body = html! {
        header { h1 { "Final: " (name) } (navigation("")) }
        main { @if let Some(bracket) = bracket { (PreEscaped(bracket.0.clone())) } (table) }
    };
    whole(&format!("{title}: {name}"), "", &body)
}
