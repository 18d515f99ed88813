use super::advice::{Advice, choose_metric};
use super::clock::seconds;
use super::counts::{PassCounts, count_best_entries};
use super::entry::{Correlations, MetricEntry, Table};
use super::figures::{self, Source};
use super::job::Job;
use super::metric::{AccessLevel, Metric};
use super::registry::Registry;
use super::report::{CompletedJob, Report};
use super::row::SubjectRow;
use super::rule::{Column, Edition, Rule, VerdictWord};
use super::settings::{FIRST_METRIC, Settings};
use super::subject::{Kind, World};
use super::table::{build_table, limit_sensitivity, reapply_rule, weighted_score};
use super::user_files;
use crate::plot::format::{join_with_and, unfinished_note};
use crate::study::digest::{ResultHash, format_groups};
use crate::study::{ChartFn, Failure, FigureSpec, Origin, SettingsOrigin, Study, StudyJob, StudyJobs, pretty_json};

/// The kinds, in the order of a digest's groups.
const KINDS: [Kind; 4] = [Kind::Decomposition, Kind::Circuit, Kind::Model, Kind::Scores];

/// A report, and what follows from it.
pub struct StudyView {
    report: Report,
    registry: Registry,
    rows: Vec<SubjectRow>,
    table: Table,
    /// Indices of the entries that are shown, in their order.
    shown: Vec<usize>,
}

impl Settings {
    /// The rule by which words are given.
    #[must_use]
    pub fn rule(&self) -> Rule {
        Rule {
            cv_holds: self.cv,
            cv_partly: self.cv_partly,
            alpha: self.fdr,
            auc: self.auc,
            rho: self.validity,
            change: self.change,
            same: self.redundancy,
            seconds_holds: self.seconds,
            seconds_partly: self.seconds_partly,
            world: World::BUILT_IN.into_iter().find(|world| world.name() == self.world),
            edition: self.edition,
            separates: self.separates,
            icc_holds: self.icc,
            icc_partly: self.icc_partly,
        }
    }

    /// The column of a name, where it is one's.
    pub(super) fn column_index(name: &str) -> Option<usize> {
        Column::ALL.iter().position(|column| column.name() == name)
    }

    /// Whether a metric can be measured with what one has.
    fn can_measure(&self, needs: AccessLevel) -> bool {
        let has = AccessLevel::ALL.into_iter().find(|one| one.name() == self.has);
        has.is_none_or(|has| needs.level() <= has.level())
    }
}

impl StudyView {
    /// Says the same rows' words under other settings: nothing is measured, and what no limit changes is not done again.
    pub fn apply_settings(&mut self, settings: Settings) {
        let (former, by) = (self.report.settings.clone(), self.report.rule());
        self.report.settings = settings;
        self.report.settings.edition = self.report.edition();
        let rule = self.report.rule();
        if former.jobs() != self.report.settings.jobs() {
            self.recompute_table();
        } else if by != rule {
            // Intervals and coefficients hang on no limit, and take the time.
            match reapply_rule(self.registry.metrics(), &self.table, &by, &rule) {
                Some(table) => self.set_table(table),
                None => self.recompute_table(),
            }
        }
        self.update_shown();
    }

    /// Takes further jobs, each in the place of what there was of it, and says once what all of them say.
    pub fn add_jobs(&mut self, found: Vec<CompletedJob>) {
        self.report.jobs.retain(|other| found.iter().all(|one| one.job != other.job));
        self.report.jobs.extend(found);
        self.recompute_table();
        self.update_shown();
    }

    /// What rows say.
    fn recompute_table(&mut self) {
        self.rows = self.report.rows().cloned().collect();
        self.set_table(build_table(self.registry.metrics(), &self.rows, &self.report.rule()));
    }

    fn set_table(&mut self, table: Table) {
        self.table = table;
        // Of a part no verdict is given that limits could change.
        if self.report.is_complete() {
            self.table.sensitivity = limit_sensitivity(self.registry.metrics(), &self.table, &self.report.rule());
        }
    }

    /// Opens a report with what is said of it, by the same rule.
    #[must_use]
    pub fn with_table(report: Report, table: Table) -> Self {
        let mut opened = Self::without_table(report);
        opened.rows = opened.report.rows().cloned().collect();
        opened.table = table;
        opened.update_shown();
        opened
    }

    /// Of a report of which nothing is said yet.
    fn without_table(report: Report) -> Self {
        let report = report.with_detected_edition();
        let (entries, correlations) = (Vec::new(), Correlations::default());
        let table = Table { entries, correlations, sensitivity: None };
        let mut registry = Registry::all();
        if let Some(own) = &report.own {
            // Those that need more than a reader has brought have no row.
            let defined = user_files::applicable_metrics(&registry, own);
            registry = registry.filter_metrics(|metric| defined.iter().any(|it| it.id == metric.id));
        }
        Self { report, registry, rows: Vec::new(), table, shown: Vec::new() }
    }

