//! What a wish would do, computed as far as it is shown.

use super::filing::{Step, step};
use super::{Pick, Refused, Wish, begin};
use crate::app::App;
use crate::problem::Problem;
use knowledge::{
    Archive, Attribute, Base, Conflicts, Correction, Draft, Effect, Field, Fields, Folders, Literal, Mode,
    Polarity, Suggestion, TeachError, Term, Unwanted, Words,
};
use model::{ArticleId, CornerstoneId, FolderId, RuleId};
use std::cmp::Reverse;

/// The suggestions that are shown; more would be a dictionary.
const HAS_SHOWN: usize = 12;
const LACKS_SHOWN: usize = 6;
/// Gained and lost articles that are listed; the rest is counted.
const HITS_SHOWN: usize = 50;

/// A word that more than one in so many articles have is everywhere, unless those are few.
const EVERYWHERE: u64 = 10;
const FEW: u64 = 20;

/// What shall be worked out besides.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Proposal {
    #[default]
    Nothing,
    /// Words that exclude all conflicts and unwanted articles.
    Fix,
    /// Stopping rules for the unwanted articles.
    Stops,
}

/// What a wish would do.
#[derive(Debug)]
pub(crate) struct Preview {
    /// The folders as they would be.
    pub(crate) folders: Folders,
    /// The literals of the wish; with each the reason why it cannot be part of the rule, if there is one.
    pub(crate) condition: Vec<(Pick, Option<String>)>,
    /// The places of the picked words in the article: literal, field, words.
    pub(crate) places: Vec<(usize, Field, Vec<usize>)>,
    pub(crate) correction: Correction,
    /// The folder is not there yet: the lesson makes it.
    pub(crate) makes_folder: bool,
    /// The rules that the new ones go under; none for the root.
    pub(crate) under: Vec<Step>,
    /// The rules that the new one may go under, besides the root.
    pub(crate) possible: Vec<Step>,
    pub(crate) stops: Vec<Vec<Literal>>,
    pub(crate) rules: usize,
    /// Where the article would be.
    pub(crate) expected: Vec<String>,
    pub(crate) conflicts: Vec<ShownConflict>,
    /// All conflicts, shown or not.
    pub(crate) conflicting: Vec<CornerstoneId>,
    /// How many are not accepted.
    pub(crate) open: usize,
    pub(crate) has: Vec<Suggestion>,
    pub(crate) lacks: Vec<Suggestion>,
    pub(crate) effect: ShownEffect,
    /// Proposed literals; empty if there is nothing that helps.
    pub(crate) fix: Option<Vec<Literal>>,
    /// Conflicts that no literal can exclude.
    pub(crate) contradictions: usize,
    /// Unwanted articles that nothing can tell apart.
    pub(crate) inseparable: usize,
    /// Unwanted articles that would change all the same.
    pub(crate) ticked: u64,
}

/// A cornerstone that would be filed elsewhere.
#[derive(Debug)]
pub(crate) struct ShownConflict {
    pub(crate) cornerstone: CornerstoneId,
    pub(crate) article: Option<ArticleId>,
    pub(crate) title: Vec<TitlePiece>,
    pub(crate) before: Vec<String>,
    pub(crate) after: Vec<String>,
    pub(crate) accepted: bool,
    /// It says the same, word for word.
    pub(crate) same_text: bool,
}

/// A part of another article's title.
#[derive(Debug)]
pub(crate) struct TitlePiece {
    pub(crate) text: String,
    /// The word, if ours lacks it: it would tell the two apart.
    pub(crate) lacked: Option<String>,
}

/// What would change among the stored articles.
#[derive(Debug, Default)]
pub(crate) struct ShownEffect {
    pub(crate) changed: u64,
    pub(crate) caught: u64,
    /// Folder, gained, lost.
    pub(crate) folders: Vec<(String, u64, u64)>,
    pub(crate) gained: Vec<Hit>,
    pub(crate) lost: Vec<Hit>,
    /// A phrase was looked for in the newest texts only.
    pub(crate) at_least: bool,
}

/// A stored article that would move.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) article: ArticleId,
    pub(crate) title: Vec<TitlePiece>,
    pub(crate) folder: String,
    pub(crate) unwanted: bool,
    /// It is the article that the rule is made for.
    pub(crate) own: bool,
}

/// What the wish would do now; `shown` conflicts are looked at closely.
pub(crate) async fn preview(
    app: &App,
    wish: Wish,
    propose: Proposal,
    shown: usize,
) -> Result<Preview, Problem> {
    let fields = app.store().article_fields(wish.article).await?;
    let study = move |base: &Base, archive: &Archive| work_out(base, archive, &fields, &wish, propose, shown);
    Ok(app.store().study(study).await??)
}

