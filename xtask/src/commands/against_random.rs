//! `cargo xtask against-random`: every bot against `random`, through the tournament runner.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use gamesearch::{CommandResult, Failure};
use serde_json::Value;

use super::tables::chapter_of;
use crate::games::workspace;

/// Play every bot of the four games against `random`
///
/// Writes docs/strength/against-random.md. Each bot plays pairs of games from the balanced openings, under the usual limits of the
/// tournament: counts, so that the same games are played on every machine. If games are named, only their chapters are made again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  cargo xtask against-random                all four games, a hundred games for each bot
  cargo xtask against-random hus            one chapter of the document anew
  cargo xtask against-random --rounds 1 --print  a quick look")]
pub(crate) struct AgainstRandom {
    /// The games [default: all]
    games: Vec<String>,
    /// Pairs of games for each bot
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Print the document instead of writing it
    #[arg(long)]
    print: bool,
    /// The file to write
    #[arg(long, default_value = "docs/strength/against-random.md")]
    out: PathBuf,
}

/// A chapter: the game, its heading, and the bots in its set-up.
struct Chapter {
    game: &'static str,
    heading: &'static str,
    bots: &'static [&'static str],
    /// Further set-ups, and the bots that play there.
    set_ups: &'static [&'static str],
    in_set_ups: &'static [&'static str],
    /// What the figures do not say.
    remark: &'static str,
}

const CHAPTERS: [Chapter; 4] = [
    Chapter {
        game: "expendibots",
        heading: "Expendibots",
        bots: &[
            "itself=random",
            "greedy",
            "greedy:save=most,components=pure",
            "greedy:classes=3",
            "greedy:trades=unless-behind",
            "greedy:until=plies",
            "greedy:until=squares",
            "greedy:until=tokens",
            "minimax",
            "minimax:quiesce=mixed",
            "alphabeta",
            "alphabeta:eval=ratio+mobility",
            "alphabeta:eval=ratio+components",
            "alphabeta:eval=ratio+tokens",
            "alphabeta:eval=parts",
            "alphabeta:eval=keys",
            "alphabeta:order=booms,quiesce=mixed",
            "alphabeta:quiesce=booms+stacks",
            "alphabeta:quiesce=booms+stacks,k=1",
            "mcts",
            "mcts:faithful=true",
            "mcts:flat=10",
            "mcts:rollout=nosuicide",
            "report",
            "report:as=text",
            "report:sound=true",
            "level:1",
            "level:8",
            "champion",
        ],
        set_ups: &[],
        in_set_ups: &[],
        remark: "",
    },
    Chapter {
        game: "ropasci360",
        heading: "RoPaSci 360",
        bots: &[
            "itself=random",
            "greedy",
            "minimax",
            "alphabeta",
            "mcts",
            "mcts:select=regret",
            "nash",
            "report",
            "report:as=text",
            "report:draws=on",
            "report:phases=on,distance=fixed",
            "report:rules=off,guard=off",
            "report:moves=near,throws=beside,stir=20,reserve=100,crowd=10",
            "older",
            "sparring",
            "level:1",
            "level:8",
            "champion",
        ],
        set_ups: &[],
        in_set_ups: &[],
        remark: "",
    },
    Chapter {
        game: "hus",
        heading: "Hus",
        bots: &[
            "itself=random",
            "greedy",
            "minimax",
            "alphabeta",
            "alphabeta:attack=2",
            "alphabeta:defence=2",
            "mcts",
            "mcts:flat=true",
            "report",
            "report:as=text",
            "level:1",
            "level:8",
            "champion",
        ],
        set_ups: &[],
        in_set_ups: &[],
        remark: "",
    },
    Chapter {
        game: "colosseum",
        heading: "Colosseum Survival!, 8 x 8",
        bots: &[
            "itself=random",
            "walk",
            "greedy",
            "greedy:moves=tree",
            "minimax",
            "alphabeta",
            "alphabeta:moves=tree",
            "mcts",
            "mcts:rollout=walk",
            "report",
            "report:table=true,window=20",
            "report:as=text",
            "level:1",
            "level:8",
            "champion",
        ],
        set_ups: &["6", "7", "9", "10", "11", "12"],
        in_set_ups: &["report", "report:as=text"],
        remark: "`report`, which plays as the authors' program does, can lose or draw against a random opponent: its move generator \
                 gives nothing where the only way out leads to the opponent's cell, and its search takes that for a win above every \
                 other. So it may prefer such a trap to a game that is won. `report:as=text` generates all moves.",
    },
];

