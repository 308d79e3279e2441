//! A topic: an ontology and the class of it that is looked for.

use super::{ClassId, Ontology, OntologyError, weights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a crawl looks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    /// What people call it.
    pub name: String,
    /// What is known about it.
    pub ontology: Ontology,
    /// The class that is looked for.
    pub class: ClassId,
    /// How pages are judged and what learning may do.
    #[serde(default)]
    pub settings: TopicSettings,
    /// σ by class, as learned; a class without one has 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub factors: BTreeMap<ClassId, f64>,
}

/// How pages are judged and what learning may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TopicSettings {
    /// n of (1): what one more step away from the topic costs.
    pub discount: f64,
    /// The normalised score from which a page is on the topic.
    pub threshold: f64,
    /// The language of entries without one.
    pub language: String,
    /// Which reading of (3).
    pub ratio: Ratio,
}

/// The two readings of (3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ratio {
    /// `(n_to / n_o) / (Nt / Nc)`: grows when the class predicts the topic.
    #[default]
    Lift,
    /// As printed, `Nt·n_o / (Nc·n_to)`, which falls when it does.
    AsPrinted,
}

impl Default for TopicSettings {
    fn default() -> Self {
        Self { discount: 0.5, threshold: 0.5, language: "en".to_owned(), ratio: Ratio::Lift }
    }
}

impl Topic {
    /// A topic from an ontology and the name of the class to look for.
    pub fn new(name: &str, ontology: Ontology, class: &str) -> Result<Self, OntologyError> {
        ontology.check()?;
        let class = ontology.require(class)?;
        Ok(Self {
            name: name.to_owned(),
            ontology,
            class,
            settings: TopicSettings::default(),
            factors: BTreeMap::new(),
        })
    }

    /// (1) and (4): the weight of each class, learned factors applied to the weight by distance.
    pub fn weights(&self) -> Vec<f64> {
        let distances = self.distances();
        let weigh = |(at, distance): (usize, Option<u32>)| {
            let factor = self.factors.get(&ClassId(at as u32)).copied().unwrap_or(1.0);
            factor * weights::weight(self.settings.discount, distance)
        };
        distances.into_iter().enumerate().map(weigh).collect()
    }

    /// The fewest steps from the topic class to each class; `None` where no way leads.
    pub fn distances(&self) -> Vec<Option<u32>> {
        weights::distances(&self.ontology, self.class)
    }
}
