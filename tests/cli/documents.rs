//! Documents that are generated: `docs/metrics.md` from the registry of metrics and the shipped audit,
//! `docs/equations.md` from the sources, the layouts of `docs/formats.md` from the table of them, the reference part of `docs/cli.md` from what the commands say of themselves.
//! `SFC_BENCH_DOCS=write cargo test --test cli documents` writes them; without it the tests compare.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sfc_bench::lab::audit::{
    AccessLevel, Better, Column, ControlOutcome, Metric, MetricEntry, PackedReport, Registry, StudyView, VerdictWord,
};
use sfc_bench::papers::measurement::metric::METRICS;
use sfc_bench::papers::measurement::validation::ReadingSource;
use sfc_bench::sae::layout::LAYOUTS;
use sfc_bench::study::Study;

const GENERATED: &str = "<!-- Generated: `SFC_BENCH_DOCS=write cargo test --test cli documents`. Do not edit. -->\n";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a document with what it should be, or writes it.
fn hold(path: &str, wanted: &str) {
    let file = root().join(path);
    if std::env::var("SFC_BENCH_DOCS").is_ok_and(|word| word == "write") {
        fs::write(&file, wanted).unwrap();
    }
    let found = fs::read_to_string(&file).unwrap_or_default();
    let differs = found.lines().zip(wanted.lines()).find(|(found, wanted)| found != wanted);
    assert!(
        found == wanted,
        "{path} is not what the sources say; first difference: {differs:?}. \
         SFC_BENCH_DOCS=write cargo test --test cli documents writes it"
    );
}

/// A formula of one of the papers whose registry rows carry none, as [`METRICS`] has those of measurement theory.
struct Formula {
    /// What the ids of its metrics begin with.
    family: &'static str,
    name: &'static str,
    /// Where the paper has it.
    source: &'static str,
    paper: &'static str,
    /// Where that differs from the paper.
    implementation: &'static str,
    /// The file of the function, and the line that begins it.
    code: (&'static str, &'static str),
}

const THEORY: &str = "src/papers/measurement/metric";

