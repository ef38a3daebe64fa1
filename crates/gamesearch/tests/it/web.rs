//! `play --web`: the page and its engine on the loopback address, and nothing for anybody else.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

use crate::common::{program, refuse, workspace};
use crate::outside::{have, python};

/// The program with a page, until the end of the test.
struct Server {
    child: Child,
    host: String,
    token: String,
    /// What stands after `#` in its address.
    link: String,
}

impl Server {
    fn start(arguments: &[&str]) -> Server {
        let mut child =
            program(arguments).arg("--web").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        let (rest, link) = address.trim_end().split_once('#').expect("a link");
        let (host, token) =
            rest.strip_prefix("http://").and_then(|rest| rest.split_once("/?token=")).expect("a token");
        Server { host: host.to_owned(), token: token.to_owned(), link: link.to_owned(), child }
    }

    /// The answer to a plain request.
    fn get(&self, path: &str, host: &str) -> String {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn connect(&self, token: &str, origin: &str) -> Result<Desk, String> {
        let mut request = format!("ws://{}/engine?token={token}", self.host).into_client_request().unwrap();
        request.headers_mut().insert("Origin", origin.parse().unwrap());
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Desk { socket, next: 0 }),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page's side of the conversation.
struct Desk {
    socket: WebSocket<TcpStream>,
    next: u64,
}

impl Desk {
    fn send(&mut self, what: &str, mut body: Value) -> u64 {
        self.next += 1;
        body["id"] = json!(self.next);
        body["do"] = json!(what);
        self.socket.send(Message::text(body.to_string())).unwrap();
        self.next
    }

    /// The final answer to a request; whatever else comes meanwhile is passed over.
    fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.socket.read().unwrap();
            let answer: Value = serde_json::from_str(message.to_text().unwrap()).unwrap();
            if answer["id"] == json!(id) && answer.get("progress").is_none() {
                return answer;
            }
        }
    }

    fn ask(&mut self, what: &str, body: Value) -> Value {
        let id = self.send(what, body);
        self.answer(id)["done"].take()
    }
}

#[test]
fn the_page_is_for_this_run_alone() {
    let server = Server::start(&["play", "hus", "--setup", "", "--seed", "7"]);
    let Server { host, token, .. } = &server;
    assert!(host.starts_with("127.0.0.1:"), "{host}");
    assert_eq!(server.link, "game=hus&seed=7");
    let page = server.get(&format!("/?token={token}"), host);
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.ends_with("</html>\n"));
    assert!(page.contains("<meta name=\"engine\" content=\"ws\">"));
    assert!(page.contains(&format!("connect-src ws://{host};")));
    for (path, named, status) in [
        ("/", host.as_str(), "403"),
        ("/?token=0123456789abcdef0123456789abcdef", host, "403"),
        (&format!("/?token={token}"), "evil.example", "403"),
        (&format!("/Cargo.toml?token={token}"), host, "404"),
        (&format!("/../../etc/passwd?token={token}"), host, "404"),
        (&format!("/engine?token={token}"), host, "403"),
    ] {
        let answer = server.get(path, named);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path} for {named}: {answer}");
        assert!(!answer.contains("<html"), "{path}");
    }
    for (token, origin) in [
        ("wrong", format!("http://{host}")),
        (token, "http://evil.example".to_owned()),
        (token, "null".to_owned()),
    ] {
        assert!(server.connect(token, &origin).err().is_some_and(|error| error.contains("403")));
    }
}

#[test]
fn a_search_stops_at_once_and_the_game_goes_on_meanwhile() {
    let server = Server::start(&["play", "expendibots"]);
    let mut desk = server.connect(&server.token, &format!("http://{}", server.host)).unwrap();
    let about = desk.ask("games", json!({}));
    assert_eq!((&about["native"], about["games"].as_array().unwrap().len()), (&json!(true), 4));
    let state = desk.ask("link", json!({ "text": server.link }));
    let endless = desk.send("analyse", json!({}));
    // The game is not held up by it.
    let mv = state["legal"]["p1"][0]["move"].clone();
    let state = desk.ask("play", json!({ "player": "p1", "move": mv }));
    assert_eq!(state["ply"], json!(1));
    // A new analysis ends the one before, and a wish to stop ends any.
    let next = desk.send("analyse", json!({}));
    assert_eq!(desk.answer(endless), json!({ "id": endless, "stopped": true }));
    let begun = Instant::now();
    desk.send("stop", json!({ "of": next }));
    assert_eq!(desk.answer(next)["stopped"], json!(true));
    // A tenth of a second is promised; the machine may be busy.
    assert!(begun.elapsed() < Duration::from_secs(10));
    let found = desk.ask("analyse", json!({ "limits": "nodes=2000" }));
    assert_eq!(found["ply"], json!(1));
    let reached = desk.ask("textbook", json!({ "tree": "(1 2)", "search": "minimax" }));
    assert_eq!(reached["value"], json!(2.0));
}

#[test]
fn a_bot_from_outside_plays_on_the_page() {
    if !have(&python(), &["--version"]) {
        return;
    }
    let bot = workspace().join("crates/gamesearch/src/contests/adapters/examples/any_move.py");
    let bot = format!("ugi:{} {}", python(), bot.display());
    let server = Server::start(&["play", "hus", "--against", &bot, "--limits", "movetime=200ms"]);
    let mut desk = server.connect(&server.token, &format!("http://{}", server.host)).unwrap();
    let about = desk.ask("games", json!({}));
    assert_eq!((&about["seats"], &about["limits"]), (&json!(["you", bot]), &json!("movetime=200ms")));
    let mut state = desk.ask("link", json!({ "text": server.link }));
    for _ in 0..3 {
        let mv = state["legal"]["p1"][0]["move"].clone();
        state = desk.ask("play", json!({ "player": "p1", "move": mv }));
        let thought = desk.ask("think", json!({ "player": "p2", "bot": bot, "limits": "movetime=200ms" }));
        state = desk.ask("play", json!({ "player": "p2", "move": thought["move"], "ply": state["ply"] }));
    }
    assert_eq!(state["ply"], json!(6));
    let id =
        desk.send("think", json!({ "player": "p1", "bot": "ugi:no-such-program-here", "limits": "nodes=5" }));
    let failed = desk.answer(id);
    assert!(failed["failed"].as_str().is_some_and(|why| why.contains("no-such-program-here")), "{failed}");
}

#[test]
fn a_wrong_game_is_refused_before_anything_is_served() {
    let said = refuse(&["play", "hus", "--web", "--position", "nonsense"]);
    assert!(said.contains("the position"), "{said}");
    let said = refuse(&["play", "huss", "--web"]);
    assert!(said.contains("hus"), "{said}");
}
