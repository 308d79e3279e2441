//! A candidate becomes a source, filed and weighed as its finder wishes.

use crate::worker::Worker;
use knowledge::{Attribute, Base, Conclusion, Field, Literal, Origin, Polarity, ROOT, Rule, Term};
use model::{FolderId, SourceId};
use std::collections::BTreeSet;
use store::{NewSource, PlanChoice, Promotion, StoreError};

/// A candidate that is to be watched.
#[derive(Debug, Clone, Default)]
pub struct PromotionWish {
    /// The candidate.
    pub candidate: i64,
    /// What to call the source; `None` takes the candidate's own title.
    pub title: Option<String>,
    /// The folder all its articles are filed into, by its path; made if it is not there.
    pub folder: Option<String>,
    /// How much that folder counts when visits are planned; 1 is the usual.
    pub interest: Option<f64>,
}

/// Makes a candidate a source, visited at once. Its folder is given by a rule of its own, that can be undone.
pub(crate) async fn promote(worker: &Worker, wish: PromotionWish) -> Result<SourceId, StoreError> {
    let candidate = worker.store.candidate(wish.candidate).await?;
    let path = wish.folder.filter(|path| !path.trim().is_empty());
    if path.is_none() && wish.interest.is_some() {
        return Err(StoreError::Senseless("an interest is one in a folder: name the folder, too".into()));
    }
    let title = wish.title.or(candidate.title).filter(|title| !title.trim().is_empty());
    let host = model::host_name(&candidate.url).unwrap_or_default();
    let source = NewSource {
        url: candidate.url,
        title: title.clone(),
        selector: None,
        interval: None,
        first_visit: worker.first_visit(),
    };
    // What cannot be weighed is refused before anything is changed.
    if let Some(interest) = wish.interest {
        weighed(worker, FolderId(0), interest).await?;
    }
    // The folder first: a rule that would change earlier decisions is refused, and then nothing is watched yet.
    if let Some(path) = path {
        let folder = file_into(worker, &path, title.as_deref(), &host).await?;
        if let Some(interest) = wish.interest {
            weigh(worker, folder, interest).await?;
        }
    }
    let now = worker.clock.now();
    let id = worker.store.promote(Promotion { candidate: candidate.id, source }, now).await?;
    worker.wake.notify_one();
    worker.announce();
    Ok(id)
}

async fn file_into(
    worker: &Worker,
    path: &str,
    title: Option<&str>,
    host: &str,
) -> Result<FolderId, StoreError> {
    let now = worker.clock.now();
    let (path, title, host) = (path.to_owned(), title.map(str::to_owned), host.to_owned());
    let origin = Origin {
        author: None,
        at: Some(now),
        cornerstone: None,
        note: Some(format!("promoted from a crawl: {}", title.as_deref().unwrap_or(&host))),
    };
    let wanted = path.clone();
    let condition = condition(title.as_deref(), &host)?;
    if let Some(folder) = filed_by(worker, &path, condition.clone()).await? {
        return Ok(folder);
    }
    let make = move |base: &Base| {
        let mut folders = base.folders().clone();
        let (folder, _) = folders.create(&path)?;
        let rule = Rule {
            id: base.next_rule(),
            parent: ROOT,
            condition,
            conclusion: Conclusion::Folder(folder),
            origin,
        };
        // Nothing that was decided before is changed silently.
        Ok((folders, base.lesson_of(vec![rule], &BTreeSet::new())?))
    };
    worker.store.learn_with_folders(None, now, make).await?;
    worker.refile.notify_one();
    worker.store.knowledge(move |base| base.folders().demand(&wanted).map_err(StoreError::from)).await?
}

/// Host and title: other sources may be called the same, and a host may have several. A title without a word in it names
/// nobody.
fn condition(title: Option<&str>, host: &str) -> Result<Vec<Literal>, StoreError> {
    let host =
        Term::natural(Field::Source, host).map_err(|error| StoreError::Senseless(error.to_string()))?;
    let title = title.and_then(|title| Term::natural(Field::Source, title).ok());
    let literal = |term| Literal { polarity: Polarity::Has, attribute: Attribute::Term(term) };
    Ok(std::iter::once(host).chain(title).map(literal).collect())
}

/// The folder, if a rule files by this condition into it already: who promotes twice wants no second one.
async fn filed_by(
    worker: &Worker,
    path: &str,
    condition: Vec<Literal>,
) -> Result<Option<FolderId>, StoreError> {
    let path = path.to_owned();
    let known = move |base: &Base| {
        let folder = base.folders().demand(&path).ok()?;
        let tree = base.tree();
        let same = |rule: &&Rule| {
            rule.condition == condition && rule.conclusion == Conclusion::Folder(folder)
                // A rule with exceptions may have been retired.
                && tree.children(rule.id).next().is_none()
        };
        tree.children(ROOT).find(same).map(|_| folder)
    };
    worker.store.knowledge(known).await
}

async fn weigh(worker: &Worker, folder: FolderId, interest: f64) -> Result<(), StoreError> {
    let choice = weighed(worker, folder, interest).await?;
    worker.store.set_plan_choice(&choice).await?;
    worker.planning.wake.notify_one();
    Ok(())
}

/// The choice with this interest, if it makes sense.
async fn weighed(worker: &Worker, folder: FolderId, interest: f64) -> Result<PlanChoice, StoreError> {
    let mut choice = match worker.store.plan_choice().await? {
        Some(choice) => choice,
        None => worker.planning.choice(),
    };
    choice.interests.folders.insert(folder, interest);
    if let Some(problem) = choice.problem() {
        return Err(StoreError::Senseless(format!("this interest cannot be used: {problem}")));
    }
    Ok(choice)
}