#[rustfmt::skip]
const OTHERS: &[Formula] = &[
    Formula {
        family: "sfc.s", name: "Sparsity S", source: "SFC-Score, Eq. 1",
        paper: "1 − mean over rows of ‖c‖₀ / K, counting |c| > 10⁻⁶.",
        implementation: "",
        code: ("src/papers/sfc/metric/sparsity.rs", "pub fn sparsity"),
    },
    Formula {
        family: "sfc.f", name: "Fidelity F", source: "SFC-Score, Eq. 2",
        paper: "Mean over rows of cos(a, â). R² and 1 − relative MSE are there beside it.",
        implementation: "The recovered recipe adds 10⁻¹⁰ to ‖a‖·‖â‖.",
        code: ("src/papers/sfc/metric/fidelity.rs", "pub fn cosine"),
    },
    Formula {
        family: "sfc.c", name: "Completeness C", source: "SFC-Score, Eq. 3",
        paper: "1 − mean‖f(a) − f(π(a))‖² / Var f(a), π the projection on the dictionary’s row space; the audit takes the total \
                variance about the mean output.",
        implementation: "Two variants of ours put the reconstruction, or the projection on the span of the active latents, in the \
                         place of π(a): a row space that spans everything is complete whatever was learnt.",
        code: ("src/papers/sfc/metric/completeness.rs", "pub fn completeness"),
    },
    Formula {
        family: "sfc.score", name: "SFC-Score", source: "SFC-Score, Eq. 4",
        paper: "(α + β + γ) / (α/S + β/F + γ/C); 0 where an axis with a weight is not positive.",
        implementation: "",
        code: ("src/papers/sfc/metric/score.rs", "pub fn sfc"),
    },
    Formula {
        family: "fade.clarity", name: "Clarity", source: "FADE",
        paper: "|2·Σ 1[a_c > a_n] / (‖A_c‖₀·‖A_n‖₀) − 1| over pairs of a generated text’s activation and a natural one’s. A tie \
                counts 0, so a feature that is never active has clarity 1.",
        implementation: "A tie counts ½ (the area under the ROC curve), so that feature has 0.",
        code: ("src/papers/fade/metric/clarity.rs", "pub fn clarity"),
    },
    Formula {
        family: "fade.responsiveness", name: "Responsiveness", source: "FADE",
        paper: "As clarity, of the natural texts labelled 2 against those labelled 0.",
        implementation: "Ties count ½.",
        code: ("src/papers/fade/metric/clarity.rs", "pub fn responsiveness"),
    },
    Formula {
        family: "fade.purity", name: "Purity", source: "FADE",
        paper: "Average precision Σⱼ (rⱼ − rⱼ₋₁)·pⱼ of the natural texts labelled 2 among those labelled 0 and 2.",
        implementation: "Signs are flipped where the Gini coefficient is negative.",
        code: ("src/papers/fade/metric/purity.rs", "pub fn purity"),
    },
    Formula {
        family: "fade.faithfulness", name: "Faithfulness", source: "FADE",
        paper: "max(max_f R_f − R₀, 0) / (1 − R₀), R_f the share of continuations at steering factor f that express the concept.",
        implementation: "Features below the gate (clarity and responsiveness ≥ 0.5) and features with R₀ = 1 have no value.",
        code: ("src/papers/fade/metric/faithfulness.rs", "pub fn faithfulness"),
    },
    Formula {
        family: "ce-bench.contrastive", name: "Contrastive score", source: "CE-Bench",
        paper: "Largest entry of |V₁ − V₂|, the mean activations of the two stories: as they are (abstract), or after both are \
                scaled to [0, 1] together (README).",
        implementation: "Largest z-score of |V₁ − V₂| over latents: ddof 0 (older code), ddof 1 (newest code).",
        code: ("src/papers/ce_bench/metric/pair.rs", "pub fn score_pair"),
    },
    Formula {
        family: "ce-bench.independence", name: "Independence score", source: "CE-Bench",
        paper: "The same of |I₁ − I₂|: mean of all tokens against that of the data set (abstract), or marked against unmarked \
                tokens, scaled to [0, 1] (README).",
        implementation: "Marked against unmarked tokens, z-score (older code). In the newest code marks are dropped and I₂ stays 0.",
        code: ("src/papers/ce_bench/metric/pair.rs", "pub fn score_pair"),
    },
    Formula {
        family: "ce-bench.interpretability", name: "Interpretability score", source: "CE-Bench",
        paper: "The sum of the two scores.",
        implementation: "The largest z-score of the summed differences.",
        code: ("src/papers/ce_bench/metric/pair.rs", "pub fn score_pair"),
    },
    Formula {
        family: "ce-bench.winner", name: "Winning latents", source: "ours",
        paper: "Share of winning latents that are about the topic (or the mood) that their pair of stories contrasts.",
        implementation: "",
        code: ("src/papers/ce_bench/metric/pair.rs", "pub fn score_pair"),
    },
    Formula {
        family: "mui.mui", name: "Model Utilization Index", source: "MUI, §2.2 and Eq. 8",
        paper: "Share of the neurons that some answer uses: |∪ₜ N(t)| / (L·N). `mui.mui-correct` counts right answers only.",
        implementation: "Of a layer’s 2,000 largest scores the first so many, ties cut off.",
        code: ("src/papers/mui/metric/union.rs", "pub struct NeuronUnion"),
    },
    Formula {
        family: "mui.pur", name: "Performance–utilization ratio", source: "MUI, Eq. 7",
        paper: "P / MUI^α.",
        implementation: "",
        code: ("src/papers/mui/metric/law.rs", "pub fn pur"),
    },
    Formula {
        family: "mui.performance", name: "Performance", source: "MUI",
        paper: "Share of right answers, beside which the index is read.",
        implementation: "",
        code: ("src/papers/mui/metric/law.rs", "pub fn direction"),
    },
];

