//! Scripted and hostile web servers, a clock that runs fast. For tests only; everything stays on loopback.
#![expect(clippy::unwrap_used, reason = "a test that cannot set up its world should stop there")]

pub mod authority;
pub mod clock;
pub mod hostile;
pub mod post_office;
pub mod postgres;
pub mod site;
pub mod webdriver;
