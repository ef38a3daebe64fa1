//! On macOS an extension module is linked with names left open, for the interpreter to fill in.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
