//! One page: its messages in, answers and progress out.

use std::io::ErrorKind;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::json;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

use super::lane::{Said, Searcher};
use crate::session::{Games, Playground, Reply, answer, nothing};

/// Between two looks at what searches have to say.
const TICK: Duration = Duration::from_millis(5);
/// The largest message: a journal that is dropped on the page.
const LARGEST: usize = 512 << 20;

struct Page {
    playground: Playground,
    play: Searcher,
    analysis: Searcher,
    said: Receiver<Said>,
}

/// Serves one page until it is closed.
pub(super) fn run(stream: TcpStream, games: &Arc<Games>, processors: usize) {
    if stream.set_read_timeout(Some(TICK)).is_err() || stream.set_nodelay(true).is_err() {
        return;
    }
    let config = WebSocketConfig::default().max_message_size(Some(LARGEST)).max_frame_size(Some(LARGEST));
    let mut socket = WebSocket::from_raw_socket(stream, Role::Server, Some(config));
    let (say, said) = channel();
    let mut page = Page {
        playground: Playground::new(games.clone()),
        play: Searcher::new(games.clone(), processors, say.clone()),
        analysis: Searcher::new(games.clone(), processors, say),
        said,
    };
    // A page that is gone needs no answer.
    let _ = page.serve(&mut socket);
    page.stop(None);
}

impl Page {
    fn serve(&mut self, socket: &mut WebSocket<TcpStream>) -> Result<(), Error> {
        loop {
            while let Ok(said) = self.said.try_recv() {
                if let Some(text) = self.heard(said) {
                    socket.send(Message::text(text))?;
                }
            }
            let message = match socket.read() {
                Ok(Message::Text(text)) => text,
                Ok(_) => continue,
                Err(Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    continue;
                }
                Err(error) => return Err(error),
            };
            for text in self.handle(&message) {
                socket.send(Message::text(text))?;
            }
        }
    }

    /// What a search says, unless it has been answered already.
    fn heard(&mut self, said: Said) -> Option<String> {
        let lanes = [&mut self.play, &mut self.analysis];
        let lane =
            lanes.into_iter().find(|lane| lane.under_way.as_ref().is_some_and(|(id, _)| *id == said.id))?;
        if said.last {
            lane.under_way = None;
        }
        Some(said.text)
    }

    /// Answers to a message that can be given at once.
    fn handle(&mut self, message: &str) -> Vec<String> {
        match self.playground.handle(message) {
            Reply::Answer(text) => vec![text],
            Reply::Stop { id, of } => {
                let mut answers = self.stop(of);
                answers.push(answer(id, Ok(nothing())));
                answers
            }
            Reply::Job { id, lane, job } => {
                let lane = if lane == "play" { &mut self.play } else { &mut self.analysis };
                let mut answers: Vec<String> = end(lane).into_iter().collect();
                if let Err(problem) = lane.start(id, job) {
                    lane.under_way = None;
                    answers.push(answer(id, Err(problem)));
                }
                answers
            }
        }
    }

    /// Stops one request, or all; their answers.
    fn stop(&mut self, of: Option<u64>) -> Vec<String> {
        let lanes = [&mut self.play, &mut self.analysis];
        let meant = |lane: &&mut Searcher| of.is_none() || lane.under_way.as_ref().map(|(id, _)| *id) == of;
        lanes.into_iter().filter(meant).filter_map(end).collect()
    }
}

/// Ends what a lane is at. The answer does not wait for the search to notice.
fn end(lane: &mut Searcher) -> Option<String> {
    let (id, stop) = lane.under_way.take()?;
    stop.stop();
    Some(json!({ "id": id, "stopped": true }).to_string())
}
