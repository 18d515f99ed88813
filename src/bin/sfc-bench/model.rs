//! The toy model on the command line.

use std::collections::BTreeMap;

use sfc_bench::model::Batch;
use sfc_bench::papers::measurement::circuit::head_name;
use sfc_bench::synthetic::language::{self, Task, Token};
use sfc_bench::toy_model::view::softmax;
use sfc_bench::toy_model::{self, FINAL_CHECKPOINT, ToyModelError, task};
use sfc_bench::{Problem, object};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_number, to_json, to_json_map};
use crate::user_model::UserModelArgs;

#[derive(Debug, clap::Subcommand)]
pub enum ModelCommand {
    /// Its accuracy on each of ten tasks, and what each head does for it
    Tasks(TasksArgs),
    /// Natural texts of the language that it reads
    Text(TextArgs),
    /// The logits of the next word after the last position of a text
    Logits(LogitsArgs),
    /// A model of your own from its files, and what comes after a text
    Own(Box<UserModelArgs>),
}

impl ModelCommand {
    pub fn run(&self) -> Result<String, BoxError> {
        match self {
            Self::Tasks(wanted) => wanted.run(),
            Self::Text(wanted) => wanted.run(),
            Self::Logits(wanted) => wanted.run(),
            Self::Own(wanted) => wanted.run(),
        }
    }
}

#[derive(Debug, clap::Args)]
pub struct TasksArgs {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL_CHECKPOINT)]
    checkpoint: String,
    /// Prompts of each task, 1 to 4096
    #[arg(long, value_name = "N", default_value_t = 128)]
    prompts: usize,
    #[command(flatten)]
    output: OutputArgs,
}

impl TasksArgs {
    fn run(&self) -> Result<String, BoxError> {
        let model = toy_model::load_model(&self.checkpoint)?;
        let mut tasks = Vec::new();
        for of in Task::ALL {
            let (score, effects) = task::score_and_effects(&model, of, self.prompts)?;
            // By "layer.head".
            let by_head = |value: fn(&task::TaskHeadEffect) -> f64| -> BTreeMap<String, f64> {
                effects.iter().map(|effect| (head_name(effect.head), value(effect))).collect()
            };
            let found = object! {
                accuracy: score.accuracy,
                ld_mean: score.ld_mean,
                ld_positive: score.ld_positive,
                head_effect: by_head(|effect| effect.effect),
                head_accuracy: by_head(|effect| effect.accuracy),
            };
            tasks.push((of.name(), found));
        }
        let format = self.output.format();
        if format == Format::Json {
            let tasks = to_json_map(tasks)?;
            return to_json(&object! { checkpoint: &self.checkpoint, prompts: self.prompts, tasks });
        }
        let heads: Vec<&String> = tasks.first().map_or_else(Vec::new, |(_, found)| found.head_effect.keys().collect());
        let columns = ["task", "accuracy", "logit difference"].map(str::to_owned);
        let mut rows = TextTable {
            columns: columns.into_iter().chain(heads.iter().map(|head| format!("−{head}"))).collect(),
            rows: Vec::new(),
        };
        for (name, found) in &tasks {
            let numbers = [found.accuracy, found.ld_mean].into_iter();
            let numbers = numbers.chain(found.head_effect.values().copied());
            let cells = numbers.map(|value| format_number(format, value));
            rows.push(std::iter::once((*name).to_owned()).chain(cells).collect());
        }
        let Self { checkpoint, prompts, .. } = self;
        rows.render(format, |table| {
            format!(
                "{checkpoint}, {prompts} prompts a task; −L.H: drop of the mean logit difference without head H of layer L\n{table}"
            )
        })
    }
}

/// Most texts at once.
const TEXTS_MAX: usize = 100_000;

#[derive(Debug, clap::Args)]
pub struct TextArgs {
    /// Seed of the texts
    #[arg(long, value_name = "SEED", default_value_t = 2)]
    seed: u32,
    /// How many, 1 to 100000
    #[arg(long, value_name = "N", default_value_t = 1)]
    count: usize,
    /// Print JSON: the words' numbers
    #[arg(long)]
    json: bool,
}

impl TextArgs {
    fn run(&self) -> Result<String, BoxError> {
        if !(1..=TEXTS_MAX).contains(&self.count) {
            let allowed = format!("1 to {TEXTS_MAX}");
            return Err(Problem::new("count", self.count.to_string(), allowed).into());
        }
        let texts = language::draw_texts(self.seed, self.count);
        if self.json {
            return Ok(serde_json::to_string(&object! { texts })? + "\n");
        }
        Ok(texts.iter().map(|text| language::decode_tokens(text) + "\n").collect())
    }
}

#[derive(Debug, clap::Args)]
pub struct LogitsArgs {
    /// Which weights: ck-00000 (untrained) to ck-12000, ft-…, seed1-12000
    #[arg(long, value_name = "NAME", default_value = FINAL_CHECKPOINT)]
    checkpoint: String,
    /// The words' numbers, 0 to 143, at most 32; the first is 0 as a rule
    #[arg(long, value_name = "T,…", value_delimiter = ',', required_unless_present = "text")]
    tokens: Vec<Token>,
    /// The text in words instead: "<s> ann has cup , bob has box ? bob has"
    #[arg(long, value_name = "TEXT", conflicts_with = "tokens")]
    text: Option<String>,
    /// Print JSON: every logit
    #[arg(long)]
    json: bool,
}

/// Words that are printed.
const SHOWN_WORDS: usize = 10;

impl LogitsArgs {
    fn run(&self) -> Result<String, BoxError> {
        let model = toy_model::load_model(&self.checkpoint)?;
        let tokens = match &self.text {
            Some(text) => language::encode_words(text).map_err(|word| {
                let allowed = "words of the language (see sfc-bench model text)";
                Problem::new("text", format!("{word:?}"), allowed)
            })?,
            None => self.tokens.clone(),
        };
        let batch = Batch::new(&[tokens]).map_err(ToyModelError::from)?;
        let logits = model.last_logits(&batch, &mut ()).map_err(ToyModelError::from)?;
        if self.json {
            return to_json(&object! { checkpoint: &self.checkpoint, logits });
        }
        let shares = softmax(&logits);
        let mut order: Vec<usize> = (0..logits.len()).collect();
        order.sort_by(|a, b| logits[*b].total_cmp(&logits[*a]));
        let mut rows = TextTable::new(&["word", "probability", "logit"]);
        for token in order.into_iter().take(SHOWN_WORDS) {
            let word = language::word_of_token(token as Token).unwrap_or_default();
            rows.push(vec![
                word.to_owned(),
                format_number(Format::Table, shares[token]),
                format_number(Format::Table, f64::from(logits[token])),
            ]);
        }
        Ok(rows.to_table())
    }
}
