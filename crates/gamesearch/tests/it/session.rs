//! The engine of the playground, message by message, with the four games.

use std::sync::{Arc, Mutex};

use gamesearch::contests::{NAMES, playground};
use gamesearch::score_scale;
use gamesearch::session::{Games, Lane, Playground, Reply};
use search_core::{StopFlag, SystemClock};
use serde_json::{Value, json};

use crate::common::succeed;

/// A playground with its lanes, as a page sees it: a request in, the final answer out.
struct Desk {
    playground: Playground,
    lanes: [(&'static str, Lane); 2],
    next: u64,
    /// What the last request told on the way.
    progress: Vec<Value>,
}

impl Desk {
    fn new() -> Desk {
        let games: Arc<Games> = Arc::new(playground());
        let lane = |name| (name, Lane::new(games.clone(), 1));
        Desk {
            playground: Playground::new(games.clone()),
            lanes: [lane("play"), lane("analysis")],
            next: 1,
            progress: Vec::new(),
        }
    }

    fn ask(&mut self, what: &str, mut body: Value) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        body["id"] = json!(id);
        body["do"] = json!(what);
        let text = match self.playground.handle(&body.to_string()) {
            Reply::Answer(text) => text,
            Reply::Stop { .. } => panic!("nothing is under way"),
            Reply::Job { id: number, lane, job } => {
                assert_eq!(number, id);
                let told = Mutex::new(Vec::new());
                let (_, lane) = self.lanes.iter_mut().find(|(name, _)| *name == lane).expect("a lane");
                let emit = |text: String| told.lock().unwrap().push(serde_json::from_str(&text).unwrap());
                let last = lane.run(id, &job, &SystemClock::new(), &StopFlag::new(), &emit);
                self.progress = told.into_inner().unwrap();
                last
            }
        };
        let mut answer: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(answer["id"], json!(id), "{text}");
        match answer.get("failed") {
            Some(problem) => Err(problem.as_str().unwrap().to_owned()),
            None => Ok(answer["done"].take()),
        }
    }

    fn done(&mut self, what: &str, body: Value) -> Value {
        self.ask(what, body).unwrap_or_else(|problem| panic!("{what}: {problem}"))
    }

    fn begin(&mut self, game: &str) -> Value {
        self.done("new", json!({ "game": game }))
    }
}

fn first_move(state: &Value, player: &str) -> String {
    state["legal"][player][0]["move"].as_str().expect("a legal move").to_owned()
}

/// A move that does not end the game soon.
fn some_move(state: &Value, player: &str) -> String {
    let moves = state["legal"][player].as_array().expect("legal moves");
    moves[moves.len() / 2]["move"].as_str().expect("a move").to_owned()
}

#[test]
fn every_game_is_described_and_begins() {
    let mut desk = Desk::new();
    let about = desk.done("games", json!({}));
    let games: Vec<&str> =
        about["games"].as_array().unwrap().iter().map(|game| game["name"].as_str().unwrap()).collect();
    assert_eq!(games, NAMES);
    assert_eq!(about["native"], json!(false));
    for game in about["games"].as_array().unwrap() {
        for setup in game["setups"].as_array().unwrap() {
            let state = desk.done("new", json!({ "game": game["name"], "setup": setup["setup"], "seed": 3 }));
            assert_eq!(state["ply"], json!(0));
            let players = if game["simultaneous"].as_bool().unwrap() { 2 } else { 1 };
            assert_eq!(state["active"].as_array().unwrap().len(), players);
            assert!(!state["areas"].as_array().unwrap().is_empty());
            assert!(state["drawing"]["shapes"].as_array().unwrap().len() > 10);
        }
        for bot in game["bots"].as_array().unwrap() {
            assert!(bot["options"].as_array().unwrap().iter().all(|option| option["kind"].is_string()));
        }
    }
}

#[test]
fn a_game_is_played_undone_and_comes_back_from_its_link() {
    let mut desk = Desk::new();
    for game in NAMES {
        let mut state = desk.begin(game);
        for ply in 0..6 {
            for player in state["active"].as_array().unwrap().clone() {
                let player = player.as_str().unwrap();
                let mv = some_move(&state, player);
                let next = desk.done("play", json!({ "player": player, "move": mv, "ply": ply }));
                if state["both"] == json!(true) && player == "p1" {
                    assert_eq!(
                        (&next["chosen"], &next["ply"]),
                        (&json!(["p1"]), &json!(ply)),
                        "hidden until both chose"
                    );
                    assert_eq!((&next["turns"], &next["drawing"]), (&state["turns"], &state["drawing"]));
                } else {
                    state = next;
                }
            }
            assert_eq!(state["ply"], json!(ply + 1));
        }
        let there = desk.done("link", json!({ "text": state["link"] }));
        assert_eq!(there, state, "{game}");
        let back = desk.done("undo", json!({ "count": 4 }));
        assert_eq!((&back["ply"], &back["plies"]), (&json!(2), &json!(6)));
        let there = desk.done("link", json!({ "text": back["link"] }));
        assert_eq!(there, back, "{game}");
        let again = desk.done("redo", json!({ "count": 4 }));
        assert_eq!(again["position"], state["position"]);
        assert_eq!(desk.done("goto", json!({ "ply": 0 }))["position"], state["start"]);
        let seen = desk.done("look", json!({ "turns": state["turns"][0]["text"] }));
        assert_eq!(seen["position"], desk.done("redo", json!({}))["position"]);
        // A saved game is opened like a journal's.
        desk.done("goto", json!({ "ply": 6 }));
        let saved = desk.done("save", json!({}));
        let opened = desk.done("open", json!({ "name": "saved.json", "text": saved["text"] }));
        assert_eq!(opened["position"], state["position"], "{game}");
    }
}

#[test]
fn another_move_forgets_what_could_be_redone() {
    let mut desk = Desk::new();
    let state = desk.begin("hus");
    let other = state["legal"]["p1"][1]["move"].clone();
    desk.done("play", json!({ "player": "p1", "move": first_move(&state, "p1") }));
    desk.done("undo", json!({}));
    let state = desk.done("play", json!({ "player": "p1", "move": other }));
    assert_eq!((&state["ply"], &state["plies"]), (&json!(1), &json!(1)));
    let problem = desk.ask("redo", json!({})).unwrap_err();
    assert_eq!(problem, "there is nothing to play again");
}

#[test]
fn resigning_is_an_end_at_the_table() {
    let mut desk = Desk::new();
    desk.begin("expendibots");
    let state = desk.done("resign", json!({ "player": "p1" }));
    assert_eq!(state["result"]["text"], json!("Black wins, resignation"));
    assert_eq!(state["end"], Value::Null);
    let saved = desk.done("save", json!({}));
    assert!(saved["text"].as_str().unwrap().contains("\"reason\":\"resignation\""));
}

#[test]
fn bots_think_and_searches_find_several_lines() {
    let mut desk = Desk::new();
    for game in NAMES {
        let state = desk.begin(game);
        for player in state["active"].as_array().unwrap() {
            let thought = desk.done(
                "think",
                json!({ "player": player, "bot": "champion", "limits": "nodes=300,playouts=300,depth=3" }),
            );
            let legal = state["legal"][player.as_str().unwrap()].as_array().unwrap();
            let here = json!({ "move": thought["move"], "path": thought["path"] });
            assert!(legal.contains(&here), "{game}: {thought}");
        }
        let found = desk.done("analyse", json!({ "limits": "nodes=5000,depth=4", "lines": 3 }));
        let lines = found["lines"].as_array().unwrap();
        assert!(!lines.is_empty(), "{game}: {found}");
        assert!((0.0..=1.0).contains(&found["score"]["chance"].as_f64().unwrap()));
        if state["both"] == json!(true) {
            for player in ["p1", "p2"] {
                let shares = found["mixed"][player]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|row| row["share"].as_f64().unwrap());
                let sum: f64 = shares.sum();
                assert!((sum - 1.0).abs() < 1e-4, "{game}: {player}'s shares add up to {sum}");
            }
        } else {
            assert_eq!(lines.len(), 3, "{game}: {found}");
            for line in lines {
                assert_eq!(line["bound"], json!("exact"), "{game}: {found}");
                assert_eq!(line["pv"][0], line["move"]);
                // The line can be walked along.
                let pv: Vec<&str> =
                    line["pv"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
                desk.done("look", json!({ "turns": pv.join(" ") }));
            }
        }
    }
}

#[test]
fn scores_are_the_first_players_whoever_is_to_move() {
    let mut desk = Desk::new();
    // Whoever moves can blow up the other's last token, and has another far away.
    for (position, winner) in [("8/8/8/3Aa3/8/8/8/A7 w 0", "p1"), ("8/8/8/3Aa3/8/8/8/a7 b 1", "p2")] {
        desk.done("new", json!({ "game": "expendibots", "position": position }));
        let found = desk.done("analyse", json!({ "limits": "depth=2" }));
        assert_eq!(found["score"]["winner"], json!(winner), "{found}");
    }
}

/// The chances of the first player that a thought holds.
fn chance(thought: &Value) -> f64 {
    thought["score"]["chance"].as_f64().unwrap_or_else(|| panic!("no chance: {thought}"))
}

#[test]
fn no_bot_is_sure_of_the_start() {
    let mut desk = Desk::new();
    let games = desk.done("games", json!({}));
    let mut bots = 0;
    for game in games["games"].as_array().unwrap() {
        desk.begin(game["name"].as_str().unwrap());
        for bot in game["bots"].as_array().unwrap() {
            let mut options = bot["options"].as_array().unwrap().iter();
            // Nodes of playouts are many: some thousands of them would be a handful of playouts.
            let playouts = options.any(|option| option["key"] == "playouts");
            let limits = if playouts { "playouts=300" } else { "nodes=2000,depth=4" };
            let body = json!({ "player": "p1", "bot": bot["name"], "limits": limits });
            let found = desk.done("think", body);
            if found["thought"].is_null() {
                continue;
            }
            bots += 1;
            let chance = chance(&found["thought"]);
            assert!((0.1..=0.9).contains(&chance), "{} {}: {}", game["name"], bot["name"], found["thought"]);
        }
    }
    assert!(bots >= 20, "{bots} bots told what they see");
}

#[test]
fn a_score_means_the_same_in_a_journal_as_in_play() {
    // Scores of playouts and of evaluations are on scales of their own, and a journal knows them by the bot's name.
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run").display().to_string();
    let arguments = [
        "--games",
        "hus",
        "--bots",
        "mcts:playouts=50",
        "champion",
        "--rounds",
        "1",
        "--limits",
        "nodes=500",
    ];
    let arguments: Vec<&str> =
        ["tournament"].into_iter().chain(arguments).chain(["--no-report", "--out", &out]).collect();
    succeed(&arguments, "");
    let journal = std::fs::read_to_string(folder.path().join("run/journal.jsonl")).unwrap();
    let mut desk = Desk::new();
    desk.done("open", json!({ "name": "journal.jsonl", "text": journal }));
    let mut seen = 0;
    for number in 0..2 {
        let state = desk.done("open", json!({ "game": number }));
        for turn in state["turns"].as_array().unwrap() {
            for (side, player) in ["p1", "p2"].into_iter().enumerate() {
                let thought = &turn["thoughts"][player];
                let Some(value) = thought["score"]["value"].as_f64() else { continue };
                let bot = state["names"][side].as_str().unwrap();
                let scale = score_scale::<hus::Position>(bot);
                let expected = if side == 0 { scale.chance(value) } else { 1.0 - scale.chance(-value) };
                assert!((chance(thought) - expected).abs() < 1e-4, "{bot}: {thought}");
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen} scores");
    let [playouts, network] = ["mcts:playouts=50", "champion"].map(score_scale::<hus::Position>);
    assert_ne!(playouts, network);
}

#[test]
fn a_review_finds_the_mistakes() {
    let mut desk = Desk::new();
    desk.begin("hus");
    for _ in 0..6 {
        let state = desk.done("show", json!({}));
        let player = state["active"][0].as_str().unwrap().to_owned();
        desk.done("play", json!({ "player": player, "move": first_move(&state, &player) }));
    }
    let review = desk.done("review", json!({ "limits": "nodes=400" }));
    assert_eq!(review["scores"].as_array().unwrap().len(), 7);
    assert_eq!(desk.progress.len(), 7);
    assert!(review["scores"].as_array().unwrap().iter().all(|score| score["chance"].is_number()), "{review}");
}

#[test]
fn a_review_calls_no_move_a_mistake_that_it_would_have_played() {
    let mut desk = Desk::new();
    desk.begin("hus");
    let turns = ["18", "20", "16", "4", "22"];
    desk.done("play", json!({ "turns": turns.join(" ") }));
    let review = desk.done("review", json!({ "limits": "nodes=10000" }));
    let mistakes = review["mistakes"].as_array().unwrap();
    assert!(!mistakes.is_empty(), "{review}");
    for mistake in mistakes {
        let played = turns[mistake["ply"].as_u64().unwrap() as usize];
        assert_ne!(mistake["best"], json!(played), "{mistake}");
    }
    // The search was surprised by its own first move as well.
    assert_eq!(review["best"][0], json!("18"));
}

#[test]
fn a_tree_is_opened_node_by_node() {
    let mut desk = Desk::new();
    for game in ["expendibots", "hus", "colosseum"] {
        let about = desk.done("games", json!({}));
        let games = about["games"].as_array().unwrap();
        let bots = games.iter().find(|about| about["name"] == json!(game)).unwrap()["treeBots"].clone();
        assert!(!bots.as_array().unwrap().is_empty());
        desk.begin(game);
        for bot in bots.as_array().unwrap() {
            let limits = "playouts=300,nodes=3000";
            let root = desk.done("tree", json!({ "bot": bot, "limits": limits }));
            let known = root["children"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|child| child["score"].is_object())
                .count();
            assert!(known > 0, "{game} {bot}: {root}");
            let line = root["children"][0]["move"].clone();
            let below = desk.done("tree", json!({ "bot": bot, "limits": limits, "line": [line] }));
            assert_ne!(below["player"], root["player"]);
            assert_eq!(below["nodes"], root["nodes"], "the same search");
            assert!(below["children"].is_array());
        }
    }
    desk.begin("ropasci360");
    assert!(desk.ask("tree", json!({})).unwrap_err().contains("ask for the matrix"));
}

#[test]
fn a_matrix_is_solved_over_the_moves_that_matter() {
    let mut desk = Desk::new();
    desk.begin("ropasci360");
    let matrix = desk.done("matrix", json!({ "size": 3, "limits": "nodes=20" }));
    for (player, length) in
        [("p1", matrix["p1"].as_array().unwrap().len()), ("p2", matrix["p2"].as_array().unwrap().len())]
    {
        assert!((1..=3).contains(&length));
        let shares = matrix["shares"][player].as_array().unwrap();
        let sum: f64 = shares.iter().map(|share| share.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-4 && shares.len() == length, "{matrix}");
    }
    assert_eq!(matrix["values"].as_array().unwrap().len(), matrix["p1"].as_array().unwrap().len());
    desk.begin("hus");
    assert!(desk.ask("matrix", json!({})).unwrap_err().contains("there is no matrix"));
}

#[test]
fn a_lesson_grows_the_lectures_tree() {
    let mut desk = Desk::new();
    for game in ["expendibots", "hus", "colosseum"] {
        desk.begin(game);
        let empty = desk.done("lesson", json!({ "start": true, "seed": 5 }));
        assert_eq!((&empty["iterations"], &empty["last"]), (&json!(0), &Value::Null));
        let one = desk.done("lesson", json!({ "steps": 1 }));
        assert_eq!(one["last"]["select"], json!([{ "node": 0 }]), "the root has moves that were not tried");
        assert_eq!(one["last"]["expand"]["parent"], json!(0));
        assert_eq!(one["last"]["backup"].as_array().unwrap().len(), 2);
        let more = desk.done("lesson", json!({ "steps": 150 }));
        assert_eq!(more["iterations"], json!(151));
        let nodes = more["nodes"].as_array().unwrap();
        // Visits of the children are those of their parent, but for the one playout from the parent itself.
        for node in nodes.iter().filter(|node| node["visits"].as_u64() > Some(3)) {
            let children = nodes.iter().filter(|child| child["parent"] == node["node"]);
            let below: u64 = children.map(|child| child["visits"].as_u64().unwrap()).sum();
            let own = u64::from(node["parent"].is_number());
            assert_eq!(below + own, node["visits"].as_u64().unwrap(), "{game}: {node}");
        }
        let ids: Vec<&Value> = nodes.iter().map(|node| &node["node"]).collect();
        assert!(nodes.iter().all(|node| node["parent"].is_null() || ids.contains(&&node["parent"])));
    }
    desk.begin("ropasci360");
    assert!(desk.ask("lesson", json!({})).unwrap_err().contains("choose at once"));
}

#[test]
fn a_journal_is_listed_and_its_games_open() {
    const START: &str = "START";
    let mut desk = Desk::new();
    let line = |round: u32, turns: &str| {
        json!({
            "plan": "x", "id": "y", "index": round, "event": "hus", "round": round, "game": "hus", "setup": "standard",
            "players": ["<b>one</b>", "two"], "start": START, "turns": turns, "outcome": "p2", "reason": "crash", "plies": 1,
        })
        .to_string()
    };
    let state = desk.begin("hus");
    let start = state["start"].as_str().unwrap();
    let turn = first_move(&state, "p1");
    let journal = format!(
        "{{\"journal\":1}}\n{}\n{}\nbroken\n{{\"withdrawn\":\"two\"}}\n",
        line(0, &turn).replace(START, start),
        line(1, "nonsense").replace(START, start)
    );
    let list = desk.done("open", json!({ "name": "journal.jsonl", "text": journal }));
    assert_eq!((&list["total"], &list["broken"]), (&json!(2), &json!(1)));
    assert_eq!(list["games"][0]["players"], json!(["<b>one</b>", "two"]));
    assert_eq!(list["games"][1]["round"], json!(1));
    let state = desk.done("open", json!({ "game": 0 }));
    assert_eq!(state["turns"][0]["text"], json!(turn));
    assert_eq!(state["result"]["text"], json!("North wins, crash"), "a referee's word is kept");
    let problem = desk.ask("open", json!({ "game": 1 })).unwrap_err();
    assert!(problem.contains("turn 1 cannot be played") && problem.contains("nonsense"), "{problem}");
    assert!(desk.ask("open", json!({ "game": 2 })).unwrap_err().contains("expected a game from 0 to 1"));
    let problem = desk.ask("open", json!({ "name": "x.txt", "text": "hello\n" })).unwrap_err();
    assert!(
        problem.starts_with("x.txt: expected a saved game or a journal") && problem.contains("line 1"),
        "{problem}"
    );
}

#[test]
fn what_is_wrong_is_said_in_words() {
    let mut desk = Desk::new();
    for (what, body, problem) in [
        ("show", json!({}), "no game has been begun"),
        ("new", json!({ "game": "huss" }), "did you mean `hus`?"),
        ("new", json!({ "game": "colosseum", "setup": "size=99" }), "the set-up of Colosseum"),
        ("new", json!({ "game": "hus", "position": "1 2" }), "the position: "),
        ("new", json!({ "game": "hus", "turns": "99" }), "turn 1 cannot be played"),
        ("link", json!({ "text": "setup=x" }), "expected `game=`"),
        ("fly", json!({}), "no game has been begun"),
    ] {
        let said = desk.ask(what, body).unwrap_err();
        assert!(said.contains(problem), "{what}: {said}");
    }
    let state = desk.begin("hus");
    for (what, body, problem) in [
        ("fly", json!({}), "there is no request `fly`"),
        ("play", json!({ "player": "p2", "move": "4" }), "it is the other player's turn"),
        ("play", json!({ "player": "p1", "move": "99" }), "is no move of Hus"),
        ("play", json!({ "player": "p1", "move": "4", "ply": 3 }), "the game stands at ply 0"),
        ("play", json!({ "player": "p3", "move": "4" }), "expected the player `p1` or `p2`"),
        ("play", json!({ "turns": "4 99" }), "turn 2 cannot be played"),
        ("goto", json!({ "ply": 7 }), "expected a ply from 0 to 0"),
        (
            "think",
            json!({ "player": "p1", "bot": "champoin", "limits": "nodes=5" }),
            "did you mean `champion`?",
        ),
        ("think", json!({ "player": "p1", "bot": "random" }), "think for ever"),
        ("think", json!({ "player": "p1", "bot": "random", "limits": "nodes=x" }), "expected a whole number"),
        ("analyse", json!({ "bot": "random", "limits": "nodes=5" }), "tells its move only"),
        ("tree", json!({ "bot": "greedy", "limits": "nodes=5" }), "keeps nothing to look into"),
        ("textbook", json!({ "tree": "(", "search": "minimax" }), "expected `)`"),
    ] {
        let said = desk.ask(what, body).unwrap_err();
        assert!(said.contains(problem), "{what}: {said}");
    }
    assert_eq!(desk.done("show", json!({})), state, "nothing has changed");
}

#[test]
fn positions_are_checked_without_going_there() {
    let mut desk = Desk::new();
    let state = desk.begin("colosseum");
    let checked = desk.done("check", json!({ "position": state["position"] }));
    assert_eq!((&checked["legal"], &checked["drawing"]), (&json!(true), &state["drawing"]));
    let line = checked["line"].as_str().unwrap();
    let moves = state["legal"]["p1"].as_array().unwrap().len();
    assert_eq!(line, format!("{};1;{moves}", state["position"].as_str().unwrap()));
    let wrong = desk.done("check", json!({ "game": "hus", "position": "1 2 3" }));
    assert_eq!(wrong["legal"], json!(false));
    assert!(wrong["why"].as_str().unwrap().len() > 10);
}

#[test]
fn positions_are_set_up_by_hand() {
    let mut desk = Desk::new();
    let described = desk.done("games", json!({}));
    for game in described["games"].as_array().unwrap() {
        assert!(game["brushes"].as_array().unwrap().len() > 3, "{}", game["name"]);
    }
    let state = desk.begin("colosseum");
    let edited = desk.done("edit", json!({ "position": state["position"], "brush": "side" }));
    assert!(edited["position"].as_str().unwrap().ends_with(" b 1"), "{edited}");
    let empty = "8/8/8/8/8/8/8/8 w 10";
    let body = json!({ "game": "expendibots", "position": empty, "brush": "white", "target": "a1" });
    assert_eq!(desk.done("edit", body)["position"], json!("8/8/8/8/8/8/8/A7 w 10"));
    let body = json!({ "position": state["position"], "brush": "wall", "target": "a1" });
    assert!(desk.ask("edit", body).unwrap_err().contains("not on `a1`"));
    assert_eq!(desk.done("show", json!({})), state, "the game has not changed");
}

#[test]
fn the_other_side_has_a_reach() {
    let mut desk = Desk::new();
    for (game, has) in [("expendibots", true), ("hus", true), ("colosseum", true), ("ropasci360", false)] {
        desk.begin(game);
        let reach = desk.done("reach", json!({}));
        assert_eq!(reach["player"] == json!("p2"), has, "{game}");
        assert_eq!(reach["legal"].as_array().is_some_and(|moves| !moves.is_empty()), has, "{game}");
    }
}
