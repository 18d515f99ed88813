//! What readers of FADE and of CE-Bench bring: files in the shapes of both programs, with the values that
//! scikit-learn and NumPy give them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sfc_bench::papers::ce_bench::metric::Reading;
use sfc_bench::papers::ce_bench::user_files as ce_bench;
use sfc_bench::papers::ce_bench::user_files::MarksSource;
use sfc_bench::papers::fade::user_files as fade;
use sfc_bench::papers::fade::user_files::UserScore;
use sfc_bench::papers::fade::{Draft, Settings};
use sfc_bench::study::user_file::{Reported, UserFile, Verdict};

use super::common::{assert_close, json};

/// A folder of the golden files.
pub fn golden(name: &str) -> PathBuf {
    super::common::root().join("tests/golden").join(name)
}

/// Files under a folder, by their paths in it.
pub fn under(root: &Path) -> Vec<UserFile> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).expect("it is under it").to_str().expect("UTF-8");
            files.push(UserFile { name: name.to_owned(), bytes: fs::read(&path).expect("a file") });
        }
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    files
}

fn some(root: &Path, names: &[&str]) -> Vec<UserFile> {
    let all = under(root).into_iter();
    let found: Vec<_> = all.filter(|file| names.contains(&file.name.as_str())).collect();
    assert_eq!(found.len(), names.len());
    found
}

/// Where a row of numbers computed anew agrees, and where it does not, of one name.
fn row<'a>(rows: &'a [Reported], quantity: &str) -> &'a Reported {
    rows.iter().find(|row| row.quantity == quantity).unwrap_or_else(|| panic!("{quantity}"))
}

#[track_caller]
fn scored(what: &str, score: &UserScore, expected: &Value) {
    for (reading, found) in [("code", score.code), ("document", score.document)] {
        match expected[reading].as_f64() {
            None => assert_eq!(found, None, "{what} {reading}"),
            Some(wanted) => assert_close(what, found.expect("a value"), wanted, 1e-12, 1e-12),
        }
        assert!(found.is_some() || score.why.is_some(), "{what} {reading}");
    }
}

#[test]
fn activations_with_labels_have_scikit_learns_scores() {
    let root = golden("fade_results/own");
    let expected = json(include_str!("../golden/fade_results/expected.json"));
    let features = expected["own"]["features"].as_array().unwrap();
    let all = fade::score_files(some(&root, &["all.npz", "ratings.npy", "factors.npy"]), &Settings::default()).unwrap();
    assert_eq!((all.features.len(), all.folders.len()), (3, 0));
    assert_eq!(all.files[0].role, "activations, labels, synthetic");
    let counts = expected["own"]["labels"].as_array().unwrap();
    for (found, wanted) in all.features.iter().zip(features) {
        let what = format!("feature {}", found.feature);
        scored(&what, &found.clarity, &wanted["clarity"]);
        scored(&what, &found.responsiveness, &wanted["responsiveness"]);
        scored(&what, &found.purity, &wanted["purity"]);
        scored(&what, &found.faithfulness, &wanted["faithfulness"]);
        let labels = found.labels.unwrap();
        let three = [labels.without, labels.partial, labels.with].map(Value::from);
        assert_eq!(three.as_slice(), counts.as_slice());
        assert_eq!(found.made, Some(25));
        let chance = labels.with as f64 / (labels.with + labels.without) as f64;
        assert_eq!(found.purity_by_chance, Some(chance));
        assert_eq!(found.gate, Some(found.feature != 1), "the dead one does not pass");
        assert_eq!(found.doses.iter().map(|dose| dose.factor).collect::<Vec<_>>(), [-10.0, 0.0, 0.1, 10.0]);
    }
    let best = |feature: usize| all.features[feature].best_factor;
    assert_eq!(best(0), features[0]["best"].as_f64());
    assert_eq!((all.features[2].faithfulness.code, best(2)), (None, None), "all at 0 express it");
    // The document's clarity of the dead feature is the one to be wary of.
    let dead = &all.features[1].clarity;
    assert_eq!((dead.document, dead.code), (Some(1.0), Some(0.0)));

    // Labels of all features in one column, no made texts and no ratings: what that leaves.
    let few = fade::score_files(some(&root, &["activations.npy", "labels.npy"]), &Settings::default()).unwrap();
    for (found, whole) in few.features.iter().zip(&all.features) {
        assert_eq!((&found.responsiveness, &found.purity), (&whole.responsiveness, &whole.purity));
        assert!(found.clarity.why.as_ref().unwrap().contains("synthetic"));
        assert!(found.faithfulness.why.as_ref().unwrap().contains("ratings"));
        assert_eq!((found.gate, found.made), (None, None));
    }
    // One feature as text, ratings as rows in another order.
    let text =
        fade::score_files(some(&root, &["activations_0.csv", "labels_0.csv", "ratings_0.csv"]), &Settings::default())
            .unwrap();
    let [first] = text.features.as_slice() else { panic!() };
    let wanted = &all.features[0];
    assert_eq!((&first.responsiveness, &first.purity), (&wanted.responsiveness, &wanted.purity));
    assert_eq!((&first.faithfulness, &first.doses), (&wanted.faithfulness, &wanted.doses));
    assert!(text.notes.iter().any(|note| note.contains("header")), "{:?}", text.notes);
    // Ratings alone.
    let alone = fade::score_files(some(&root, &["ratings_0.csv"]), &Settings::default()).unwrap();
    assert_eq!(alone.features[0].faithfulness, wanted.faithfulness);
    assert_eq!(alone.features[0].labels, None);
    assert_eq!(all.tables()[0].rows.len(), 3);
}

