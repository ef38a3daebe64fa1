//! Games of bots as this machine plays them, one JSON object on a line: what the page's own games are compared with.
//!
//! ```text
//! cargo run --release -p playground --example games -- 20 500 > games.jsonl
//! ```
//!
//! The numbers are games of each game, and turns of each of them at most: 500 are enough for the longest game.

use std::sync::{Mutex, PoisonError};

use playground::Worker;
use search_core::SystemClock;
use serde_json::{Value, json};

/// Limits in counts: nothing depends on a clock.
const LIMITS: &str = "nodes=400,playouts=60,depth=4";

struct Desk {
    worker: Worker,
    clock: SystemClock,
    next: u64,
}

impl Desk {
    /// The final answer to a request.
    fn ask(&mut self, mut request: Value) -> Value {
        self.next += 1;
        request["id"] = json!(self.next);
        let answer = self.send(&request.to_string());
        // A job is for another worker; here it is the same.
        if answer.contains("\"job\"") { read(&self.send(&answer)) } else { read(&answer) }
    }

    fn send(&mut self, message: &str) -> String {
        let last = Mutex::new(String::new());
        self.worker.handle(message, &self.clock, &|text| {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        });
        last.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(text).unwrap_or_default();
    if let Some(problem) = answer.get("failed") {
        eprintln!("{problem}");
        std::process::exit(1);
    }
    answer["done"].take()
}

fn main() {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|text| text.parse().ok()).collect();
    let (games, turns) = (numbers.first().copied().unwrap_or(20), numbers.get(1).copied().unwrap_or(30));
    let mut desk = Desk { worker: Worker::default(), clock: SystemClock::new(), next: 0 };
    let about = desk.ask(json!({ "do": "games" }));
    for game in about["games"].as_array().into_iter().flatten() {
        let bots: Vec<&Value> =
            game["bots"].as_array().into_iter().flatten().map(|bot| &bot["name"]).collect();
        let setups = game["setups"].as_array().map_or(&[][..], |list| list);
        for number in 0..games {
            let place = number as usize;
            // Every bot sits on both sides, against others each time.
            let seats = [bots[place % bots.len()], bots[(place + 1 + place / bots.len()) % bots.len()]];
            let setup = &setups[place % setups.len()]["setup"];
            let seed = number + 1;
            let mut state =
                desk.ask(json!({ "do": "new", "game": game["name"], "setup": setup, "seed": seed }));
            let mut thoughts = Vec::new();
            for _ in 0..turns {
                for player in state["active"].as_array().cloned().unwrap_or_default() {
                    let bot = seats[usize::from(player == json!("p2"))];
                    let mut thought = desk.ask(
                        json!({ "do": "think", "player": player, "bot": bot, "limits": LIMITS, "seed": seed }),
                    );
                    let mv = thought["move"].take();
                    thoughts.push(json!([
                        mv,
                        thought["thought"]["nodes"],
                        thought["thought"]["playouts"],
                        thought["thought"]["score"]["text"]
                    ]));
                    state = desk.ask(json!({ "do": "play", "player": player, "move": mv }));
                }
            }
            println!(
                "{}",
                json!({
                    "game": game["name"], "setup": setup, "seed": seed, "bots": seats, "limits": LIMITS, "turns": turns,
                    "thoughts": thoughts, "position": state["position"], "end": state["end"],
                })
            );
        }
    }
}