    /// What is shown of it.
    fn update_shown(&mut self) {
        let metrics = self.registry.metrics();
        self.shown = shown_indices(&self.report.settings, metrics, &self.table.entries);
    }

    /// The metric that is opened, and what is said of it; none where there is no metric.
    #[must_use]
    pub fn opened_entry(&self) -> Option<(&Metric, &MetricEntry)> {
        let opened = self.opened_id()?;
        let at = self.registry.metrics().iter().position(|metric| metric.id == opened)?;
        Some((self.registry.metrics().get(at)?, self.table.entries.get(at)?))
    }

    /// The report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The metrics that are audited: of a reader's own those that say something of it.
    #[must_use]
    pub fn metrics(&self) -> &[Metric] {
        self.registry.metrics()
    }

    /// What is said of all metrics.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Which number to compare two autoencoders by, with what one has and so many seeds of each. Nobody is advised by a part
    /// of what was asked for.
    #[must_use]
    pub fn advice(&self, has: AccessLevel, seeds: u32) -> Advice {
        let (done, all) = self.report.progress();
        let without = if self.report.own.is_some() {
            "Your own files advise nothing: no truth is known of them.".to_owned()
        } else if done < all {
            format!("Let the audit below end first: {done} of {all} parts are measured.")
        } else if self.report.edition() == Edition::First {
            "The first edition advises nothing: choose the second protocol below.".to_owned()
        } else {
            return choose_metric(self.metrics(), &self.table, has, seeds);
        };
        Advice::no_advice(&without)
    }

    /// How many readings pass each test; none of a part, of a reader's own, and of the first edition.
    #[must_use]
    pub fn pass_counts(&self) -> Option<PassCounts> {
        let is_one = self.report.own.is_none() && self.report.edition() == Edition::Second && self.report.is_complete();
        let (metrics, entries) = self.measured_entries();
        is_one.then(|| PassCounts::count_passed(&metrics, &entries, self.table.sensitivity))
    }

    /// The metrics that have values, each with what is said of it.
    fn measured_entries(&self) -> (Vec<&Metric>, Vec<&MetricEntry>) {
        let all = self.metrics().iter().zip(&self.table.entries);
        all.filter(|(_, entry)| entry.evidence.reach.is_some()).unzip()
    }

    /// The metrics that are shown, by their ids, in their order.
    #[must_use]
    pub fn shown_ids(&self) -> Vec<&str> {
        let entries = self.shown.iter().filter_map(|at| self.table.entries.get(*at));
        entries.map(|entry| entry.metric.as_str()).collect()
    }

    /// The id of the metric that is opened; none where there is no metric.
    #[must_use]
    pub fn opened_id(&self) -> Option<&str> {
        let wanted = &self.report.settings.metric;
        if wanted == FIRST_METRIC {
            return self.shown_ids().first().copied();
        }
        let named = self.registry.find_metric(wanted).map(|metric| metric.id);
        // One that a reader's own has no row of is not there to be opened.
        named.or_else(|| self.shown_ids().first().copied())
    }
}

