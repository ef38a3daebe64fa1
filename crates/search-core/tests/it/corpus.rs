//! Replaying corpora: agreement, every kind of difference, and unreadable input.

use std::io::{self, BufReader, Read};

use search_core::corpus::{Conformance, Mismatch, Value, replay, replay_with};
use toys::connect_four::ConnectFour;

const START: &str = r#"{"game":0,"ply":0,"position":"//////","legal":["a","b","c","d","e","f","g"],"played":"a","next":"x//////","outcome":null,"reason":null}"#;
const SECOND: &str = r#"{"game":0,"ply":1,"position":"x//////","legal":["b","a","c","d","e","f","g"],"played":"b","next":"x/o/////","outcome":null,"reason":null}"#;
const LAST: &str = r#"{"game":1,"ply":6,"position":"xxx/ooo/////","legal":["a","b","c","d","e","f","g"],"played":"a","next":"xxxx/ooo/////","outcome":"p1","reason":"four-in-a-row"}"#;

fn conformance(text: &str) -> Conformance {
    let mut conformance = Conformance::new::<ConnectFour>();
    replay::<ConnectFour>("games.jsonl", text.as_bytes(), &mut conformance);
    conformance
}

#[test]
fn agreement_counts_plies_and_games() {
    let conformance = conformance(&format!("{START}\n\n{SECOND}\n{LAST}"));
    assert!(conformance.is_clean(), "{conformance}");
    assert_eq!(conformance.to_string(), "conform connect-four: 3 plies, 2 games, 0 differences");
}

#[test]
fn an_empty_corpus_is_not_clean() {
    assert!(!conformance("").is_clean());
}

#[test]
fn every_field_is_compared() {
    for (field, from, to) in [
        ("position", r#""position":"xxx/ooo/////""#, r#""position":"xxx/ooo///// ""#),
        ("legal", r#""f","g"]"#, r#""f"]"#),
        ("legal", r#""f","g"]"#, r#""f","h"]"#),
        ("played", r#""played":"a""#, r#""played":"z""#),
        ("played", r#""played":"a""#, r#""played":["a","b"]"#),
        (
            "legal",
            r#"["a","b","c","d","e","f","g"]"#,
            r#"{"upper":["a","b","c","d","e","f","g"],"lower":["a"]}"#,
        ),
        ("next", r#""next":"xxxx/"#, r#""next":"xxx/"#),
        ("outcome", r#""outcome":"p1""#, r#""outcome":"p2""#),
        ("outcome", r#""outcome":"p1""#, r#""outcome":null"#),
        ("reason", r#""reason":"four-in-a-row""#, r#""reason":"luck""#),
    ] {
        let line = LAST.replace(from, to);
        assert_ne!(line, LAST, "{from} is in the line");
        let conformance = conformance(&line);
        let fields: Vec<&str> =
            conformance.first.iter().map(|difference| difference.field.as_str()).collect();
        assert_eq!(fields, [field], "{to}: {conformance}");
    }
}

#[test]
fn a_difference_is_a_readable_block() {
    let conformance =
        conformance(&format!("{START}\n{}", LAST.replace(r#""outcome":"p1""#, r#""outcome":"draw""#)));
    assert_eq!(
        conformance.to_string(),
        "games.jsonl line 2, game 1, ply 6: outcome\n  position  xxx/ooo/////\n  expected  draw\n  found     p1\n\n\
         conform connect-four: 2 plies, 2 games, 1 differences"
    );
}

#[test]
fn a_line_that_does_not_follow_from_the_one_before_is_a_difference() {
    let jump = SECOND.replace(r#""position":"x//////""#, r#""position":"/x/////""#).replace("x/o/", "/xo/");
    let conformance = conformance(&format!("{START}\n{jump}"));
    assert_eq!(conformance.differences, 1, "{conformance}");
    assert_eq!(conformance.first[0].field, "position");
}

#[test]
fn a_gap_in_the_plies_starts_anew() {
    let later = LAST.replace(r#""game":1"#, r#""game":0"#);
    let conformance = conformance(&format!("{START}\n{later}"));
    assert!(conformance.is_clean(), "{conformance}");
    assert_eq!(conformance.games, 1);
}

#[test]
fn a_number_that_starts_over_is_another_game() {
    let conformance = conformance(&format!("{START}\n{SECOND}\n{START}\n{SECOND}"));
    assert!(conformance.is_clean(), "{conformance}");
    assert_eq!((conformance.plies, conformance.games), (4, 2));
}

#[test]
fn a_game_that_is_over_does_not_go_on() {
    let over = r#"{"game":1,"ply":7,"position":"xxxx/ooo/////","legal":[],"played":"a","next":"","outcome":null,"reason":null}"#;
    let conformance = conformance(&format!("{LAST}\n{over}"));
    assert_eq!(conformance.differences, 1, "{conformance}");
    assert_eq!(conformance.first[0].found, "p1 (four-in-a-row) before this turn");
}

#[test]
fn unreadable_lines_are_differences_with_their_number() {
    let no_outcome = START.replace(r#""outcome":null,"#, "");
    let mut bytes = format!("{START}\nnonsense\n{{}}\n{no_outcome}\n").into_bytes();
    bytes.extend_from_slice(b"\xff\xfe\n");
    bytes.extend_from_slice(LAST.as_bytes());
    let mut conformance = Conformance::new::<ConnectFour>();
    replay::<ConnectFour>("games.jsonl", bytes.as_slice(), &mut conformance);
    let lines: Vec<(u64, &str)> = conformance.first.iter().map(|d| (d.line, d.field.as_str())).collect();
    assert_eq!(lines, [(2, "line"), (3, "line"), (4, "line"), (5, "line")], "{conformance}");
    assert_eq!((conformance.plies, conformance.games), (2, 2));
    assert!(conformance.first[2].found.contains("missing field `outcome`"), "{conformance}");
}

#[test]
fn a_read_error_is_a_difference() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::new(io::ErrorKind::InvalidData, "corrupt stream"))
        }
    }
    let mut conformance = Conformance::new::<ConnectFour>();
    let text = format!("{START}\n");
    replay::<ConnectFour>("games.gz", BufReader::new(text.as_bytes().chain(Broken)), &mut conformance);
    assert_eq!(
        (conformance.plies, conformance.differences, conformance.first[0].line),
        (1, 1, 2),
        "{conformance}"
    );
    assert_eq!(conformance.first[0].found, "corrupt stream");
}

#[test]
fn a_game_can_check_fields_of_its_own() {
    let line = START.replace(r#""reason":null"#, r#""reason":null,"stones":2"#);
    let mut conformance = Conformance::new::<ConnectFour>();
    replay_with::<ConnectFour>("games.jsonl", line.as_bytes(), &mut conformance, |fields, record| {
        let expected = fields.get("stones").and_then(Value::as_u64);
        Mismatch::unless_equal("stones", &expected, &Some(u64::from(record.position().stones())))
    });
    assert_eq!(conformance.differences, 1);
    assert_eq!(conformance.first[0].expected, "Some(2)");
}

#[test]
fn only_the_first_differences_are_kept_but_all_are_counted() {
    let conformance = conformance(&"x\n".repeat(500));
    assert_eq!((conformance.differences, conformance.first.len()), (500, Conformance::KEPT));
}
