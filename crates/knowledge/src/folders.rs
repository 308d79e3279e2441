//! The folder tree. A folder is named by its path, `Sports/Soccer`; rules and articles hold its id, so that a
//! folder can be renamed or moved without touching them.

use crate::literal::quote;
use model::FolderId;
use std::collections::BTreeMap;

/// Deeper than anyone can oversee.
const DEEPEST: usize = 16;
/// Longer names do not fit on a page.
const LONGEST_NAME: usize = 100;

/// One folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Its id.
    pub id: FolderId,
    /// The folder it is in; `None` at the top.
    pub parent: Option<FolderId>,
    /// Its name, without slashes.
    pub name: String,
}

/// All folders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Folders {
    by_id: BTreeMap<FolderId, Folder>,
    by_place: BTreeMap<(Option<FolderId>, String), FolderId>,
}

/// What is wrong with a wish about folders.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FolderError {
    /// No such folder.
    #[error("there is no folder {0}; `ripplewatch folders list` shows all")]
    Unknown(String),
    /// The place is taken.
    #[error("there is a folder {0} already")]
    Taken(String),
    /// A name that cannot be one.
    #[error("{0} is no name for a folder: {1}")]
    BadName(String, &'static str),
    /// A folder inside itself.
    #[error("{0} cannot go into {1}: that is inside it")]
    IntoItself(String, String),
    /// Nested too deep.
    #[error("{0} is nested deeper than {DEEPEST} folders")]
    TooDeep(String),
    /// It still holds folders.
    #[error("{0} still holds folders: move or delete those first, or merge it into another folder")]
    HoldsFolders(String),
}

impl Folders {
    /// Puts back folders that were stored. They come in any order.
    pub fn restore(folders: impl IntoIterator<Item = Folder>) -> Self {
        let mut restored = Self::default();
        for folder in folders {
            restored.insert(folder);
        }
        restored
    }

