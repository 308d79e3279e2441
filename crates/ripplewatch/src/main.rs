//! The program: commands, configuration, wiring. Alone reads the environment and prints
fn main() {}
