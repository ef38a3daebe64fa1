//! What the official referee did, ply by ply.

use std::io::BufReader;

use flate2::read::GzDecoder;
use hus::Position;
use search_core::corpus::{Report, replay};

const CORPUS: &[u8] = include_bytes!("../data/corpus.jsonl.gz");

#[test]
fn every_ply_agrees() {
    let mut report = Report::new::<Position>();
    replay::<Position>("corpus.jsonl.gz", BufReader::new(GzDecoder::new(CORPUS)), &mut report);
    assert!(report.is_clean(), "{report}");
    assert_eq!((report.plies, report.games), (33_032, 176));
}