fn work_out(
    base: &Base,
    archive: &Archive,
    fields: &Fields<'static>,
    wish: &Wish,
    propose: Proposal,
    shown: usize,
) -> Result<Preview, Refused> {
    let (folders, mut draft) = begin(base, fields, wish)?;
    let mut condition = Vec::new();
    let mut places = Vec::new();
    let mut holding = Vec::new();
    for (at, picked) in wish.condition.iter().enumerate() {
        let literal = picked.literal(&folders)?;
        let refusal = (!draft.holds(&literal)).then(|| refusal(&draft, &literal));
        if let Some(term) = literal.term().filter(|_| literal.polarity == Polarity::Has) {
            places.push((at, term.field(), draft.words().places(term)));
        }
        condition.push((Pick::of(&literal, &folders), refusal.clone()));
        holding.extend(refusal.is_none().then_some(literal));
    }
    draft.set_condition(holding)?;
    let unwanted = Unwanted { archive, articles: &wish.unwanted };
    if propose == Proposal::Stops {
        let mut stops = draft.stops().to_vec();
        let proposed = draft.propose_stops(base, unwanted)?;
        stops.extend(proposed.into_iter().filter(|stop| !wish_has(&draft, stop)));
        draft.set_stops(stops)?;
    }
    let mut preview = Preview {
        condition,
        places,
        correction: draft.correction(),
        makes_folder: match draft.correction() {
            Correction::Add(to) | Correction::Replace { to, .. } => base.folders().get(to).is_none(),
            Correction::Remove(_) => false,
        },
        under: steps(base, draft.places().iter().copied()),
        possible: match draft.correction() {
            Correction::Add(_) => steps(base, draft.possible_places(base)),
            _ => Vec::new(),
        },
        stops: draft.stops().to_vec(),
        rules: draft.rules(base, &knowledge::Origin::default()).len(),
        expected: names(&folders, draft.expected(base)),
        conflicts: Vec::new(),
        conflicting: Vec::new(),
        open: 0,
        has: Vec::new(),
        lacks: Vec::new(),
        effect: ShownEffect::default(),
        fix: None,
        contradictions: 0,
        inseparable: 0,
        ticked: 0,
        folders,
    };
    // Without a word the rule would catch everything: nothing worth telling.
    if draft.condition().is_empty() {
        return Ok(preview);
    }
    let conflicts = draft.conflicting(base)?;
    preview.conflicting = conflicts.ids().collect();
    preview.open = preview.conflicting.iter().filter(|id| !wish.accepted.contains(id)).count();
    preview.conflicts = look_at(base, &draft, &preview.folders, &conflicts, wish, shown);
    if !wish.unwanted.is_empty() {
        preview.ticked = draft.what_if(base, archive)?.changed().intersection_len(&wish.unwanted);
    }
    if preview.open > 0 || !wish.unwanted.is_empty() {
        let ticked = Some(unwanted).filter(|_| !wish.unwanted.is_empty());
        let helping = draft.suggestions(base, Some(archive), ticked)?.into_iter().filter(|s| s.excludes > 0);
        let (has, lacks): (Vec<_>, Vec<_>) = helping.partition(|s| s.literal.polarity == Polarity::Has);
        preview.has = best(archive, has, HAS_SHOWN);
        preview.lacks = best(archive, lacks, LACKS_SHOWN);
        if propose == Proposal::Fix {
            let fix = draft.fix(base, Some(archive), ticked)?;
            preview.contradictions = fix.contradictions.len();
            preview.inseparable = fix.inseparable.len();
            preview.fix = Some(fix.add);
        }
    }
    preview.effect = ShownEffect::of(&draft, archive, &preview.folders, &draft.what_if(base, archive)?, wish);
    Ok(preview)
}

/// The best of ranked suggestions. Among equals, words that are everywhere come last: they say little.
fn best(archive: &Archive, mut ranked: Vec<Suggestion>, shown: usize) -> Vec<Suggestion> {
    let most = (archive.articles().len() / EVERYWHERE).max(FEW);
    let is_everywhere = |suggestion: &Suggestion| {
        let term = suggestion.literal.term();
        let with = term.and_then(|term| archive.with_word(term.field(), term.text()));
        with.is_some_and(|with| with.len() > most)
    };
    ranked.sort_by_cached_key(|suggestion| (Reverse(suggestion.excludes), is_everywhere(suggestion)));
    ranked.truncate(shown);
    ranked
}

