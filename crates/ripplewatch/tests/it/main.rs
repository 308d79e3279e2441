//! The whole program, as a user has it: the binary, its commands, its API, its crashes.

mod bad_input;
mod commands;
mod crash;
mod demo;
mod help;
mod program;
mod serve;
