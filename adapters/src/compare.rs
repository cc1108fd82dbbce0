//! placeholder
/// x
#[derive(Clone, Debug, clap::Args)]
pub struct Args {}
/// x
/// # Errors
/// x
pub fn run(_: Args) -> anyhow::Result<std::process::ExitCode> { Ok(std::process::ExitCode::SUCCESS) }
