//! On macOS an extension module is linked with names left open, for the interpreter to fill in. Tells the module which compiler built
//! it, which run folders keep among the facts of the machine; and takes the playground in, if there is one: the file that
//! `GAMESEARCH_PAGE` names, or what `cargo xtask page` has written.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=BUILD_COMPILER={}", version.as_deref().unwrap_or("unknown").trim());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=GAMESEARCH_PAGE");

    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let page = page(&out).and_then(|page| page.canonicalize().ok());
    if let Some(page) = &page {
        // Only one that is there: whatever waits for a file that is missing is built anew every time.
        println!("cargo::rerun-if-changed={}", page.display());
    }
    let page = page.map(|page| page.to_string_lossy().into_owned());
    // As a literal of Rust, quotes and backslashes escaped.
    let code = page.map_or("None".to_owned(), |page| format!("Some(include_str!({page:?}))"));
    fs::write(out.join("page.rs"), code).unwrap_or_else(|error| panic!("page.rs cannot be written: {error}"));
}

fn page(out: &Path) -> Option<PathBuf> {
    if let Some(page) = env::var_os("GAMESEARCH_PAGE").map(PathBuf::from) {
        return Some(page);
    }
    // OUT_DIR is TARGET/PROFILE/build/PACKAGE/out, with the platform's name after TARGET if one was asked for.
    let targets = out.ancestors().skip(4).take(2);
    targets.map(|target| target.join("page/gamesearch.html")).find(|page| page.is_file())
}
