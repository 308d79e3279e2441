//! A name server that changes its mind between the check and the connection.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Answers every name with the first of its answers, then with the second, and so on; the last one stays.
pub struct Rebinding {
    answers: Vec<Vec<SocketAddr>>,
    asked: AtomicUsize,
}

impl Rebinding {
    /// With these answers, one after the other.
    pub fn new(answers: impl Into<Vec<Vec<SocketAddr>>>) -> Self {
        Self { answers: answers.into(), asked: AtomicUsize::new(0) }
    }

    /// The next answer.
    pub fn answer(&self) -> Vec<SocketAddr> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst);
        self.answers.get(number).or(self.answers.last()).cloned().unwrap_or_default()
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}
