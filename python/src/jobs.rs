//! Ensembles and families: a job at a time, and what jobs come to together.

use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use sfc_bench::lab::ensemble::{Band, Ensemble, EnsemblePlan, Member, Runner, Varied, check_seed_count};
use sfc_bench::lab::families::{self, FamiliesConfig, JobResult, query};

use crate::error::{Refusal, Result};
use crate::run::run_detached;
use crate::text::{read_json, write_json};

fn build_plan(settings: &str, varied: &str) -> Result<EnsemblePlan> {
    let varied = match varied {
        "model" => Varied::Model,
        "model-and-data" => Varied::ModelAndData,
        _ => {
            let allowed = "model, model-and-data";
            return Err(Refusal::invalid_value("varied", format!("{varied:?}"), allowed));
        }
    };
    Ok(EnsemblePlan::new(read_json("settings", settings)?, varied))
}

/// Runs one seed after the other of an ensemble, in any order.
#[pyclass(frozen)]
pub struct EnsembleRunner {
    plan: EnsemblePlan,
    runner: Runner,
}

#[pymethods]
impl EnsembleRunner {
    /// Of complete settings, and which seeds vary.
    #[new]
    fn new(settings: &str, varied: &str) -> PyResult<Self> {
        let plan = build_plan(settings, varied)?;
        Ok(Self { runner: Runner::new(plan.clone()), plan })
    }

    /// Refuses a range of seeds, ends included, that no ensemble may have.
    fn check(&self, first: u32, last: u32) -> Result<()> {
        Ok(check_seed_count(&self.plan.config, &(first..=last))?)
    }

    /// What is run, with the seeds that vary set to 0.
    fn config(&self) -> Result<String> {
        write_json(&self.plan.config)
    }

    /// A seed's results.
    fn member(&self, py: Python<'_>, seed: u32) -> PyResult<String> {
        run_detached(py, || write_json(&self.runner.run_member(seed)?))
    }
}

/// What members say together, as the command line prints it.
#[pyfunction]
pub fn ensemble_of(py: Python<'_>, settings: &str, varied: &str, members: Vec<String>) -> PyResult<String> {
    run_detached(py, || {
        let members = members.iter().map(|text| read_json::<Member>("members", text));
        let members = members.collect::<Result<Vec<_>>>()?;
        format_ensemble(&Ensemble::from_members(build_plan(settings, varied)?, members)?)
    })
}

/// Joins ensembles of one plan.
#[pyfunction]
pub fn ensemble_merge(py: Python<'_>, parts: Vec<String>) -> PyResult<String> {
    run_detached(py, || {
        let parts = parts.iter().map(|text| read_json::<Ensemble>("parts", text));
        format_ensemble(&Ensemble::merge(parts.collect::<Result<Vec<_>>>()?)?)
    })
}

fn format_ensemble(ensemble: &Ensemble) -> Result<String> {
    ensemble.to_json().map_err(|error| Refusal::invalid_json("result", &error))
}

/// The configuration that a text says, as the command line's `--study` takes it.
#[pyfunction]
pub fn families_config(text: &str) -> Result<String> {
    let read = query::parse(text);
    let sentences: Vec<&str> = read.changes.iter().map(|change| change.sentence.as_str()).collect();
    if sentences.is_empty() {
        return write_json(&read.config);
    }
    let said = format!("the study cannot be followed to the letter: {}", sentences.join("; "));
    let mut refusal = Refusal::invalid_value("config", format!("{text:?}"), "a study as a link has it");
    refusal.set_message(&said);
    Err(refusal)
}

/// The text that says a configuration, as a link of the page has it; none where no text does.
#[pyfunction]
pub fn families_text(config: &str) -> PyResult<Option<String>> {
    Ok(query::to_query(&read_json("config", config)?))
}

/// A configuration as the core writes it, whole: what is missing is the full study's.
#[pyfunction]
pub fn families_settled(config: &str) -> Result<String> {
    write_json(&read_json::<FamiliesConfig>("config", config)?)
}

/// Runs the jobs of a study of families, in any order.
#[pyclass(frozen)]
pub struct FamiliesRunner {
    jobs: Vec<families::Job>,
    runner: families::Runner,
}

#[pymethods]
impl FamiliesRunner {
    /// Of a complete configuration.
    #[new]
    fn new(config: &str) -> Result<Self> {
        let config: FamiliesConfig = read_json("config", config)?;
        let runner = families::Runner::new(&config)?;
        Ok(Self { jobs: config.jobs(), runner })
    }

    /// How many jobs there are.
    fn count(&self) -> usize {
        self.jobs.len()
    }

    /// One of them.
    fn job(&self, at: usize) -> Result<String> {
        write_json(self.job_at(at)?)
    }

    /// Runs one of them.
    fn run(&self, py: Python<'_>, at: usize) -> PyResult<String> {
        let job = self.job_at(at)?;
        run_detached(py, || write_json(&self.runner.run(job)?))
    }
}

impl FamiliesRunner {
    fn job_at(&self, at: usize) -> Result<&families::Job> {
        let most = self.jobs.len().saturating_sub(1);
        let allowed = || format!("a whole number from 0 to {most}");
        self.jobs.get(at).ok_or_else(|| Refusal::invalid_value("job", at.to_string(), allowed()))
    }
}

/// What all results of a study of families say together, as the command line prints it.
#[pyfunction]
pub fn families_gather(py: Python<'_>, config: &str, results: Vec<String>) -> PyResult<String> {
    run_detached(py, || {
        let results = results.iter().map(|text| read_json::<JobResult>("results", text));
        let results = results.collect::<Result<Vec<_>>>()?;
        let report = families::build_report(&read_json("config", config)?, results)?;
        report.to_json().map_err(|error| Refusal::invalid_json("result", &error))
    })
}

/// The quantiles of a column of numbers, as an ensemble's report has them.
#[pyfunction]
pub fn band(values: PyReadonlyArray1<'_, f64>) -> PyResult<String> {
    let values = values.as_array();
    if values.is_empty() || values.iter().any(|value| !value.is_finite()) {
        let allowed = "one or more finite numbers";
        return Err(Refusal::invalid_value("values", "empty or not finite", allowed).into());
    }
    Ok(write_json(&Band::from_values(values.iter().copied()))?)
}
