//! Which files of a folder are arrays one after the other, and in which order.

use super::IoError;

/// How the names of files of arrays end.
const ARRAY_EXTENSIONS: [&str; 6] = [".npy", ".npz", ".safetensors", ".csv", ".pt", ".pth"];

/// The names, of those of a folder's files, that hold arrays, in the order in which these are read: by their names, with
/// the numbers in them by their values, so that `acts_10.npy` comes after `acts_2.npy`. Hidden files (`.name`) are left.
///
/// # Errors
/// [`IoError::Unreadable`] with the folder where there is none.
///
/// # Examples
/// ```
/// # use sfc_bench_foundations as sfc_bench;
/// use sfc_bench::io::find_shards;
/// let found = find_shards("acts", ["acts_10.npy", "notes.txt", "acts_2.npy"].map(String::from).to_vec());
/// assert_eq!(found.unwrap(), ["acts_2.npy", "acts_10.npy"]);
/// ```
pub fn find_shards(folder: &str, names: Vec<String>) -> Result<Vec<String>, IoError> {
    let mut found = names;
    found.retain(|name| {
        let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
        let lower = last.to_ascii_lowercase();
        !last.starts_with('.') && ARRAY_EXTENSIONS.iter().any(|end| lower.ends_with(end))
    });
    if found.is_empty() {
        let reason = format!("a folder without files of arrays: {}", ARRAY_EXTENSIONS.join(", "));
        return Err(IoError::unreadable(folder, reason));
    }
    found.sort_by_cached_key(|name| numeric_sort_key(name));
    Ok(found)
}

/// A name whose numbers are in the order of their values: those of one length are. Of equal ones the name decides.
#[must_use]
pub fn numeric_sort_key(name: &str) -> (Vec<String>, String) {
    let digit = |c: char| c.is_ascii_digit();
    let mut parts = Vec::new();
    for part in name.split_inclusive(digit) {
        let (text, number) = match part.strip_suffix(digit) {
            Some(text) => (text, part.trim_start_matches(text)),
            None => (part, ""),
        };
        match parts.last_mut() {
            Some((_, digits)) if text.is_empty() => *digits += number,
            _ => parts.push((text.to_owned(), number.to_owned())),
        }
    }
    let parts = parts.into_iter().map(|(text, digits): (String, String)| {
        let digits = digits.trim_start_matches('0');
        format!("{text}{:06}{digits}", digits.len())
    });
    (parts.collect(), name.to_owned())
}

/// Words that numbers of shards follow without anything between.
const SHARD_WORDS: [&str; 4] = ["shard", "part", "chunk", "batch"];

/// Whether two files of one folder are alike but for numbers in their names, as shards of one array are: `acts_0.npy`
/// and `acts_1.npy`, `part3.npy` and `part12.npy`; not `acts_f32.npy` and `acts_f64.npy`, whose numbers belong to words.
#[must_use]
pub fn differ_by_number(one: &str, other: &str) -> bool {
    let parts = |name: &str| {
        let (folder, last) = name.rsplit_once(['/', '\\']).unwrap_or(("", name));
        (folder.to_owned(), mask_numbers(last))
    };
    parts(one) == parts(other)
}

/// A name with `#` for each number that is a word of its own.
fn mask_numbers(name: &str) -> String {
    let mut out = String::new();
    let mut rest = name;
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c: char| !c.is_ascii_digit()).unwrap_or(from.len());
        let (digits, after) = from.split_at(end);
        out.push_str(before);
        let word = out.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        let apart = word.is_empty() || SHARD_WORDS.contains(&&*word.to_ascii_lowercase());
        let own = apart && !after.starts_with(char::is_alphanumeric);
        out.push_str(if own { "#" } else { digits });
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_in_the_order_of_their_numbers() {
        let names = ["b.csv", "a10.NPY", "a9.npy", "a009.npy", ".a1.npy", "a.json", "a1-of-2.npz"];
        let found = find_shards("f", names.map(String::from).to_vec()).unwrap();
        assert_eq!(found, ["a1-of-2.npz", "a009.npy", "a9.npy", "a10.NPY", "b.csv"]);
        for (one, other, same) in [
            ("acts_0.npy", "acts_10.npy", true),
            ("f/0.npy", "f/1.npy", true),
            ("f/0.npy", "g/1.npy", false),
            ("acts-00000-of-00002.npz", "acts-00001-of-00002.npz", true),
            ("Part3.csv", "Part12.csv", true),
            ("acts_f32.npy", "acts_f64.npy", false),
            ("acts_3d.npy", "acts_4d.npy", false),
            ("layer0.npy", "layer1.npy", false),
            ("acts_0.npy", "acts_1.csv", false),
            ("é1.npy", "é2.npy", false),
        ] {
            assert_eq!(differ_by_number(one, other), same, "{one} {other}");
        }
        let error = find_shards("f", vec!["a.json".to_owned()]).unwrap_err();
        assert!(error.to_string().contains("a folder without files of arrays: .npy"), "{error}");
    }
}
