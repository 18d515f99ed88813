//! A model that learns, watched: performance and index of every task as it goes.
//!
//! It begins with new weights or at a shipped checkpoint, and learns from texts of the whole language, of half of its
//! tasks, of one task alone, or from a task's own test.

use serde::{Deserialize, Serialize};

use super::measure::{Subject, TaskIndex, TaskPoint};
use super::settings::{NEW, Settings, TrainingData};
use crate::model::{AdamW, Config, Parameters, Training, TrainingBatch};
use crate::synthetic::language::{Draws, Grammar, Prompts, Size, Task, Text, prompts};
use crate::toy_model::{self, ToyModelError, task};

/// Texts that a step learns from.
const BATCH: usize = 64;
/// How much more a token counts that is determined by what stands before.
const ANSWER: f32 = 8.0;
/// Texts of training number `s` are those of this seed and `s`; the shipped model's were those of 1.
const TEXTS: u32 = 70_000;
/// The seed of items that no training has seen.
const FRESH: u32 = 9_100;
/// Test items that are trained on where a test is.
const ITEMS: usize = 128;
/// Looks at a training, beside the one before it begins.
const LOOKS: u32 = 12;
/// Most steps over which the rate rises.
const RISE: f64 = 100.0;

/// One training that settings ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiTrainingWanted"))]
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
    pub fn of(settings: &Settings) -> Vec<Self> {
        let lessons = settings.lessons();
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
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiTrainingPoint"))]
pub struct Point {
    /// Steps taken.
    pub step: u32,
    /// Mean loss of the steps since the point before; none at the first.
    pub loss: Option<f64>,
    /// Every task.
    pub tasks: Vec<TaskIndex>,
    /// The task that is taught, on as many items that nothing was trained on.
    pub fresh: TaskPoint,
}

impl Point {
    /// A task's performance and index, in percent.
    #[must_use]
    pub fn task(&self, name: &str) -> Option<(f64, f64)> {
        self.tasks.iter().find(|found| found.task == name).map(TaskIndex::percent)
    }

    /// The mean performance and index of all tasks but one, in percent.
    #[must_use]
    pub fn others(&self, name: &str) -> Option<(f64, f64)> {
        let others = self.tasks.iter().filter(|found| found.task != name);
        let (x, y): (Vec<f64>, Vec<f64>) = others.map(TaskIndex::percent).unzip();
        let mean = crate::statistics::mean;
        Some((mean(&x).ok()?, mean(&y).ok()?))
    }
}

/// A training, as far as it has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiTrained"))]
pub struct Trained {
    /// What was wanted.
    pub wanted: TrainingRequest,
    /// From its beginning on.
    pub points: Vec<Point>,
}

impl Trained {
    /// Whether all its steps are taken.
    #[must_use]
    pub fn is_done(&self, settings: &Settings) -> bool {
        self.points.last().is_some_and(|point| point.step >= settings.steps)
    }
}

/// How far a training is; with its [`numbers`](Session::numbers) all that it takes to go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "MuiTrainingState"))]
#[serde(deny_unknown_fields)]
pub struct State {
    /// Steps taken.
    pub step: u32,
    /// The step that was looked at last; none before the first look.
    pub looked: Option<u32>,
    /// The sum of losses since.
    pub loss: f64,
}

/// A training under way.
pub struct Session {
    settings: Settings,
    wanted: TrainingRequest,
    grammar: Grammar,
    training: Training,
    draws: Draws,
    /// What is trained on where a test is.
    items: Prompts,
    fresh: Prompts,
    state: State,
}

/// Sizes of the model that is trained.
#[must_use]
pub fn config_of(settings: &Settings) -> Config {
    if settings.begin != NEW {
        // Every checkpoint is of the one model.
        return Config::LITTLE;
    }
    let d_model = settings.width();
    let (layers, d_head) = (settings.layers, d_model / Config::LITTLE.heads);
    Config { layers, d_model, d_head, d_mlp: 4 * d_model, ..Config::LITTLE }
}

impl Session {
    /// Begins. The settings say with what, how far it goes, and how it is measured.
    ///
    /// # Errors
    /// [`ToyModelError::Absent`]: the checkpoint is not here.
    pub fn new(wanted: TrainingRequest, settings: &Settings) -> Result<Self, ToyModelError> {
        let parameters = match settings.begin.as_str() {
            NEW => Parameters::drawn(config_of(settings), wanted.seed),
            name => toy_model::parameters(name)?,
        };
        let taught = settings.taught();
        Ok(Self {
            wanted,
            grammar: Grammar::First,
            settings: settings.clone(),
            training: Training::new(parameters, AdamW::default()),
            draws: Draws::new(TEXTS.wrapping_add(wanted.seed)),
            items: task::tested(taught, ITEMS)?,
            fresh: prompts(taught, settings.prompts, FRESH, None, Size::Constant),
            state: State::default(),
        })
    }

    /// The same on texts of the whole language in another grammar; its tests stay those of the first.
    pub(super) fn in_grammar(self, grammar: Grammar) -> Self {
        Self { grammar, ..self }
    }

    /// How far it is.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// The weights, and what the optimizer knows of each: three numbers a parameter.
    #[must_use]
    pub fn numbers(&self) -> Vec<f32> {
        self.training.state().0
    }

    /// Goes on, to the last bit, from how far [`state`](Self::state) and [`numbers`](Self::numbers) say that a
    /// training of the same settings was; nothing where they are of another.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn resume(
        wanted: TrainingRequest,
        settings: &Settings,
        state: State,
        numbers: &[f32],
    ) -> Result<Option<Self>, ToyModelError> {
        let mut session = Self::new(wanted, settings)?;
        let ahead = state.looked.is_some_and(|looked| looked > state.step);
        if state.step > settings.steps || ahead || !state.loss.is_finite() {
            return Ok(None);
        }
        // What was read is drawn again, and not learnt from.
        for _ in 0..state.step as usize * BATCH {
            session.text();
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
    pub fn go(&mut self, steps: u32) -> Result<Option<Point>, ToyModelError> {
        let next = self.next_look();
        for _ in 0..steps {
            if self.state.step >= next {
                break;
            }
            let texts: Vec<Text> = (0..BATCH).map(|_| self.text()).collect();
            let lesson = TrainingBatch::new(&texts, ANSWER)?;
            self.state.loss += self.training.step(&lesson, self.rate())?;
            self.state.step += 1;
        }
        if self.state.step < next || self.is_done() { Ok(None) } else { self.look().map(Some) }
    }

    /// The first step after the last look that is looked at.
    fn next_look(&self) -> u32 {
        let steps = self.settings.steps;
        let Some(looked) = self.state.looked else { return 0 };
        // Below 2³⁷.
        let looks = (0..=LOOKS).map(|look| u64::from(steps) * u64::from(look) / u64::from(LOOKS));
        let after = looks.map(|step| step as u32).find(|step| *step > looked);
        after.unwrap_or(steps)
    }

    fn look(&mut self) -> Result<Point, ToyModelError> {
        let subject = Subject::new(self.parameters());
        let each = Task::ALL.into_iter().map(|task| {
            let answers = subject.task(task, &self.settings)?;
            Ok(TaskIndex::of(task.name(), subject.index(&answers)))
        });
        let tasks = each.collect::<Result<Vec<TaskIndex>, ToyModelError>>()?;
        let fresh = subject.index(&subject.answers(&self.fresh, &self.settings)?);
        let State { step, looked, loss } = self.state;
        self.state = State { step, looked: Some(step), loss: 0.0 };
        Ok(Point {
            step,
            loss: looked.map(|looked| loss / f64::from((step - looked).max(1))),
            tasks,
            fresh: TaskPoint { accuracy: fresh.accuracy, mui: fresh.mui },
        })
    }

    /// The rate of the next step.
    fn rate(&self) -> f64 {
        let (step, steps) = (f64::from(self.state.step + 1), f64::from(self.settings.steps));
        let (rise, fall) = ((steps / 20.0).min(RISE), 0.6 * steps);
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
    fn text(&mut self) -> Text {
        let draws = &mut self.draws;
        match self.wanted.lessons {
            TrainingData::Language => Text::draw_in(self.grammar, draws),
            TrainingData::Half => Text::of_tasks(draws, &Task::ALL[..5]),
            TrainingData::Task => Text::of_tasks(draws, &[self.settings.taught()]),
            TrainingData::Test if draws.below(2) == 0 => Text::of_prompts(draws, &self.items),
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
    tell: &mut dyn FnMut(&TrainingRequest, &Point),
) -> Result<Vec<Trained>, ToyModelError> {
    let mut all = Vec::new();
    for wanted in TrainingRequest::of(settings) {
        let mut session = Session::new(wanted, settings)?;
        let mut points = Vec::new();
        while !session.is_done() {
            if let Some(point) = session.go(u32::MAX)? {
                tell(&wanted, &point);
                points.push(point);
            }
        }
        all.push(Trained { wanted, points });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(steps: u32) -> Settings {
        Settings { prompts: 32, steps, ..Settings::default() }
    }

    /// A model that steps in milliseconds, taught one task.
    fn taught(steps: u32) -> Settings {
        Settings {
            begin: NEW.to_owned(),
            lessons: "task".to_owned(),
            taught: "request".to_owned(),
            layers: 1,
            width: "16".to_owned(),
            rate: 0.01,
            ..settings(steps)
        }
    }

    #[test]
    fn a_model_that_is_taught_a_task_learns_it_and_the_control_less_of_it() {
        let settings = taught(60);
        let mut seen = 0;
        let all = run(&settings, &mut |_, _| seen += 1).unwrap();
        let [taught, control] = &all[..] else { panic!("one, and the control") };
        assert_eq!((seen, taught.points.len(), control.points.len()), (26, 13, 13));
        assert!(control.wanted.control && taught.is_done(&settings));
        let (first, last) = (&taught.points[0], &taught.points[12]);
        assert_eq!((first.step, first.loss, last.step), (0, None, 60));
        assert_eq!(first.tasks, control.points[0].tasks, "both begin alike");
        let [before, after, other] =
            [first, last, &control.points[12]].map(|point| point.task("request").unwrap().0);
        assert!(after > before && after >= other, "{before} {after} {other}");
        assert!(last.loss.unwrap() < taught.points[1].loss.unwrap() / 2.0);
        assert!(last.loss.unwrap() < control.points[12].loss.unwrap());
    }

    #[test]
    fn a_test_that_is_trained_on_is_half_of_what_is_read() {
        let settings = settings(1);
        let wanted = TrainingRequest::of(&settings)[0];
        let mut session = Session::new(wanted, &settings).unwrap();
        let items: Vec<Vec<u32>> =
            session.items.tokens.iter().map(|item| item[1..].to_vec()).collect();
        let holds = |text: &Text| {
            items.iter().any(|item| text.tokens.windows(item.len()).any(|part| part == item))
        };
        let found = (0..400).filter(|_| holds(&session.text())).count();
        assert!((150..250).contains(&found), "{found}");
        let mut control = Session::new(TrainingRequest::of(&settings)[1], &settings).unwrap();
        assert!((0..400).filter(|_| holds(&control.text())).count() < 20);
    }

    #[test]
    fn what_is_gone_on_with_elsewhere_ends_alike() {
        let settings = settings(6);
        let wanted = TrainingRequest::of(&settings)[0];
        let mut whole = Session::new(wanted, &settings).unwrap();
        assert_eq!(whole.go(5).unwrap().unwrap().step, 0, "before the first step");
        for _ in 0..3 {
            whole.go(1).unwrap().unwrap();
        }
        let (state, numbers) = (whole.state(), whole.numbers());
        assert_eq!(state, State { step: 3, looked: Some(3), loss: 0.0 });
        let mut later = Session::resume(wanted, &settings, state, &numbers).unwrap().unwrap();
        while !whole.is_done() {
            assert_eq!(whole.go(2).unwrap(), later.go(2).unwrap());
        }
        assert_eq!(later.parameters().values(), whole.parameters().values(), "to the last bit");
        assert!(whole.go(1).unwrap().is_none() && whole.is_done());
        let not = |state, numbers: &[f32]| {
            Session::resume(wanted, &settings, state, numbers).unwrap().is_none()
        };
        assert!(not(state, &numbers[1..]));
        assert!(not(State { step: 7, ..state }, &numbers));
        assert!(not(State { looked: Some(4), ..state }, &numbers));
        assert!(not(State { loss: f64::NAN, ..state }, &numbers));
    }

    #[test]
    fn new_weights_are_those_of_the_little_model_and_others_of_other_sizes() {
        let drawn = Parameters::drawn(Config::LITTLE, 0);
        let shipped = toy_model::parameters("ck-00000").unwrap();
        for (found, wanted) in drawn.values().iter().zip(shipped.values()) {
            // Those that are shipped have eleven bits.
            assert!((found - wanted).abs() <= wanted.abs() / 1024.0 + 1e-7, "{found} {wanted}");
        }
        let small = Settings { lessons: "language".to_owned(), ..taught(13) };
        assert_eq!(TrainingRequest::of(&small).len(), 1, "it is its own control");
        let mut session = Session::new(TrainingRequest::of(&small)[0], &small).unwrap();
        let config = *session.parameters().config();
        assert_eq!((config.layers, config.d_model, config.d_mlp, config.d_head), (1, 16, 64, 4));
        session.go(1).unwrap();
        assert_eq!(session.go(40).unwrap().unwrap().step, 1);
    }
}