    /// All folders by path.
    pub fn list(&self) -> Vec<(String, &Folder)> {
        let mut list: Vec<_> = self.by_id.values().map(|folder| (self.path(folder.id), folder)).collect();
        list.sort_by(|(a, _), (b, _)| a.split('/').cmp(b.split('/')));
        list
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// One folder.
    pub fn get(&self, id: FolderId) -> Option<&Folder> {
        self.by_id.get(&id)
    }

    /// A folder's path; `?` and its number if it is not known.
    pub fn path(&self, id: FolderId) -> String {
        let mut names = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at.filter(|_| names.len() < DEEPEST) {
            let Some(folder) = self.by_id.get(&id) else {
                names.push("?");
                break;
            };
            names.push(&folder.name);
            at = folder.parent;
        }
        names.reverse();
        names.join("/")
    }

    /// The folder with this path.
    pub fn find(&self, path: &str) -> Option<FolderId> {
        let mut at = None;
        for name in path.split('/') {
            at = Some(*self.by_place.get(&(at, name.trim().to_owned()))?);
        }
        at
    }

    /// The folder with this path, or an error that says so.
    pub fn demand(&self, path: &str) -> Result<FolderId, FolderError> {
        self.find(path).ok_or_else(|| FolderError::Unknown(quote(path)))
    }

    /// The folder and all folders in it, at any depth.
    pub fn within(&self, id: FolderId) -> Vec<FolderId> {
        self.by_id.keys().copied().filter(|other| *other == id || self.is_inside(*other, id)).collect()
    }

    /// The folders directly in `parent`, by name.
    pub fn children(&self, parent: Option<FolderId>) -> impl Iterator<Item = &Folder> {
        self.by_place
            .range((parent, String::new())..)
            .take_while(move |((place, _), _)| *place == parent)
            .filter_map(|(_, id)| self.by_id.get(id))
    }

    /// The folder with this path, made if need be; also says which folders were made, outermost first.
    pub fn create(&mut self, path: &str) -> Result<(FolderId, Vec<Folder>), FolderError> {
        let names = names_of(path)?;
        let mut made = Vec::new();
        let mut at = None;
        for name in names {
            let known = self.by_place.get(&(at, name.clone())).copied();
            at = Some(known.unwrap_or_else(|| {
                let folder = Folder { id: self.next_id(), parent: at, name };
                made.push(folder.clone());
                self.insert(folder)
            }));
        }
        at.map(|id| (id, made)).ok_or_else(|| FolderError::BadName(quote(path), "it is empty"))
    }

    /// Gives a folder another name.
    pub fn rename(&mut self, id: FolderId, name: &str) -> Result<(), FolderError> {
        let name = check_name(name)?;
        let parent = self.known(id)?.parent;
        self.place(id, parent, name)
    }

    /// Puts a folder, with all in it, into another one or to the top.
    pub fn move_to(&mut self, id: FolderId, parent: Option<FolderId>) -> Result<(), FolderError> {
        let name = self.known(id)?.name.clone();
        if let Some(parent) = parent {
            self.known(parent)?;
            if parent == id || self.is_inside(parent, id) {
                return Err(FolderError::IntoItself(quote(&self.path(id)), quote(&self.path(parent))));
            }
            let below = self.within(id).into_iter().map(|inner| self.depth(inner)).max().unwrap_or(0);
            if self.depth(parent) + 1 + below - self.depth(id) > DEEPEST {
                return Err(FolderError::TooDeep(quote(&name)));
            }
        }
        self.place(id, parent, name)
    }

    /// Takes a folder away. It must not hold folders; whether it holds articles or rules is the caller's to know.
    pub fn remove(&mut self, id: FolderId) -> Result<(), FolderError> {
        self.known(id)?;
        if self.children(Some(id)).next().is_some() {
            return Err(FolderError::HoldsFolders(quote(&self.path(id))));
        }
        if let Some(folder) = self.by_id.remove(&id) {
            self.by_place.remove(&(folder.parent, folder.name));
        }
        Ok(())
    }

    fn known(&self, id: FolderId) -> Result<&Folder, FolderError> {
        self.by_id.get(&id).ok_or_else(|| FolderError::Unknown(id.to_string()))
    }

    fn insert(&mut self, folder: Folder) -> FolderId {
        let id = folder.id;
        self.by_place.insert((folder.parent, folder.name.clone()), id);
        self.by_id.insert(id, folder);
        id
    }

    fn place(&mut self, id: FolderId, parent: Option<FolderId>, name: String) -> Result<(), FolderError> {
        match self.by_place.get(&(parent, name.clone())) {
            Some(other) if *other == id => return Ok(()),
            Some(other) => return Err(FolderError::Taken(quote(&self.path(*other)))),
            None => {}
        }
        if let Some(old) = self.by_id.get(&id) {
            self.by_place.remove(&(old.parent, old.name.clone()));
        }
        self.insert(Folder { id, parent, name });
        Ok(())
    }

    fn depth(&self, id: FolderId) -> usize {
        self.path(id).split('/').count()
    }

    fn is_inside(&self, id: FolderId, outer: FolderId) -> bool {
        let mut at = self.by_id.get(&id).and_then(|folder| folder.parent);
        for _ in 0..DEEPEST {
            match at {
                Some(parent) if parent == outer => return true,
                Some(parent) => at = self.by_id.get(&parent).and_then(|folder| folder.parent),
                None => return false,
            }
        }
        false
    }

    fn next_id(&self) -> FolderId {
        FolderId(self.by_id.keys().next_back().map_or(1, |last| last.0 + 1))
    }
}

fn names_of(path: &str) -> Result<Vec<String>, FolderError> {
    let names = path.split('/').map(check_name).collect::<Result<Vec<_>, _>>()?;
    if names.len() > DEEPEST {
        return Err(FolderError::TooDeep(quote(path)));
    }
    Ok(names)
}

fn check_name(name: &str) -> Result<String, FolderError> {
    let trimmed = name.trim();
    let bad = |why| Err(FolderError::BadName(quote(name), why));
    if trimmed.is_empty() {
        return bad("a name must not be empty");
    }
    if trimmed.contains('/') {
        return bad("a slash separates folders; create or move it instead");
    }
    if trimmed.chars().any(char::is_control) {
        return bad("it holds a control character");
    }
    if trimmed.chars().count() > LONGEST_NAME {
        return bad("it is longer than 100 characters");
    }
    Ok(trimmed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Folders {
        let mut folders = Folders::default();
        for path in ["Sports/Soccer", "Sports/Tennis", "World"] {
            folders.create(path).unwrap();
        }
        folders
    }

    fn paths(folders: &Folders) -> Vec<String> {
        folders.list().into_iter().map(|(path, _)| path).collect()
    }

    #[test]
    fn folders_are_made_with_all_above_them() {
        let mut folders = tree();
        assert_eq!(paths(&folders), ["Sports", "Sports/Soccer", "Sports/Tennis", "World"]);
        let (id, made) = folders.create("Sports/Soccer").unwrap();
        assert_eq!((folders.path(id).as_str(), made.len()), ("Sports/Soccer", 0));
    }

    #[test]
    fn folders_move_with_all_in_them() {
        let mut folders = tree();
        let (sports, world) = (folders.demand("Sports").unwrap(), folders.demand("World").unwrap());
        folders.move_to(sports, Some(world)).unwrap();
        assert_eq!(paths(&folders), ["World", "World/Sports", "World/Sports/Soccer", "World/Sports/Tennis"]);
        let error = folders.move_to(world, Some(sports)).unwrap_err().to_string();
        assert_eq!(error, "“World” cannot go into “World/Sports”: that is inside it");
        folders.rename(sports, "Games").unwrap();
        assert_eq!(
            folders.find("World/Games/Soccer"),
            folders.create("World/Games/Soccer").ok().map(|(id, _)| id)
        );
    }

    #[test]
    fn only_what_holds_no_folders_is_removed() {
        let mut folders = tree();
        let sports = folders.demand("Sports").unwrap();
        assert!(folders.remove(sports).unwrap_err().to_string().contains("still holds folders"));
        for path in ["Sports/Soccer", "Sports/Tennis"] {
            let id = folders.demand(path).unwrap();
            folders.remove(id).unwrap();
        }
        folders.remove(sports).unwrap();
        assert_eq!(paths(&folders), ["World"]);
    }

    #[test]
    fn bad_names_are_refused() {
        let mut folders = tree();
        for bad in ["", "Sports//Soccer", "a\0b", &"x".repeat(200), &"a/".repeat(40)] {
            assert!(folders.create(bad).is_err(), "{bad:?}");
        }
        let tennis = folders.demand("Sports/Tennis").unwrap();
        assert_eq!(
            folders.rename(tennis, "Soccer").unwrap_err().to_string(),
            "there is a folder “Sports/Soccer” already"
        );
        assert_eq!(paths(&folders).len(), 4);
    }
}
