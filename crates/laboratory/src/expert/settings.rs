//! What the expert goes by. Every number was chosen on early blocks of Reuters only; see `docs/evaluation.md`.

/// All that can be turned.
#[derive(Debug, Clone)]
pub struct Settings {
    /// How conditions of rules that file are weighed.
    pub rule: Weights,
    /// How conditions of stopping rules are weighed.
    pub stop: Weights,
    /// Which words please.
    pub taste: Taste,
    /// How far is looked.
    pub patience: Patience,
}

/// What a condition's evidence is worth. The score of a condition is
/// `precision · ln(right / all) + reach · ln(right) + taste − length · literals`.
#[derive(Debug, Clone, Copy)]
pub struct Weights {
    /// A past article that should match but needs no new rule counts so much of one that does.
    pub distant_friend: f64,
    /// A past article that should not match, but would come to no harm, counts so much of one that would.
    pub distant_foe: f64,
    /// So many articles are still to come: each literal's rate among the wrong ones says how many would be caught.
    pub to_come: f64,
    /// How much it counts to be right.
    pub precision: f64,
    /// How much it counts to catch many.
    pub reach: f64,
    /// What each literal costs.
    pub length: f64,
}

impl Default for Settings {
    fn default() -> Self {
        let (taste, patience) = (Taste::default(), Patience::default());
        Self { rule: Weights::of_rules(), stop: Weights::of_stops(), taste, patience }
    }
}

impl Weights {
    /// Those of rules that file.
    fn of_rules() -> Self {
        Self {
            // Articles that are filed rightly already show what the folder is about; that is worth something.
            distant_friend: 0.1,
            // Another rule's catch may be this one's mistake tomorrow.
            distant_foe: 0.2,
            // A rule at the root meets everything: a word seen once in 2,000 wrong articles will be met again.
            to_come: 2000.0,
            // A wrong folder needs a stop later, and stops are what rules are wasted on.
            precision: 2.0,
            // Half as good as precision: a general rule saves writing others.
            reach: 0.5,
            // Precision and reach say enough about how long a condition should be.
            length: 0.0,
        }
    }

    /// Those of stopping rules.
    fn of_stops() -> Self {
        Self {
            // Articles on the same topics as this one hint at what else should be stopped.
            distant_friend: 0.1,
            // Articles that have the folder from another rule too lose nothing today.
            distant_foe: 0.1,
            // A stop meets only what its rule catches.
            to_come: 10.0,
            // What a stop breaks is one rule's doing: being right counts less than in a rule that files.
            precision: 1.0,
            // A stop should answer for all mistakes of its rule, not for one.
            reach: 0.6,
            // A stop of one word is one that a person would write.
            length: 0.5,
        }
    }
}

/// Which words please, besides what they catch. The taste of a condition is the mean of its literals'.
#[derive(Debug, Clone)]
pub struct Taste {
    /// A headline says what an article is about.
    pub title: f64,
    /// A stem covers forms not seen yet.
    pub stem: f64,
    /// A phrase is narrower than it looks.
    pub phrase: f64,
    /// What is not there explains little.
    pub lacking: f64,
    /// A number will not come again.
    pub digit: f64,
    /// For each factor e by which a word is repeated: what is repeated is the subject.
    pub repeated: f64,
    /// The folder's own name, or a part of it.
    pub name: f64,
    /// Nothing but words like "of" and "the", or a word that is everywhere.
    pub empty: f64,
    /// A word in a greater share of the articles that should not be caught is everywhere.
    pub common: f64,
}

impl Default for Taste {
    fn default() -> Self {
        Self {
            title: 0.1,
            stem: 0.02,
            phrase: -0.1,
            lacking: -0.2,
            digit: -0.5,
            repeated: 0.1,
            name: 1.0,
            empty: -0.7,
            common: 0.25,
        }
    }
}

/// How far is looked.
#[derive(Debug, Clone)]
pub struct Patience {
    /// Conditions of more literals are looked for only to settle conflicts; people write two, rarely five.
    pub longest: usize,
    /// Words that the article lacks are tried by so many at a time; the rest are rarely worth it.
    pub lacking: usize,
    /// They are looked for in so many articles of each kind; more bring few new ones.
    pub read: usize,
    /// What the logarithm of the conflicts costs a condition that is to be made longer: they must be gone in the end.
    pub conflict: f64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { longest: 5, lacking: 15, read: 40, conflict: 0.1 }
    }
}