#[test]
fn texts_are_sampled_and_norms_read_as_settings_say() {
    let golden = json(include_str!("../golden/fade_choices.json"));
    for case in golden["cases"].as_array().unwrap() {
        let (input, expected) = (&case["input"], &case["expected"]);
        let column = |name: &str, values: &Value| {
            let lines = values.as_array().unwrap().iter().map(|value| format!("{value}\n"));
            UserFile { name: format!("{name}.csv"), bytes: lines.collect::<String>().into() }
        };
        let files = vec![
            column("activations", &input["natural"]),
            column("labels", &input["labels"]),
            column("synthetic", &input["made"]),
        ];
        for (rated, key) in [("all", "elements"), ("sampled", "nonzero")] {
            let sampled = |name: &str| input[name].as_f64().filter(|_| rated == "sampled");
            let draft = Draft {
                rated: Some(rated.to_owned()),
                sample: sampled("sample"),
                top: sampled("top"),
                seed: sampled("seed"),
                norm: Some(key.to_owned()),
                ..Draft::default()
            };
            let report = fade::score_files(files.clone(), &fade::parse_settings(&draft).unwrap()).unwrap();
            let [feature] = report.features.as_slice() else { panic!() };
            let what = format!("{}, {rated}", case["name"]);
            let readings = |wanted: &Value, document: &str| serde_json::json!({ "code": wanted["code"], "document": wanted[document] });
            scored(&what, &feature.clarity, &readings(&expected["clarity"], key));
            let wanted = &expected[rated];
            scored(&what, &feature.responsiveness, &readings(&wanted["responsiveness"], key));
            scored(&what, &feature.purity, &readings(&wanted["purity"], "note"));
            let texts = input["natural"].as_array().unwrap().len();
            let all = rated == "all" || texts <= input["sample"].as_u64().unwrap() as usize;
            let counts = ["note", "code"].map(|of| expected["sample"][of].as_array().unwrap().len());
            assert_eq!(feature.rated, (!all).then_some(counts), "{what}");
            assert_eq!(
                report.notes.iter().any(|note| note.contains("leaves none of them out")),
                all && rated == "sampled",
                "{what}: {:?}",
                report.notes
            );
        }
    }
    // What would have no say is refused.
    for (draft, field) in [
        (Draft { top: Some(0.2), ..Draft::default() }, "top"),
        (Draft { seed: Some(1.0), rated: Some("all".to_owned()), ..Draft::default() }, "seed"),
        (Draft { texts: Some(100.0), rated: Some("sampled".to_owned()), ..Draft::default() }, "texts"),
        (Draft { norm: Some("two".to_owned()), ..Draft::default() }, "norm"),
    ] {
        let refused = fade::parse_settings(&draft).unwrap_err();
        assert_eq!(refused.0.iter().map(|problem| problem.field.as_str()).collect::<Vec<_>>(), [field]);
    }
}

