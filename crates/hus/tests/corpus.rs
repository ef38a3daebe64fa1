//! What the official referee did in 33,032 plies of real and made-up games.

use std::io::BufReader;

use flate2::read::GzDecoder;
use hus::Position;
use search_core::corpus;

#[test]
fn the_whole_corpus_replays() {
    let file: &[u8] = include_bytes!("data/corpus.jsonl.gz");
    let mut report = corpus::Report::new::<Position>();
    corpus::replay::<Position>("corpus.jsonl.gz", BufReader::new(GzDecoder::new(file)), &mut report);
    assert!(report.is_clean(), "{report}");
    assert_eq!(report.plies, 33_032);
}
