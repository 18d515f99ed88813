//! Where language models have moved between performance and utilization, task by task, and the law over several of them: what
//! the paper makes of the index of more than one model, with intervals over questions.

use serde::{Deserialize, Serialize};

use super::intervals::{CONFIDENCE, RESAMPLES, index_contributions, share_per_answer};
use super::mui::{MuiAnswer, MuiReport, MuiTask, TaskKind};
use crate::model::ModelError;
use crate::papers::mui::metric::{Direction, Neuron, NeuronUnion, direction, random_mui_of_share};
use crate::papers::mui::user_files::{LawRow, NEURONS_MAX, UserLaw};
use crate::statistics::{Bootstrap, Interval, mean};

/// Questions below which resamples say too little for a direction.
const QUESTIONS_MIN: usize = 10;
/// Models from which on there is a law.
const LAW_MODELS_MIN: usize = 3;
/// Most models, and most answers of a task.
const MODELS_MAX: usize = 100;
const ANSWERS_MAX: usize = 1_000;

/// A model by its name, and its index.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MuiModel {
    /// Its name.
    pub model: String,
    /// What was measured of it.
    pub report: MuiReport,
}

/// A share of one model and of the next, over the same questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiChange"))]
pub struct MuiChange {
    /// Of the first.
    pub before: f64,
    /// Of the second.
    pub after: f64,
    /// Second less first.
    pub difference: f64,
    /// 95 % of the difference over resamples of what each question adds to it.
    pub low: f64,
    /// See `low`.
    pub high: f64,
}

