//! The program `leapd`, driven through its pipes and its command line. A single program: it is linked once, and tests
//! that wait for a process run beside others.

#![allow(clippy::print_stdout, reason = "slow tests say what they saw")]

mod cli;
mod eval_file;
mod genfens;
mod movetime;
mod noise;
mod pipes;
mod process;
mod reproducible;
mod runner;
mod table_path;
mod transcripts;
mod weights;
mod whole_game;
