//! Which source to visit next, and why: policies
