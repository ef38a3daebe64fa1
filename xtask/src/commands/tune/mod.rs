//! `cargo xtask tune`: fits the weights of a champion's evaluation to the results of its own games.
//!
//! Games are played by the champion against itself from random openings; every position becomes a row of features with
//! the result of its game. The weights are those of the logistic regression of the result on the features, held near
//! the old ones. Whether they are better is not for the regression to say but for a match: the command prints it.

mod network;
mod pieces;
mod regression;
pub(super) mod selfplay;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use agents::tuning::Tuning;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use plotters::prelude::{
    BLUE, ChartBuilder, Color, IntoDrawingArea, IntoFont, LineSeries, PathElement, RED, SVGBackend, WHITE,
};

pub(crate) use self::pieces::TuneKind;
use self::regression::{Epoch, Fit, Regression};
use self::selfplay::{Sample, SelfPlay};
use crate::games::{Developed, Visitor, with_game};
use gamesearch::{CommandResult, Failure};

/// Fit the weights of a champion's evaluation to the results of its own games
///
/// Plays games of the champion against itself, keeps them in the output folder (called again with the same settings, it
/// continues where it stopped), and fits the weights by logistic regression. Writes weights.txt, log.csv and loss.svg, and prints
/// the match that decides whether the new weights are better. With --network it trains the champion's network on such games
/// instead, and writes network.bin.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask tune hus
  cargo xtask tune hus --network --games 40000 --nodes 1000 --opening 12
  cargo xtask tune ropasci360 --network --games 20000 --nodes 300 --opening 8 --patience 2
  cargo xtask tune hus --games 2000 --nodes 5000 --out runs/tune-hus --seed 7")]
pub(crate) struct Tune {
    /// The game
    game: String,
    /// Games of self-play
    #[arg(long, default_value_t = 400)]
    games: u64,
    /// Nodes (or playouts) per move of self-play
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Random turns before the champion takes over; with --network this is the most, and two the least
    #[arg(long, default_value_t = 6)]
    opening: u32,
    /// How strongly the new weights are pulled towards the old ones
    #[arg(long, default_value_t = 1e-4)]
    pull: f64,
    /// Train the champion's network instead of the weighted sum (hus, ropasci360)
    #[arg(long)]
    network: bool,
    /// With --network: the bot that plays both sides [default: the champion, set for short searches]
    #[arg(long, requires = "network")]
    bot: Option<String>,
    /// With --network: how many times each position is learned from
    #[arg(long, default_value_t = 6, requires = "network")]
    epochs: usize,
    /// With --network: stop after this many epochs without a smaller loss on the games kept back, and keep the best; 0 for never
    #[arg(long, default_value_t = 0, requires = "network")]
    patience: usize,
    /// With --network: learn from the games of earlier runs as well, each a games.jsonl
    #[arg(long, num_args = 1.., value_name = "FILE", requires = "network")]
    import: Vec<PathBuf>,
    /// With --network: the share of the game's result in what is learned; the rest is the search's score
    #[arg(long, default_value_t = 0.5, requires = "network", value_parser = share)]
    result: f32,
    /// The seed of all randomness
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time [default: the number of processors]
    #[arg(long)]
    jobs: Option<usize>,
    /// The output folder [default: runs/tune-GAME]
    #[arg(long)]
    out: Option<PathBuf>,
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f32, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| format!("expected a number from 0 to 1, found `{text}`"))
}

pub(crate) fn run(arguments: &Tune) -> CommandResult {
    if arguments.network {
        return with_game(&arguments.game, ForNetwork(arguments))?;
    }
    with_game(&arguments.game, arguments)?
}

/// The training of a network instead of the fit of a sum.
struct ForNetwork<'a>(&'a Tune);

impl Visitor for ForNetwork<'_> {
    type Output = CommandResult;

    fn visit<G: Developed>(self) -> CommandResult {
        let arguments = self.0;
        let usual = PathBuf::from(format!("runs/tune-{}-network", G::NAME));
        network::run::<G>(&network::Settings {
            bot: arguments.bot.as_deref(),
            games: arguments.games,
            nodes: arguments.nodes,
            opening: arguments.opening,
            epochs: arguments.epochs,
            patience: arguments.patience,
            import: &arguments.import,
            result: arguments.result,
            seed: arguments.seed,
            jobs: arguments.jobs(),
            folder: arguments.out.as_deref().unwrap_or(&usual),
        })
    }
}

impl Tune {
    /// How many games are played at the same time.
    fn jobs(&self) -> usize {
        gamesearch::jobs(self.jobs)
    }
}

impl Visitor for &Tune {
    type Output = CommandResult;

