//! A model that learns, watched: performance and index of every task as it goes.
//!
//! It begins with new weights or at a shipped checkpoint, and learns from texts of the whole language, of half of its
//! tasks, of one task alone, or from a task's own test.

use serde::{Deserialize, Serialize};

use super::measure::{MeasuredModel, TaskMeasurement, TaskPoint};
use super::settings::{NEW_WEIGHTS, Settings, TrainingData};
use crate::model::{AdamW, Config, Parameters, Training, TrainingBatch};
use crate::synthetic::language::{ExerciseLength, Grammar, LanguageRng, Prompts, Task, Text, task_prompts};
use crate::toy_model::{self, ToyModelError, task};

/// Texts that a step learns from.
const BATCH_SIZE: usize = 64;
/// How much more a token counts that is determined by what stands before.
const ANSWER_LOSS_WEIGHT: f32 = 8.0;
/// Texts of training number `s` are those of this seed and `s`; the shipped model's were those of 1.
const TEXTS_SEED: u32 = 70_000;
/// The seed of items that no training has seen.
const FRESH_ITEMS_SEED: u32 = 9_100;
/// Test items that are trained on where a test is.
const TEST_ITEM_COUNT: usize = 128;
/// Looks at a training, beside the one before it begins.
const EVALUATION_COUNT: u32 = 12;
/// Most steps over which the rate rises.
const WARMUP_STEPS_MAX: f64 = 100.0;

/// One training that settings ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiTrainingWanted"))]
#[serde(deny_unknown_fields)]
pub struct TrainingRequest {
    /// What is learnt from.
    pub lessons: TrainingData,
    /// The seed of the texts, and of new weights.
    pub seed: u32,
    /// Whether it is there to be compared with: what as many steps of the whole language do.
    pub control: bool,
}

impl TrainingRequest {
    /// All that settings ask for: a training of each seed, and where it is not of the whole language one that is.
    #[must_use]
    pub fn from_settings(settings: &Settings) -> Vec<Self> {
        let lessons = settings.training_data();
        let seeds = (0..settings.seeds).map(|at| settings.seed.wrapping_add(at));
        let mut all: Vec<Self> = seeds.map(|seed| Self { lessons, seed, control: false }).collect();
        if lessons != TrainingData::Language {
            all.push(Self { lessons: TrainingData::Language, seed: settings.seed, control: true });
        }
        all
    }
}

/// What a model in training does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiTrainingPoint"))]
pub struct TrainingEvaluation {
    /// Steps taken.
    pub step: u32,
    /// Mean loss of the steps since the point before; none at the first.
    pub loss: Option<f64>,
    /// Every task.
    pub tasks: Vec<TaskMeasurement>,
    /// The task that is taught, on as many items that nothing was trained on.
    pub fresh: TaskPoint,
}

impl TrainingEvaluation {
    /// A task's performance and index, in percent.
    #[must_use]
    pub fn task(&self, name: &str) -> Option<(f64, f64)> {
        self.tasks.iter().find(|found| found.task == name).map(TaskMeasurement::to_percent)
    }

    /// The mean performance and index of all tasks but one, in percent.
    #[must_use]
    pub fn mean_of_others(&self, name: &str) -> Option<(f64, f64)> {
        let others = self.tasks.iter().filter(|found| found.task != name);
        let (x, y): (Vec<f64>, Vec<f64>) = others.map(TaskMeasurement::to_percent).unzip();
        let mean = crate::statistics::mean;
        Some((mean(&x).ok()?, mean(&y).ok()?))
    }
}

/// A training, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiTrained"))]
pub struct TrainingHistory {
    /// What was wanted.
    pub wanted: TrainingRequest,
    /// From its beginning on.
    pub points: Vec<TrainingEvaluation>,
}

impl TrainingHistory {
    /// Whether all its steps are taken.
    #[must_use]
    pub fn is_done(&self, settings: &Settings) -> bool {
        self.points.last().is_some_and(|point| point.step >= settings.steps)
    }
}

/// How far a training is; with its [`state_values`](TrainingSession::state_values) all that it takes to go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "MuiTrainingState"))]
#[serde(deny_unknown_fields)]
pub struct TrainingState {
    /// Steps taken.
    pub step: u32,
    /// The step that was looked at last; none before the first look.
    pub looked: Option<u32>,
    /// The sum of losses since.
    pub loss: f64,
}

/// A training under way.
pub struct TrainingSession {
    settings: Settings,
    wanted: TrainingRequest,
    grammar: Grammar,
    training: Training,
    draws: LanguageRng,
    /// What is trained on where a test is.
    items: Prompts,
    fresh: Prompts,
    state: TrainingState,
}

