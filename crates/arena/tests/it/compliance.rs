//! The examination of bots: good ones pass, and what is wrong with bad ones is said in words.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::toys::{Heap, Pennies};
use arena::ClockKind;
use arena::ugi::{Examination, Finding, HostSettings, OutsideBot, Severity, examine, games_of};
use search_core::Game;

const FIXTURE: &str = env!("CARGO_BIN_EXE_ugi_fixture");

fn bot(mode: &str) -> Arc<OutsideBot> {
    let patience = Duration::from_mins(1);
    let settings = HostSettings {
        guard: Some(PathBuf::from(FIXTURE)),
        start: patience,
        ready: patience,
        new_game: patience,
        margin: patience,
        quit: patience,
        ..HostSettings::default()
    };
    Arc::new(OutsideBot::new(vec![FIXTURE.to_owned(), mode.to_owned()], settings))
}

fn findings<G: Game>(mode: &str) -> Vec<Finding> {
    let examination = Examination { positions: 12, ..Examination::default() };
    let mut told = Vec::new();
    let findings = examine::<G>(&bot(mode), examination, &mut |finding| told.push(finding.clone()));
    assert_eq!(told, findings);
    findings
}

/// The only complaint about a bot, which is the last finding.
fn complaint(mode: &str) -> String {
    let findings = findings::<Heap>(mode);
    let wrong = findings.iter().filter(|finding| finding.severity == Severity::Wrong).count();
    assert_eq!(wrong, 1, "{findings:?}");
    let last = findings.last().unwrap();
    format!("{}: {}", last.check, last.text)
}

#[test]
fn our_own_engine_passes() {
    for findings in [findings::<Heap>("heap"), findings::<Pennies>("pennies")] {
        let checks: Vec<&str> = findings.iter().map(|finding| finding.check).collect();
        assert!(findings.iter().all(|finding| finding.severity != Severity::Wrong), "{findings:?}");
        assert_eq!(checks.first(), Some(&"starts and introduces itself"));
        assert_eq!(checks.last(), Some(&"ends at `quit`"));
        assert!(checks.contains(&"answers questions as the rules do"));
    }
    assert_eq!(games_of::<Heap>(&bot("heap")), Ok(vec!["heap".to_owned()]));
    assert_eq!(games_of::<Heap>(&bot("plain")), Ok(Vec::new()));
}

#[test]
fn what_is_wrong_is_said_in_words() {
    assert!(
        complaint("crash-start").contains("ended with exit code 1; its error output:\nModuleNotFoundError")
    );
    assert!(complaint("wrong-game").contains("plays the game: it does not play heap; it plays chess, go"));
    let illegal = complaint("illegal");
    assert!(illegal.contains("finds legal moves in time: `9` is not a legal move of p1"), "{illegal}");
    assert!(illegal.ends_with("it was asked:\nposition fen 21 0\ngo movetime 1000"), "{illegal}");
    assert!(complaint("nonsense").contains("`bestmove checkmate` is no move"));
    assert!(complaint("crash").contains("ValueError: no idea"));
}

#[test]
fn what_a_bot_says_is_shown_with_its_controls_escaped() {
    for finding in findings::<Heap>("escapes") {
        let hidden = |c: char| (c.is_control() && c != '\n' && c != '\t') || c == '\u{202e}';
        assert!(!finding.text.contains(hidden), "{finding:?}");
    }
}

#[test]
fn what_is_odd_is_a_remark() {
    let remarks: Vec<String> = findings::<Heap>("chatty")
        .into_iter()
        .filter(|finding| finding.severity == Severity::Remark)
        .map(|finding| finding.text)
        .collect();
    assert!(remarks.iter().any(|text| text.contains("taken at its word")), "{remarks:?}");
    assert!(remarks.iter().any(|text| text.contains("such as `I am thinking`")), "{remarks:?}");
}

/// A player of a contest follows one game from one side.
#[test]
fn a_bot_is_one_player_for_a_whole_game() {
    let findings = findings::<Heap>("one-player");
    assert!(findings.iter().all(|finding| finding.severity != Severity::Wrong), "{findings:?}");
    let text = &findings.iter().find(|finding| finding.check == "finds legal moves in time").unwrap().text;
    assert!(text.starts_with("12 moves in 2 games"), "{text}");
}

/// What only the margin saves is not fine.
#[test]
fn late_answers_are_told() {
    let limits = "movetime=1ms".parse().unwrap();
    let examination = Examination { positions: 1, limits, ..Examination::default() };
    let findings = examine::<Heap>(&bot("late"), examination, &mut |_| {});
    let finding = findings.iter().find(|finding| finding.check == "finds legal moves in time").unwrap();
    assert_eq!(finding.severity, Severity::Remark);
    assert!(finding.text.starts_with("1 of 1 answers came after their time was over"), "{}", finding.text);
}

/// Whose time at work counts has time to wait.
#[cfg(target_os = "linux")]
#[test]
fn waiting_costs_nothing_where_processor_time_counts() {
    let mut settings = bot("late").settings().clone();
    settings.counted = ClockKind::Cpu;
    let bot = Arc::new(OutsideBot::new(vec![FIXTURE.to_owned(), "late".to_owned()], settings));
    // It sleeps for many times as long before each answer.
    let limits = "movetime=100ms".parse().unwrap();
    let examination = Examination { positions: 1, limits, ..Examination::default() };
    let findings = examine::<Heap>(&bot, examination, &mut |_| {});
    let finding = findings.iter().find(|finding| finding.check == "finds legal moves in time").unwrap();
    assert_eq!(finding.severity, Severity::Fine, "{}", finding.text);
    assert!(finding.text.ends_with(" of 100.0ms"), "{}", finding.text);
}

/// A clock for the whole game runs down, and `first=` is for the first move.
#[test]
fn limits_are_those_of_tournaments() {
    let complaint = |limits: &str| {
        let examination = Examination { limits: limits.parse().unwrap(), ..Examination::default() };
        let findings = examine::<Heap>(&bot("illegal"), examination, &mut |_| {});
        findings.last().unwrap().text.clone()
    };
    let game = complaint("gametime=60s,inc=1s");
    assert!(game.ends_with("go p1time 60000 p1inc 1000"), "{game}");
    let first = complaint("movetime=2s,first=30s");
    assert!(first.ends_with("go movetime 30000"), "{first}");
}