/// Of measurement theory's metrics the function of each.
const THEORY_CODE: [(&str, &str, &str); 15] = [
    ("m07", "architecture_duality.rs", "pub fn architecture_duality"),
    ("m08", "weight_lens.rs", "pub fn weight_lens"),
    ("m09", "core_stability.rs", "pub fn core_stability"),
    ("m10", "polysemanticity.rs", "pub fn polysemanticity("),
    ("m11", "matryoshka.rs", "pub fn matryoshka"),
    ("m12", "adaptive_sparsity.rs", "pub fn adaptive_sparsity"),
    ("m13", "superposition.rs", "pub fn superposition"),
    ("m14", "safety_sve.rs", "pub fn safety_sve"),
    ("ex1", "d_prime.rs", "pub fn d_prime"),
    ("ex2", "dif.rs", "pub fn dif"),
    ("ex11", "weber.rs", "pub fn weber"),
    ("ex24", "audit.rs", "pub fn audit_as_documented"),
    ("ex25", "reproducibility.rs", "pub fn reproducibility"),
    ("ex34", "nla_sae.rs", "pub fn nla_sae"),
    ("mib", "faithfulness_curve.rs", "pub fn faithfulness_area"),
];

/// A link to where something begins in the sources: the line whose words are these.
fn at(path: &str, begins: &str) -> String {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|_| panic!("{path}"));
    let line = text.lines().position(|line| line.trim_start().starts_with(begins));
    let line = line.unwrap_or_else(|| panic!("{path} has no line that begins with {begins:?}")) + 1;
    format!("[{path}:{line}](../{path}#L{line})")
}

/// An end of a range.
fn end(value: f64) -> String {
    if value == f64::INFINITY {
        "∞".to_owned()
    } else if value == f64::NEG_INFINITY {
        "−∞".to_owned()
    } else {
        let text = format!("{value:.3}");
        text.trim_end_matches('0').trim_end_matches('.').replace('-', "−")
    }
}

fn reading(says: ReadingSource) -> &'static str {
    match says {
        ReadingSource::Both => "both",
        ReadingSource::Document => "paper",
        ReadingSource::Code => "implementation",
        ReadingSource::Neither => "ours",
    }
}

fn needs(needs: AccessLevel) -> &'static str {
    match needs {
        AccessLevel::Activations => "activations",
        AccessLevel::Model => "a model",
        AccessLevel::Judge => "rated texts",
        AccessLevel::Scores => "scores",
    }
}

/// The words of the audit's table.
fn word(word: VerdictWord) -> &'static str {
    match word {
        VerdictWord::Holds => "passes",
        VerdictWord::Partly => "partial",
        VerdictWord::Fails => "fails",
        VerdictWord::Unknown => "inconclusive",
        VerdictWord::None => "–",
        other => other.name(),
    }
}

/// A family's rows: what they are, not what was found.
fn rows(text: &mut String, metrics: &[&Metric]) {
    text.push_str("| id | reading | better | needs | attainable range | passes if |\n");
    text.push_str("|---|---|---|---|---|---|\n");
    for metric in metrics {
        let better = match metric.better {
            Better::Higher => "higher",
            Better::Lower => "lower",
        };
        let passes = metric.condition.map_or_else(
            || "no condition".to_owned(),
            |condition| format!("{} {}", condition.relation.symbol(), end(condition.limit)),
        );
        let (low, high) = (end(metric.value_range.0), end(metric.value_range.1));
        writeln!(
            text,
            "| `{}` | {} | {better} | {} | {low} to {high} | {passes} |",
            metric.id,
            reading(metric.attribution),
            needs(metric.needs)
        )
        .unwrap();
    }
    text.push('\n');
}

/// What the audit found of a metric, a row.
fn found(text: &mut String, entry: &MetricEntry) {
    write!(text, "| `{}` |", entry.metric).unwrap();
    for cell in &entry.cells {
        write!(text, " {} |", word(cell.word)).unwrap();
    }
    let named = |words: &[ControlOutcome]| {
        let controls = entry.evidence.controls.iter();
        let names: Vec<_> = controls
            .filter(|control| words.contains(&control.word))
            .map(|control| format!("{} ({})", control.name, control.world))
            .collect();
        if names.is_empty() { "–".to_owned() } else { names.join(", ") }
    };
    let reach = entry.evidence.reach.as_ref();
    let can = |what: fn(&sfc_bench::lab::audit::Reach) -> Option<bool>| reach.and_then(what);
    let bound = match (can(|reach| reach.formula_can_fail), can(|reach| reach.formula_can_pass)) {
        (Some(false), _) => "cannot fail",
        (_, Some(false)) => "cannot pass",
        _ => "–",
    };
    writeln!(
        text,
        " {} | {} | {bound} |",
        named(&[ControlOutcome::NotSeen, ControlOutcome::Overlaps, ControlOutcome::Inconclusive]),
        named(&[ControlOutcome::Reversed])
    )
    .unwrap();
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>());
    let stop = if text.ends_with('.') { "" } else { "." };
    format!("{}{}{stop}", first.unwrap_or_default(), letters.as_str())
}