    fn visit<G: Developed>(self) -> CommandResult {
        let tuning = G::tuning().ok_or_else(|| {
            Failure::usage(format!("the champion of {} has no evaluation that is a weighted sum", G::NAME))
        })?;
        let folder = self.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/tune-{}", G::NAME)));
        fs::create_dir_all(&folder).map_err(Failure::cannot("make the folder", &folder))?;
        let settings = SelfPlay {
            games: self.games,
            nodes: self.nodes,
            opening: self.opening,
            seed: self.seed,
            jobs: self.jobs(),
        };
        let samples = selfplay::run::<G>(&settings, &tuning, &folder)?;
        let rows: usize = samples.iter().map(|sample| sample.rows.len()).sum();
        eprintln!("{} games, {rows} positions, {} features", samples.len(), tuning.weights.len());
        let fit = fit(&samples, &tuning, self.pull)?;
        write_results(&folder, &tuning, &fit)?;
        print_weights(&tuning, &fit);
        println!("\nwritten: {0}/weights.txt, {0}/log.csv, {0}/loss.svg", folder.display());
        println!("The match that decides:");
        println!(
            "  cargo xtask tournament --games {} --bots {} {} --limits nodes={} --sprt 0,10",
            G::NAME,
            tuning.spec(&fit.weights),
            tuning.bot,
            self.nodes
        );
        Ok(ExitCode::SUCCESS)
    }
}

/// Every tenth game is kept back to see whether the fit holds beyond the games it saw.
const VALIDATION: u64 = 10;

fn fit<G: Developed>(samples: &[Sample], tuning: &Tuning<G>, pull: f64) -> Result<Fit, Failure> {
    let mut regression = Regression::new(&tuning.weights, f64::from(tuning.scale), pull);
    for sample in samples {
        for row in &sample.rows {
            regression.add(row, sample.chance(), sample.game % VALIDATION == VALIDATION - 1);
        }
    }
    regression.fit().ok_or_else(|| Failure::failed("not enough positions to fit anything: play more games"))
}

fn write_results<G: Developed>(folder: &Path, tuning: &Tuning<G>, fit: &Fit) -> Result<(), Failure> {
    let mut weights = format!("scale {}\n", tuning.scale);
    for (name, weight) in tuning.features.names().iter().zip(&fit.weights) {
        let _ = writeln!(weights, "{name} {weight}");
    }
    write(folder, "weights.txt", &weights)?;
    write_epochs(folder, &fit.epochs)
}

/// The losses of the epochs as a table and as a plot.
fn write_epochs(folder: &Path, epochs: &[Epoch]) -> Result<(), Failure> {
    let mut log = String::from("epoch,training_loss,validation_loss\n");
    for Epoch { number, training, validation } in epochs {
        let _ = writeln!(log, "{number},{training:.6},{validation:.6}");
    }
    write(folder, "log.csv", &log)?;
    let plot = plot(epochs).map_err(|error| Failure::failed(format!("cannot draw the plot: {error}")))?;
    write(folder, "loss.svg", &plot)
}

fn write(folder: &Path, name: &str, text: &str) -> Result<(), Failure> {
    let path = folder.join(name);
    fs::write(&path, text).map_err(Failure::cannot("write", &path))
}

/// The two losses over the epochs.
fn plot(epochs: &[Epoch]) -> Result<String, Box<dyn std::error::Error>> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (720, 400)).into_drawing_area();
        area.fill(&WHITE)?;
        let losses = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
        let low = losses().fold(f64::INFINITY, f64::min);
        let high = losses().fold(f64::NEG_INFINITY, f64::max);
        let pad = ((high - low) * 0.1).max(1e-4);
        let mut chart = ChartBuilder::on(&area)
            .caption("loss over the epochs", ("sans-serif", 18).into_font())
            .margin(12)
            .x_label_area_size(32)
            .y_label_area_size(64)
            .build_cartesian_2d(0.0..epochs.len() as f64, low - pad..high + pad)?;
        chart.configure_mesh().x_desc("epoch").y_desc("cross-entropy per position").draw()?;
        for (name, colour, loss) in [
            ("training", BLUE, (|epoch: &Epoch| epoch.training) as fn(&Epoch) -> f64),
            ("validation", RED, |epoch| epoch.validation),
        ] {
            chart
                .draw_series(LineSeries::new(
                    epochs.iter().map(|epoch| (epoch.number as f64, loss(epoch))),
                    colour.stroke_width(2),
                ))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
        }
        chart.configure_series_labels().border_style(plotters::prelude::BLACK).draw()?;
        area.present()?;
    }
    Ok(svg)
}

fn print_weights<G: Developed>(tuning: &Tuning<G>, fit: &Fit) {
    let mut table = Table::new();
    table.load_style(presets::UTF8_HORIZONTAL_ONLY).set_header(["feature", "old", "new"]);
    for ((name, old), new) in tuning.features.names().iter().zip(&tuning.weights).zip(&fit.weights) {
        table.add_row([name.clone(), old.to_string(), new.to_string()]);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    println!("{table}");
    if let (Some(first), Some(last)) = (fit.epochs.first(), fit.epochs.last()) {
        println!(
            "loss per position: training {:.5} -> {:.5}, validation {:.5} -> {:.5}",
            first.training, last.training, first.validation, last.validation
        );
    }
}
