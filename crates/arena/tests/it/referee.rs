//! The referee: good games, bad bots, clocks that the tests turn by hand.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::common::{Duel, Manner, TestBot};
use arena::{Conditions, MatchLimits, NoResult, Played, ReplayRule, SavedGame, play_game};
use search_core::{
    Answer, Bot, BotFailure, Clock, FailureKind, Game, Outcome, Player, Standard, StopFlag, Task, Time,
};
use toys::pile::{Pile, Stones};

/// A clock that only the bots move.
#[derive(Debug, Default)]
struct HandClock(AtomicU64);

impl Clock for HandClock {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Takes this many milliseconds for each move, by a clock set by hand, and remembers what it was told.
struct Timed<'a> {
    clock: &'a HandClock,
    times: Vec<u64>,
    told: Vec<Option<Time>>,
}

impl<G: Game<Move = u8>> Bot<G> for Timed<'_> {
    fn choose(&mut self, task: &Task<'_, G>) -> Result<Answer<u8>, BotFailure> {
        let time = self.times.get(self.told.len()).copied().unwrap_or(0);
        self.told.push(task.limits.time);
        self.clock.0.fetch_add(time, Ordering::SeqCst);
        Ok(Answer::plain(task.record.legal_moves(task.player)[0]))
    }
}

fn pile(one: Manner, two: Manner) -> Played<Pile> {
    let (mut one, mut two) = (TestBot::new(one), TestBot::new(two));
    let conditions = Conditions::new(MatchLimits::default());
    let start = Pile::initial(&Stones(9), 0);
    play_game(&start, [&mut one, &mut two], [1, 2], &conditions, &HandClock::default(), &StopFlag::new())
        .unwrap()
}

fn duel(one: Manner, two: Manner, at_once: bool) -> Played<Duel> {
    let (mut one, mut two) = (TestBot::new(one), TestBot::new(two));
    let conditions = Conditions { at_once, ..Conditions::new(MatchLimits::default()) };
    let start = Duel::initial(&Standard, 0);
    play_game(&start, [&mut one, &mut two], [1, 2], &conditions, &HandClock::default(), &StopFlag::new())
        .unwrap()
}

#[test]
fn a_game_is_played_to_its_end_and_saved() {
    let played = pile(Manner::Last, Manner::Last);
    assert_eq!(
        (played.result.outcome, played.result.reason.as_str()),
        (Outcome::Win(Player::One), "last-stone")
    );
    assert_eq!(played.record.turns(), [3, 3, 3]);
    assert_eq!(played.result.moves, [2, 1]);
    let saved = SavedGame::of(&played.record, &Stones(9), ["a".to_owned(), "b".to_owned()]);
    assert_eq!(saved.course.turns, "3 3 3");
    let text = serde_json::to_string(&saved).unwrap();
    let again: SavedGame = serde_json::from_str(&text).unwrap();
    assert_eq!(again.record::<Pile>().unwrap().end(), played.record.end());
    let mut wrong = saved.clone();
    wrong.course.turns = "3 4 2".to_owned();
    assert!(
        wrong.record::<Pile>().unwrap_err().to_string().starts_with("turn 2 cannot be played: `4` is not")
    );
    assert!(saved.record::<Duel>().unwrap_err().to_string().contains("expected a game of duel"));
}

#[test]
fn failures_lose_with_their_reason() {
    for (manner, reason, part) in [
        (Manner::Illegal, "illegal", "`99` is not a legal move of p2; legal: 1 2 3"),
        (Manner::Panics, "crash", "panicked: out of ideas"),
        (Manner::Fails(FailureKind::Protocol), "protocol", "told to"),
        (Manner::Fails(FailureKind::Memory), "memory", "told to"),
        (Manner::Fails(FailureKind::Time), "time", "told to"),
    ] {
        let played = pile(Manner::Last, manner);
        assert_eq!(
            (played.result.outcome, played.result.reason.as_str()),
            (Outcome::Win(Player::One), reason)
        );
        assert_eq!(played.result.faults.len(), 1);
        assert_eq!(played.result.faults[0].player, Player::Two);
        assert!(played.result.faults[0].message.contains(part), "{:?}", played.result.faults);
        // The move that was refused is not in the record.
        assert_eq!(played.record.turns(), [3]);
    }
}

#[test]
fn simultaneous_games_in_both_ways_are_the_same() {
    for at_once in [false, true] {
        let played = duel(Manner::Random, Manner::Random, at_once);
        let other = duel(Manner::Random, Manner::Random, !at_once);
        assert_eq!(played.record.turns(), other.record.turns());
        assert_eq!(played.record.turns().len(), 5);
        let lost = duel(Manner::Last, Manner::Illegal, at_once);
        assert_eq!(
            (lost.result.outcome, lost.result.reason.as_str()),
            (Outcome::Win(Player::One), "illegal")
        );
        let both = duel(Manner::Panics, Manner::Illegal, at_once);
        assert_eq!(
            (both.result.outcome, both.result.reason.as_str()),
            (Outcome::Draw, arena::DOUBLE_FORFEIT)
        );
        assert_eq!(
            both.result.faults.iter().map(|fault| fault.kind).collect::<Vec<_>>(),
            [FailureKind::Crash, FailureKind::Illegal]
        );
        let crash = duel(Manner::Panics, Manner::Last, at_once);
        assert_eq!(
            (crash.result.outcome, crash.result.reason.as_str()),
            (Outcome::Win(Player::Two), "crash")
        );
    }
}

