//! `cargo xtask page`: the playground as one HTML file.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use gamesearch::page::{Engine, page};
use gamesearch::{CommandResult, Failure};

use crate::games::workspace;

const TARGET: &str = "wasm32-unknown-unknown";

/// Where the page is written unless asked otherwise, and where its tests look for it.
const PLACE: &str = "target/page/gamesearch.html";

/// Write the playground, every game and bot in one HTML file that needs no server
///
/// Needs the compiler's target for the web: `rustup target add wasm32-unknown-unknown`.
#[derive(Debug, Args)]
pub(crate) struct Page {
    /// Where to write it
    #[arg(long, default_value = PLACE)]
    out: PathBuf,
    /// Take this wasm file instead of building it
    #[arg(long, value_name = "FILE")]
    wasm: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Page) -> CommandResult {
    let said = write(arguments)?;
    anstream::println!("{said}");
    Ok(ExitCode::SUCCESS)
}

/// Builds the page where its tests look for it; the file.
pub(super) fn write_for_tests() -> Result<PathBuf, Failure> {
    let out = workspace().join(PLACE);
    write(&Page { out: out.clone(), wasm: None })?;
    Ok(out)
}

/// Writes the page, and says how large it is.
fn write(arguments: &Page) -> Result<String, Failure> {
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
    Ok(format!(
        "{}: {} KB, of which {} KB are the games and bots ({} KB unpacked)",
        arguments.out.display(),
        kilobytes(page.len()),
        kilobytes(base64.len()),
        kilobytes(bytes.len()),
    ))
}

/// How the compiler is told to build for the web.
fn flags() -> String {
    // Vectors of 128 bits, which browsers have had as long as what unpacks the page: networks run faster by them.
    let vectors = "-C target-feature=+simd128";
    // Without more words every copy of a position is an instruction `memory.copy`, for which a browser leaves the code and calls a
    // function: longer than the rest of a node takes. Loads and stores of sixteen bytes stay where they are. Compilers before
    // LLVM 21 know no such words, and build a slower page.
    let copies =
        ["memcpy", "memmove"].map(|what| format!("-C llvm-args=-max-store-{what}={LARGEST_COPY}")).join(" ");
    if knows(&copies) { format!("{vectors} {copies}") } else { vectors.to_owned() }
}

/// The largest copy that is written out, in stores of sixteen bytes.
const LARGEST_COPY: u32 = 16;

/// Whether the compiler takes these flags, tried on nothing.
fn knows(flags: &str) -> bool {
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(flags.split(' ')).args(["--crate-type", "lib", "--emit", "metadata", "-o", "-", "-"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Builds the games and bots for the web; the file.
fn build() -> Result<PathBuf, Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args(["build", "--locked", "--package", "playground", "--lib", "--profile", "page"])
        .args(["--target", TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags());
    let problem = format!(
        "the playground cannot be built for the web; if the target is missing: rustup target add {TARGET}"
    );
    built(&mut command, "playground.wasm", &problem)
}

/// Runs a build of cargo; the file of this name that came of it.
pub(super) fn built(command: &mut Command, name: &str, problem: &str) -> Result<PathBuf, Failure> {
    command.current_dir(workspace()).args(["--message-format", "json-render-diagnostics"]);
    let output = command.stderr(Stdio::inherit()).output().map_err(Failure::failed)?;
    if !output.status.success() {
        return Err(Failure::failed(format!("{problem} ({})", output.status)));
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
    let file = files.rfind(|file| file.ends_with(name));
    file.ok_or_else(|| Failure::failed(format!("the compiler did not say where it put {name}")))
}
