//! On macOS an extension module is linked with names left open, for the interpreter to fill in. Tells the module which compiler built
//! it, which run folders keep among the facts of the machine; and takes the playground in, if `cargo xtask page` has made it.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

fn main() {
    pyo3_build_config::add_extension_module_link_args();
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output();
    let version = version.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=BUILD_COMPILER={}", version.as_deref().unwrap_or("unknown").trim());
    println!("cargo::rerun-if-changed=build.rs");

    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    // The target folder: OUT_DIR is TARGET/PROFILE/build/PACKAGE/out, with the platform's name in between when it was named.
    let pages = out.ancestors().map(|folder| folder.join("page/gamesearch.html"));
    let page = pages.into_iter().find(|page| page.is_file());
    let code = page.as_ref().map_or("None".to_owned(), |page| format!("Some(include_str!({page:?}))"));
    if let Some(page) = page {
        println!("cargo::rerun-if-changed={}", page.display());
    } else if let Some(target) = out.ancestors().nth(4) {
        println!("cargo::rerun-if-changed={}", target.join("page").display());
    }
    fs::write(out.join("page.rs"), code).unwrap_or_else(|error| panic!("page.rs cannot be written: {error}"));
}
