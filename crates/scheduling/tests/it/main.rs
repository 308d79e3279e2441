//! The policies in a small world of their own making.

mod every_policy;
mod planner;
mod sqrt;
mod world;
