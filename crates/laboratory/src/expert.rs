//! A simulated expert: teaches a knowledge base as a careful person would, and only as a person can.
//!
//! Articles come in order. Each is filed by the base as it is; if its folders are wrong, the expert corrects them one lesson at
//! a time, through [`Draft`]: the base decides where rules go and refuses what would change a cornerstone, the expert
//! only picks words. It remembers past articles and where they belonged, and never looks ahead.

mod evidence;
mod function_words;
mod lexicon;
mod memory;
mod plan;
mod search;
mod settings;
mod taste;

pub use settings::{Patience, Settings, Taste, Weights};

use crate::growth::{Block, Growth};
use crate::labelled::Labelled;
use evidence::Evidence;
use knowledge::{Base, Conclusion, Draft, Filer, FolderError, Misfiled, Origin, Prompt, TeachError};
use lexicon::Reading;
use memory::{Experience, Memory};
use model::{ArticleId, FolderId};
use plan::{Step, plan};
use search::Search;
use std::collections::BTreeSet;

/// The name that the rules carry.
const AUTHOR: &str = "simulated expert";

/// The expert and what it has taught.
pub struct Expert {
    base: Base,
    memory: Memory,
    settings: Settings,
    filer: Filer,
    growth: Growth,
    open: Block,
    contradictions: Vec<Contradiction>,
}

/// A folder that could not be taught: a cornerstone says the same as the article and belongs elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contradiction {
    /// The article, counted from 0.
    pub article: usize,
    /// A cornerstone that says the same words in every field that the article has; none if it was not found.
    pub same_as: Option<usize>,
}

/// Why a lesson could not be given.
#[derive(Debug, thiserror::Error)]
pub enum ExpertError {
    /// A topic that cannot be a folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The base refused.
    #[error("article {article}: {source}")]
    Refused {
        /// The article, counted from 0.
        article: usize,
        /// What the base said.
        source: TeachError,
    },
}

impl Expert {
    /// An expert with an empty base, who is judged by blocks of so many articles.
    pub fn new(settings: Settings, block: usize) -> Self {
        Self {
            base: Base::default(),
            memory: Memory::new(),
            settings,
            filer: Filer::default(),
            growth: Growth { block: block.max(1), blocks: Vec::new() },
            open: Block::default(),
            contradictions: Vec::new(),
        }
    }

    /// The base as taught so far.
    pub fn base(&self) -> &Base {
        &self.base
    }

    /// How it grew, by full blocks.
    pub fn growth(&self) -> &Growth {
        &self.growth
    }

    /// What could not be taught.
    pub fn contradictions(&self) -> &[Contradiction] {
        &self.contradictions
    }

    /// The cornerstones that are not filed as was taught: there should be none.
    pub fn misfiled(&self) -> Vec<Misfiled> {
        self.base.cornerstones().misfiled(self.base.tree())
    }

    /// Meets an article: judges where the base files it, corrects that, and remembers it. Returns the block it closed.
    pub fn meet(&mut self, text: &Labelled) -> Result<Option<Block>, ExpertError> {
        let article = self.memory.len();
        let topics = self.folders_of(text)?;
        let filing = self.filer.file(self.base.tree(), &text.fields);
        let missed: Vec<FolderId> =
            topics.iter().filter(|topic| !filing.folders.contains(topic)).copied().collect();
        let right = topics.len() - missed.len();
        let wrong = filing.folders.len() - right;
        self.open.right += right as u64;
        self.open.wrong += wrong as u64;
        self.open.missed += missed.len() as u64;

        let prompt = Prompt { article: Some(ArticleId(article as i64)), fields: text.fields.clone() };
        let reading = self.memory.lexicon.read(&knowledge::Words::of(&text.fields));
        let lessons = self.base.lessons();
        for step in plan(&self.base, &self.memory, &filing, &topics) {
            let taught = self.teach(&prompt, &reading, &topics, &step);
            if !taught.map_err(|source| ExpertError::Refused { article, source })? {
                let same_as = self.find_same(&reading, &topics);
                self.contradictions.push(Contradiction { article, same_as });
            }
        }
        let is_cornerstone = self.base.lessons() > lessons;
        let live = self.filer.file(self.base.tree(), &text.fields).live;
        let experience =
            Experience { reading, topics: &topics, missed: &missed, live: &live, is_cornerstone };
        self.memory.remember(self.base.tree(), experience);
        Ok(self.close_block())
    }

    /// Gives one lesson. `false` if no condition tells the article from all cornerstones.
    fn teach(
        &mut self,
        prompt: &Prompt,
        reading: &Reading,
        topics: &BTreeSet<FolderId>,
        step: &Step,
    ) -> Result<bool, TeachError> {
        let mut draft = Draft::new(&self.base, prompt.clone(), step.correction)?;
        if let Some(stop) = step.under {
            draft.place_under(&self.base, stop)?;
        }
        let evidence = Evidence::of(&self.memory, self.base.tree(), &draft, topics, &self.settings);
        let name = evidence.folder.and_then(|folder| self.base.folders().get(folder));
        let name = name.map(|folder| taste::parts_of(&folder.name, &self.memory.lexicon)).unwrap_or_default();
        let search = Search {
            memory: &self.memory,
            reading,
            evidence: &evidence,
            settings: &self.settings,
            name: &name,
        };
        let Some(condition) = search.run() else { return Ok(false) };
        draft.set_condition(condition.iter().map(|choice| self.memory.lexicon.literal(*choice)).collect())?;
        let origin = Origin { author: Some(AUTHOR.into()), ..Origin::default() };
        let lesson = draft.lesson(&self.base, &BTreeSet::new(), &origin)?;
        let rules = lesson.rules.clone();
        self.base.apply(lesson)?;
        self.memory.learn(&rules, &condition);
        for rule in &rules {
            self.open.rules += 1;
            self.open.literals += rule.condition.len();
            self.open.stops += usize::from(rule.conclusion == Conclusion::Stop);
        }
        self.open.lessons += 1;
        Ok(true)
    }

    /// Ends a block when it is full.
    fn close_block(&mut self) -> Option<Block> {
        self.open.articles += 1;
        if !self.open.articles.is_multiple_of(self.growth.block) {
            return None;
        }
        let closed = self.open;
        self.growth.blocks.push(closed);
        self.open = Block { right: 0, wrong: 0, missed: 0, ..closed };
        Some(closed)
    }

    fn folders_of(&mut self, text: &Labelled) -> Result<BTreeSet<FolderId>, FolderError> {
        let folders = self.base.folders_mut();
        text.topics.iter().map(|topic| folders.create(topic).map(|(folder, _)| folder)).collect()
    }

    /// A cornerstone with other topics that says the same.
    fn find_same(&self, reading: &Reading, topics: &BTreeSet<FolderId>) -> Option<usize> {
        let is_same = |article: &u32| {
            let other = self.memory.reading(*article);
            self.memory.topics_of(*article) != *topics
                && reading.says_the_same_as(other, &self.memory.lexicon)
        };
        self.memory.cornerstones().iter().find(is_same).map(|article| article as usize)
    }
}