fn wish_has(draft: &Draft, stop: &[Literal]) -> bool {
    draft.stops().iter().any(|known| known == stop)
}

/// Why a literal cannot be part of the rule, and where it could be.
fn refusal(draft: &Draft, literal: &Literal) -> String {
    let Attribute::Term(term) = &literal.attribute else {
        return "other rules do not put this article there".into();
    };
    if draft.words().is_missing(term.field()) {
        return format!("the {} of this article is missing", super::field_words(term.field()));
    }
    match literal.polarity {
        Polarity::Has => format!("the {} of this article does not have it", super::field_words(term.field())),
        Polarity::Lacks => format!("the {} of this article has it", super::field_words(term.field())),
    }
}

fn steps(base: &Base, rules: impl IntoIterator<Item = RuleId>) -> Vec<Step> {
    rules.into_iter().filter_map(|id| base.tree().get(id)).map(|rule| step(base, rule)).collect()
}

fn names(folders: &Folders, ids: impl IntoIterator<Item = FolderId>) -> Vec<String> {
    let mut names: Vec<String> = ids.into_iter().map(|id| folders.path(id)).collect();
    names.sort_unstable();
    names
}

fn look_at(
    base: &Base,
    draft: &Draft,
    folders: &Folders,
    conflicts: &Conflicts<'_>,
    wish: &Wish,
    shown: usize,
) -> Vec<ShownConflict> {
    let own = &draft.prompt().fields;
    let look = |conflict: knowledge::Conflict| {
        let cornerstone = base.cornerstones().get(conflict.cornerstone)?;
        Some(ShownConflict {
            cornerstone: cornerstone.id,
            article: cornerstone.article,
            title: title(draft.words(), &cornerstone.fields),
            before: names(folders, conflict.before),
            after: names(folders, conflict.after),
            accepted: wish.accepted.contains(&cornerstone.id),
            same_text: cornerstone.fields.title == own.title && cornerstone.fields.body == own.body,
        })
    };
    conflicts.iter().take(shown).filter_map(look).collect()
}

/// Another article's title, with the words that ours lacks.
fn title(ours: &Words, other: &Fields<'_>) -> Vec<TitlePiece> {
    let text = other.title.as_deref().filter(|title| !title.trim().is_empty());
    let text = text.or(other.url.as_deref()).unwrap_or("(no title)");
    let is_title = other.title.as_deref() == Some(text) && !ours.is_missing(Field::Title);
    let lacked = |words: &[String]| {
        let word = words.first().filter(|_| is_title && words.len() == 1)?;
        let term = Term::new(Field::Title, Mode::Exact, word).ok()?;
        (ours.find(&term) == Some(false)).then(|| word.clone())
    };
    let pieces = page::words::pieces(text).into_iter();
    pieces.map(|piece| TitlePiece { text: piece.text.to_owned(), lacked: lacked(&piece.words) }).collect()
}

impl ShownEffect {
    fn of(draft: &Draft, archive: &Archive, folders: &Folders, effect: &Effect, wish: &Wish) -> Self {
        let hit = |number: u32, folder: FolderId| {
            Some(Hit {
                article: ArticleId(i64::from(number)),
                title: title(draft.words(), &archive.text(number)?),
                folder: folders.path(folder),
                unwanted: wish.unwanted.contains(number),
                own: wish.article.0 == i64::from(number),
            })
        };
        let (mut gained, mut lost) = (Vec::new(), Vec::new());
        for change in &effect.folders {
            let newest = |set: &roaring::RoaringBitmap, room: usize| {
                set.iter()
                    .rev()
                    .take(room)
                    .filter_map(|number| hit(number, change.folder))
                    .collect::<Vec<_>>()
            };
            gained.extend(newest(&change.gain, HITS_SHOWN - gained.len()));
            lost.extend(newest(&change.lose, HITS_SHOWN - lost.len()));
        }
        let looked_for = draft.condition().iter().filter_map(Literal::term);
        Self {
            changed: effect.changed().len(),
            caught: effect.caught.len(),
            folders: effect
                .folders
                .iter()
                .map(|f| (folders.path(f.folder), f.gain.len(), f.lose.len()))
                .collect(),
            gained,
            lost,
            at_least: looked_for.into_iter().any(|term| !archive.knows_all_of(term)),
        }
    }
}

impl From<TeachError> for Problem {
    fn from(error: TeachError) -> Self {
        store::StoreError::from(error).into()
    }
}

/// Titles as text.
pub(crate) fn plain(title: &[TitlePiece]) -> String {
    title.iter().map(|piece| piece.text.as_str()).collect()
}
