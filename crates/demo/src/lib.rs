//! A generated web of news sites on loopback: the demo, and the test world.
//!
//! A [`World`] is pure: from a seed it knows every site, every article, every word and every moment of
//! publication, for as long as anybody asks. A [`Web`] serves a world under a clock: what is published by the
//! clock's time is there, what is not is not. As the world knows the truth, a monitor can be judged by it.
//!
//! Everything is invented here: newsrooms, people, towns, companies, stories. Only the countries and the sports
//! are real.

mod article;
mod burst;
mod calendar;
mod cast;
mod feed;
mod history;
mod layout;
mod listing;
mod markup;
mod naming;
mod prose;
mod random;
mod rhythm;
mod settings;
pub mod shop;
mod site;
mod sitemap;
mod story;
mod subject;
mod vocabulary;
mod web;
mod world;

pub use article::{KnownArticle, StoryId};
pub use burst::{Burst, BurstSite};
pub use rhythm::Rhythm;
pub use settings::WorldSettings;
pub use site::{Charset, Delivery, Layout, Offer, Section, Site};
pub use subject::{Topic, countries, sports};
pub use web::{Behaviour, DemoSource, Logged, PublishedArticle, Scene, Web};
pub use world::World;

/// The starter base of the demo: ten countries and 28 summer sports, in the text form of rules.
pub const STARTER_RULES: &str = include_str!("../rules/starter.txt");