/// One player against a quick one, by the hand clock.
fn timed(limits: &str, margin: u64, times: &[u64]) -> (Played<Pile>, Vec<Option<Time>>) {
    let clock = HandClock::default();
    let mut slow = Timed { clock: &clock, times: times.to_vec(), told: Vec::new() };
    let mut quick = Timed { clock: &clock, times: Vec::new(), told: Vec::new() };
    let mut conditions = Conditions::new(limits.parse().unwrap());
    conditions.margin = Duration::from_millis(margin);
    let start = Pile::initial(&Stones(8), 0);
    let bots: [&mut dyn Bot<Pile>; 2] = [&mut slow, &mut quick];
    let played = play_game(&start, bots, [0, 0], &conditions, &clock, &StopFlag::new()).unwrap();
    (played, slow.told)
}

#[test]
fn clocks_decide_with_the_margin() {
    let (won, told) = timed("movetime=100ms,first=1s", 10, &[1010, 110, 100, 1]);
    assert_eq!(won.result.reason, "last-stone");
    let millis = |millis| Some(Time::Move(Duration::from_millis(millis)));
    assert_eq!(told, [millis(1000), millis(100), millis(100), millis(100)]);
    assert_eq!(won.result.micros[0], 1_221_000);
    assert_eq!(won.result.slowest[0], 1_010_000);
    let (lost, _) = timed("movetime=100ms,first=1s", 10, &[1, 111]);
    assert_eq!((lost.result.outcome, lost.result.reason.as_str()), (Outcome::Win(Player::Two), "time"));
    assert_eq!(lost.result.faults[0].message, "took 111.0ms where 100.0ms were allowed");

    let (won, told) = timed("gametime=300ms,inc=50ms", 0, &[100, 200, 100, 50]);
    assert_eq!(won.result.reason, "last-stone");
    let left: Vec<_> = told
        .iter()
        .map(|time| match time {
            Some(Time::Game { left, increment }) => (left.as_millis(), increment.as_millis()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(left, [(300, 50), (250, 50), (100, 50), (50, 50)]);
    let (lost, _) = timed("gametime=300ms", 0, &[100, 150, 51]);
    assert_eq!((lost.result.outcome, lost.result.reason.as_str()), (Outcome::Win(Player::Two), "time"));
    // Without a clock in the limits no time is too long.
    assert_eq!(timed("nodes=5", 0, &[1_000_000]).0.result.reason, "last-stone");
}

#[test]
fn the_margin_of_a_game_clock_is_spent_once() {
    // 60 ms a move on a clock of 100 ms with a margin of 100 ms: the third move is within, the fourth is not.
    let (lost, told) = timed("gametime=100ms", 100, &[60; 8]);
    assert_eq!((lost.result.outcome, lost.result.reason.as_str()), (Outcome::Win(Player::Two), "time"));
    let left = |millis| Some(Time::Game { left: Duration::from_millis(millis), increment: Duration::ZERO });
    assert_eq!(told, [left(100), left(40), left(0), left(0)]);
    let message = "took 60.0ms where 0.0ns were left and the clock was 80.0ms overdrawn";
    assert_eq!(lost.result.faults[0].message, message);
    // What an increment adds pays the overdraft back first.
    let (won, told) = timed("gametime=100ms,inc=50ms", 100, &[200, 40, 40, 40]);
    assert_eq!(won.result.reason, "last-stone");
    assert!(matches!(told[1], Some(Time::Game { left: Duration::ZERO, .. })), "{told:?}");
}

#[test]
fn a_game_that_ends_so_is_played_again() {
    let rule = ReplayRule { reason: "last-stone".to_owned(), times: 3 };
    let conditions = Conditions { replay: Some(rule), ..Conditions::new(MatchLimits::default()) };
    let (mut one, mut two) = (TestBot::new(Manner::Last), TestBot::new(Manner::Last));
    let start = Pile::initial(&Stones(9), 0);
    let bots: [&mut dyn Bot<Pile>; 2] = [&mut one, &mut two];
    let played =
        play_game(&start, bots, [1, 2], &conditions, &HandClock::default(), &StopFlag::new()).unwrap();
    // The second player lost three times: two replays, then the loss stands.
    assert_eq!((played.result.replays, played.result.outcome), (2, Outcome::Win(Player::One)));
    assert_eq!(played.record.turns(), [3, 3, 3]);
}

#[test]
fn no_result_without_a_start_or_after_a_stop() {
    let start = Pile::initial(&Stones(9), 0);
    let conditions = Conditions::new(MatchLimits::default());
    let (mut one, mut two) = (TestBot::new(Manner::Last), TestBot::new(Manner::NoStart));
    let bots: [&mut dyn Bot<Pile>; 2] = [&mut one, &mut two];
    let result = play_game(&start, bots, [1, 2], &conditions, &HandClock::default(), &StopFlag::new());
    assert_eq!(result.unwrap_err(), NoResult::Start(Player::Two, "will not".to_owned()));
    let stop = StopFlag::new();
    stop.stop();
    let (mut one, mut two) = (TestBot::new(Manner::Last), TestBot::new(Manner::Last));
    let bots: [&mut dyn Bot<Pile>; 2] = [&mut one, &mut two];
    let result = play_game(&start, bots, [1, 2], &conditions, &HandClock::default(), &stop);
    assert_eq!(result.unwrap_err(), NoResult::Stopped);
}
