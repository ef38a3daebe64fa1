//! The kept corpus of each fuzz target goes through the target's own function: an ordinary test, without a fuzzer.

use std::fs;

use crate::tidy::root;

#[test]
fn every_target_takes_its_kept_corpus() {
    let manifest: toml::Table = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap().parse().unwrap();
    let targets = manifest["bin"].as_array().unwrap();
    assert!(targets.len() >= 17, "{} targets", targets.len());
    for target in targets {
        let name = target["name"].as_str().unwrap();
        let mut files = 0;
        for entry in fs::read_dir(root().join("fuzz/corpus").join(name)).unwrap() {
            let path = entry.unwrap().path();
            let bytes = fs::read(&path).unwrap();
            // What fails says which file it was.
            eprintln!("{}", path.display());
            assert!(fuzz_targets::run(name, &bytes), "`{name}` is not among the functions of the targets");
            files += 1;
        }
        assert!(files > 0, "{name} has no corpus");
        // What every fuzzer tries first.
        for bytes in [&b""[..], b"\0", b"\n", b"\xff\xfe", &[b'x'; 300]] {
            fuzz_targets::run(name, bytes);
        }
    }
    assert!(!fuzz_targets::run("nothing", b""));
}
