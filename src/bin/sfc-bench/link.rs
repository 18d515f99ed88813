use serde_json::json;
use sfc_bench::Settings;
use sfc_bench::link::{self, State, Version, compare};
use sfc_bench::papers::sfc as study;
use sfc_bench::papers::sfc::NoProgress;

use crate::format::BoxError;

/// The settings' query string; with the digest of their results, if it is asked for.
pub fn format_query(settings: Settings, digest: bool) -> Result<String, BoxError> {
    let mut state = State { settings, ..State::default() };
    if digest {
        let report = study::run(&state.settings, &mut NoProgress)?;
        state.digest = Some(link::digest(&report));
        state.made = Version::current();
    }
    Ok(link::to_query(&state) + "\n")
}

/// What a link, or its query string alone, says; and whether its digest is that of a run made here.
pub fn describe_link(text: &str, check: bool) -> Result<String, BoxError> {
    let query = text.split_once('?').map_or(text, |(_, query)| query);
    let read = link::parse(query.split('#').next().unwrap_or_default());
    let mut found = serde_json::to_value(&read)?;
    if let (true, Some(claimed)) = (check, read.state.digest) {
        let report = study::run(&read.state.settings, &mut NoProgress)?;
        found["check"] = json!(compare(&report, &claimed, read.state.made.as_ref()));
    } else if check {
        return Err("the link carries no digest to check".into());
    }
    Ok(serde_json::to_string_pretty(&found)? + "\n")
}
