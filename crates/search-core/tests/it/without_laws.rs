//! What a user reads who forgot the feature of the laws.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The macro that stands in where the feature is missing, compiled alone: a whole project would take a minute.
#[test]
fn game_laws_without_its_feature_says_what_to_add() {
    let testing = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/testing");
    let rooms = fs::read_to_string(testing.join("mod.rs")).unwrap();
    assert!(rooms.contains("#[cfg(not(feature = \"proptest\"))]\nmod without_laws;"), "{rooms}");
    let user = Path::new(env!("CARGO_TARGET_TMPDIR")).join("without_laws_user.rs");
    let stand_in = fs::read_to_string(testing.join("without_laws.rs")).unwrap();
    fs::write(&user, format!("{stand_in}\ngame_laws!(MyGame);\n")).unwrap();
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(["--edition", "2024", "--crate-type", "lib", "--emit", "metadata", "-o"])
        .arg(user.with_extension("rmeta"))
        .arg(&user)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("`game_laws!` needs the feature `proptest` of search-core"), "{said}");
    assert!(said.contains("search-core = { version = \"0.1\", features = [\"proptest\"] }"), "{said}");
}