#[test]
fn what_fade_writes_is_computed_anew_where_its_inputs_are() {
    let root = golden("fade_results");
    let expected = json(include_str!("../golden/fade_results/expected.json"));
    let files: Vec<_> = under(&root).into_iter().filter(|file| file.name.starts_with("model")).collect();
    assert_eq!(files.len(), 13);
    let report = fade::score_files(files, &Settings::default()).unwrap();
    assert!(report.files.iter().all(|file| file.refused.is_none()));
    assert_eq!((report.features.len(), report.folders.len()), (0, 3));
    for folder in &report.folders {
        let wanted = &expected["folders"][&folder.folder];
        assert!(wanted.is_object(), "{:?}", folder.folder);
        let labels = folder.labels.unwrap();
        let three = [labels.without, labels.partial, labels.with].map(Value::from);
        assert_eq!(&Value::from(three.to_vec()), &wanted["labels"]);
        assert_eq!(folder.made.map(Value::from).unwrap(), wanted["made"]);
        let clarity = row(&folder.rows, "Clarity");
        assert_eq!((clarity.verdict, clarity.recomputed), (Verdict::AsReported, None));
        assert_eq!(clarity.reported, wanted["reported"]["clarity"]["code"].as_f64());
        assert!(clarity.why.as_ref().unwrap().contains("no activations"));
        // One text is there twice, and both have label 2.
        let with = row(&folder.rows, "Natural Concept Samples");
        assert_eq!((with.verdict, with.difference), (Verdict::Differs, Some(1.0)));
        assert!(with.why.as_ref().unwrap().contains("occur twice"));
        let without = row(&folder.rows, "Natural Non-Concept Samples");
        assert_eq!((without.verdict, without.difference), (Verdict::Agrees, Some(0.0)));
        assert_eq!(row(&folder.rows, "Synthetic Samples").verdict, Verdict::Agrees);
        let Some(faithfulness) = wanted.get("faithfulness") else {
            assert_eq!((folder.gate, folder.doses.len()), (Some(false), 0));
            assert!(folder.notes.iter().any(|note| note.contains("below 0.5")));
            continue;
        };
        scored(&folder.folder, &folder.faithfulness, faithfulness);
        let reported = row(&folder.rows, "Faithfulness");
        assert_eq!(reported.verdict, Verdict::Agrees);
        assert_eq!(reported.reported, faithfulness["code"].as_f64());
        assert_eq!(reported.reported_as.as_deref(), faithfulness["code"].is_null().then_some("NaN"));
        for (factor, share) in wanted["shares"].as_object().unwrap() {
            let dose = folder.doses.iter().find(|dose| dose.factor.to_string() == *factor).unwrap();
            assert_eq!(dose.share, share.as_f64(), "{} {factor}", folder.folder);
            let counted = row(&folder.rows, &format!("Value Counts, factor {factor}, label 2"));
            assert_eq!(counted.verdict, Verdict::Agrees, "{counted:?}");
        }
        assert_eq!(row(&folder.rows, "Number of Modification Factors").verdict, Verdict::Agrees);
        let sequences = row(&folder.rows, "Number of Sequences per Modification Factor");
        assert_ne!(sequences.verdict, Verdict::Agrees);
    }
    let of = |name: &str| report.folders.iter().find(|one| one.folder.ends_with(name)).unwrap();
    let sequences = row(&of("42").rows, "Number of Sequences per Modification Factor");
    assert_eq!((sequences.reported, sequences.recomputed), (Some(7.0), Some(8.0)));
    assert!(sequences.why.as_ref().unwrap().contains("number of factors"));
    assert!(of("/7").notes.iter().any(|note| note.contains("rated 3")));
    assert_eq!(of("42").gate, Some(true));
    assert_eq!(report.tables().len(), 3);
}

