//! A drawn position: shapes with a place and a style, for every surface that shows a game. The report, the page and a
//! notebook draw the same shapes; colours are named by what they stand for, so that each surface has its light and dark.

use std::fmt::{self, Write as _};

use search_core::{Game, Paint, Player};
use serde::Serialize;

/// A drawn position in a box of this size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drawing {
    /// The width of the picture.
    pub width: f64,
    /// The height of the picture.
    pub height: f64,
    /// The shapes, the lowest layer first. What stays the same from one position to the next should be a shape of its own
    /// at the same place in the list.
    pub shapes: Vec<Shape>,
}

/// A colour by what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Text and lines.
    Ink,
    /// Text and lines of less weight.
    Soft,
    /// The ground that boards lie on.
    Card,
    /// The first player.
    First,
    /// The second player.
    Second,
    /// Text on a player's colour.
    On,
    /// The board.
    Wood,
    /// The darker parts of the board.
    Dark,
    /// What was lost, or is new.
    Loss,
}

impl Colour {
    /// The colour of a player's pieces.
    pub fn of(player: Player) -> Colour {
        match player {
            Player::One => Colour::First,
            Player::Two => Colour::Second,
        }
    }

    /// Its name in the style sheets of report and page.
    fn variable(self) -> &'static str {
        match self {
            Colour::Ink => "var(--ink)",
            Colour::Soft => "var(--soft)",
            Colour::Card => "var(--card)",
            Colour::First => "var(--accent)",
            Colour::Second => "var(--accent2)",
            Colour::On => "var(--on)",
            Colour::Wood => "var(--wood)",
            Colour::Dark => "var(--wood2)",
            Colour::Loss => "var(--loss)",
        }
    }
}

/// The style sheet of a picture that stands alone: the colours of the report.
const STYLE: &str = "svg.board{--card:#fff;--ink:#1c1f26;--soft:#6a6f7b;--accent:#1f6f8b;--accent2:#b5552b;--loss:#b23a48;\
--on:#fff;--wood:#e9dcc3;--wood2:#d6c29d}@media(prefers-color-scheme:dark){svg.board{--card:#1d2027;--ink:#e6e4de;\
--soft:#9aa0ac;--accent:#5db7d3;--accent2:#e58d62;--loss:#ea7a86;--on:#14161b;--wood:#3a3227;--wood2:#4a4031}}\
svg.board text{font-family:system-ui,sans-serif}svg.board .mono{font-family:ui-monospace,monospace}";

/// What a shape is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Figure {
    /// A rectangle by its upper left corner, its size, and the radius of its corners.
    Rect(f64, f64, f64, f64, f64),
    /// A circle by its centre and radius.
    Circle(f64, f64, f64),
    /// Straight lines from point to point.
    Line(Vec<(f64, f64)>),
    /// An area with these corners.
    Polygon(Vec<(f64, f64)>),
    /// Text centred at a point, with its size.
    Text(f64, f64, f64, String),
    /// A line of text in letters of one width, from a point on.
    Mono(f64, f64, String),
    /// Shapes that belong together; none keeps the place of a shape that is not there now.
    Group(Vec<Shape>),
}

