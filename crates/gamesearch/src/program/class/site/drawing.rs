//! Pictures of a class: ratings over time, and the bracket of a knock-out.

use arena::shown;
use maud::{Markup, html};

use super::super::finals::Match;
use super::super::ladder::history::Point;

/// Colours that can be told apart on light and dark ground.
const COLOURS: [&str; 8] =
    ["#3b82c4", "#d97706", "#2f9e5b", "#c2413b", "#8b5cf6", "#b7791f", "#0f9aa8", "#d1458f"];

/// Ratings over time, a line for each.
pub(super) fn ratings(ways: &[(&str, &[Point])], size: [f64; 2]) -> Markup {
    let points = || ways.iter().flat_map(|(_, points)| points.iter());
    let [width, height] = size;
    let ends = |values: &mut dyn Iterator<Item = f64>| {
        values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let (first, last) = ends(&mut points().map(|point| point.at as f64));
    let (low, high) = ends(&mut points().map(|point| point.elo));
    if first >= last {
        return html! { p.faint { "There is no history yet." } };
    }
    let (low, high) = (low - 20.0, high + 20.0);
    let right = width - 150.0;
    let x = |at: u64| 45.0 + (at as f64 - first) / (last - first) * (right - 45.0);
    let y = |elo: f64| height - 10.0 - (elo - low) / (high - low) * (height - 20.0);
    let step = [25.0, 50.0, 100.0, 200.0, 500.0, 1000.0]
        .into_iter()
        .find(|step| (high - low) / step <= 6.0)
        .unwrap_or(2000.0);
    let marks: Vec<f64> = (0..12)
        .map(|number| (low / step).ceil() * step + f64::from(number) * step)
        .take_while(|mark| *mark < high)
        .collect();
    html! {
        svg viewBox={ "0 0 " (width) " " (height) } role="img" aria-label="Ratings over time" width="100%" {
            @for mark in &marks {
                line.frame x1="45" x2=(right) y1=(round(y(*mark))) y2=(round(y(*mark))) {}
                text x="40" y=(round(y(*mark) + 4.0)) text-anchor="end" { (format!("{mark:+.0}")) }
            }
            @for (number, (name, points)) in ways.iter().enumerate() {
                @let colour = COLOURS[number % COLOURS.len()];
                @let way: Vec<String> = points
                    .iter()
                    .map(|point| format!("{},{}", round(x(point.at)), round(y(point.elo))))
                    .collect();
                polyline.way points=(way.join(" ")) stroke=(colour) { title { (shown(name)) } }
                @if let Some(end) = points.last() {
                    text x=(round(x(end.at) + 6.0)) y=(round(y(end.elo) + 4.0)) fill=(colour) { (short(name)) }
                }
            }
        }
    }
}

fn round(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

fn short(name: &str) -> String {
    let name = shown(name);
    if name.chars().count() <= 18 {
        name.into_owned()
    } else {
        format!("{}…", name.chars().take(17).collect::<String>())
    }
}

/// The bracket of a knock-out: a column for each round, the winner at the right.
pub(crate) fn bracket(rounds: &[Vec<Match>], champion: Option<&str>) -> Markup {
    const COLUMN: f64 = 210.0;
    const ROW: f64 = 48.0;
    let first = rounds.first().map_or(1, Vec::len);
    let (width, height) = (COLUMN * (rounds.len() as f64 + 1.0), ROW * first as f64 + 20.0);
    // A match stands in the middle between the two that lead to it.
    let middle = |round: usize, number: usize| {
        let share = f64::from(1_u32 << round.min(20));
        10.0 + ROW * share * (number as f64 + 0.5)
    };
    html! {
        div.wide {
            svg viewBox={ "0 0 " (width) " " (height) } width=(width) role="img" aria-label="Bracket" {
                @for (number_of_round, matches) in rounds.iter().enumerate() {
                    @let x = COLUMN * number_of_round as f64;
                    @for (number, one) in matches.iter().enumerate() {
                        @let y = middle(number_of_round, number);
                        @for (seat, name) in one.names.iter().enumerate() {
                            @let at = y - 6.0 + 19.0 * seat as f64;
                            @let won = one.winner == Some(seat);
                            text x=(x + 4.0) y=(round(at)) class=[won.then_some("won")] {
                                (name.as_deref().map_or_else(|| "–".to_owned(), short))
                                @if let Some(points) = one.points { " " (points[seat]) }
                                @if let Some(rule) = one.rule.as_ref().filter(|_| won) { title { (rule) } }
                            }
                        }
                        line.frame x1=(x) x2=(x + COLUMN - 30.0) y1=(y) y2=(y) {}
                        @let next = middle(number_of_round + 1, number / 2);
                        @if number_of_round + 1 < rounds.len() {
                            polyline.frame points={ (x + COLUMN - 30.0) "," (y) " " (x + COLUMN - 15.0) "," (y) " " (x + COLUMN - 15.0) "," (next) " " (x + COLUMN) "," (next) } {}
                        }
                    }
                }
                @if let Some(champion) = champion {
                    text.won x=(COLUMN * rounds.len() as f64) y=(middle(rounds.len().saturating_sub(1), 0) + 4.0) { (short(champion)) }
                }
            }
        }
    }
}
