//! What the linker of macOS must be told: the module finds Python when Python loads it.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