#[test]
fn ratings_of_texts_label_activations() {
    let root = golden("fade_results");
    let expected = json(include_str!("../golden/fade_results/expected.json"));
    let wanted = &expected["folders"]["model.layers[3].mlp/42"]["recomputed"];
    let mut files = some(&root, &["natural_activations.npy", "synthetic_activations.npy", "texts.json"]);
    let all = under(&root).into_iter();
    files.extend(all.filter(|file| file.name.starts_with("model.layers[3].mlp/42/")));
    let report = fade::score_files(files.clone(), &Settings::default()).unwrap();
    let [feature] = report.features.as_slice() else { panic!() };
    scored("clarity", &feature.clarity, &wanted["clarity"]);
    scored("responsiveness", &feature.responsiveness, &wanted["responsiveness"]);
    scored("purity", &feature.purity, &wanted["purity"]);
    assert_eq!(feature.labels.unwrap().unrated, 0);
    let [folder] = report.folders.as_slice() else { panic!() };
    for quantity in ["Clarity", "Responsiveness", "Purity", "Natural Samples", "Synthetic Samples"] {
        let row = row(&folder.rows, quantity);
        assert_eq!(row.verdict, Verdict::Agrees, "{row:?}");
        assert!(row.difference.unwrap().abs() < 1e-12);
    }
    assert!(report.notes.iter().any(|note| note.contains("1 of the rated texts occur before")));

    // Ratings that leave texts out leave their activations out.
    let ratings = files
        .iter_mut()
        .find(|file| file.name.ends_with("centric_ratings.json") && file.name.contains("activation"))
        .unwrap();
    ratings.bytes = br#"{"rain text 1, \u201cwith quotes\u201d\nand a line": 2, "nowhere": 0}"#.to_vec();
    let report = fade::score_files(files.clone(), &Settings::default()).unwrap();
    let labels = report.features[0].labels.unwrap();
    assert_eq!((labels.with, labels.without, labels.unrated), (1, 0, 39));
    assert!(report.features[0].responsiveness.why.as_ref().unwrap().contains("labelled 0"));
    assert!(report.notes.iter().any(|note| note.contains("1 of the texts")), "{:?}", report.notes);
    // Repeated keys are each counted.
    let ratings = files.iter_mut().find(|file| file.name.contains("activation_centric_ratings")).unwrap();
    ratings.bytes = br#"{"a": 0, "a": 2, "b": 2}"#.to_vec();
    let report = fade::score_files(files.clone(), &Settings::default()).unwrap();
    let labels = report.folders[0].labels.unwrap();
    assert_eq!((labels.without, labels.with), (1, 2));
    assert!(report.folders[0].notes.iter().any(|note| note.contains("1 keys are there again")));
    // Texts that are not as many as their activations.
    let texts = files.iter_mut().find(|file| file.name == "texts.json").unwrap();
    texts.bytes = br#"["a", "b"]"#.to_vec();
    assert_eq!(fade::score_files(files, &Settings::default()).unwrap_err().code(), "given.value");
}

