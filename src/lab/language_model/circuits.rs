//! Circuits of attention heads of a language model: found on some prompts, measured on others by measurement theory's metrics.

mod prompt_half;
mod prompts;
mod report;

use serde::{Deserialize, Serialize};

use self::prompt_half::{HeadEditHook, PromptHalf, unique_edits};
use self::report::{MeasuredTask, all_circuit_edits, drops_without_head, signed_mean, weber_edits};
use crate::model::{ActivationCache, Batch, Hook, LanguageModel, ModelError, Site, Tokenizer};
use crate::order::{argsort_ascending, argsort_descending};
use crate::rng::NumpyRng;
use crate::settings::named;
use crate::statistics::mean;
use crate::synthetic::language::Token;
use crate::synthetic::{Head, HeadEdits};
use crate::workers;

pub use self::prompts::{AnswerDifference, CircuitPrompt, CircuitTask, SkippedPrompts};
pub use self::report::{
    CircuitVerdict, Estimate, HeadCircuit, HeadEffect, HeadOrder, MeasuredPrompt, OrderedCircuits, TaskCircuits,
};

/// Fewest prompts of a task: two to find circuits on and two to measure them on.
const PROMPTS_MIN: usize = 4;
/// Most prompts of a task.
const PROMPTS_MAX: usize = 200;

named! {
    /// What an ablated head writes instead.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelHeadAblation"))]
    #[serde(rename_all = "lowercase")]
    pub enum HeadAblationKind {
        /// What it writes in the corrupted prompt, position by position: activation patching.
        #[default]
        Corrupted = "corrupted",
        /// Its mean over the half's corrupted prompts of that length, position by position.
        Mean = "mean",
        /// Nothing.
        Zero = "zero",
    }
}

/// How circuits are found and measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCircuitOptions"))]
#[serde(default, deny_unknown_fields)]
pub struct CircuitOptions {
    /// Of the prompts, random circuits, shuffled labels and bootstraps.
    pub seed: u32,
    /// Prompts of each task, 4 to 200: circuits are found on the first half and measured on the second.
    pub prompts: usize,
    /// Shares of all heads that circuits have, rising, above 0 and at most 1: 1 to 10 of them.
    pub fractions: Vec<f64>,
    /// Random orders of heads, 1 to 20.
    pub random: usize,
    /// What ablated heads write.
    pub ablation: HeadAblationKind,
}

impl Default for CircuitOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            prompts: 16,
            fractions: vec![0.05, 0.1, 0.2, 0.5],
            random: 3,
            ablation: HeadAblationKind::Corrupted,
        }
    }
}

impl CircuitOptions {
    fn check(&self) -> Result<(), ModelError> {
        ModelError::check_sizes(&[
            ("prompts", self.prompts, PROMPTS_MIN, PROMPTS_MAX),
            ("fractions", self.fractions.len(), 1, 10),
            ("random", self.random, 1, 20),
        ])?;
        let mut before = 0.0;
        let rising = |fraction: &&f64| {
            let fits = **fraction > before && **fraction <= 1.0;
            before = **fraction;
            fits
        };
        let fit = self.fractions.iter().take_while(rising).count();
        if fit < self.fractions.len() {
            let allowed = "all of them: rising, above 0 and at most 1";
            return Err(ModelError::size("fractions", fit, allowed));
        }
        Ok(())
    }

    /// How many heads circuits have of so many: each size once, and not all.
    fn circuit_sizes(&self, heads: usize) -> Vec<usize> {
        let size = |fraction: &f64| ((fraction * heads as f64).round() as usize).clamp(1, heads);
        let mut sizes: Vec<usize> = self.fractions.iter().map(size).collect();
        sizes.dedup();
        sizes.retain(|size| *size < heads);
        sizes
    }
}

