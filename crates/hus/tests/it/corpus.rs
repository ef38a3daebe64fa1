//! What the official referee did, ply by ply.

use std::io::BufReader;

use flate2::read::GzDecoder;
use hus::Position;
use search_core::corpus::{Conformance, replay};

const CORPUS: &[u8] = include_bytes!("../data/corpus.jsonl.gz");

#[test]
fn every_ply_agrees() {
    let mut conformance = Conformance::new::<Position>();
    replay::<Position>("corpus.jsonl.gz", BufReader::new(GzDecoder::new(CORPUS)), &mut conformance);
    assert!(conformance.is_clean(), "{conformance}");
    assert_eq!((conformance.plies, conformance.games), (33_032, 176));
}