#[test]
fn a_broken_file_of_results_leaves_the_others() {
    let mut files = under(&golden("fade_results/model.layers[3].mlp"));
    let whole = files.len();
    let broken = files.iter_mut().find(|file| file.name.ends_with("42/data/output_centric_ratings.json")).unwrap();
    broken.bytes.truncate(300);
    let report = fade::score_files(files, &Settings::default()).unwrap();
    let refused: Vec<_> = report.files.iter().filter(|file| file.refused.is_some()).collect();
    assert_eq!((report.files.len(), refused.len()), (whole, 1));
    assert_eq!(refused[0].refused.as_ref().unwrap().code, "io.text");
    let folder = report.folders.iter().find(|folder| folder.folder == "42").unwrap();
    assert_eq!(row(&folder.rows, "Faithfulness").verdict, Verdict::AsReported);
    assert_eq!(report.tables().last().unwrap().rows.len(), 1);
}

#[test]
fn results_of_ce_bench_are_ranked_by_the_share_of_their_bound() {
    let root = golden("ce_bench_results");
    let expected = json(include_str!("../golden/ce_bench_results/expected.json"));
    let files: Vec<_> = under(&root).into_iter().filter(|file| file.name.ends_with("results.json")).collect();
    let report = ce_bench::read_results(files.clone()).unwrap();
    assert_eq!((report.rows.len(), report.files.len()), (6, 6));
    for wanted in expected["results"].as_array().unwrap() {
        let row = report.rows.iter().find(|row| wanted["file"] == row.file.as_str()).unwrap();
        let close = |name: &str, found: Option<f64>, wanted: &Value| match wanted.as_f64() {
            None => assert_eq!(found, None, "{} {name}", row.file),
            Some(wanted) => assert_close(name, found.expect(name), wanted, 1e-12, 0.0),
        };
        let scores = [row.contrastive, row.independence, row.interpretability];
        let shares = [row.contrastive_share, row.independence_share, row.interpretability_share];
        for at in 0..3 {
            close("score", scores[at], &wanted["scores"][at]);
            close("share", shares[at], &wanted["shares"][at]);
        }
        close("sum", row.sum, &wanted["sum"]);
        close("difference", row.difference, &wanted["difference"]);
        close("bound", row.bound, &wanted["bound"]);
        close("bound_ddof0", row.bound_ddof0, &wanted["bound_ddof0"]);
        assert_eq!(row.sum_holds, wanted["holds"].as_bool());
        assert_eq!(row.above_both, wanted["above_both"].as_bool());
        assert_eq!(row.latents, wanted["latents"].as_u64());
        assert_eq!(row.pairs, Some(80));
        let named = !row.file.contains("kan_relu");
        assert_eq!(row.folder_agrees, named.then_some(true), "{}", row.file);
        assert_eq!(row.why.is_some(), !named || row.file.contains("/nan/"), "{:?}", row.why);
    }
    let ranked: Vec<&str> = report.rows.iter().filter(|row| row.rank.is_some()).map(|row| row.file.as_str()).collect();
    assert_eq!(Value::from(ranked), expected["ranked"]);
    assert_eq!(report.rows[0].rank, Some(1));
    assert_eq!(report.rows[5].rank, None, "the one without a width comes last");
    let claim = &report.claim;
    assert_eq!((claim.files, claim.holds, claim.above_bound), (5, 1, 1));
    let above = expected["results"].as_array().unwrap().iter();
    assert_eq!(claim.above_both, above.filter(|row| row["above_both"] == true).count());
    assert!(claim.describe().contains("1 of 5 files"), "{}", claim.describe());
    assert!(report.notes[0].contains("several data sets"));
    assert_eq!(report.tables()[0].rows.len(), 6);

    // A folder that says another dictionary, pictures beside results, and one file that is broken.
    let mut files = files;
    files[0].name = files[0].name.replace("average_l0_20", "average_l0_21");
    files[1].bytes.truncate(100);
    files.push(UserFile { name: "a/histograms/0.png".to_owned(), bytes: vec![1; 10] });
    let report = ce_bench::read_results(files).unwrap();
    let moved = report.rows.iter().find(|row| row.file.contains("l0_21")).unwrap();
    assert_eq!(moved.folder_agrees, Some(false));
    assert_eq!(report.files.iter().filter(|file| file.refused.is_some()).count(), 1);
    assert!(report.notes.iter().any(|note| note.contains("1 files are no .json")));
}

