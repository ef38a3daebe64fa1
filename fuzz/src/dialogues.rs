//! Conversations of a host with an engine.

use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

use arena::ugi::{Engine, Reply};
use search_core::{Answer, Bot, BotFailure, FailureKind, Game, Task};
use toys::pile::Pile;

/// A bot that takes the first legal move.
struct First;

impl Bot<Pile> for First {
    fn choose(&mut self, task: &Task<'_, Pile>) -> Result<Answer<<Pile as Game>::Move>, BotFailure> {
        let moves = task.record.legal_moves(task.player);
        moves
            .first()
            .map(|&mv| Answer::plain(mv))
            .ok_or_else(|| BotFailure::new(FailureKind::Crash, "no move"))
    }
}

/// What an engine says.
#[derive(Clone, Default)]
struct Said(Arc<Mutex<Vec<u8>>>);

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Lines that a host may say, sensible ones and others.
const LINES: [&str; 24] = [
    "ugi",
    "isready",
    "uginewgame",
    "position startpos",
    "position startpos moves 1 2 3",
    "position fen 7 p2",
    "position fen 7 p2 moves 3 3 1",
    "position fen 7 p2 moves 9",
    "position fen nonsense",
    "position",
    "go nodes 5",
    "go p1time 100 p2time 100 p1inc 1 p2inc 1",
    "go infinite",
    "go role p1 depth 2",
    "go depth x",
    "stop",
    "setoption name UGI_Seed value 7",
    "setoption name UGI_Game value chess",
    "setoption name None value",
    "query turn",
    "query result",
    "query gameover",
    "",
    "quit",
];

/// A conversation whose lines the bytes choose; what follows a 255 is said as it stands, up to the next 255. The engine answers each
/// `go` with one move, in lines that a host can read, and never panics.
pub fn dialogue(bytes: &[u8]) {
    let mut input = Vec::new();
    let mut asked = 0;
    let mut own_words = false;
    for &byte in bytes.iter().take(4000) {
        if byte == 255 {
            own_words = !own_words;
            input.push(b'\n');
        } else if own_words {
            input.push(byte);
        } else {
            let line = LINES[usize::from(byte) % LINES.len()];
            input.extend_from_slice(line.as_bytes());
            input.push(b'\n');
        }
    }
    for line in String::from_utf8_lossy(&input).lines() {
        match line.split_whitespace().next() {
            Some("quit") => break,
            Some("go") => asked += 1,
            _ => {}
        }
    }
    let said = Said::default();
    let engine = Engine::<Pile>::new("first", "nobody", Box::new(|_| Ok(Box::new(First))));
    // A bot that fails ends its engine; this one does not.
    engine.run(Cursor::new(input), said.clone()).expect("the engine serves to the end");
    let said = String::from_utf8(said.0.lock().unwrap().clone()).expect("an engine speaks UTF-8");
    let answers = said.lines().filter(|line| matches!(Reply::parse(line), Reply::BestMove(_))).count();
    assert_eq!(answers, asked, "moves for questions, in\n{said}");
}