fn of_family<'a>(metrics: &'a [Metric], family: &str) -> Vec<&'a Metric> {
    let belongs = |metric: &&Metric| {
        let rest = metric.id.strip_prefix(family);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
    };
    metrics.iter().filter(belongs).collect()
}

fn metrics() -> String {
    const TITLES: [(&str, &str); 4] =
        [("sfc", "SFC-Score"), ("fade", "FADE"), ("ce-bench", "CE-Bench"), ("mui", "Model Utilization Index")];
    let registry = Registry::all();
    let all = registry.metrics();
    let mut text = GENERATED.to_owned();
    writeln!(
        text,
        "# Metrics\n\nEvery metric of the registry: {} rows of five papers, a row a reading. Where a paper's text and its \
         reference code disagree, both are implemented: *paper* and *implementation*; *both* where they agree, *ours* where \
         neither has it. The attainable range is what the formula allows at all. `sfc_bench.metrics()` in Python lists the same \
         rows, and `sfc-bench audit` measures them.\n",
        all.len()
    )
    .unwrap();
    let mut covered = 0;
    for (paper, title) in TITLES {
        writeln!(text, "## {title}\n").unwrap();
        for formula in OTHERS.iter().filter(|formula| formula.family.split('.').next() == Some(paper)) {
            let rows_of = of_family(all, formula.family);
            assert!(!rows_of.is_empty(), "{}", formula.family);
            covered += rows_of.len();
            let (file, begins) = formula.code;
            writeln!(text, "### {}\n\n- Paper: {}", formula.name, formula.paper).unwrap();
            if !formula.implementation.is_empty() {
                writeln!(text, "- Implementation: {}", formula.implementation).unwrap();
            }
            writeln!(text, "- Source: {}. Code: {}\n", formula.source, at(file, begins)).unwrap();
            rows(&mut text, &rows_of);
        }
    }
    writeln!(text, "## Measurement theory\n").unwrap();
    for (about, (id, file, begins)) in METRICS.iter().zip(THEORY_CODE) {
        assert_eq!(about.id, id);
        let rows_of = of_family(all, id);
        assert!(!rows_of.is_empty(), "{id}");
        covered += rows_of.len();
        writeln!(
            text,
            "### {}: {}\n\n- Paper: {}\n- Implementation: {}\n- Establishes: {}\n- Leaves open: {}\n- Source: {}. Code: {}\n",
            id.to_uppercase(),
            about.name,
            about.formula.document,
            about.formula.code,
            sentence(about.establishes),
            sentence(about.leaves_open),
            about.source,
            at(&format!("{THEORY}/{file}"), begins)
        )
        .unwrap();
        rows(&mut text, &rows_of);
    }
    assert_eq!(covered, all.len(), "every row of the registry has its formula, once");

    let packed = PackedReport::from_gzip_bytes(include_bytes!("../../assets/audit/full.json.gz")).unwrap();
    let opened = StudyView::open(packed.into_report().unwrap()).unwrap();
    let settings = &opened.report().settings;
    writeln!(
        text,
        "## What the audit found\n\nThe shipped report: {} seeds, all data sets with known ground truth, digest `{}`, by the protocol in \
         [audit.md](audit.md). *Not separated* names controls that count and whose values are the trained reference's own, overlap with \
         it or differ inconclusively; *reversed* names controls that score better than it. The last column says where the formula itself \
         excludes one side of the paper's condition.\n",
        settings.seeds,
        opened.digest().unwrap()
    )
    .unwrap();
    let columns: Vec<_> = Column::ALL.iter().map(|column| column.name()).collect();
    writeln!(
        text,
        "| id | {} | not separated | reversed | condition |\n|---|{}---|---|---|",
        columns.join(" | "),
        "---|".repeat(columns.len())
    )
    .unwrap();
    let entries = &opened.table().entries;
    assert_eq!(entries.len(), all.len());
    entries.iter().for_each(|entry| found(&mut text, entry));
    text
}

