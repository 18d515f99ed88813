use std::collections::BTreeMap;

use super::report::{ResultRow, ResultsReport, SumClaim};
use crate::io::IoError;
use crate::io::json::{JsonNode, parse};
use crate::papers::ce_bench::metric::max_z_score;
use crate::study::user_file::{AGREEMENT_TOLERANCE, GivenRow, UserFile, UserFileError, check_sizes, is_close};

/// The three scores, as the files name them.
const SCORE_KEYS: [&str; 3] = ["contrastive_score_mean", "independent_score_mean", "interpretability_score_mean"];

/// Reads `results.json` files: reported scores beside their sum and their bound, ranked.
///
/// Files that are no `.json` are left out, as a folder has pictures and tables, too. One that cannot be read is
/// left out and told in [`ResultsReport::files`].
///
/// # Errors
/// [`UserFileError`] where none can be read.
///
/// # Examples
/// ```
/// use sfc_bench::papers::ce_bench::user_files::read_results;
/// use sfc_bench::study::user_file::UserFile;
///
/// let text = r#"{"contrastive_score_mean": 25.05, "independent_score_mean": 45.49,
///     "interpretability_score_mean": 39.12, "sae_release": "topk", "sae_id": "trainer_0",
///     "sae_config": {"d_sae": 4096}}"#;
/// let file = UserFile { name: "topk/trainer_0/results.json".into(), bytes: text.into() };
/// let report = read_results(vec![file])?;
/// let row = &report.rows[0];
/// assert_eq!((row.sum_holds, row.folder_agrees), (Some(false), Some(true)));
/// assert_eq!(row.interpretability_share, Some(39.12 / 63.984375));
/// # Ok::<(), sfc_bench::study::user_file::UserFileError>(())
/// ```
pub fn read_results(files: Vec<UserFile>) -> Result<ResultsReport, UserFileError> {
    const ALLOWED_FILES: &str = "results.json of CE-Bench";
    check_sizes(&files, ALLOWED_FILES)?;
    let (mut told, mut rows, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut first, mut other) = (None, 0_usize);
    for file in &files {
        if !file.name.to_ascii_lowercase().ends_with(".json") {
            other += 1;
            first = first.or(Some(UserFileError::unknown(&file.name, ALLOWED_FILES)));
            continue;
        }
        let read = read_result(file).map_err(UserFileError::from);
        told.push(GivenRow::new(&file.name, "results", read.as_ref().err()));
        match read {
            Ok(row) => rows.push(row),
            Err(error) => first = first.or(Some(error)),
        }
    }
    if let (true, Some(error)) = (rows.is_empty(), first) {
        return Err(error);
    }
    if other > 0 {
        notes.push(format!("{other} files are no .json and were left out."));
    }
    let mut sets: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &rows {
        *sets.entry(row.dataset.as_deref().unwrap_or("not said")).or_default() += 1;
    }
    if sets.len() > 1 {
        let list = sets.iter().map(|(name, count)| format!("{name}: {count}"));
        let list = list.collect::<Vec<_>>().join(", ");
        notes.push(format!("Scores are of several data sets of stories, and so of one rank only with care ({list})."));
    }
    let claim = check_sum_claim(&rows);
    rank_rows(&mut rows);
    Ok(ResultsReport { files: told, rows, claim, notes })
}

