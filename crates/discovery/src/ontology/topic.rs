//! A topic: an ontology and the class of it that is looked for.

use super::background::Background;
use super::{ClassId, Ontology, OntologyError, Term, weights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a crawl looks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Topic {
    /// What people call it.
    pub name: String,
    /// What is known about it.
    pub ontology: Ontology,
    /// The class that is looked for.
    pub class: ClassId,
    /// How pages are judged and what learning may do.
    pub settings: TopicSettings,
    /// σ by class, as learned; a class without one has 1.
    pub factors: BTreeMap<ClassId, f64>,
    /// What was seen of the web so far.
    pub experience: Experience,
}

/// How pages are judged and what learning may do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TopicSettings {
    /// n of (1): what one more step away from the topic costs. Half: a word two steps away is worth a quarter.
    pub discount: f64,
    /// The normalised score from which a page is on the topic.
    pub threshold: f64,
    /// How much likeness with pages in general counts against a page. On the development topics 0.15 took average
    /// precision from 0.58 to 0.59; 0.5 lost it again.
    pub contrast: f64,
    /// The language of entries and pages without one.
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
        Self { discount: 0.5, threshold: 0.5, contrast: 0.15, language: "en".to_owned(), ratio: Ratio::Lift }
    }
}

/// What was seen of the web: what pages say in general, and what pages on the topic look like.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Experience {
    /// What pages say in general.
    #[serde(default)]
    pub background: Background,
    /// The pages the topic was built from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Vec<Term>>,
    /// The score of a usual page, once pages have been seen.
    #[serde(default)]
    pub usual: Option<f64>,
}

/// A topic as stored, not yet checked.
#[derive(Deserialize)]
struct Stored {
    name: String,
    ontology: Ontology,
    class: ClassId,
    #[serde(default)]
    settings: TopicSettings,
    #[serde(default)]
    factors: BTreeMap<ClassId, f64>,
    #[serde(default)]
    experience: Experience,
}

impl TryFrom<Stored> for Topic {
    type Error = OntologyError;

    fn try_from(stored: Stored) -> Result<Self, OntologyError> {
        let Stored { name, ontology, class, settings, factors, experience } = stored;
        let topic = Self { name, ontology, class, settings, factors, experience };
        topic.check()?;
        Ok(topic)
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
            experience: Experience::default(),
        })
    }

    /// That the class looked for exists and the settings make sense.
    pub fn check(&self) -> Result<(), OntologyError> {
        if self.ontology.class(self.class).is_none() {
            let found = format!("its topic class {} does not exist", self.class.0);
            return Err(OntologyError::Broken(found));
        }
        let settings = &self.settings;
        if !(settings.discount > 0.0 && settings.discount <= 1.0) {
            return Err(OntologyError::Broken(format!(
                "the discount is {}; it must be above 0 and at most 1",
                settings.discount
            )));
        }
        if !(settings.threshold > 0.0 && settings.threshold < 1.0) {
            return Err(OntologyError::Broken(format!(
                "the threshold is {}; it must be between 0 and 1",
                settings.threshold
            )));
        }
        if !(0.0..=1.0).contains(&settings.contrast) {
            let found = format!("the contrast is {}; it must be from 0 to 1", settings.contrast);
            return Err(OntologyError::Broken(found));
        }
        match self.factors.values().find(|factor| !factor.is_finite() || **factor < 0.0) {
            Some(factor) => Err(OntologyError::Broken(format!("a learned factor is {factor}"))),
            None => Ok(()),
        }
    }

    /// (1) and (4): the weight of each class; learned factors are applied to the weight by distance, however often
    /// one learns.
    pub fn weights(&self) -> Vec<f64> {
        let distances = self.distances();
        let weigh = |(at, distance): (usize, Option<u32>)| {
            let factor = self.factors.get(&ClassId(at as u32)).copied().unwrap_or(1.0);
            factor * weights::weight(self.settings.discount, distance)
        };
        distances.into_iter().enumerate().map(weigh).collect()
    }

    /// A copy that has seen nothing.
    pub(super) fn without_experience(&self) -> Self {
        Self {
            name: self.name.clone(),
            ontology: self.ontology.clone(),
            class: self.class,
            settings: self.settings.clone(),
            factors: self.factors.clone(),
            experience: Experience::default(),
        }
    }

    /// The fewest steps from the topic class to each class; `None` where no way leads.
    pub fn distances(&self) -> Vec<Option<u32>> {
        weights::distances(&self.ontology, self.class)
    }
}
