//! Folders by words: an article is in a folder if one of its words begins with one of the folder's.

use crate::trace::Published;

/// The ten folders of the papers' experiments on our histories. Fixed before any result was seen.
const TEN: [(&str, &[&str]); 10] = [
    ("ukraine", &["ukrain", "russia", "putin", "kyiv", "zelensk"]),
    ("trump", &["trump", "mar-a-lago", "maga"]),
    ("election", &["election", "midterm", "senate", "ballot", "gop", "republican", "democrat", "biden"]),
    ("worldcup", &["world-cup", "fifa", "qatar", "soccer", "football", "nfl", "nba"]),
    ("covid", &["covid", "coronavirus", "vaccin", "pandemic", "omicron"]),
    ("crime", &["shoot", "murder", "killed", "police", "gunman", "trial", "court"]),
    ("weather", &["hurricane", "storm", "flood", "tornado", "snow", "wildfire", "earthquake"]),
    ("economy", &["inflation", "econom", "market", "stocks", "recession", "jobs", "bank"]),
    ("royal", &["queen", "king-charles", "prince", "royal", "harry", "meghan"]),
    ("china", &["china", "chinese", "beijing", "taiwan"]),
];
/// The folder of paper 001's simulation.
const CUP: &[&str] = &["world-cup", "fifa", "qatar", "soccer"];

/// The ten folders an article is in.
pub(super) fn ten(article: &Published) -> Vec<String> {
    let slug = slug(&article.title);
    let folders = TEN.iter().filter(|(_, words)| begins_with_any(&slug, words));
    folders.map(|(name, _)| (*name).to_owned()).collect()
}

/// World Cup in the narrow sense, and the other nine folders to compare it with.
pub(super) fn cup_and_others(article: &Published) -> Vec<String> {
    let mut folders = ten(article);
    folders.retain(|name| name != "worldcup");
    if begins_with_any(&slug(&article.title), CUP) {
        folders.push(WORLD_CUP.to_owned());
    }
    folders
}

/// The name of the narrow folder.
pub(super) const WORLD_CUP: &str = "World Cup";

/// Words parted by single hyphens, in small letters.
fn slug(title: &str) -> String {
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// Only at the start of a word: else `nfl` finds `inflation`.
fn begins_with_any(slug: &str, words: &[&str]) -> bool {
    let is_start = |at: usize| at == 0 || slug.as_bytes().get(at - 1) == Some(&b'-');
    words.iter().any(|word| slug.match_indices(word).any(|(at, _)| is_start(at)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_start_of_a_word_counts() {
        assert!(begins_with_any(&slug("Messi wins World Cup"), CUP));
        assert!(begins_with_any(&slug("world-cup"), CUP));
        assert!(!begins_with_any("inflation-rises", &["nfl"]));
        assert!(begins_with_any("the-nfl-draft", &["nfl"]));
    }
}