/// Circuits of a language model's heads.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCircuits"))]
pub struct CircuitReport {
    /// How they were found and measured.
    pub options: CircuitOptions,
    /// Layers, and heads of each.
    pub layers: usize,
    /// See `layers`.
    pub heads: usize,
    /// Forward passes that there are in all, each over at most 8 prompts of one length.
    pub passes: usize,
    /// A row a task, of those that have been measured.
    pub tasks: Vec<TaskCircuits>,
    /// Tasks of which too few prompts can be measured with this tokenizer.
    pub left_out: Vec<LeftOutTask>,
}

/// A task that is not measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "types", derive(ts_rs::TS), ts(rename = "ModelCircuitsLeftOut"))]
pub struct LeftOutTask {
    /// The task.
    pub task: CircuitTask,
    /// Prompts that could be measured, fewer than 4.
    pub prompts: usize,
    /// Those that could not.
    pub skipped: SkippedPrompts,
}

/// What is run next: the prompts of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PassKind {
    /// Corrupted, for means.
    Means,
    /// Corrupted.
    Corrupted,
    /// As they are.
    Clean,
    /// Under an edit of heads.
    Edited(usize),
}

impl PassKind {
    /// What a pass reads of a prompt.
    fn tokens(self, prompt: &CircuitPrompt) -> &[Token] {
        match self {
            Self::Means | Self::Corrupted => &prompt.corrupted,
            Self::Clean | Self::Edited(_) => &prompt.tokens,
        }
    }
}

/// A pass over a batch of a task's half.
#[derive(Clone, Copy, Debug)]
struct PlannedPass {
    task: usize,
    half: usize,
    batch: usize,
    pass: PassKind,
}

impl PlannedPass {
    fn is_edited(&self) -> bool {
        matches!(self.pass, PassKind::Edited(_))
    }

    fn batch_key(&self) -> [usize; 3] {
        [self.task, self.half, self.batch]
    }
}

/// A task: circuits are found on the first half of its prompts and measured on the second.
struct TaskRun {
    task: CircuitTask,
    skipped: SkippedPrompts,
    halves: [PromptHalf; 2],
    /// Which prompts of the first half have right and wrong answers swapped, as −1: a random half of them.
    signs: Vec<f64>,
    random: Vec<Vec<Head>>,
    /// Orders of heads, once they are known.
    orders: Vec<(HeadOrder, Vec<Head>)>,
}

/// z of corrupted prompts of one length, summed layer by layer.
struct ActivationSums {
    positions: usize,
    prompts: usize,
    layers: Vec<Vec<f64>>,
}

/// Circuits, pass by pass.
pub struct CircuitRun {
    options: CircuitOptions,
    layers: usize,
    heads: usize,
    tasks: Vec<TaskRun>,
    left_out: Vec<LeftOutTask>,
    steps: Vec<PlannedPass>,
    done: usize,
    /// What ablated heads of the batch at hand write, by layer.
    instead: Vec<Vec<f32>>,
    /// Of the half at hand.
    sums: Vec<ActivationSums>,
}

impl CircuitRun {
    /// Makes the prompts; nothing is run yet.
    ///
    /// # Errors
    /// [`ModelError::Size`] for an option out of range, a model of one head, and where no task has four prompts that can be
    /// measured with its tokenizer; [`ModelError::Tokenizer`].
    pub fn new(model: &LanguageModel, tokenizer: &Tokenizer, options: CircuitOptions) -> Result<Self, ModelError> {
        options.check()?;
        let of = model.decoder().architecture();
        let (layers, heads) = (of.layers, of.heads);
        let all = layers * heads;
        if all < 2 {
            return Err(ModelError::size("heads", all, "at least 2"));
        }
        let mut rng = NumpyRng::new(options.seed);
        let (mut tasks, mut left_out) = (Vec::new(), Vec::new());
        for task in CircuitTask::ALL {
            let (prompts, skipped) = task.make_prompts(tokenizer, options.prompts, &mut rng)?;
            if prompts.len() < PROMPTS_MIN {
                left_out.push(LeftOutTask { task, prompts: prompts.len(), skipped });
                continue;
            }
            let (first, second) = prompts.split_at(prompts.len() / 2);
            let halves = [first, second].map(PromptHalf::new);
            let mut signs = vec![1.0; first.len()];
            for place in rng.permutation(first.len() as u32).into_iter().take(first.len() / 2) {
                if let Some(sign) = signs.get_mut(place as usize) {
                    *sign = -1.0;
                }
            }
            let head = |at: u32| (at as usize / heads, at as usize % heads);
            let random =
                (0..options.random).map(|_| rng.permutation(all as u32).into_iter().map(head).collect()).collect();
            tasks.push(TaskRun { task, skipped, halves, signs, random, orders: Vec::new() });
        }
        if let (true, Some(most)) = (tasks.is_empty(), left_out.iter().map(|one| one.prompts).max()) {
            let field = "prompts of a task that the tokenizer cuts into pairs of one length";
            let allowed = format!("at least {PROMPTS_MIN}");
            return Err(ModelError::size(field, most, allowed));
        }
        let (steps, instead, sums) = (Vec::new(), Vec::new(), Vec::new());
        let mut run = Self { options, layers, heads, tasks, left_out, steps, done: 0, instead, sums };
        run.plan_passes();
        Ok(run)
    }

