//! An engine driven through pipes, as a host would.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::toys::{First, Heap, Pennies};
use arena::ugi::{BuildBot, Engine, EngineError, OptionKind, OptionLine};
use search_core::{
    Analysis, Answer, Bot, BotFailure, FailureKind, Game, Mixed, Player, Score, Stats, Task, Time, Turn,
};

/// The host's end of a conversation.
struct Host {
    to: Option<PipeWriter>,
    from: BufReader<PipeReader>,
    engine: JoinHandle<Result<(), EngineError>>,
}

impl Host {
    fn start<G: Game>(make: impl FnOnce() -> Engine<G> + Send + 'static) -> Host {
        let (engine_in, to) = pipe().unwrap();
        let (from, engine_out) = pipe().unwrap();
        let engine = thread::spawn(move || make().run(BufReader::new(engine_in), engine_out));
        Host { to: Some(to), from: BufReader::new(from), engine }
    }

    fn first<G: Game>() -> Host {
        Host::start(|| Engine::<G>::new("first", "us", Box::new(|_| Ok(Box::new(First)))))
    }

    fn say(&mut self, lines: &str) {
        writeln!(self.to.as_mut().unwrap(), "{lines}").unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn ask(&mut self, lines: &str) -> String {
        self.say(lines);
        self.hear()
    }

    fn end(mut self) -> Result<(), EngineError> {
        self.to = None;
        self.engine.join().unwrap()
    }
}

#[test]
fn the_introduction_lists_name_author_and_options() {
    let mut host = Host::start(|| {
        let option =
            OptionLine { name: "depth".into(), kind: OptionKind::Spin { min: 1, max: 9 }, default: None };
        Engine::<Heap>::new("first 1.0", "us", Box::new(|_| Ok(Box::new(First)))).with_option(option)
    });
    host.say("ugi");
    let mut lines = Vec::new();
    while lines.last().is_none_or(|line| line != "ugiok") {
        lines.push(host.hear());
    }
    assert_eq!(
        lines,
        [
            "id name first 1.0",
            "id author us",
            "option name UGI_Game type combo default heap var heap",
            "option name UGI_Seed type spin default 0 min 0 max 9223372036854775807",
            "option name depth type spin min 1 max 9",
            "ugiok"
        ]
    );
    assert_eq!(host.ask("isready"), "readyok");
    host.end().unwrap();
}

#[test]
fn positions_come_by_start_by_text_and_by_moves() {
    let mut host = Host::first::<Heap>();
    assert_eq!(host.ask("query fen"), "response 21 0");
    assert_eq!(host.ask("position startpos moves 3 2\nquery fen"), "response 16 2");
    assert_eq!(host.ask("position startpos moves 3 2 1\nquery fen"), "response 15 3");
    // A longer number is not a longer list.
    assert_eq!(
        host.ask("position startpos moves 3 2 12\nquery fen"),
        "info string error: `12` is not a legal move of p1; legal: 1 2 3"
    );
    assert_eq!(host.hear(), "info string error: no position is set: the last `position` could not be read");
    assert_eq!(host.ask("position fen 5 7 moves 3\nquery fen"), "response 2 8");
    assert_eq!(host.ask("position fen 5 7\r\nquery moves p2\r"), "response 1 2 3");
    assert_eq!(host.ask("go nodes 5"), "bestmove 1");
    assert_eq!(host.ask("position fen x\ngo depth 1"), "info string error: cannot read `x`");
    assert!(host.hear().starts_with("info string error: no position is set"));
    assert_eq!(host.hear(), "bestmove none");
    host.end().unwrap();
}

#[test]
fn queries_tell_turn_and_result() {
    let mut host = Host::first::<Heap>();
    assert_eq!(host.ask("query turn"), "response p1");
    assert_eq!(host.ask("query p1turn"), "response true");
    assert_eq!(host.ask("position fen 2 1\nquery p1turn"), "response false");
    assert_eq!(host.ask("query gameover"), "response false");
    assert_eq!(host.ask("query result"), "response none");
    assert_eq!(host.ask("position fen 2 1 moves 2\nquery gameover"), "response true");
    assert_eq!(host.ask("query result"), "response p2win");
    assert_eq!(host.ask("go"), "info string error: the game is over, p2 (last-taken)");
    assert_eq!(host.hear(), "bestmove none");
    assert!(host.ask("frobnicate").starts_with("info string error: unknown command `frobnicate`"));
    host.end().unwrap();
}

#[test]
fn both_players_of_a_simultaneous_game_are_asked_by_role() {
    let mut host = Host::first::<Pennies>();
    assert_eq!(host.ask("query turn"), "response both");
    assert_eq!(host.ask("position startpos moves h|h t|h\nquery fen"), "response 1 1");
    assert_eq!(host.ask("go role p2 nodes 1"), "bestmove h");
    assert_eq!(
        host.ask("go nodes 1"),
        "info string error: both players move at once: expected `go role p1` or `go role p2`"
    );
    assert_eq!(host.hear(), "bestmove none");
    assert_eq!(
        host.ask("position startpos moves h"),
        "info string error: expected two moves joined by `|`, found `h`"
    );
    host.end().unwrap();
}

/// Thinks until it is stopped, and says when it begins; remembers what it was told.
struct Thinker {
    begun: Sender<(Option<Player>, u64)>,
    told: Option<(Player, u64)>,
}

impl<G: Game> Bot<G> for Thinker {
    fn new_game(&mut self, player: Player, seed: u64) -> Result<(), BotFailure> {
        self.told = Some((player, seed));
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        self.begun.send((self.told.map(|told| told.0), self.told.map_or(0, |told| told.1))).unwrap();
        let limited = task.limits.nodes.is_some();
        while !limited && !task.stop.is_set() {
            thread::sleep(Duration::from_millis(1));
        }
        let moves = task.record.legal_moves(task.player);
        let mixed = G::Turn::SIMULTANEOUS.then(|| Mixed {
            strategies: [vec![(moves[0], 0.25), (moves[1], 0.75)], vec![(moves[1], 1.0)]],
            value: -0.5,
            gap: 0.0,
            payoffs: vec![vec![-0.5], vec![-0.5]],
        });
        let analysis = Analysis {
            best: Some(moves[0]),
            score: Score::loss_in(4),
            pv: moves.clone(),
            depth: 3,
            stats: Stats { nodes: 77, time: Duration::from_millis(5), ..Stats::default() },
            mixed,
            ..Analysis::default()
        };
        Ok(Answer { mv: moves[0], analysis: Some(analysis) })
    }
}

fn thinker<G: Game>() -> (Host, Receiver<(Option<Player>, u64)>) {
    let (begun, begins) = channel();
    let make = move || {
        let build: BuildBot<G> =
            Box::new(move |_| Ok(Box::new(Thinker { begun: begun.clone(), told: None })));
        Engine::new("thinker", "us", build)
    };
    (Host::start(make), begins)
}

#[test]
fn a_search_is_stopped_and_reports_what_it_saw() {
    let (mut host, begins) = thinker::<Heap>();
    host.say("setoption name UGI_Seed value 9\nposition fen 9 1\ngo infinite");
    assert_eq!(begins.recv().unwrap(), (Some(Player::Two), 9));
    // The search runs: `isready` is answered, other questions wait.
    assert_eq!(host.ask("isready"), "readyok");
    host.say("query turn");
    assert_eq!(host.ask("stop"), "info depth 3 nodes 77 time 5 score loss 4 pv 1 2 3");
    assert_eq!(host.hear(), "bestmove 1");
    assert_eq!(host.hear(), "response p2");
    // A `stop` that comes when nothing runs does not stop the next search.
    host.say("stop\ngo infinite");
    begins.recv().unwrap();
    assert_eq!(host.ask("isready"), "readyok");
    host.say("stop\nposition fen 8 0\ngo nodes 3");
    assert!(host.hear().starts_with("info ") && host.hear() == "bestmove 1");
    assert_eq!(begins.recv().unwrap().0, Some(Player::One));
    assert!(host.hear().starts_with("info ") && host.hear() == "bestmove 1");
    host.end().unwrap();
}

#[test]
fn a_stop_right_behind_go_is_heard() {
    let (mut host, _begins) = thinker::<Heap>();
    for _ in 0..20 {
        host.say("go infinite\nstop");
        assert!(host.hear().starts_with("info ") && host.hear() == "bestmove 1");
    }
    host.end().unwrap();
}

#[test]
fn the_end_of_the_input_stops_an_endless_search_and_lets_a_limited_one_finish() {
    let (mut host, begins) = thinker::<Heap>();
    host.say("go nodes 5\ngo infinite");
    begins.recv().unwrap();
    begins.recv().unwrap();
    host.to = None;
    let texts: Vec<String> = (0..4).map(|_| host.hear()).collect();
    assert_eq!((texts[1].as_str(), texts[3].as_str()), ("bestmove 1", "bestmove 1"));
    host.end().unwrap();
}

#[test]
fn quit_ends_a_running_search() {
    let (mut host, begins) = thinker::<Heap>();
    host.say("go infinite");
    begins.recv().unwrap();
    host.say("quit");
    host.engine.join().unwrap().unwrap();
}

#[test]
fn a_mixed_strategy_is_told_as_text() {
    let (mut host, _begins) = thinker::<Pennies>();
    assert!(host.ask("go role p1 nodes 1").starts_with("info depth 3"));
    assert_eq!(host.hear(), "info string mixed value -0.5000 gap 0.0000 p1 h=0.2500 t=0.7500 p2 t=1.0000");
    assert_eq!(host.hear(), "bestmove h");
    host.end().unwrap();
}

#[test]
fn options_reach_the_builder_and_mistakes_are_named() {
    let mut host = Host::start(|| {
        let option = |name: &str, kind| OptionLine { name: name.into(), kind, default: None };
        let build: BuildBot<Heap> = Box::new(|settings| match settings {
            [] => Ok(Box::new(First)),
            [(name, value)] if name == "take" => Err(format!("take must not be {value}")),
            other => Err(format!("{other:?}")),
        });
        Engine::new("first", "us", build)
            .with_option(option("take", OptionKind::Spin { min: 1, max: 3 }))
            .with_option(option("go home", OptionKind::Button))
    });
    assert_eq!(host.ask("setoption name Take value 2"), "info string error: take must not be 2");
    assert_eq!(
        host.ask("setoption name take value 4"),
        "info string error: expected a value that fits `option name take type spin min 1 max 3`, found `4`"
    );
    assert_eq!(host.ask("setoption name go home"), "info string error: [(\"go home\", \"\")]");
    assert_eq!(
        host.ask("setoption name x value 1"),
        "info string error: there is no option `x`; the options are UGI_Game, UGI_Seed, take, go home"
    );
    assert!(host.ask("setoption name UGI_Game value hus").contains("var heap`, found `hus`"));
    assert_eq!(host.ask("go depth 1"), "bestmove 1");
    host.end().unwrap();
}

/// Fails at its first move.
struct Broken;

impl<G: Game> Bot<G> for Broken {
    fn choose(&mut self, _: &Task<'_, G>) -> Result<Answer<G::Move>, BotFailure> {
        Err(BotFailure::new(FailureKind::Crash, "out of ideas"))
    }
}

#[test]
fn a_bot_that_fails_ends_the_engine() {
    let mut host = Host::start(|| Engine::<Heap>::new("broken", "us", Box::new(|_| Ok(Box::new(Broken)))));
    host.say("go depth 1");
    let failed = host.engine.join().unwrap().unwrap_err();
    assert_eq!(failed.to_string(), "the bot failed, crash: out of ideas");
}

/// Needs long for a new game, and says of each move what time it was given for it.
struct Preparer(Sender<Option<Duration>>);

/// How long it prepares.
const PREPARING: Duration = Duration::from_millis(60);

impl Bot<Heap> for Preparer {
    fn new_game(&mut self, _: Player, _: u64) -> Result<(), BotFailure> {
        thread::sleep(PREPARING);
        let _ = self.0.send(None);
        Ok(())
    }