/// A figure with its style.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shape {
    /// What it is.
    pub figure: Figure,
    /// The colour inside.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fill: Option<Colour>,
    /// The colour of the line around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stroke: Option<Colour>,
    /// How wide that line is.
    #[serde(skip_serializing_if = "is_one")]
    pub line: f64,
    /// Whether that line is dashed.
    #[serde(skip_serializing_if = "is_false")]
    pub dashed: bool,
    /// From 0, unseen, to 1.
    #[serde(skip_serializing_if = "is_one")]
    pub opacity: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_one(number: &f64) -> bool {
    *number == 1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

impl Shape {
    /// A figure without colours.
    pub fn new(figure: Figure) -> Shape {
        Shape { figure, fill: None, stroke: None, line: 1.0, dashed: false, opacity: 1.0 }
    }

    /// A rectangle by its upper left corner and its size.
    pub fn rect(x: f64, y: f64, width: f64, height: f64) -> Shape {
        Shape::new(Figure::Rect(x, y, width, height, 0.0))
    }

    /// A rectangle with round corners.
    pub fn card(x: f64, y: f64, width: f64, height: f64, radius: f64) -> Shape {
        Shape::new(Figure::Rect(x, y, width, height, radius))
    }

    /// A circle.
    pub fn circle(x: f64, y: f64, radius: f64) -> Shape {
        Shape::new(Figure::Circle(x, y, radius))
    }

    /// Straight lines from point to point.
    pub fn lines(points: Vec<(f64, f64)>) -> Shape {
        Shape::new(Figure::Line(points))
    }

    /// An area with these corners.
    pub fn polygon(corners: Vec<(f64, f64)>) -> Shape {
        Shape::new(Figure::Polygon(corners))
    }

    /// Centred text.
    pub fn text(x: f64, y: f64, size: f64, colour: Colour, text: impl Into<String>) -> Shape {
        Shape::new(Figure::Text(x, y, size, text.into())).fill(colour)
    }

    /// Shapes that belong together.
    pub fn group(shapes: Vec<Shape>) -> Shape {
        Shape::new(Figure::Group(shapes))
    }

    /// The place of a shape that is not there in this position.
    pub fn nothing() -> Shape {
        Shape::group(Vec::new())
    }

    /// The same, filled.
    #[must_use]
    pub fn fill(self, colour: Colour) -> Shape {
        Shape { fill: Some(colour), ..self }
    }

    /// The same with a line of this width around it.
    #[must_use]
    pub fn stroke(self, colour: Colour, line: f64) -> Shape {
        Shape { stroke: Some(colour), line, ..self }
    }

    /// The same with a dashed line.
    #[must_use]
    pub fn dashed(self) -> Shape {
        Shape { dashed: true, ..self }
    }

    /// The same, partly transparent.
    #[must_use]
    pub fn faint(self, opacity: f64) -> Shape {
        Shape { opacity, ..self }
    }

    /// The shape as an SVG element.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        // Writing to a text does not fail.
        let _ = match &self.figure {
            Figure::Rect(x, y, width, height, radius) => {
                let (x, y, width, height) = (Short(*x), Short(*y), Short(*width), Short(*height));
                let _ = write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
                if *radius > 0.0 { write!(out, " rx=\"{}\"", Short(*radius)) } else { Ok(()) }
            }
            Figure::Circle(x, y, radius) => {
                write!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"", Short(*x), Short(*y), Short(*radius))
            }
            Figure::Line(points) => {
                out.push_str("<path d=\"");
                for (index, (x, y)) in points.iter().enumerate() {
                    let letter = if index == 0 { 'M' } else { 'L' };
                    let _ = write!(out, "{letter}{} {}", Short(*x), Short(*y));
                }
                out.push_str("\" stroke-linecap=\"round\"");
                if self.fill.is_none() { write!(out, " fill=\"none\"") } else { Ok(()) }
            }
            Figure::Polygon(corners) => {
                out.push_str("<polygon points=\"");
                for (index, (x, y)) in corners.iter().enumerate() {
                    let space = if index == 0 { "" } else { " " };
                    let _ = write!(out, "{space}{},{}", Short(*x), Short(*y));
                }
                write!(out, "\"")
            }
            Figure::Text(x, y, size, _) => write!(
                out,
                "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\" dominant-baseline=\"central\"",
                Short(*x),
                Short(*y),
                Short(*size)
            ),
            Figure::Mono(x, y, _) => {
                write!(
                    out,
                    "<text x=\"{}\" y=\"{}\" class=\"mono\" xml:space=\"preserve\"",
                    Short(*x),
                    Short(*y)
                )
            }
            Figure::Group(_) => write!(out, "<g"),
        };
        let filled = matches!(self.figure, Figure::Rect(..) | Figure::Circle(..) | Figure::Polygon(..));
        if let Some(fill) = self.fill {
            let _ = write!(out, " fill=\"{}\"", fill.variable());
        } else if filled {
            out.push_str(" fill=\"none\"");
        }
        if let Some(stroke) = self.stroke {
            let _ = write!(out, " stroke=\"{}\"", stroke.variable());
            if self.line != 1.0 {
                let _ = write!(out, " stroke-width=\"{}\"", Short(self.line));
            }
        }
        if self.dashed {
            out.push_str(" stroke-dasharray=\"4 3\"");
        }
        if self.opacity != 1.0 {
            let _ = write!(out, " opacity=\"{}\"", self.opacity);
        }
        match &self.figure {
            Figure::Text(.., text) | Figure::Mono(.., text) => {
                let _ = write!(out, ">{}</text>", escape(text));
            }
            Figure::Group(shapes) if !shapes.is_empty() => {
                out.push('>');
                for shape in shapes {
                    shape.write(out);
                }
                out.push_str("</g>");
            }
            _ => out.push_str("/>"),
        }
    }
}

