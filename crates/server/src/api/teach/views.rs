//! What a lesson would do, and why an article is where it is, as the API tells it.

use crate::teaching::{Hit, Pick, Preview, Reason, Step, plain, reasons};
use jiff::Timestamp;
use knowledge::{Base, Filing, Folders, Literal, Suggestion};
use serde::Serialize;
use store::Learned;
use utoipa::ToSchema;

/// What a rule would do, or has done.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Taught {
    /// Where the article will be.
    expected: Vec<String>,
    /// The rules that the new ones go under; none for the root.
    under: Vec<i64>,
    /// Other rules that an added folder's rule may go under.
    places: Vec<i64>,
    condition: Vec<Pick>,
    /// Conditions of stopping rules under the new rule, proposed ones included.
    stops: Vec<Vec<Pick>>,
    conflicts_total: usize,
    /// Conflicts that are not accepted.
    conflicts_open: usize,
    conflicts: Vec<ConflictView>,
    suggestions: Vec<SuggestionView>,
    effect: EffectView,
    /// Literals that were asked for with `"propose": "fix"`.
    fix: Option<FixView>,
    /// Only if it was committed.
    committed: Option<CommittedView>,
}

/// An earlier decision that would change.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ConflictView {
    cornerstone: i64,
    article: Option<i64>,
    title: String,
    before: Vec<String>,
    after: Vec<String>,
    accepted: bool,
    /// Title and body are the same: no word tells the two apart.
    same_text: bool,
}

/// A literal that would help.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SuggestionView {
    literal: Pick,
    /// How many conflicts and unwanted articles it excludes.
    excludes: u64,
    /// How often it was used for this folder before.
    uses: u32,
    precision: f64,
}

/// What would change among the stored articles.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EffectView {
    changed: u64,
    caught: u64,
    folders: Vec<FolderEffectView>,
    /// The newest that gain a folder.
    gained: Vec<HitView>,
    /// The newest that lose one.
    lost: Vec<HitView>,
}

/// What would change in one folder.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FolderEffectView {
    folder: String,
    gain: u64,
    lose: u64,
}

/// A stored article that would move.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HitView {
    article: i64,
    title: String,
    folder: String,
}

/// A proposal.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FixView {
    add: Vec<Pick>,
    /// Conflicts that no literal excludes.
    contradictions: usize,
    /// Unwanted articles that no literal excludes.
    inseparable: usize,
}

/// What was learned.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CommittedView {
    /// The version of the knowledge now; names the lesson when it is undone.
    version: i64,
    rules: Vec<i64>,
}

impl Taught {
    pub(crate) fn of(preview: &Preview, learned: Option<Learned>) -> Self {
        let folders = &preview.folders;
        let ids = |steps: &[Step]| steps.iter().map(|step| step.rule.0).collect();
        let conflict = |conflict: &crate::teaching::ShownConflict| ConflictView {
            cornerstone: conflict.cornerstone.0,
            article: conflict.article.map(|id| id.0),
            title: plain(&conflict.title),
            before: conflict.before.clone(),
            after: conflict.after.clone(),
            accepted: conflict.accepted,
            same_text: conflict.same_text,
        };
        let suggestion = |suggestion: &Suggestion| SuggestionView {
            literal: Pick::of(&suggestion.literal, folders),
            excludes: suggestion.excludes,
            uses: suggestion.uses,
            precision: suggestion.precision,
        };
        Self {
            expected: preview.expected.clone(),
            under: ids(&preview.under),
            places: ids(&preview.possible),
            condition: preview.condition.iter().map(|(pick, _)| pick.clone()).collect(),
            stops: preview.stops.iter().map(|stop| picks(stop, folders)).collect(),
            conflicts_total: preview.conflicting.len(),
            conflicts_open: preview.open,
            conflicts: preview.conflicts.iter().map(conflict).collect(),
            suggestions: preview.has.iter().chain(&preview.lacks).map(suggestion).collect(),
            effect: EffectView::of(preview),
            fix: preview.fix.as_ref().map(|add| FixView {
                add: picks(add, folders),
                contradictions: preview.contradictions,
                inseparable: preview.inseparable,
            }),
            committed: learned.map(|learned| CommittedView {
                version: learned.version,
                rules: learned.rules.iter().map(|rule| rule.0).collect(),
            }),
        }
    }
}

fn picks(literals: &[Literal], folders: &Folders) -> Vec<Pick> {
    literals.iter().map(|literal| Pick::of(literal, folders)).collect()
}

impl EffectView {
    fn of(preview: &Preview) -> Self {
        let hit = |hit: &Hit| HitView {
            article: hit.article.0,
            title: plain(&hit.title),
            folder: hit.folder.clone(),
        };
        let effect = &preview.effect;
        let folder = |(folder, gain, lose): &(String, u64, u64)| FolderEffectView {
            folder: folder.clone(),
            gain: *gain,
            lose: *lose,
        };
        Self {
            changed: effect.changed,
            caught: effect.caught,
            folders: effect.folders.iter().map(folder).collect(),
            gained: effect.gained.iter().map(hit).collect(),
            lost: effect.lost.iter().map(hit).collect(),
        }
    }
}

/// Where an article is filed, and why.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FilingView {
    folders: Vec<String>,
    /// A reason for each rule that decides; stopping ones included.
    reasons: Vec<ReasonView>,
}

/// One rule that decides where an article is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ReasonView {
    /// The folder it gives; null if it stops.
    folder: Option<String>,
    /// From the root down to the rule that decides.
    path: Vec<StepView>,
}

/// One rule on the way.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StepView {
    rule: i64,
    /// Its literals, in words.
    condition: Vec<String>,
    folder: Option<String>,
    author: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime)]
    at: Option<Timestamp>,
    note: Option<String>,
    /// The article that prompted it.
    prompted_by: Option<i64>,
}

impl FilingView {
    pub(crate) fn of(base: &Base, filing: &Filing) -> Self {
        let mut folders: Vec<String> =
            filing.folders.iter().map(|folder| base.folders().path(*folder)).collect();
        folders.sort_unstable();
        let reasons = reasons(base, filing).into_iter().map(ReasonView::from);
        Self { folders, reasons: reasons.collect() }
    }
}

impl From<Reason> for ReasonView {
    fn from(reason: Reason) -> Self {
        Self { folder: reason.folder, path: reason.path.into_iter().map(StepView::from).collect() }
    }
}

impl From<Step> for StepView {
    fn from(step: Step) -> Self {
        Self {
            rule: step.rule.0,
            condition: step.condition,
            folder: step.folder,
            author: step.author,
            at: step.at,
            note: step.note,
            prompted_by: step.prompted_by.map(|id| id.0),
        }
    }
}