    fn all_heads(&self) -> Vec<Head> {
        let heads = self.heads;
        (0..self.layers).flat_map(|layer| (0..heads).map(move |head| (layer, head))).collect()
    }

    /// Lists all passes: as many as there can be, since circuits that have the same heads are run once.
    fn plan_passes(&mut self) {
        let all = self.all_heads();
        let sizes = self.options.circuit_sizes(all.len());
        let smallest = sizes.first().and_then(|size| all.get(..*size));
        let doses = unique_edits(smallest.map(weber_edits).unwrap_or_default()).len();
        // Of every order, each circuit alone and the model without it; and the empty circuit.
        let measured = 1 + 2 * sizes.len() * (3 + self.options.random) + doses;
        let means = self.options.ablation == HeadAblationKind::Mean;
        for (task, run) in self.tasks.iter_mut().enumerate() {
            let [finding, _] = &mut run.halves;
            finding.set_edits(unique_edits(all.iter().map(|head| HeadEdits::ablate(&[*head]))));
            for (half, edits) in [all.len(), measured].into_iter().enumerate() {
                let batches = run.halves.get(half).map_or(0, |half| half.batches.len());
                let step = |batch, pass| PlannedPass { task, half, batch, pass };
                if means {
                    self.steps.extend((0..batches).map(|batch| step(batch, PassKind::Means)));
                }
                for batch in 0..batches {
                    let passes = [PassKind::Corrupted, PassKind::Clean].into_iter();
                    let passes = passes.chain((0..edits).map(PassKind::Edited));
                    self.steps.extend(passes.map(|pass| step(batch, pass)));
                }
            }
        }
    }

    /// How many forward passes there are, at most: each over at most 8 prompts of one length.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Runs the next pass, or as many with edits of the same batch as are done at once; how many have been run. What is
    /// cancelled can be run again.
    ///
    /// # Errors
    /// As [`crate::model::Decoder::logits`]; [`ModelError::NonFinite`].
    pub fn step(&mut self, model: &LanguageModel) -> Result<usize, ModelError> {
        let rest = self.steps.get(self.done..).unwrap_or_default();
        let Some(step) = rest.first().copied() else { return Ok(self.done) };
        // Those of a batch do not depend on each other.
        let together = |next: &&PlannedPass| next.is_edited() && next.batch_key() == step.batch_key();
        let edited: Vec<PlannedPass> =
            rest.iter().take_while(together).take(workers::worker_count()).copied().collect();
        if edited.is_empty() {
            self.run_unedited(model, step)?;
        } else {
            let found = workers::parallel_map(edited.clone(), |step| {
                self.logit_differences(model, step, &mut ActivationCache::for_hooks(&[]))
            })?;
            edited.iter().zip(found).for_each(|(step, found)| self.record_differences(*step, &found));
        }
        self.done += edited.len().max(1);
        let next = self.steps.get(self.done).map(|next| (next.task, next.half));
        if next != Some((step.task, step.half)) {
            self.sums.clear();
            if step.half == 0 {
                self.order_heads(step.task)?;
            }
        }
        Ok(self.done)
    }