/// Sizes of the model that is trained.
#[must_use]
pub fn model_config(settings: &Settings) -> Config {
    if settings.begin != NEW_WEIGHTS {
        // Every checkpoint is of the one model.
        return Config::TOY_MODEL;
    }
    let d_model = settings.width();
    let (layers, d_head) = (settings.layers, d_model / Config::TOY_MODEL.heads);
    Config { layers, d_model, d_head, d_mlp: 4 * d_model, ..Config::TOY_MODEL }
}

impl TrainingSession {
    /// Begins. The settings say with what, how far it goes, and how it is measured.
    ///
    /// # Errors
    /// [`ToyModelError::Absent`]: the checkpoint is not here.
    pub fn new(wanted: TrainingRequest, settings: &Settings) -> Result<Self, ToyModelError> {
        let parameters = match settings.begin.as_str() {
            NEW_WEIGHTS => Parameters::random_init(model_config(settings), wanted.seed),
            name => toy_model::load_parameters(name)?,
        };
        let taught = settings.taught_task();
        Ok(Self {
            wanted,
            grammar: Grammar::First,
            settings: settings.clone(),
            training: Training::new(parameters, AdamW::default()),
            draws: LanguageRng::new(TEXTS_SEED.wrapping_add(wanted.seed)),
            items: task::test_prompts(taught, TEST_ITEM_COUNT)?,
            fresh: task_prompts(taught, settings.prompts, FRESH_ITEMS_SEED, None, ExerciseLength::Constant),
            state: TrainingState::default(),
        })
    }

    /// The same on texts of the whole language in another grammar; its tests stay those of the first.
    pub(super) fn with_grammar(self, grammar: Grammar) -> Self {
        Self { grammar, ..self }
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> TrainingState {
        self.state
    }

    /// The weights, and what the optimizer knows of each: three numbers a parameter.
    #[must_use]
    pub fn state_values(&self) -> Vec<f32> {
        self.training.state().0
    }

    /// Goes on, to the last bit, from how far [`state`](Self::state) and [`state_values`](Self::state_values) say that a
    /// training of the same settings was; nothing where they are of another.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn resume(
        wanted: TrainingRequest,
        settings: &Settings,
        state: TrainingState,
        numbers: &[f32],
    ) -> Result<Option<Self>, ToyModelError> {
        let mut session = Self::new(wanted, settings)?;
        let ahead = state.looked.is_some_and(|looked| looked > state.step);
        if state.step > settings.steps || ahead || !state.loss.is_finite() {
            return Ok(None);
        }
        // What was read is drawn again, and not learnt from.
        for _ in 0..state.step as usize * BATCH_SIZE {
            session.draw_text();
        }
        let Some(training) = session.training.resume(numbers, state.step) else { return Ok(None) };
        Ok(Some(Self { training, state, ..session }))
    }

    /// Whether all steps are taken and looked at.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.state.looked == Some(self.settings.steps)
    }

    /// The weights as they are now.
    #[must_use]
    pub fn parameters(&self) -> &Parameters {
        self.training.parameters()
    }

    /// Takes up to so many steps, and stops where it is to be looked at: then what is seen is given.
    ///
    /// # Errors
    /// [`ToyModelError::Model`].
    pub fn train_steps(&mut self, steps: u32) -> Result<Option<TrainingEvaluation>, ToyModelError> {
        let next = self.next_evaluation_step();
        for _ in 0..steps {
            if self.state.step >= next {
                break;
            }
            let texts: Vec<Text> = (0..BATCH_SIZE).map(|_| self.draw_text()).collect();
            let lesson = TrainingBatch::new(&texts, ANSWER_LOSS_WEIGHT)?;
            self.state.loss += self.training.step(&lesson, self.learning_rate())?;
            self.state.step += 1;
        }
        if self.state.step < next || self.is_done() { Ok(None) } else { self.evaluate().map(Some) }
    }

    /// The first step after the last look that is looked at.
    fn next_evaluation_step(&self) -> u32 {
        let steps = self.settings.steps;
        let Some(looked) = self.state.looked else { return 0 };
        // Below 2³⁷.
        let looks = (0..=EVALUATION_COUNT).map(|look| u64::from(steps) * u64::from(look) / u64::from(EVALUATION_COUNT));
        let after = looks.map(|step| step as u32).find(|step| *step > looked);
        after.unwrap_or(steps)
    }

    fn evaluate(&mut self) -> Result<TrainingEvaluation, ToyModelError> {
        let subject = MeasuredModel::new(self.parameters());
        let each = Task::ALL.into_iter().map(|task| {
            let answers = subject.measure_task(task, &self.settings)?;
            Ok(TaskMeasurement::from_measurement(task.name(), subject.summarise_answers(&answers)))
        });
        let tasks = each.collect::<Result<Vec<TaskMeasurement>, ToyModelError>>()?;
        let fresh = subject.summarise_answers(&subject.measure_answers(&self.fresh, &self.settings)?);
        let TrainingState { step, looked, loss } = self.state;
        self.state = TrainingState { step, looked: Some(step), loss: 0.0 };
        Ok(TrainingEvaluation {
            step,
            loss: looked.map(|looked| loss / f64::from((step - looked).max(1))),
            tasks,
            fresh: TaskPoint { accuracy: fresh.accuracy, mui: fresh.mui },
        })
    }

    /// The rate of the next step.
    fn learning_rate(&self) -> f64 {
        let (step, steps) = (f64::from(self.state.step + 1), f64::from(self.settings.steps));
        let (rise, fall) = ((steps / 20.0).min(WARMUP_STEPS_MAX), 0.6 * steps);
        let share = if step < rise {
            step / rise
        } else if step > fall {
            1.0 - 0.98 * (step - fall) / (steps - fall)
        } else {
            1.0
        };
        self.settings.rate * share
    }

    /// The next text.
    fn draw_text(&mut self) -> Text {
        let draws = &mut self.draws;
        match self.wanted.lessons {
            TrainingData::Language => Text::draw_in_grammar(self.grammar, draws),
            TrainingData::Half => Text::draw_from_tasks(draws, &Task::ALL[..5]),
            TrainingData::Task => Text::draw_from_tasks(draws, &[self.settings.taught_task()]),
            TrainingData::Test if draws.integer_below(2) == 0 => Text::draw_from_prompts(draws, &self.items),
            TrainingData::Test => Text::draw(draws),
        }
    }
}