    fn choose(&mut self, task: &Task<'_, Heap>) -> Result<Answer<<Heap as Game>::Move>, BotFailure> {
        if let Some(Time::Move(time)) = task.limits.time {
            let _ = self.0.send(Some(time));
        }
        Ok(Answer::plain(task.record.legal_moves(task.player)[0]))
    }
}

#[test]
fn what_a_new_game_costs_is_part_of_the_time_or_spent_before_it() {
    let (sender, told) = channel();
    let mut host = Host::start(|| {
        let bot: BuildBot<Heap> = Box::new(move |_| Ok(Box::new(Preparer(sender.clone()))));
        Engine::<Heap>::new("preparer", "us", bot)
    });
    // Nobody asked whether it is ready: the host's clock runs while it prepares.
    host.ask("go movetime 100");
    assert_eq!(told.recv().unwrap(), None);
    assert!(told.recv().unwrap().unwrap() + PREPARING <= Duration::from_millis(100));
    // Asked, it has prepared before it says so, and not once more for the first move.
    assert_eq!(host.ask("uginewgame\nisready"), "readyok");
    assert_eq!(told.try_recv(), Ok(None));
    host.ask("go movetime 100");
    assert!(told.recv().unwrap().is_some());
    // For the other player it is told again.
    assert_eq!(host.ask("uginewgame\nisready"), "readyok");
    host.ask("position startpos moves 1\ngo movetime 1000");
    assert_eq!(told.recv().unwrap(), None);
    assert_eq!(told.recv().unwrap(), None);
    assert!(told.recv().unwrap().is_some());
    host.end().unwrap();
}
