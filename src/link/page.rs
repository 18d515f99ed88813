//! The address of a study's own page: its settings, what is opened on it, and a digest.

use serde::Serialize;

use crate::settings::pairs::{PairReader, QUERY_GRAMMAR, changed_pairs};
use crate::settings::{Change, Parameters, Range, clamp_to_range, read_number};
use crate::study::digest;

/// Groups of a study's digest: one of SynthSAEBench, two of others, and one more of what a reader may have trained; four of
/// an audit.
const DIGEST_GROUPS: [usize; 4] = [1, 2, 3, 4];
/// Places that can be opened.
const OPENED_ITEM_RANGE: Range = Range::integer("open", 0, 9_999);

/// What a link to a study's page says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Page<S> {
    /// What is run: always something that is allowed.
    pub settings: S,
    /// The feature, pair or the like that is opened.
    pub open: u32,
    /// The view that is chosen, by its name; none but the page knows which there are.
    pub view: Option<String>,
    /// Digest of the results the link's maker saw.
    pub digest: Option<String>,
    /// What had to be changed; empty for a link that [`page_to_query`] made.
    pub changes: Vec<Change>,
}

/// Reads a query string, with or without the `?` before it. Whatever the text, the result is valid:
/// [`Page::changes`] says what was not used as it stood.
#[must_use]
pub fn read_page<S: Parameters>(query: &str) -> Page<S> {
    let mut changes = Vec::new();
    let query = query.strip_prefix('?').unwrap_or(query);
    let pieces = PairReader::truncate(&QUERY_GRAMMAR, query, &mut changes).split(QUERY_GRAMMAR.pair_separator);
    let mut reader = PairReader::new(&QUERY_GRAMMAR, pieces, changes);
    let settings = reader.take_settings("");
    let open = match reader.take("open") {
        None => 0,
        Some(found) => {
            let number = read_number(&found);
            let used = number.map_or(0.0, |number| clamp_to_range(OPENED_ITEM_RANGE, number));
            if number != Some(used) {
                reader.record_refusal("open", &found, &OPENED_ITEM_RANGE.describe_allowed(), &used.to_string());
            }
            used as u32
        }
    };
    let plain = |text: &str| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
        let fits = (1..=32).contains(&text.len()) && text.bytes().all(fits);
        fits.then(|| text.to_owned()).ok_or_else(|| "1 to 32 letters, digits and _ - .".to_owned())
    };
    let view = reader.take_word("view", "", plain);
    let digest = reader.take_word("digest", "", |text| {
        let known = DIGEST_GROUPS.into_iter().find_map(|count| digest::parse_groups(text, count));
        known.map(|_| text.to_owned()).ok_or_else(|| "one to four groups of five digits and letters".to_owned())
    });
    Page { settings, open, view, digest, changes: reader.finish(|_| "there is no such key".to_owned()) }
}

/// The query string of a page, without a `?`: what is as a page without one has it is left out.
#[must_use]
pub fn page_to_query<S: Parameters>(settings: &S, open: u32, view: Option<&str>, digest: Option<&str>) -> String {
    let mut pairs: Vec<String> =
        changed_pairs(settings).into_iter().map(|(key, text)| format!("{key}={text}")).collect();
    if open != 0 {
        pairs.push(format!("open={open}"));
    }
    pairs.extend(view.map(|view| format!("view={view}")));
    pairs.extend(digest.map(|digest| format!("digest={digest}")));
    pairs.join("&")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::{ce_bench, fade};

    #[test]
    fn a_page_that_was_printed_is_read_as_it_was() {
        let draft = fade::Draft {
            sae: Some("relu128".into()),
            factors: Some(vec![-4.0, 0.0, 0.5, 8.0]),
            error: Some(0.125),
            ..fade::Draft::default()
        };
        let settings = draft.parse().unwrap();
        let text = page_to_query(&settings, 7, Some("v1_marked"), Some("2k9ah-0pq3v"));
        assert_eq!(text, "sae=relu128&factors=-4,0,0.5,8&error=0.125&open=7&view=v1_marked&digest=2k9ah-0pq3v");
        let page = read_page::<fade::Settings>(&format!("?{text}"));
        assert_eq!((page.settings, page.open), (settings, 7));
        assert_eq!(page.view.as_deref(), Some("v1_marked"));
        assert_eq!(page.digest.as_deref(), Some("2k9ah-0pq3v"));
        assert!(page.changes.is_empty());
        assert_eq!(page_to_query(&ce_bench::Settings::default(), 0, None, None), "");
    }

    #[test]
    fn whatever_stands_there_is_read_as_something_that_is_allowed() {
        let page = read_page::<fade::Settings>("sae=none&n=1e9&factors=1,2&error=-3&open=x&view=%20&digest=1&other=2");
        assert_eq!(page.settings.sae, "topk256");
        assert_eq!(page.settings.texts, 2_000);
        assert_eq!(page.settings.error, 0.0);
        assert!(page.settings.factors.contains(&0.0));
        assert_eq!((page.open, page.view, page.digest), (0, None, None));
        let keys: Vec<&str> = page.changes.iter().map(|change| change.key.as_str()).collect();
        for key in ["sae", "n", "factors", "error", "open", "view", "digest", "other"] {
            assert!(keys.contains(&key), "{key}: {keys:?}");
        }
    }
}
