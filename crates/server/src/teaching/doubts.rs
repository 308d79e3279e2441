//! Reasons to look twice at where an article is.

use super::field_words;
use crate::app::App;
use crate::problem::Problem;
use knowledge::{Archive, Base, Fields, Filer, Prudence, Warning};
use model::{ArticleId, RuleId};

/// Words that speak for another folder than the one a rule gave.
#[derive(Debug, Clone)]
pub(crate) struct Doubt {
    pub(crate) rule: RuleId,
    pub(crate) folder: String,
    pub(crate) words: Vec<String>,
}

/// The doubts about an article as it is filed now.
pub(crate) async fn doubts(app: &App, id: ArticleId, fields: Fields<'static>) -> Result<Vec<Doubt>, Problem> {
    let study = move |base: &Base, archive: &Archive| {
        let Ok(number) = u32::try_from(id.0) else { return Vec::new() };
        let live = Filer::default().file(base.tree(), &fields).live;
        let warnings = Prudence::new(base.tree()).warnings(base.tree(), archive, number, &live);
        let doubt = |warning: Warning| Doubt {
            rule: warning.rule,
            folder: base.folders().path(warning.folder),
            words: warning
                .words
                .iter()
                .map(|(field, word)| format!("“{word}” in the {}", field_words(*field)))
                .collect(),
        };
        warnings.into_iter().map(doubt).collect()
    };
    Ok(app.store().study(study).await?)
}
