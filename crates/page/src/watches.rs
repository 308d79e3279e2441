//! Watches: continual queries on parts of a page.
//!
//! A watch says which part of a page it looks at ([`Aim`]), when a look counts ([`When`], [`Move`]), when it
//! ends ([`Stop`]) and when a change is worth telling ([`Notify`]). [`read_page`](crate::read_page) takes the parts
//! out of a page; [`Course`] remembers what was seen and told and says what each further sight means. Everything
//! a person types has one spelling, here, for the pages, the API, the command line and the data file.

mod aim;
mod conditions;
mod course;
mod damping;
mod diff;
mod error;
mod number;
mod part;
mod read;
mod terms;
mod typed;
mod when;

pub use aim::{Aim, What};
pub use conditions::{Amount, Direction, Move, Notify, Stop};
pub use course::{Change, Course, Finding, Kind, Seen, Told};
pub use damping::{Damping, STABLE_FOR, STABLE_LOOKS, WITHIN_LOOKS};
pub use diff::{Diff, Hunk, Piece};
pub use error::WatchError;
pub use part::{Part, Sight};
pub use terms::Terms;
pub use when::{Days, When};

pub(crate) use read::{Looking, of_binary, of_listing, of_plain};
