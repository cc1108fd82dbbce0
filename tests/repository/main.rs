//! What holds for the repository as a whole: dependencies, pages, versions.

mod layering;
mod modules;
mod pages;
mod versions;
mod workspace;
