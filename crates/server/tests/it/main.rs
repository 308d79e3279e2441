//! The server as a whole: real store, real engine, a real web site on loopback, requests over TCP.
#![expect(missing_docs, reason = "tests are not documented by their names alone; helpers are private")]

mod access;
mod api;
mod browser;
mod client;
mod live;
mod openapi;
mod pages;
mod world;
