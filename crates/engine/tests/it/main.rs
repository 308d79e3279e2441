//! The engine on real parts: real HTTP on loopback, a real store, the real line from fetch to plan.

#![expect(clippy::unwrap_used, reason = "in a test, a failed unwrap is a failed test")]

mod crawls;
mod crawls_demo;
mod crawls_hostile;
mod crawls_signs;
mod crawls_trouble;
mod demo_web;
mod hostile;
mod lab;
mod lists;
mod loop_;
mod manners;
mod planning;
mod telling;
mod watches;
