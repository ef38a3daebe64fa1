//! Small plots as SVG, coloured by the style sheet of the page so that they follow light and dark.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::drawing::escape;
use crate::shown::shown;
use crate::standings::{Row, Standings};

/// Ratings with error bars, best at the top.
pub(crate) fn ratings(standings: &Standings) -> String {
    // Where all games went one way there is a bound and no value.
    let is_shown = |row: &&Row| row.elo.or(row.elo_low).or(row.elo_high).is_some();
    let rows: Vec<_> = standings.rows.iter().filter(is_shown).collect();
    let (Some(low), Some(high)) = (
        rows.iter().flat_map(|row| [row.elo, row.elo_low]).flatten().reduce(f64::min),
        rows.iter().flat_map(|row| [row.elo, row.elo_high]).flatten().reduce(f64::max),
    ) else {
        return String::new();
    };
    let step = nice_step((high - low).max(10.0) / 5.0);
    let (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
    let (left, width, row_height) = (150.0, 430.0, 30.0);
    let height = rows.len() as f64 * row_height + 34.0;
    let x = |elo: f64| left + (elo - low) / (high - low).max(1.0) * width;
    let mut svg = open(left + width + 30.0, height, "Ratings with 95 % intervals");
    let ticks = ((high - low) / step).round() as i64;
    for tick in 0..=ticks {
        let elo = low + tick as f64 * step;
        let at = x(elo);
        let class = if elo == 0.0 { "axis" } else { "grid" };
        // Writing to a string does not fail.
        let _ = write!(
            svg,
            "<line class=\"{class}\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"4\" y2=\"{:.1}\"/>\
             <text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{elo:+.0}</text>",
            height - 28.0,
            height - 12.0
        );
    }
    for (place, row) in rows.iter().enumerate() {
        let y = place as f64 * row_height + 19.0;
        let name = escape(&shorten(&shown(&row.bot), 20));
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>",
            left - 10.0,
            y + 4.0
        );
        // Where the results set no bound on a side the line runs to the edge, without an end of its own.
        if row.elo_low.or(row.elo_high).is_some() {
            let (from, to) = (row.elo_low.map_or(left, x), row.elo_high.map_or(left + width, x));
            let _ =
                write!(svg, "<line class=\"error\" x1=\"{from:.1}\" x2=\"{to:.1}\" y1=\"{y}\" y2=\"{y}\"/>");
            for end in [row.elo_low, row.elo_high].into_iter().flatten().map(x) {
                let _ = write!(
                    svg,
                    "<line class=\"error\" x1=\"{end:.1}\" x2=\"{end:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
                    y - 5.0,
                    y + 5.0
                );
            }
        }
        if let Some(elo) = row.elo {
            let _ = write!(
                svg,
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{y}\" r=\"5\"><title>{name} {elo:+.1}</title></circle>",
                x(elo)
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Games by length.
pub(crate) fn lengths(counts: &BTreeMap<u32, u64>) -> String {
    let (Some(&low), Some(&high)) = (counts.keys().next(), counts.keys().next_back()) else {
        return String::new();
    };
    let buckets = 30.min(high - low + 1).max(1);
    let size = (high - low + 1).div_ceil(buckets);
    let buckets = (high - low + 1).div_ceil(size) as usize;
    let mut bars = vec![0_u64; buckets];
    for (&plies, &count) in counts {
        bars[((plies - low) / size) as usize] += count;
    }
    let highest = bars.iter().copied().max().unwrap_or(1).max(1) as f64;
    let (width, height, base) = (560.0, 180.0, 150.0);
    let bar_width = (width - 20.0) / buckets as f64;
    let mut svg = open(width, height, "Games by length in turns");
    for (place, &count) in bars.iter().enumerate() {
        let from = low + place as u32 * size;
        let tall = count as f64 / highest * (base - 16.0);
        let label = if size == 1 { from.to_string() } else { format!("{from} to {}", from + size - 1) };
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{tall:.1}\"><title>{label} turns: {count} games</title></rect>",
            10.0 + place as f64 * bar_width,
            base - tall,
            (bar_width - 1.5).max(1.0)
        );
    }
    let _ = write!(
        svg,
        "<line class=\"axis\" x1=\"10\" x2=\"{:.1}\" y1=\"{base}\" y2=\"{base}\"/>\
         <text class=\"tick\" x=\"10\" y=\"{:.1}\">{low}</text>\
         <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{high} turns</text>",
        width - 10.0,
        base + 18.0,
        width - 10.0,
        base + 18.0
    );
    svg.push_str("</svg>");
    svg
}

/// Labelled bars, each with its own text at the end.
pub(crate) fn bars(title: &str, rows: &[(String, f64, String)]) -> String {
    let highest = rows.iter().map(|row| row.1).fold(0.0, f64::max);
    if highest <= 0.0 {
        return String::new();
    }
    let (left, width, row_height) = (170.0, 210.0, 26.0);
    let mut svg = open(left + width + 200.0, rows.len() as f64 * row_height + 8.0, title);
    for (place, (name, value, text)) in rows.iter().enumerate() {
        let y = place as f64 * row_height + 4.0;
        let (name, text) = (escape(&shorten(name, 26)), escape(text));
        let long = (value / highest * width).max(1.0);
        let _ = write!(
            svg,
            "<text class=\"name\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{name}</text>\
             <rect class=\"bar\" x=\"{left}\" y=\"{y:.1}\" width=\"{long:.1}\" height=\"18\" rx=\"2\"/>\
             <text class=\"tick\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
            left - 10.0,
            y + 14.0,
            left + long + 8.0,
            y + 14.0
        );
    }
    svg.push_str("</svg>");
    svg
}

/// One bar in three parts: won by the first, drawn, won by the second.
pub(crate) fn seats([first, draws, second]: [u64; 3]) -> String {
    let total = (first + draws + second) as f64;
    if total <= 0.0 {
        return String::new();
    }
    let width = 540.0;
    let mut svg = open(width + 20.0, 62.0, "Results by seat");
    let mut at = 10.0;
    for (count, class, label) in
        [(first, "seat1", "first"), (draws, "draw", "drawn"), (second, "seat2", "second")]
    {
        let wide = count as f64 / total * width;
        let share = 100.0 * count as f64 / total;
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{at:.1}\" y=\"8\" width=\"{wide:.1}\" height=\"24\"><title>{label}: {count} ({share:.1} %)</title></rect>"
        );
        if wide > 90.0 {
            let _ = write!(
                svg,
                "<text class=\"tick\" x=\"{:.1}\" y=\"50\" text-anchor=\"middle\">{label} {share:.1} %</text>",
                at + wide / 2.0
            );
        }
        at += wide;
    }
    svg.push_str("</svg>");
    svg
}

fn open(width: f64, height: f64, title: &str) -> String {
    format!(
        "<svg class=\"plot\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title>",
        escape(title)
    )
}

/// 1, 2 or 5 times a power of ten.
fn nice_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factor = step / power;
    power
        * if factor <= 1.0 {
            1.0
        } else if factor <= 2.0 {
            2.0
        } else if factor <= 5.0 {
            5.0
        } else {
            10.0
        }
}

fn shorten(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let start: String = text.chars().take(longest - 1).collect();
    format!("{start}…")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_hold_no_broken_numbers() {
        let counts: BTreeMap<u32, u64> = [(3, 5), (4, 1), (400, 2)].into();
        for svg in [
            lengths(&counts),
            lengths(&[(7, 1)].into()),
            bars("x", &[("a<b".to_owned(), 1.0, "1".to_owned()), ("c".to_owned(), 0.0, "0".to_owned())]),
            seats([1, 0, 3]),
        ] {
            assert!(svg.starts_with("<svg") && svg.ends_with("</svg>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf") && !svg.contains("a<b"));
        }
        assert_eq!(seats([0, 0, 0]), "");
        assert_eq!([0.7, 3.0, 30.0, 60.0].map(nice_step), [1.0, 5.0, 50.0, 100.0]);
    }
}