/// A coordinate with one decimal at most: pictures come in hundreds of thousands.
struct Short(f64);

impl fmt::Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        if tenths % 10 == 0 { write!(f, "{}", tenths / 10) } else { write!(f, "{:.1}", tenths as f64 / 10.0) }
    }
}

impl Drawing {
    /// The picture of a game without a drawer of its own: its text.
    pub fn of_text<G: Game>(position: &G) -> Drawing {
        let picture = position.picture(Paint::Plain);
        let lines: Vec<&str> = picture.lines().collect();
        let width = lines.iter().map(|line| line.chars().count()).max().unwrap_or(1) as f64;
        let line = |(row, line): (usize, &&str)| {
            Shape::new(Figure::Mono(8.0, (18 * row + 24) as f64, (*line).to_owned()))
        };
        let shapes = lines.iter().enumerate().map(line).collect();
        Drawing { width: width * 8.6 + 16.0, height: lines.len() as f64 * 18.0 + 20.0, shapes }
    }

    /// The whole picture as an SVG document that needs no style sheet, in light or dark as the reader has it.
    pub fn svg(&self) -> String {
        let (width, height) = (Short(self.width), Short(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\"><style>{STYLE}</style>"
        );
        for shape in &self.shapes {
            shape.write(&mut out);
        }
        out.push_str("</svg>");
        out
    }
}

/// Text that is safe inside an SVG or HTML element.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Something on or beside the board that can be pointed at: a square, a pit, an edge between two cells, a token in hand.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Area {
    /// Its name in the paths of moves.
    pub target: Target,
    /// Where a pointer means it. Its style is not used.
    pub figure: Figure,
    /// What a screen reader says, such as `e4, 3 white tokens`.
    pub name: String,
    /// What is written on it, where nothing drawn stands there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// The name of something that can be pointed at. A target without an [`Area`] is a button.
pub type Target = String;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_short_svg() {
        let circle = Shape::circle(1.04, 2.5, 3.0).fill(Colour::First);
        assert_eq!(circle.svg(), "<circle cx=\"1\" cy=\"2.5\" r=\"3\" fill=\"var(--accent)\"/>");
        assert_eq!(Shape::nothing().svg(), "<g/>");
        let text = Shape::text(1.0, -0.5, 9.0, Colour::Ink, "a<b");
        assert!(text.svg().contains(">a&lt;b</text>"), "{}", text.svg());
        assert!(text.svg().contains("y=\"-0.5\""), "{}", text.svg());
        let line = Shape::lines(vec![(0.0, 0.0), (1.0, 2.0)]).stroke(Colour::Soft, 2.0).dashed();
        assert_eq!(
            line.svg(),
            "<path d=\"M0 0L1 2\" stroke-linecap=\"round\" fill=\"none\" stroke=\"var(--soft)\" stroke-width=\"2\" \
             stroke-dasharray=\"4 3\"/>"
        );
    }

    #[test]
    fn a_picture_stands_alone() {
        let drawing = Drawing { width: 10.0, height: 20.0, shapes: vec![Shape::circle(5.0, 5.0, 1.0)] };
        let svg = drawing.svg();
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>"), "{svg}");
        assert!(svg.contains("--wood:#e9dcc3") && svg.contains("viewBox=\"0 0 10 20\""), "{svg}");
    }
}