/// What is in one file.
fn read_result(file: &UserFile) -> Result<ResultRow, IoError> {
    let json = parse(&file.name, &file.bytes)?;
    let whole = JsonNode::root(&file.name, &json);
    whole.as_object("an object with the scores of a dictionary")?;
    let finite = |value: f64| Some(value).filter(|value| value.is_finite());
    let mut missing = Vec::new();
    let mut score = |name: &str| -> Result<Option<f64>, IoError> {
        let value = whole.get(name)?.as_number()?;
        if !value.is_finite() {
            missing.push(format!("{name} is {value}"));
        }
        Ok(finite(value))
    };
    let [contrastive, independence, interpretability] = SCORE_KEYS;
    let contrastive = score(contrastive)?;
    let independence = score(independence)?;
    let interpretability = score(interpretability)?;

    let text = |place: &JsonNode<'_>, name: &str| -> Result<Option<String>, IoError> {
        place.get_non_null(name)?.map(|place| place.as_text().map(str::to_owned)).transpose()
    };
    let config = whole.get_optional("sae_config")?;
    let latents = match &config {
        Some(config) => config.get_optional("d_sae")?.map(|place| place.as_count()).transpose()?,
        None => None,
    };
    let model = match &config {
        Some(config) => text(config, "model_name")?,
        None => None,
    };
    let names = [text(&whole, "sae_release")?, text(&whole, "sae_id")?];
    let (folders, _) = file.folder_and_name();
    // The older program names a dictionary otherwise.
    let older = [text(&whole, "architecture")?, text(&whole, "best_model")?];
    let joined = |names: &[Option<String>; 2]| {
        let names: Vec<&str> = names.iter().flatten().map(String::as_str).collect();
        (!names.is_empty()).then(|| names.join("/"))
    };
    let named = joined(&names);
    let sae = named
        .clone()
        .or_else(|| joined(&older))
        .unwrap_or_else(|| if folders.is_empty() { file.name.clone() } else { folders.to_owned() });
    let folder_agrees = named.filter(|_| !folders.is_empty()).map(|named| path_suffixes_match(folders, &named));

    let sum = contrastive.zip(independence).and_then(|(a, b)| finite(a + b));
    let difference = interpretability.zip(sum).and_then(|(score, sum)| finite(score - sum));
    let larger = contrastive.zip(independence).map(|(a, b)| f64::max(a, b));
    let wide = latents.filter(|latents| *latents > 1).and_then(|latents| usize::try_from(latents).ok());
    let bound = wide.map(|latents| max_z_score(latents, 1));
    let share = |score: Option<f64>| score.zip(bound).map(|(score, bound)| score / bound);
    let shares = [contrastive, independence, interpretability].map(share);
    let most = shares.iter().flatten().copied().fold(f64::NEG_INFINITY, f64::max);
    if wide.is_none() {
        missing.push(match latents {
            Some(latents) => format!("{latents} latents have no z-score"),
            None => "the file says no width (sae_config.d_sae), so there is no bound".to_owned(),
        });
    }
    let [contrastive_share, independence_share, interpretability_share] = shares;
    Ok(ResultRow {
        rank: None,
        file: file.name.clone(),
        sae,
        folder_agrees,
        dataset: text(&whole, "contrastive_dataset")?,
        pairs: whole.get_optional("total_rows")?.map(|place| place.as_count()).transpose()?,
        latents,
        model: model.or(text(&whole, "model_name")?),
        contrastive,
        independence,
        interpretability,
        sum,
        difference,
        sum_holds: interpretability.zip(sum).map(|(score, sum)| is_close(score, sum)),
        above_both: interpretability.zip(larger).map(|(score, larger)| score > larger),
        bound,
        bound_ddof0: wide.map(|latents| max_z_score(latents, 0)),
        contrastive_share,
        independence_share,
        interpretability_share,
        // A z-score that reaches its bound may be above it by its rounding.
        within_bound: bound.filter(|_| most.is_finite()).map(|_| most <= 1.0 + AGREEMENT_TOLERANCE),
        why: (!missing.is_empty()).then(|| missing.join("; ")),
    })
}

/// Whether folders and a dictionary's name end in the same parts, as many as both have.
fn path_suffixes_match(folders: &str, named: &str) -> bool {
    let parts = |text: &'_ str| -> Vec<String> {
        text.split(['/', '\\']).filter(|part| !part.is_empty()).rev().map(str::to_owned).collect()
    };
    parts(folders).iter().zip(&parts(named)).all(|(folder, name)| folder == name)
}

fn check_sum_claim(rows: &[ResultRow]) -> SumClaim {
    let count =
        |is: fn(&ResultRow) -> Option<bool>, wanted: bool| rows.iter().filter(|row| is(row) == Some(wanted)).count();
    let differences = || rows.iter().filter_map(|row| row.difference);
    SumClaim {
        files: differences().count(),
        holds: count(|row| row.sum_holds, true),
        above_both: count(|row| row.above_both, true),
        above_bound: count(|row| row.within_bound, false),
        least: differences().min_by(f64::total_cmp),
        greatest: differences().max_by(f64::total_cmp),
        tolerance: AGREEMENT_TOLERANCE,
    }
}

/// Sorts by the share, the highest first; what has none keeps its order at the end.
fn rank_rows(rows: &mut [ResultRow]) {
    rows.sort_by(|a, b| match (a.interpretability_share, b.interpretability_share) {
        (Some(a), Some(b)) => b.total_cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    for (index, row) in rows.iter_mut().enumerate() {
        row.rank = row.interpretability_share.map(|_| index + 1);
    }
}
