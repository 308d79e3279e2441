//! The engine on real parts: real HTTP on loopback, a real store, the real line from fetch to plan.

mod demo_web;
mod hostile;
mod lab;
mod lists;
mod loop_;
mod manners;