impl MuiChange {
    fn is_significant(&self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// A task from one model to the next, over the questions that both answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiTaskStep"))]
pub struct MuiTaskStep {
    /// The task.
    pub task: TaskKind,
    /// How many questions.
    pub questions: usize,
    /// Shares of right answers.
    pub accuracy: MuiChange,
    /// The same by chance.
    pub chance: f64,
    /// The index.
    pub mui: MuiChange,
    /// Where the model has moved; undetermined where the interval of accuracy or of the index includes 0, or of fewer than 10
    /// questions.
    pub direction: Direction,
    /// The index for another choice than the right one, a control.
    pub mui_other: MuiChange,
    /// The direction by it.
    pub direction_other: Direction,
    /// The index of both were as many neurons drawn at random for each answer.
    pub mui_random: [f64; 2],
}

/// From one model to the next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiStep"))]
pub struct MuiModelStep {
    /// The first.
    pub from: String,
    /// The second.
    pub to: String,
    /// A row a task.
    pub tasks: Vec<MuiTaskStep>,
}

/// The utility law of a task over models.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiTaskLaw"))]
pub struct MuiTaskLaw {
    /// The task.
    pub task: TaskKind,
    /// Points in percent, and MUI = a ln P + b; none where there is no such line.
    pub law: Option<UserLaw>,
    /// The same by the index for another choice, a control.
    pub law_other: Option<UserLaw>,
    /// Why there is none.
    pub refused: Option<String>,
}

/// Several models against each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelMuiDirections"))]
pub struct MuiDirections {
    /// Resamples of the questions, and how often the intervals should hold.
    pub resamples: usize,
    /// See `resamples`.
    pub confidence: f64,
    /// From each model to the next.
    pub steps: Vec<MuiModelStep>,
    /// Of each task, where there are three models or more.
    pub laws: Vec<MuiTaskLaw>,
}

fn value_error(field: &'static str, found: String, allowed: impl Into<String>) -> ModelError {
    ModelError::Value { field, found, allowed: allowed.into() }
}

/// Refuses reports that no run wrote.
fn check_models(models: &[MuiModel]) -> Result<(), ModelError> {
    if !(2..=MODELS_MAX).contains(&models.len()) {
        let allowed = format!("2 to {MODELS_MAX}");
        return Err(value_error("models", models.len().to_string(), allowed));
    }
    for MuiModel { model, report } in models {
        let first = &models[0].report.options;
        if report.options != *first {
            let found = format!("{:?} of {model:?}", report.options);
            return Err(value_error("options", found, format!("those of the first model, {first:?}")));
        }
        let MuiReport { layers, neurons, tasks, .. } = report;
        let all = layers.checked_mul(*neurons).filter(|all| (1..=NEURONS_MAX).contains(all));
        if all.is_none() {
            let found = format!("{layers} × {neurons} of {model:?}");
            return Err(value_error("neurons", found, format!("1 to {NEURONS_MAX} together")));
        }
        for MuiTask { task, answers, .. } in tasks {
            let rising = answers.is_sorted_by(|a, b| a.question < b.question);
            if answers.len() > ANSWERS_MAX || !rising {
                let found = format!("{} of {model:?} to {}", answers.len(), task.name());
                let allowed = format!("at most {ANSWERS_MAX}, by rising number of their questions");
                return Err(value_error("answers", found, allowed));
            }
            let mut used = NeuronUnion::new(*layers, *neurons);
            for answer in answers {
                for neurons in [&answer.neurons, &answer.other] {
                    used.add_answer(neurons).map_err(|error| {
                        value_error("neurons", format!("{error} of {model:?}"), "those of the model")
                    })?;
                }
            }
        }
    }
    Ok(())
}

/// The index of some answers.
fn index_of_answers(report: &MuiReport, answers: &[&MuiAnswer], neurons: fn(&MuiAnswer) -> &[Neuron]) -> f64 {
    let mut used = NeuronUnion::new(report.layers, report.neurons);
    for answer in answers {
        // All of them were held against the model's.
        let _ = used.add_answer(neurons(answer));
    }
    used.mui()
}

/// The neurons of an answer in the mean, as a share of all.
fn mean_neuron_share(report: &MuiReport, answers: &[&MuiAnswer]) -> f64 {
    let used: usize = answers.iter().map(|answer| answer.neurons.len()).sum();
    used as f64 / (answers.len().max(1) as f64 * (report.layers * report.neurons) as f64)
}

/// A difference that is the mean of what each question adds to it.
fn mean_change([before, after]: [f64; 2], added: &[f64], seed: u32) -> Result<MuiChange, ModelError> {
    let bootstrap = Bootstrap { resamples: RESAMPLES, confidence: CONFIDENCE, seed };
    let interval = bootstrap.interval(added, |resample| mean(resample).ok());
    let Interval { low, high } =
        interval.map_err(|error| value_error("answers", error.to_string(), "at least one of both"))?;
    Ok(MuiChange { before, after, difference: after - before, low, high })
}

/// The index of two models' answers to the same questions, with an interval over what each question adds ([`index_contributions`]).
fn index_change(
    reports: [&MuiReport; 2],
    answers: [&[&MuiAnswer]; 2],
    neurons: fn(&MuiAnswer) -> &[Neuron],
    seed: u32,
) -> Result<MuiChange, ModelError> {
    let [before, after] = [0, 1].map(|at: usize| index_of_answers(reports[at], answers[at], neurons));
    let total = |of: &MuiReport| of.layers * of.neurons;
    let [first, second] = [0, 1].map(|at: usize| {
        let used: Vec<_> = answers[at].iter().map(|answer| neurons(answer)).collect();
        share_per_answer(&used, total(reports[at]))
    });
    let alone: Vec<f64> = first.iter().zip(&second).map(|(one, other)| other - one).collect();
    mean_change([before, after], &index_contributions(after - before, &alone), seed)
}

/// Where it went; undetermined where one of the two may have stayed.
fn classify_direction(questions: usize, accuracy: &MuiChange, mui: &MuiChange) -> Direction {
    if questions < QUESTIONS_MIN || !accuracy.is_significant() || !mui.is_significant() {
        return Direction::Undetermined;
    }
    let percent = |share: f64| 100.0 * share;
    let [from, to] = [(accuracy.before, mui.before), (accuracy.after, mui.after)]
        .map(|(performance, index)| (percent(performance), percent(index)));
    direction(from, to).unwrap_or(Direction::Undetermined)
}

fn compare_task(
    [before, after]: [&MuiReport; 2],
    [first, second]: [&MuiTask; 2],
) -> Result<Option<MuiTaskStep>, ModelError> {
    let of = |answer: &&MuiAnswer| {
        let at = second.answers.binary_search_by_key(&answer.question, |other| other.question);
        at.ok().map(|at| &second.answers[at])
    };
    let pairs: Vec<(&MuiAnswer, &MuiAnswer)> =
        first.answers.iter().filter_map(|answer| of(&answer).map(|other| (answer, other))).collect();
    if pairs.is_empty() {
        return Ok(None);
    }
    let seed = before.options.seed;
    let (ones, others): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let right = |answers: &[&MuiAnswer]| -> Vec<f64> {
        answers.iter().map(|answer| if answer.chosen == 0 { 1.0 } else { 0.0 }).collect()
    };
    let rights = [right(&ones), right(&others)];
    let shares = rights.each_ref().map(|right| mean(right).unwrap_or(0.0));
    let gained: Vec<f64> = rights[0].iter().zip(&rights[1]).map(|(one, other)| other - one).collect();
    let accuracy = mean_change(shares, &gained, seed)?;
    let index = |neurons| index_change([before, after], [&ones, &others], neurons, seed);
    let (mui, mui_other) = (index(|answer| &answer.neurons)?, index(|answer| &answer.other)?);
    let chance = |answer: &&MuiAnswer| 1.0 / answer.choices.len().max(1) as f64;
    let questions = ones.len();
    Ok(Some(MuiTaskStep {
        task: first.task,
        questions,
        chance: ones.iter().map(chance).sum::<f64>() / questions as f64,
        direction: classify_direction(questions, &accuracy, &mui),
        direction_other: classify_direction(questions, &accuracy, &mui_other),
        mui_random: [
            random_mui_of_share(mean_neuron_share(before, &ones), questions),
            random_mui_of_share(mean_neuron_share(after, &others), questions),
        ],
        accuracy,
        mui,
        mui_other,
    }))
}

fn find_task(report: &MuiReport, task: TaskKind) -> Option<&MuiTask> {
    report.tasks.iter().find(|of| of.task == task)
}

/// The law of a task over models.
fn fit_task_law(models: &[MuiModel], task: TaskKind) -> MuiTaskLaw {
    let law = |index: fn(&MuiTask) -> f64| {
        let row = |MuiModel { model, report }: &MuiModel| {
            let of = find_task(report, task)?;
            let (accuracy, mui) = (100.0 * of.accuracy, 100.0 * index(of));
            Some(LawRow { model: Some(model.clone()), accuracy, mui })
        };
        UserLaw::from_rows(models.iter().filter_map(row).collect())
    };
    let (found, other) = (law(|task| task.mui), law(|task| task.mui_other));
    let refused = found.as_ref().err().map(ToString::to_string);
    MuiTaskLaw { task, law: found.ok(), law_other: other.ok(), refused }
}

impl MuiDirections {
    /// Where models have gone from each to the next, and the law of three or more.
    ///
    /// # Errors
    /// [`ModelError::Value`] for fewer than two models, for reports that were measured otherwise than the first, and for what no
    /// run has written.
    pub fn from_models(models: &[MuiModel]) -> Result<Self, ModelError> {
        check_models(models)?;
        let mut steps = Vec::new();
        for pair in models.windows(2) {
            let [from, to] = pair else { continue };
            let reports = [&from.report, &to.report];
            let mut tasks = Vec::new();
            for task in TaskKind::ALL {
                let [first, second] = reports.map(|report| find_task(report, task));
                if let Some((first, second)) = first.zip(second) {
                    tasks.extend(compare_task(reports, [first, second])?);
                }
            }
            steps.push(MuiModelStep { from: from.model.clone(), to: to.model.clone(), tasks });
        }
        let has = |task: &TaskKind| models.iter().all(|of| find_task(&of.report, *task).is_some());
        let laws = match models.len() {
            LAW_MODELS_MIN.. => TaskKind::ALL.into_iter().filter(has).map(|task| fit_task_law(models, task)).collect(),
            _ => Vec::new(),
        };
        Ok(Self { resamples: RESAMPLES, confidence: CONFIDENCE, steps, laws })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::language_model::MuiOptions;

    /// A model of one layer of 100 neurons that answers `right` of `count` questions rightly, by these neurons.
    fn model(name: &str, count: usize, right: usize, neuron: fn(usize) -> usize) -> MuiModel {
        let answers = (0..count).map(|question| MuiAnswer {
            question,
            tokens: vec![1],
            choices: vec![2, 3],
            chosen: usize::from(question >= right),
            neurons: vec![(0, neuron(question))],
            other: vec![(0, question)],
        });
        let answers: Vec<MuiAnswer> = answers.collect();
        let mut used = NeuronUnion::new(1, 100);
        answers.iter().for_each(|answer| used.add_answer(&answer.neurons).unwrap());
        let task = MuiTask {
            task: TaskKind::Copying,
            accuracy: right as f64 / count as f64,
            chance: 0.5,
            mui: used.mui(),
            mui_other: 0.0,
            mui_random: 0.0,
            accuracy_interval: None,
            mui_interval: None,
            mui_other_interval: None,
            mean_k: 1.0,
            growth: Vec::new(),
            answers,
        };
        let report = MuiReport {
            options: MuiOptions::default(),
            layers: 1,
            neurons: 100,
            threshold: String::new(),
            kept: Some(1),
            tasks: vec![task],
            mui: 0.0,
        };
        MuiModel { model: name.to_owned(), report }
    }

    #[test]
    fn a_direction_is_told_where_both_intervals_are_without_zero() {
        let direction = |models: &[MuiModel]| {
            let found = MuiDirections::from_models(models).unwrap();
            let [task] = found.steps[0].tasks.as_slice() else { panic!("one task") };
            assert_eq!(task.direction_other, Direction::Undetermined, "what is as before");
            (task.direction, task.mui.difference)
        };
        let (weak, strong) = (model("weak", 40, 4, |at| at), model("strong", 40, 36, |_| 7));
        assert_eq!(direction(&[weak.clone(), strong.clone()]), (Direction::Evolving, -0.39));
        assert_eq!(direction(&[strong.clone(), weak.clone()]).0, Direction::Coarsening);
        assert_eq!(direction(&[weak.clone(), weak.clone()]), (Direction::Undetermined, 0.0));
        let few = [model("weak", 9, 0, |at| at), model("strong", 9, 9, |_| 7)];
        assert_eq!(direction(&few).0, Direction::Undetermined);
        // One question of forty more is within what resamples do.
        let almost = model("almost", 40, 5, |_| 7);
        assert_eq!(direction(&[weak.clone(), almost.clone()]).0, Direction::Undetermined);
        assert!(MuiDirections::from_models(&[weak.clone(), strong.clone()]).unwrap().laws.is_empty());
        let found = MuiDirections::from_models(&[weak, almost, strong]).unwrap();
        let law = found.laws[0].law.as_ref().unwrap();
        assert_eq!((found.steps.len(), law.points.len(), law.law.models), (2, 3, 3));
        assert_eq!((law.points[0].performance, law.points[0].index), (10.0, 40.0));
    }

    #[test]
    fn what_no_run_wrote_is_refused_in_words() {
        let plain = || model("one", 12, 6, |at| at);
        let said = |change: fn(&mut MuiModel)| {
            let mut other = plain();
            change(&mut other);
            let error = MuiDirections::from_models(&[plain(), other]).unwrap_err();
            assert_eq!(error.code(), "model.value");
            error.to_string()
        };
        let error = MuiDirections::from_models(&[plain()]).unwrap_err().to_string();
        assert_eq!(error, "models = 1; allowed: 2 to 100");
        for (change, words) in [
            ((|of| of.report.options.seed = 1) as fn(&mut MuiModel), "those of the first model"),
            (|of| of.report.neurons = usize::MAX, "together"),
            (|of| of.report.layers = 0, "0 × 100"),
            (|of| of.report.tasks[0].answers[3].neurons[0] = (0, 100), "neuron 100"),
            (|of| of.report.tasks[0].answers[3].question = 0, "rising number"),
        ] {
            let found = said(change);
            assert!(found.contains(words), "{found}");
        }
        // A model that is never right has no logarithm: no law, and why.
        let never = model("never", 12, 0, |at| at);
        let found = MuiDirections::from_models(&[plain(), plain(), never]).unwrap();
        assert!(found.laws[0].law.is_none());
        assert!(found.laws[0].refused.as_ref().unwrap().contains("logarithm"));
    }
}
