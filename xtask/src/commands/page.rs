//! `cargo xtask page`: the playground as one HTML file.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use gamesearch::page::{Engine, page};
use gamesearch::{CommandResult, Failure};

const TARGET: &str = "wasm32-unknown-unknown";

/// Write the playground, every game and bot in one HTML file that needs no server
///
/// Needs the compiler's target for the web: `rustup target add wasm32-unknown-unknown`.
#[derive(Debug, Args)]
pub(crate) struct Page {
    /// Where to write it
    #[arg(long, default_value = "target/page/gamesearch.html")]
    out: PathBuf,
    /// Take this wasm file instead of building it
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Page) -> CommandResult {
    let wasm = match &arguments.wasm {
        Some(file) => file.clone(),
        None => build()?,
    };
    let bytes = fs::read(&wasm).map_err(|error| Failure::failed(format!("{}: {error}", wasm.display())))?;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(&bytes).and_then(|()| encoder.finish()).map_err(Failure::failed)?;
    let base64 = STANDARD.encode(compressed);
    let page = page(Engine::Wasm(&base64));
    let fail = |error| Failure::failed(format!("{}: {error}", arguments.out.display()));
    if let Some(folder) = arguments.out.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    fs::write(&arguments.out, &page).map_err(fail)?;
    let kilobytes = |length: usize| length.div_ceil(1000);
    anstream::println!(
        "{}: {} KB, of which {} KB are the games and bots ({} KB unpacked)",
        arguments.out.display(),
        kilobytes(page.len()),
        kilobytes(base64.len()),
        kilobytes(bytes.len()),
    );
    Ok(ExitCode::SUCCESS)
}

/// Builds the games and bots for the web; the file.
fn build() -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut command = Command::new(cargo);
    command
        .current_dir(&root)
        .args([
            "build",
            "--locked",
            "--package",
            "playground",
            "--lib",
            "--profile",
            "page",
            "--target",
            TARGET,
        ])
        .args(["--message-format", "json-render-diagnostics"]);
    let output = command.stderr(std::process::Stdio::inherit()).output().map_err(Failure::failed)?;
    if !output.status.success() {
        return Err(Failure::failed(format!(
            "the playground cannot be built for the web ({}); if the target is missing: rustup target add {TARGET}",
            output.status
        )));
    }
    // The compiler says where it put the file, wherever the target folder is.
    let text = String::from_utf8_lossy(&output.stdout);
    let mut files = text
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .flat_map(|message| {
            let files = message["filenames"].as_array().cloned().unwrap_or_default();
            files.into_iter().filter_map(|file| file.as_str().map(PathBuf::from))
        });
    let wasm = files.rfind(|file| file.ends_with("playground.wasm"));
    wasm.ok_or_else(|| Failure::failed("the compiler did not say where it put playground.wasm"))
}
