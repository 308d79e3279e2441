//! Articles and rule bases to measure filing with. Everything comes out the same in every run.

mod dice;
mod rules;
mod texts;

pub use dice::Dice;
pub use rules::{Shape, rules};
pub use texts::{Texts, read};
