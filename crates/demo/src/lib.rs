//! A generated web of news sites on loopback: the demo, and the test world