/// All that settings ask for, one after the other, telling each look.
///
/// # Errors
/// [`ToyModelError`].
pub fn run(
    settings: &Settings,
    tell: &mut dyn FnMut(&TrainingRequest, &TrainingEvaluation),
) -> Result<Vec<TrainingHistory>, ToyModelError> {
    let mut all = Vec::new();
    for wanted in TrainingRequest::from_settings(settings) {
        let mut session = TrainingSession::new(wanted, settings)?;
        let mut points = Vec::new();
        while !session.is_done() {
            if let Some(point) = session.train_steps(u32::MAX)? {
                tell(&wanted, &point);
                points.push(point);
            }
        }
        all.push(TrainingHistory { wanted, points });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(steps: u32) -> Settings {
        Settings { prompts: 32, steps, ..Settings::default() }
    }

    #[test]
    fn a_test_that_is_trained_on_is_half_of_what_is_read() {
        let settings = settings(1);
        let wanted = TrainingRequest::from_settings(&settings)[0];
        let mut session = TrainingSession::new(wanted, &settings).unwrap();
        let items: Vec<Vec<u32>> = session.items.tokens.iter().map(|item| item[1..].to_vec()).collect();
        let holds = |text: &Text| items.iter().any(|item| text.tokens.windows(item.len()).any(|part| part == item));
        let found = (0..400).filter(|_| holds(&session.draw_text())).count();
        assert!((150..250).contains(&found), "{found}");
        let mut control = TrainingSession::new(TrainingRequest::from_settings(&settings)[1], &settings).unwrap();
        assert!((0..400).filter(|_| holds(&control.draw_text())).count() < 20);
    }

    #[test]
    fn new_weights_are_those_of_the_little_model_and_others_of_other_sizes() {
        let drawn = Parameters::random_init(Config::TOY_MODEL, 0);
        let shipped = toy_model::load_parameters("ck-00000").unwrap();
        for (found, wanted) in drawn.values().iter().zip(shipped.values()) {
            // Those that are shipped have eleven bits.
            assert!((found - wanted).abs() <= wanted.abs() / 1024.0 + 1e-7, "{found} {wanted}");
        }
        let small = Settings {
            begin: NEW_WEIGHTS.to_owned(),
            lessons: "language".to_owned(),
            layers: 1,
            width: "16".to_owned(),
            ..settings(13)
        };
        assert_eq!(TrainingRequest::from_settings(&small).len(), 1, "it is its own control");
        let mut session = TrainingSession::new(TrainingRequest::from_settings(&small)[0], &small).unwrap();
        let config = *session.parameters().config();
        assert_eq!((config.layers, config.d_model, config.d_mlp, config.d_head), (1, 16, 64, 4));
        session.train_steps(1).unwrap();
        assert_eq!(session.train_steps(40).unwrap().unwrap().step, 1);
    }
}
