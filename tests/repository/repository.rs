//! What holds for the repository as a whole: dependencies, pages, prose, versions, scripts.

mod layering;
#[cfg(unix)]
mod makefile;
mod modules;
mod openbench;
mod pages;
mod prose;
mod versions;
mod workspace;