    /// The prompts of a batch that a pass reads.
    fn batch_prompts(&self, step: PlannedPass) -> Option<(&PromptHalf, &[usize])> {
        let half = self.tasks.get(step.task)?.halves.get(step.half)?;
        Some((half, half.batches.get(step.batch)?))
    }

    /// The differences of logits of a batch's prompts in a pass; none where fewer passes are needed than were planned, since
    /// circuits have the same heads.
    fn logit_differences(
        &self,
        model: &LanguageModel,
        step: PlannedPass,
        taken: &mut ActivationCache,
    ) -> Result<Vec<f64>, ModelError> {
        let Some((half, places)) = self.batch_prompts(step) else { return Ok(Vec::new()) };
        let Some(run) = self.tasks.get(step.task) else { return Ok(Vec::new()) };
        let difference = run.task.difference();
        let prompts = places.iter().filter_map(|place| half.prompts.get(*place));
        let tokens: Vec<&[Token]> = prompts.clone().map(|prompt| step.pass.tokens(prompt)).collect();
        let together = Batch::new(&tokens)?;
        let logits = match step.pass {
            PassKind::Edited(place) => {
                let Some(edits) = half.edits.get(place) else { return Ok(Vec::new()) };
                let mut edited = HeadEditHook { edits, replacements: &self.instead };
                model.decoder().last_logits(&together, &mut edited)?
            }
            _ => model.decoder().last_logits(&together, taken)?,
        };
        let rows = logits.chunks_exact(model.decoder().architecture().vocabulary);
        prompts.zip(rows).map(|(prompt, logits)| difference.logit_difference(prompt, logits)).collect()
    }

    /// Notes the differences of a pass at their prompts.
    fn record_differences(&mut self, step: PlannedPass, found: &[f64]) {
        let half = self.tasks.get_mut(step.task).and_then(|run| run.halves.get_mut(step.half));
        let Some(PromptHalf {
            batches,
            corrupted_differences: corrupted,
            clean_differences: clean,
            edited_differences: edited,
            ..
        }) = half
        else {
            return;
        };
        let to = match step.pass {
            PassKind::Means => None,
            PassKind::Corrupted => Some(corrupted),
            PassKind::Clean => Some(clean),
            PassKind::Edited(place) => edited.get_mut(place),
        };
        let (Some(to), Some(places)) = (to, batches.get(step.batch)) else { return };
        for (place, found) in places.iter().zip(found) {
            if let Some(value) = to.get_mut(*place) {
                *value = *found;
            }
        }
    }

    /// Runs a pass without edits, and takes from it what ablated heads will write.
    fn run_unedited(&mut self, model: &LanguageModel, step: PlannedPass) -> Result<(), ModelError> {
        let hooks: Vec<Hook> = (0..self.layers).map(|layer| Hook::Block(layer, Site::Z)).collect();
        let mut taken = ActivationCache::for_hooks(match (step.pass, self.options.ablation) {
            (PassKind::Means, _) | (PassKind::Corrupted, HeadAblationKind::Corrupted) => &hooks,
            _ => &[],
        });
        let found = self.logit_differences(model, step, &mut taken)?;
        self.record_differences(step, &found);
        let Some((half, places)) = self.batch_prompts(step) else { return Ok(()) };
        let first = places.first().and_then(|place| half.prompts.get(*place));
        let positions = first.map_or(0, |prompt| step.pass.tokens(prompt).len());
        let prompts = places.len();
        let z = hooks.iter().map(|hook| taken.get(*hook));
        match step.pass {
            PassKind::Means => add_to_sums(&mut self.sums, [prompts, positions], z),
            PassKind::Corrupted => {
                self.instead = match self.options.ablation {
                    HeadAblationKind::Corrupted => z.map(<[f32]>::to_vec).collect(),
                    HeadAblationKind::Mean => means_by_layer(&self.sums, positions),
                    HeadAblationKind::Zero => Vec::new(),
                };
            }
            PassKind::Clean | PassKind::Edited(_) => {}
        }
        Ok(())
    }