#[test]
fn the_metrics_are_those_of_the_registry() {
    hold("docs/metrics.md", &metrics());
}

/// A numbered formula, table or section of a paper, and the line that implements it.
struct Numbered {
    paper: &'static str,
    number: &'static str,
    what: &'static str,
    file: &'static str,
    begins: &'static str,
}

const fn numbered(
    paper: &'static str,
    number: &'static str,
    what: &'static str,
    file: &'static str,
    begins: &'static str,
) -> Numbered {
    Numbered { paper, number, what, file, begins }
}

#[rustfmt::skip]
const NUMBERED: &[Numbered] = &[
    numbered("SFC-Score", "Eq. 1", "sparsity", "src/papers/sfc/metric/sparsity.rs", "pub fn sparsity"),
    numbered("SFC-Score", "Eq. 2", "fidelity", "src/papers/sfc/metric/fidelity.rs", "pub fn cosine"),
    numbered("SFC-Score", "Eq. 3", "completeness", "src/papers/sfc/metric/completeness.rs", "pub fn completeness"),
    numbered("SFC-Score", "Eq. 4", "the score", "src/papers/sfc/metric/score.rs", "pub fn sfc"),
    numbered("SFC-Score", "Eq. 5", "hypervolume", "crates/foundations/src/pareto/hypervolume.rs", "pub fn hypervolume"),
    numbered("SFC-Score", "§3.5", "rate", "src/papers/sfc/metric/information.rs", "pub fn rate"),
    numbered("SFC-Score", "§3.5", "distortion", "src/papers/sfc/metric/information.rs", "pub fn distortion"),
    numbered("SFC-Score", "Table 2", "weight profiles", "src/papers/sfc/metric/score.rs", "pub const PROFILES"),
    numbered("MUI", "Eq. 2", "contribution of a neuron", "src/papers/mui/metric/score.rs", "pub fn contributions"),
    numbered("MUI", "Eq. 3", "neurons used by an answer", "src/papers/mui/metric/selection.rs", "pub fn select"),
    numbered("MUI", "Eq. 5", "index by SAE features", "src/papers/mui/experiment/features.rs", "pub active"),
    numbered("MUI", "§2.2", "the index", "src/papers/mui/metric/union.rs", "pub fn mui"),
    numbered("MUI", "Eq. 7", "performance–utilization ratio", "src/papers/mui/metric/law.rs", "pub fn pur"),
    numbered("MUI", "Eq. 10 to 12", "thresholds", "src/papers/mui/metric/selection.rs", "pub enum Threshold"),
    numbered("MUI", "Eq. 14", "integrated gradients", "src/papers/mui/metric/score.rs", "pub fn integrated_gradients"),
    numbered("MUI", "Eq. 15", "sum over tokens", "src/papers/mui/metric/selection.rs", "pub fn sum_over_tokens"),
];

fn equations() -> String {
    let mut text = GENERATED.to_owned();
    text.push_str(
        "# Equations\n\nWhere each numbered formula of the papers is implemented. FADE and CE-Bench number none, and \
         measurement theory names its metrics (M07 to MIB): [metrics.md](metrics.md) has the lines of theirs.\n\n\
         | paper | number | what | code |\n|---|---|---|---|\n",
    );
    for row in NUMBERED {
        let place = at(row.file, row.begins);
        writeln!(text, "| {} | {} | {} | {place} |", row.paper, row.number, row.what).unwrap();
    }
    text
}