/// The places of the entries that are shown, in their order.
fn shown_indices(settings: &Settings, metrics: &[Metric], entries: &[MetricEntry]) -> Vec<usize> {
    let asked = Settings::column_index(&settings.asks);
    let fits = |at: &usize| {
        let (Some(metric), Some(entry)) = (metrics.get(*at), entries.get(*at)) else {
            return false;
        };
        let of_paper = settings.paper == "all" || settings.paper == metric.paper;
        let word = |column: usize| entry.cells.get(column).map(|cell| cell.word);
        let says = asked.is_none_or(|column| word(column).is_none_or(VerdictWord::is_favourable));
        of_paper && settings.can_measure(metric.needs) && says
    };
    let mut places: Vec<usize> = (0..entries.len()).filter(fits).collect();
    let weights = settings.column_weights();
    // What sorts first is less; equals keep the papers' order.
    let rank = |at: &usize| -> (f64, f64) {
        let Some(entry) = entries.get(*at) else { return (0.0, 0.0) };
        let Some(column) = Settings::column_index(&settings.sort) else {
            let by_score = settings.sort == "score";
            let last = f64::INFINITY;
            let key = if by_score { weighted_score(entry, &weights).map_or(last, |score| -score) } else { 0.0 };
            return (key, 0.0);
        };
        let cell = entry.cells.get(column);
        let all = VerdictWord::for_edition(settings.edition);
        let place = |cell: &super::Cell| all.iter().position(|word| *word == cell.word);
        let word = cell.and_then(place).map_or(f64::INFINITY, |place| place as f64);
        let more = match Column::ALL.get(column) {
            Some(Column::Discrimination | Column::Validity) => true,
            // An intraclass correlation; a coefficient of variation in the first edition.
            Some(Column::Reliability) => settings.edition == Edition::Second,
            _ => false,
        };
        let value = cell.and_then(|cell| cell.value).map_or(f64::INFINITY, |value| if more { -value } else { value });
        (word, value)
    };
    places.sort_by(|a, b| {
        let (a, b) = (rank(a), rank(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    places
}

impl Study for StudyView {
    const NAME: &'static str = "audit";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = Source<'a>;

    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        let registry = Registry::all();
        let mut report = Report::new(settings);
        let wanted = report.settings.jobs();
        for (at, job) in wanted.iter().enumerate() {
            tell(&job.name(), at as f64 / wanted.len() as f64);
            report.jobs.push(CompletedJob::measure(*job, &registry, seconds)?);
        }
        tell("done", 1.0);
        Ok(report)
    }

    fn open(report: Report) -> Result<Self, Failure> {
        let mut opened = Self::without_table(report);
        opened.recompute_table();
        opened.update_shown();
        Ok(opened)
    }

    fn source(&self) -> Result<Source<'_>, Failure> {
        Ok(Source {
            report: &self.report,
            metrics: self.registry.metrics(),
            rows: &self.rows,
            table: &self.table,
            shown_indices: &self.shown,
            opened_id: self.opened_id(),
        })
    }

    /// What was measured, by kind of subject; none before all of it is there. What it took is not part of it.
    fn digest(&self) -> Option<String> {
        if !self.report.is_complete() {
            return None;
        }
        let group = |kind: Kind| {
            let mut hash = ResultHash::EMPTY;
            let rows = self.rows.iter().filter(|row| row.world.kind() == kind);
            let values = rows.flat_map(|row| &row.values);
            values.for_each(|value| hash.update_real(value.value.unwrap_or(f64::NAN)));
            hash.finish()
        };
        Some(format_groups(KINDS.map(group).to_vec()))
    }

    fn headline(&self) -> Result<String, Failure> {
        if let Some(said) = unfinished_note(self.report.progress(), "parts") {
            return Ok(said);
        }
        if self.rows.is_empty() {
            return Ok("Nothing is measured yet.".to_owned());
        }
        if let Some(counts) = self.pass_counts() {
            return Ok(counts.describe_counts());
        }
        let (_, entries) = self.measured_entries();
        let (tell, follow, still) = (Column::Discrimination, Column::Validity, Column::Invariance);
        let said = |columns: &[Column], one: &str, several: &str| match count_best_entries(&entries, columns) {
            0 => format!("none {one}"),
            1 => format!("1 {one}"),
            more => format!("{more} {several}"),
        };
        if self.report.own.is_some() {
            let said = [
                said(&[tell], "separates every control from yours", "separate every control from yours"),
                said(
                    &[still],
                    "is invariant to changes that should not matter",
                    "are invariant to changes that should not matter",
                ),
            ];
            return Ok(format!(
                "Of {} metrics that have values for your own, {}. No truth is known of them: nothing is said of validity.",
                entries.len(),
                join_with_and(&said)
            ));
        }
        let said = [
            said(&[tell], "separates every control from the reference", "separate every control from the reference"),
            said(&[follow], "tracks ground truth", "track ground truth"),
            said(
                &[still],
                "is invariant to changes that should not matter",
                "are invariant to changes that should not matter",
            ),
            said(&[tell, follow, still], "does all three", "do all three"),
        ];
        Ok(format!(
            "First edition, kept to be read: of {} metrics that have values, {}. What is wrong with it stands in the protocol.",
            entries.len(),
            join_with_and(&said)
        ))
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self)
    }
}

impl SettingsOrigin for StudyView {
    fn settings(&self) -> &Settings {
        &self.report.settings
    }
}

impl StudyJobs for StudyView {
    fn job_names(settings: &Settings) -> Vec<String> {
        settings.jobs().into_iter().map(Job::name).collect()
    }

    /// Measured the same whatever it is judged by.
    fn job(settings: &Settings, name: &str) -> Result<StudyJob, Failure> {
        let needs = find_job(settings, name)?.required_files();
        Ok(StudyJob::new(name, settings, ["preset"], needs))
    }

    fn empty_report(settings: Settings) -> Report {
        Report::new(settings)
    }

    fn measure(settings: Settings, name: &str, _: &mut dyn FnMut(f64)) -> Result<Report, Failure> {
        let found = CompletedJob::measure(find_job(&settings, name)?, &Registry::all(), seconds)?;
        Ok(Report { jobs: vec![found], ..Report::new(settings) })
    }
}

fn find_job(settings: &Settings, name: &str) -> Result<Job, Failure> {
    Job::from_name(settings.preset, name).ok_or_else(|| {
        let message = format!("job = {name:?}; allowed: those that study_jobs names");
        Failure::new("audit.job", &message, Some("name"))
    })
}