#[test]
fn pairs_of_stories_have_numpys_scores() {
    let root = golden("ce_bench_results/own");
    let expected = json(include_str!("../golden/ce_bench_results/expected.json"));
    let marked = ce_bench::score_files(some(&root, &["pairs.npz"])).unwrap();
    let words = ce_bench::score_files(some(&root, &["activations.npz", "stories.json"])).unwrap();
    let lines = ce_bench::score_files(some(&root, &["activations.npz", "stories.jsonl"])).unwrap();
    let tokens = ce_bench::score_files(some(&root, &["activations.npz", "tokens/stories.json"])).unwrap();
    for (report, from) in [
        (&marked, MarksSource::Arrays),
        (&words, MarksSource::Words),
        (&lines, MarksSource::Words),
        (&tokens, MarksSource::Tokens),
    ] {
        assert_eq!((report.latents, report.pairs.len()), (12, 3));
        for (at, pair) in report.pairs.iter().enumerate() {
            assert_eq!(pair.pair, at.to_string());
            assert_eq!(pair.marks_from, Some(from));
            assert_eq!(Value::from(pair.marked.unwrap().to_vec()), expected["marked"][at]);
            assert_eq!(pair.subject.is_some(), from != MarksSource::Arrays);
            for scores in &pair.scores {
                let wanted = &expected["pairs"][at][scores.reading.name()];
                let found = [scores.contrastive, scores.independence, scores.interpretability];
                for (found, wanted) in found.into_iter().zip(wanted.as_array().unwrap()) {
                    let wanted = wanted.as_f64().unwrap();
                    assert_close(scores.reading.name(), found.unwrap(), wanted, 1e-10, 1e-12);
                }
            }
        }
        for row in &report.readings {
            let wanted = &expected["means"][row.reading.name()];
            let found = [row.contrastive, row.independence, row.interpretability];
            for (found, wanted) in found.into_iter().zip(wanted.as_array().unwrap()) {
                assert_close(row.reading.name(), found.unwrap(), wanted.as_f64().unwrap(), 1e-10, 1e-12);
            }
            let bound = expected["bounds"][row.reading.name()].as_f64();
            assert_eq!(row.bound, bound);
            assert!(row.interpretability_share.is_none_or(|share| share <= 1.0 + 1e-12));
            assert_eq!((row.pairs, &row.why), (3, &None));
        }
    }
    assert!(words.notes.iter().any(|note| note.contains("story0 is used by no score")));

    // Without marks: the two readings that look at none.
    let files = some(&root, &["one_story1.npy", "one_story2.npy"]);
    let one = ce_bench::score_files(files.clone()).unwrap();
    let readings: Vec<_> = one.pairs[0].scores.iter().map(|scores| scores.reading).collect();
    assert_eq!(readings, [Reading::CodeHead, Reading::Paper]);
    assert_eq!(one.pairs[0].pair, "one");
    assert!(one.readings[0].why.as_ref().unwrap().contains("marks were not given"));
    // Tokens that are not the story's words, and are not told.
    let story = |text: &str| UserFile { name: "s.json".to_owned(), bytes: text.into() };
    let stories = story(r#"[{"story1": "a <subject>b</subject>", "story2": "a b"}]"#);
    let unknown = ce_bench::score_files([files.clone(), vec![stories]].concat()).unwrap();
    assert!(unknown.pairs[0].why.as_ref().unwrap().contains("story 1 has 2 words"));
    let stories = story(r#"[{"story1": "a", "story2": "b", "tokens1": ["a", "c"], "tokens2": []}]"#);
    let error = ce_bench::score_files([files, vec![stories]].concat()).unwrap_err();
    assert!(error.to_string().contains("pair one, story 1, token 1"), "{error}");
}
