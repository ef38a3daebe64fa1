//! `gamesearch play GAME --web`: the playground's page with this program behind it. The same page and messages as the file that
//! `cargo xtask page` writes, with all processors and with bots from outside.

mod connection;
mod lane;
mod request;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write as _;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::commands::play::Play;
use super::{App, CommandResult, Failure, processors};
use crate::page::{Engine, page};
use crate::session::{Games, Playground, Reply};
use request::{Asked, Refused};

/// The most pages at the same time; each has a game of its own.
const PAGES: usize = 8;
/// How long a browser may take to send its request.
const PATIENCE: Duration = Duration::from_secs(5);

/// What every connection shares.
struct Server {
    /// `127.0.0.1:PORT`.
    host: String,
    token: String,
    games: Arc<Games>,
    processors: usize,
    pages: AtomicUsize,
}

/// Serves the page until the program is ended.
pub(super) fn serve(app: &App, play: &Play) -> CommandResult {
    let processors = processors();
    let mut games = app.games.iter().fold(Games::new(), |games, game| game.offer(games));
    for (key, value) in [
        ("native", json!(true)),
        ("processors", json!(processors)),
        ("seats", json!(play.seats())),
        ("limits", json!(play.limits())),
    ] {
        games = games.saying(key, value);
    }
    let games = Arc::new(games);
    let link = link(&games, play)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(Failure::failed)?;
    let host = listener.local_addr().map_err(Failure::failed)?.to_string();
    let server = Arc::new(Server { host, token: token(), games, processors, pages: AtomicUsize::new(0) });
    outln!("http://{}/?token={}#{link}", server.host, server.token);
    errln!("Open this address in a browser; Ctrl-C ends the program.");
    for stream in listener.incoming().flatten() {
        let server = server.clone();
        // A browser that was cut off comes again.
        std::thread::spawn(move || server.answer(stream));
    }
    Ok(ExitCode::SUCCESS)
}

/// The game that the command line asks for, as the page's address holds it.
fn link(games: &Arc<Games>, play: &Play) -> Result<String, Failure> {
    let request = play.first_request().map_err(Failure::failed)?;
    let Reply::Answer(answer) = Playground::new(games.clone()).handle(&request.to_string()) else {
        return Err(Failure::failed("the game could not be begun"));
    };
    let answer: Value = serde_json::from_str(&answer).map_err(Failure::failed)?;
    match (answer["done"]["link"].as_str(), answer["failed"].as_str()) {
        (Some(link), _) => Ok(link.to_owned()),
        (None, problem) => Err(Failure::usage(problem.unwrap_or("expected one game in the file"))),
    }
}

/// A word that cannot be guessed: keyed hashes, whose keys the standard library draws from the system's entropy.
fn token() -> String {
    let word = || RandomState::new().build_hasher().finish();
    // Two states of their own keys each: the hash of nothing is as secret as its key.
    let mix = |salt: u64| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(salt);
        hasher.write_u64(word());
        hasher.finish()
    };
    format!("{:016x}{:016x}", mix(1), mix(2))
}

impl Server {
    fn answer(&self, mut stream: TcpStream) {
        let prepared =
            stream.set_read_timeout(Some(PATIENCE)).and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
        if prepared.is_err() {
            return;
        }
        let refused = match request::read(&mut stream, &self.host, &self.token) {
            Ok(Asked::Page) => {
                // A page that has left wants no answer.
                let _ = stream.write_all(self.page().as_bytes());
                return;
            }
            Ok(Asked::Engine(accept)) => {
                if self.pages.fetch_add(1, Ordering::SeqCst) < PAGES {
                    if stream.write_all(accept.as_bytes()).is_ok() {
                        connection::run(stream, &self.games, self.processors);
                    }
                    self.pages.fetch_sub(1, Ordering::SeqCst);
                    return;
                }
                self.pages.fetch_sub(1, Ordering::SeqCst);
                Refused { status: "503 Service Unavailable", why: "too many pages are open" }
            }
            Err(refused) => refused,
        };
        let Refused { status, why } = refused;
        let length = why.len() + 1;
        let _ = write!(
            stream,
            "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{why}\n"
        );
    }

    /// The page with its head. It may load nothing, and talk only to this program.
    fn page(&self) -> String {
        let page = page(Engine::Program);
        format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {}\r\nConnection: close\r\n\
             Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
             Content-Security-Policy: default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
             img-src data: blob:; connect-src ws://{}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\r\n{page}",
            page.len(),
            self.host,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_differ() {
        let (one, two) = (token(), token());
        assert_eq!((one.len(), two.len()), (32, 32));
        assert_ne!(one, two);
    }
}
