//! The curves as a picture: a panel for each game, both axes logarithmic.

use std::error::Error;

use plotters::prelude::{
    ChartBuilder, Color, IntoDrawingArea, IntoFont, IntoLogRange, LineSeries, PathElement, RGBColor,
    SVGBackend, WHITE,
};

use super::measured::Curve;

/// Colours that are told apart in grey too.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(160, 100, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
];

/// Nothing below this is drawn: it is rounding.
const LEAST: f64 = 1e-4;

pub(super) fn draw(panels: &[(String, Vec<Curve>)]) -> Result<String, Box<dyn Error>> {
    let mut svg = String::new();
    {
        let columns = if panels.len() > 1 { 2 } else { 1 };
        let rows = panels.len().div_ceil(columns).max(1);
        let size = (520 * columns as u32, 400 * rows as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        for ((name, curves), area) in panels.iter().zip(area.split_evenly((rows, columns))) {
            let points = || curves.iter().flat_map(|curve| &curve.points);
            let first = points().map(|&(playouts, _)| playouts).min().unwrap_or(1) as f64;
            let last = points().map(|&(playouts, _)| playouts).max().unwrap_or(10) as f64;
            let lowest = points().map(|&(_, loss)| loss.max(LEAST)).fold(1.0, f64::min);
            let mut chart = ChartBuilder::on(&area)
                .caption(format!("{name}: exploitability in wins"), ("sans-serif", 16).into_font())
                .margin(10)
                .x_label_area_size(34)
                .y_label_area_size(56)
                .build_cartesian_2d((first..last.max(first * 2.0)).log_scale(), (lowest..1.0).log_scale())?;
            chart.configure_mesh().x_desc("playouts").light_line_style(WHITE).draw()?;
            for (curve, colour) in curves.iter().zip(COLOURS) {
                let line = curve.points.iter().map(|&(playouts, loss)| (playouts as f64, loss.max(LEAST)));
                chart
                    .draw_series(LineSeries::new(line, colour.stroke_width(2)))?
                    .label(curve.name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
            }
            chart
                .configure_series_labels()
                .position(plotters::prelude::SeriesLabelPosition::LowerLeft)
                .background_style(WHITE.mix(0.8))
                .draw()?;
        }
        area.present()?;
    }
    Ok(svg)
}