#[test]
fn the_equations_stand_where_the_index_says() {
    hold("docs/equations.md", &equations());
    // Beside the code its documentation has the number, too.
    for row in NUMBERED.iter().filter(|row| row.number.starts_with("Eq.")) {
        let text = fs::read_to_string(root().join(row.file)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let at = lines.iter().position(|line| line.trim_start().starts_with(row.begins)).unwrap();
        let above = lines[..at].iter().rev().map(|line| line.trim_start());
        let mut documented = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
        let has = |line: &str| line.contains(&format!("{})", row.number)) || line.contains(&format!("{};", row.number));
        assert!(documented.any(has), "{}: {} above {}", row.file, row.number, row.begins);
    }
}

/// What a command says of itself.
fn help(command: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_sfc-bench"))
        .args(command)
        .arg("--help")
        .env_remove("COLUMNS")
        .output()
        .unwrap();
    assert!(output.status.success(), "{command:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// A command's own words, then those of the commands below it.
fn commands(command: &[String], text: &mut String) {
    let words = help(command);
    let name = [&["sfc-bench".to_owned()], command].concat().join(" ");
    let level = "#".repeat(3.min(2 + command.len()));
    let said: String = words.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    write!(text, "{level} `{name}`\n\n```text\n{}\n```\n\n", said.trim()).unwrap();
    let mut below = false;
    for line in words.lines() {
        let word = line.trim_start();
        if !line.starts_with(' ') {
            below = line == "Commands:";
        } else if below && line.len() - word.len() == 2 {
            let word = word.split(' ').next().unwrap();
            if word != "help" {
                commands(&[command, &[word.to_owned()]].concat(), text);
            }
        }
    }
}

/// All files below a folder, sorted.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files_below(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn shipped_data_are_what_their_cards_list() {
    const FILE: &str = "docs/data.md";
    let whole = fs::read_to_string(root().join(FILE)).unwrap();
    let (written, _) = whole.split_once(GENERATED).expect("a list below what is written by hand");
    let mut text = format!("{written}{GENERATED}## Files\n\n| file | bytes | SHA-256 |\n|---|---|---|\n");
    let mut found = Vec::new();
    files_below(&root().join("assets"), &mut found);
    for path in found.iter().filter(|path| path.extension().is_none_or(|ending| ending != "md")) {
        let bytes = fs::read(path).unwrap();
        let hash = sfc_bench::io::digest("", &bytes).unwrap();
        let name = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
        writeln!(text, "| `{name}` | {} | `{hash}` |", bytes.len()).unwrap();
    }
    hold(FILE, &text);
    for (file, golden) in [("full", "audit_second_full.txt"), ("first-edition", "audit_full.txt")] {
        let bytes = fs::read(root().join(format!("assets/audit/{file}.json.gz"))).unwrap();
        let seconds = format!("{} seconds", PackedReport::from_gzip_bytes(&bytes).unwrap().total_seconds().round());
        assert!(written.replace(',', "").contains(&seconds), "{file}: {seconds}");
        let digest = fs::read_to_string(root().join("tests/golden").join(golden)).unwrap();
        assert!(written.contains(digest.trim()), "{file}: {digest}");
    }
}

#[test]
fn the_layouts_are_those_that_are_read() {
    const FILE: &str = "docs/formats.md";
    let whole = fs::read_to_string(root().join(FILE)).unwrap();
    let (written, _) = whole.split_once(GENERATED).expect("a table below what is written by hand");
    let mut text = format!(
        "{written}{GENERATED}# Layouts of autoencoders\n\n\
         The first layout that fits is taken: all its tensors are there but those in brackets, and the keys are in its \
         configuration. A tensor that the layout does not have is refused by its name.\n\n\
         | layout | tensors | keys | SAELens’ loaders |\n|---|---|---|---|\n"
    );
    let listed = |names: Vec<String>| match names.is_empty() {
        true => "–".to_owned(),
        false => names.join(", "),
    };
    let code = |name: &&str| format!("`{name}`");
    for layout in LAYOUTS {
        let tensors = layout.tensor_names().map(|(name, needed)| match needed {
            true => code(&name),
            false => format!("[{}]", code(&name)),
        });
        let refused = if layout.is_supported() { "" } else { " (refused: it attends to other rows)" };
        let (tensors, keys) = (tensors.collect(), layout.configuration_keys().iter().map(code));
        let loaders = layout.loaders.iter().map(code);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {}{refused} | {} | {} | {} |",
            layout.name,
            listed(tensors),
            listed(keys.collect()),
            listed(loaders.collect())
        );
    }
    hold(FILE, &text);
}

#[test]
fn the_reference_of_commands_is_what_they_say() {
    const FILE: &str = "docs/cli.md";
    let whole = fs::read_to_string(Path::new(&root()).join(FILE)).unwrap();
    let (written, _) = whole.split_once(GENERATED).expect("a reference below what is written by hand");
    let mut text = format!("{written}{GENERATED}# Reference\n\n");
    commands(&[], &mut text);
    hold(FILE, &format!("{}\n", text.trim_end()));
}