const HEAD: &str = "# Every bot against `random`

Made by `cargo xtask against-random`; do not edit by hand. Each bot plays pairs of games from the game's balanced openings, one game
from each seat, against a bot that plays uniformly at random. The limits are the usual ones of the tournament
([tournament.md](../tournament.md)): nodes and playouts that take about half a millisecond a move, so the same games are played on
every machine and no figure depends on its load. Points have their 95 % interval in brackets. *Faults* are illegal moves, crashes and
answers that cannot be understood; a fault loses the game. How bots keep a limit in time is another matter: `cargo xtask soak
fast-games` plays 2,000 games at 200 ms and 2 ms a move, and `crates/agents/tests/it/clock.rs` counts how often the champions look at
the clock.
";

pub(crate) fn run(arguments: &AgainstRandom) -> CommandResult {
    for game in &arguments.games {
        if !CHAPTERS.iter().any(|chapter| chapter.game == game) {
            let known = CHAPTERS.each_ref().map(|chapter| chapter.game).join(", ");
            return Err(Failure::usage(format!("there is no game `{game}`; the games: {known}")));
        }
    }
    let kept = if arguments.games.is_empty() || arguments.print {
        String::new()
    } else {
        fs::read_to_string(&arguments.out).unwrap_or_default()
    };
    let mut document = HEAD.to_owned();
    for chapter in &CHAPTERS {
        if arguments.games.is_empty() || arguments.games.iter().any(|game| game == chapter.game) {
            document.push_str(&chapter.made(arguments.rounds)?);
        } else if let Some(kept) = chapter_of(&kept, chapter.heading) {
            document.push_str(kept);
        }
    }
    let document = format!("{}\n", document.trim_end());
    if arguments.print {
        anstream::print!("{document}");
    } else {
        fs::write(&arguments.out, document).map_err(Failure::cannot("write", &arguments.out))?;
        eprintln!("wrote {}", arguments.out.display());
    }
    Ok(ExitCode::SUCCESS)
}

impl Chapter {
    /// Plays the games of the chapter and writes it.
    fn made(&self, rounds: u32) -> Result<String, Failure> {
        let mut text = format!("\n## {}\n\n", self.heading);
        let event = &played(&[self.game.to_owned()], self.bots, rounds)?[0];
        let _ = writeln!(
            text,
            "{} games for each bot, {} in all.\n\n{}",
            2 * rounds,
            number(&event["games"]),
            table("bot", &rows(event))
        );
        if !self.set_ups.is_empty() {
            let games: Vec<String> =
                self.set_ups.iter().map(|set_up| format!("{}:{set_up}", self.game)).collect();
            let events = played(&games, self.in_set_ups, rounds)?;
            let rows = events.iter().zip(self.set_ups).flat_map(|(event, set_up)| {
                rows(event).into_iter().map(move |row| format!("| {set_up} {row}"))
            });
            let rows: Vec<String> = rows.collect();
            let _ = writeln!(text, "The other sizes:\n\n{}", table("size | bot", &rows));
        }
        if !self.remark.is_empty() {
            let _ = writeln!(text, "{}\n", self.remark);
        }
        Ok(text)
    }
}

/// Plays a gauntlet of `random` against these bots; the results of each set-up.
fn played(games: &[String], bots: &[&str], rounds: u32) -> Result<Vec<Value>, Failure> {
    let folder = workspace().join("target/against-random").join(games[0].replace(':', "-"));
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(Failure::failed)?;
    }
    let program = std::env::current_exe().map_err(Failure::failed)?;
    let mut tournament = Command::new(program);
    tournament.args(["tournament", "--format", "gauntlet", "--no-report", "--no-thoughts", "--games"]);
    tournament.args(games).args(["--bots", "random"]).args(bots);
    tournament.args(["--rounds", &rounds.to_string(), "--out"]).arg(&folder);
    eprintln!("{}: {} bots against random, {} games each", games.join(" "), bots.len(), 2 * rounds);
    let status = tournament.stdout(Stdio::null()).status().map_err(Failure::failed)?;
    if !status.success() {
        return Err(Failure::failed(format!("the tournament in {} ended with {status}", folder.display())));
    }
    events(&folder)
}

