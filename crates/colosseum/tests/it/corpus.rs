//! What the official referee did, ply by ply.

use std::io::BufReader;

use colosseum::Position;
use flate2::read::GzDecoder;
use search_core::Record;
use search_core::corpus::{Conformance, Fields, Mismatch, Value, replay_with};

const CORPUS: &[u8] = include_bytes!("../data/corpus.jsonl.gz");

/// The field `score`: the two areas at the end, null before.
fn score(fields: &Fields, record: &Record<Position>) -> Option<Mismatch> {
    let found = record.position().scores().map_or(Value::Null, |scores| Value::from(scores.to_vec()));
    Mismatch::unless_equal("score", fields.get("score").unwrap_or(&Value::from("missing")), &found)
}

#[test]
fn every_ply_agrees() {
    let mut conformance = Conformance::new::<Position>();
    replay_with("corpus.jsonl.gz", BufReader::new(GzDecoder::new(CORPUS)), &mut conformance, score);
    assert!(conformance.is_clean(), "{conformance}");
    assert_eq!((conformance.plies, conformance.games), (5121, 154));
}
