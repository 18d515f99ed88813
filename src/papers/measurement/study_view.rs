use super::claims::pass_conditions;
use super::detail_view;
use super::figures::{self, MeasurementSource};
use super::metric::METRICS;
use super::report::{PartResult, Report};
use super::settings::Settings;
use super::validation::{MeasurementRecord, Testbed, VALIDATION_ROWS, ValidationPart, Verdict, row_verdict};
use crate::plot::format::{join_with_and, unfinished_note};
use crate::study::digest::{ResultHash, format_groups};
use crate::study::{
    Cell, CellValue, ChartFn, Failure, FigureSpec, Origin, SettingsOrigin, Study, StudyJob, StudyJobs, pretty_json,
};

/// A report, and what follows from it.
pub struct StudyView {
    report: Report,
    lines: Vec<MeasurementRecord>,
    cells: Vec<Cell>,
}

impl StudyView {
    /// The report.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }
}

impl Study for StudyView {
    const NAME: &'static str = "measurement";
    const FIGURES: &'static [FigureSpec<ChartFn<Self>>] = figures::FIGURES;
    type Settings = Settings;
    type Report = Report;
    type Source<'a> = MeasurementSource<'a>;

    fn run(settings: Settings, tell: &mut dyn FnMut(&str, f64)) -> Result<Report, Failure> {
        let mut report = Report::new(settings);
        let wanted = report.required_parts();
        for (at, part) in wanted.iter().enumerate() {
            let name = part.key();
            tell(&name, at as f64 / wanted.len() as f64);
            let lines = part.measure(report.settings.n_prompts)?;
            report.parts.push(PartResult { part: name, lines });
        }
        tell("done", 1.0);
        Ok(report)
    }

    fn open(report: Report) -> Result<Self, Failure> {
        let cell = |[metric, summary, said]: [&str; 3]| Cell {
            table: "Summary".to_owned(),
            row: metric.to_uppercase(),
            column: "pass condition".to_owned(),
            printed: CellValue::Text(summary.to_owned()),
            computed: CellValue::Text(said.to_owned()),
            agrees: summary == said,
        };
        let cells = pass_conditions().into_iter().map(cell).collect();
        Ok(Self { lines: report.records(), report, cells })
    }

    fn source(&self) -> Result<MeasurementSource<'_>, Failure> {
        Ok(MeasurementSource { report: &self.report, records: &self.lines })
    }

    fn printed_cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What is measured where everything is planted, and of the toy model; none before all of it is there.
    fn digest(&self) -> Option<String> {
        if !self.report.is_complete() {
            return None;
        }
        let group = |ground: Testbed| {
            let mut hash = ResultHash::EMPTY;
            let lines = self.lines.iter().filter(|line| line.ground == ground);
            lines.flat_map(|line| &line.values).for_each(|value| hash.update_real(*value));
            hash.finish()
        };
        Some(format_groups(Testbed::ALL.map(group).to_vec()))
    }

    fn headline(&self) -> Result<String, Failure> {
        if let Some(said) = unfinished_note(self.report.progress(), "parts") {
            return Ok(said);
        }
        if !self.lines.iter().any(|line| line.ground == Testbed::Language) {
            return Ok("Nothing is measured of the toy model yet.".to_owned());
        }
        let verdicts = VALIDATION_ROWS.iter().filter(|row| row.first);
        let verdicts: Vec<Verdict> =
            verdicts.map(|row| row_verdict(row, Testbed::Language, &self.lines).verdict).collect();
        let of = |verdict| verdicts.iter().filter(|found| **found == verdict).count();
        let tells = of(Verdict::Tells);
        let others = Verdict::ALL.into_iter().filter(|verdict| *verdict != Verdict::Tells);
        let others = others.map(|verdict| (verdict, of(verdict))).filter(|(_, count)| *count > 0);
        let others: Vec<String> = others.map(|(verdict, count)| verdict.describe_count(count)).collect();
        let others = if others.is_empty() { String::new() } else { format!("; {}", join_with_and(&others)) };
        Ok(format!(
            "Of fifteen metrics on the toy model, {} at {} primary threshold{others}.",
            Verdict::Tells.describe_count(tells),
            if tells > 1 { "their" } else { "its" },
        ))
    }

    fn json(&self) -> Result<String, Failure> {
        pretty_json(&self.report)
    }

    fn numpy_script(&self) -> Result<String, Failure> {
        Ok(super::numpy_script(&self.report)?)
    }

    fn figure_origin(&self) -> Result<&dyn Origin, Failure> {
        Ok(self)
    }
}

impl SettingsOrigin for StudyView {
    const PAPER: &'static str = "fifteen papers on measurement";

    fn settings(&self) -> &Settings {
        &self.report.settings
    }
}

/// What a part of all fifteen depends on besides its name.
const PART_FIELDS: [&str; 1] = ["n_prompts"];
/// And the metric that is opened, besides the parameters that it takes.
const DETAIL_FIELDS: [&str; 3] = ["metric", "n_prompts", "seeds"];

impl StudyJobs for StudyView {
    fn job_names(settings: &Settings) -> Vec<String> {
        ValidationPart::all_for_seeds(settings.seeds).into_iter().map(ValidationPart::key).collect()
    }

    /// A part of all fifteen, or the metric that is opened.
    fn job(settings: &Settings, name: &str) -> Result<StudyJob, Failure> {
        if name == settings.metric {
            let takes = METRICS.iter().find(|about| about.id == name).map_or(&[] as &[_], |about| about.takes);
            let fields = DETAIL_FIELDS.into_iter().chain(takes.iter().copied());
            return Ok(StudyJob::new(name, settings, fields, detail_view::required_files(settings)));
        }
        Ok(StudyJob::new(name, settings, PART_FIELDS, find_part(name)?.required_files()))
    }

    fn empty_report(settings: Settings) -> Report {
        Report::new(settings)
    }

    fn measure(settings: Settings, name: &str, _: &mut dyn FnMut(f64)) -> Result<Report, Failure> {
        let mut report = Report::new(settings);
        if name == report.settings.metric {
            let found = detail_view::build_detail_view(&report.settings);
            report.picture = Some(found.map_err(|error| Failure::new(error.code(), &error, error.field()))?);
        } else {
            let lines = find_part(name)?.measure(report.settings.n_prompts)?;
            report.parts.push(PartResult { part: name.to_owned(), lines });
        }
        Ok(report)
    }
}

fn find_part(name: &str) -> Result<ValidationPart, Failure> {
    ValidationPart::from_key(name).ok_or_else(|| {
        let message = format!("part = {name:?}; allowed: those that study_jobs names");
        Failure::new("measurement.part", &message, Some("name"))
    })
}