/// The results in a run folder.
fn events(folder: &Path) -> Result<Vec<Value>, Failure> {
    let path = folder.join("summary.json");
    let text = fs::read_to_string(&path).map_err(Failure::cannot("read", &path))?;
    let summary: Value = serde_json::from_str(&text).map_err(Failure::failed)?;
    match &summary["events"] {
        Value::Array(events) if !events.is_empty() => Ok(events.clone()),
        _ => Err(Failure::failed(format!("{} has no results", path.display()))),
    }
}

fn table(first: &str, rows: &[String]) -> String {
    let columns = first.matches('|').count() + 6;
    format!(
        "| {first} | won | drawn | lost | points | faults |\n|{}\n{}\n",
        "---|".repeat(columns),
        rows.join("\n")
    )
}

/// The rows of a gauntlet, each from the view of the bot that meets `random`, in the order of the list.
fn rows(event: &Value) -> Vec<String> {
    let pairings = event["pairings"].as_array();
    let row = |pairing: &Value| {
        let bot = pairing["second"].as_str().unwrap_or_default();
        let name = if bot == "itself" { "`random` itself".to_owned() } else { format!("`{bot}`") };
        let percent = |share: &Value| share.as_f64().map(|share| 100.0 * (1.0 - share));
        let score = percent(&pairing["score"]).unwrap_or_default();
        let interval = match (percent(&pairing["score_high"]), percent(&pairing["score_low"])) {
            (Some(low), Some(high)) => format!(" ({low:.1} to {high:.1})"),
            _ => String::new(),
        };
        let faults: u64 =
            event["faults"][bot].as_object().map_or(0, |faults| faults.values().map(number).sum());
        format!(
            "| {name} | {} | {} | {} | {score:.1} %{interval} | {faults} |",
            number(&pairing["losses"]),
            number(&pairing["draws"]),
            number(&pairing["wins"])
        )
    };
    pairings.into_iter().flatten().map(row).collect()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gamesearch::{Listed, Visitor};

    /// The names of a game's bots that are not among these, and the specs that cannot be built.
    struct Missing(&'static [&'static str]);

    impl Visitor for Missing {
        type Output = Vec<String>;

        fn visit<G: Listed>(self) -> Self::Output {
            let catalogue = G::catalogue();
            let specs = || self.0.iter().map(|spec| spec.strip_prefix("itself=").unwrap_or(spec));
            let unknown = specs().filter(|spec| catalogue.build(spec).is_err()).map(str::to_owned);
            let names = catalogue.bots().iter().map(|bot| bot.name);
            let left_out = names.filter(|name| !specs().any(|spec| spec.split(':').next() == Some(*name)));
            unknown.chain(left_out.map(str::to_owned)).collect()
        }
    }

    #[test]
    fn every_bot_of_the_catalogues_is_there() {
        for Chapter { game, bots, in_set_ups, .. } in &CHAPTERS {
            assert_eq!(gamesearch::contests::with_game(game, Missing(bots)), Some(Vec::new()), "{game}");
            assert!(in_set_ups.iter().all(|spec| bots.contains(spec)), "{game}");
        }
    }

    #[test]
    fn rows_are_seen_from_the_bot() {
        let event = serde_json::json!({
            "pairings": [
                { "first": "random", "second": "itself", "wins": 5, "draws": 0, "losses": 5, "score": 0.5,
                  "score_low": 0.2, "score_high": 0.9 },
                { "first": "random", "second": "mcts", "wins": 1, "draws": 2, "losses": 7, "score": 0.2,
                  "score_low": null, "score_high": null },
            ],
            "faults": { "mcts": { "illegal": 2, "crash": 1 } },
        });
        assert_eq!(
            rows(&event),
            [
                "| `random` itself | 5 | 0 | 5 | 50.0 % (10.0 to 80.0) | 0 |",
                "| `mcts` | 7 | 2 | 1 | 80.0 % | 3 |"
            ]
        );
    }
}