    /// Orders heads by what was found on the first half of a task's prompts, and plans what is measured on the second.
    fn order_heads(&mut self, task: usize) -> Result<(), ModelError> {
        let all = self.all_heads();
        let sizes = self.options.circuit_sizes(all.len());
        let Some(run) = self.tasks.get_mut(task) else { return Ok(()) };
        let [finding, measured] = &mut run.halves;
        let (mut effects, mut controls) = (Vec::new(), Vec::new());
        for head in &all {
            let drops = drops_without_head(finding, *head).ok_or(ModelError::NonFinite)?;
            effects.push(mean(&drops).map_err(|_| ModelError::NonFinite)?.abs());
            controls.push(signed_mean(&drops, &run.signs).abs());
        }
        let heads =
            |order: Vec<usize>| -> Vec<Head> { order.into_iter().filter_map(|at| all.get(at)).copied().collect() };
        run.orders = vec![
            (HeadOrder::Effect, heads(argsort_descending(effects.iter().copied()))),
            (HeadOrder::Least, heads(argsort_ascending(effects))),
            (HeadOrder::Shuffled, heads(argsort_descending(controls))),
        ];
        let random = run.random.iter().map(|order| (HeadOrder::Random, order.clone()));
        run.orders.extend(random);
        measured.set_edits(unique_edits(all_circuit_edits(&all, &run.orders, &sizes)));
        Ok(())
    }

    /// What there is so far, of tasks that have been measured.
    ///
    /// # Errors
    /// [`ModelError::NonFinite`].
    pub fn report(&self) -> Result<CircuitReport, ModelError> {
        let all = self.all_heads();
        let sizes = self.options.circuit_sizes(all.len());
        let next = self.steps.get(self.done).map_or(self.tasks.len(), |step| step.task);
        let measured = self.tasks.iter().take(next).map(|run| {
            let of = MeasuredTask {
                task: run.task,
                skipped: run.skipped,
                halves: &run.halves,
                all_heads: &all,
                orders: &run.orders,
                circuit_sizes: &sizes,
                label_signs: &run.signs,
                seed: self.options.seed,
            };
            of.report()
        });
        Ok(CircuitReport {
            options: self.options.clone(),
            layers: self.layers,
            heads: self.heads,
            passes: self.steps(),
            tasks: measured.collect::<Result<_, _>>()?,
            left_out: self.left_out.clone(),
        })
    }
}

/// Adds z of a batch to the sums of its length.
fn add_to_sums<'a>(
    sums: &mut Vec<ActivationSums>,
    [prompts, positions]: [usize; 2],
    z: impl Iterator<Item = &'a [f32]>,
) {
    if !sums.iter().any(|of| of.positions == positions) {
        sums.push(ActivationSums { positions, prompts: 0, layers: Vec::new() });
    }
    let Some(of) = sums.iter_mut().find(|of| of.positions == positions) else { return };
    of.prompts += prompts;
    for (layer, z) in z.enumerate() {
        let size = z.len() / prompts.max(1);
        if of.layers.len() <= layer {
            of.layers.push(vec![0.0; size]);
        }
        let Some(sums) = of.layers.get_mut(layer) else { continue };
        for prompt in z.chunks_exact(size.max(1)) {
            sums.iter_mut().zip(prompt).for_each(|(sum, z)| *sum += f64::from(*z));
        }
    }
}

/// Means over prompts of a length, layer by layer.
fn means_by_layer(sums: &[ActivationSums], positions: usize) -> Vec<Vec<f32>> {
    let Some(of) = sums.iter().find(|of| of.positions == positions) else { return Vec::new() };
    let count = of.prompts.max(1) as f64;
    let mean = |sums: &Vec<f64>| sums.iter().map(|sum| (sum / count) as f32).collect();
    of.layers.iter().map(mean).collect()
}
