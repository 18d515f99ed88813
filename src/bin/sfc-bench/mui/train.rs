//! Models trained and looked at as they learn.

use std::path::PathBuf;

use sfc_bench::model::Precision;
use sfc_bench::object;
use sfc_bench::papers::mui::Settings;
use sfc_bench::papers::mui::settings::TrainingData;
use sfc_bench::papers::mui::training::{TrainingHistory, TrainingRequest, TrainingSession};

use crate::format::{BoxError, Format, OutputArgs, TextTable, format_optional, to_json};
use crate::parameters::ParameterArgs;
use crate::{destination, progress};

#[derive(Debug, clap::Args)]
pub struct MuiTrainArgs {
    #[command(flatten)]
    knobs: ParameterArgs<Settings>,
    /// Write the first training's weights to this file, with TransformerLens' names
    #[arg(long, value_name = "FILE.safetensors")]
    out: Option<PathBuf>,
    /// Write over a file that this program did not write, or that was changed since
    #[arg(long, requires = "out")]
    force: bool,
    /// Write two bytes a weight, not four
    #[arg(long, requires = "out")]
    half: bool,
    /// Train without the control, which is as many steps on the whole language
    #[arg(long)]
    alone: bool,
    #[command(flatten)]
    output: OutputArgs,
}

/// "colour's test, seed 0", "control".
fn training_label(settings: &Settings, wanted: TrainingRequest) -> String {
    if wanted.control {
        return "control".to_owned();
    }
    let on = match wanted.lessons {
        TrainingData::Test => format!("{}'s test", settings.taught),
        TrainingData::Task => settings.taught.clone(),
        TrainingData::Half => "half".to_owned(),
        TrainingData::Language => "language".to_owned(),
    };
    format!("{on}, seed {}", wanted.seed)
}

impl MuiTrainArgs {
    pub fn run(&self) -> Result<String, BoxError> {
        let settings = self.knobs.settings()?;
        destination::check_overwrite(self.out.as_deref(), self.force)?;
        let mut wanted = TrainingRequest::from_settings(&settings);
        wanted.retain(|wanted| !(self.alone && wanted.control));
        let bar = progress::progress_bar("steps", wanted.len() * settings.steps as usize);
        let mut trained = Vec::new();
        let mut weights = None;
        for wanted in wanted {
            let mut session = TrainingSession::new(wanted, &settings)?;
            let mut points = Vec::new();
            while !session.is_done() {
                points.extend(session.train_steps(1)?);
                bar.inc(1);
            }
            weights.get_or_insert_with(|| session.parameters().clone());
            trained.push(TrainingHistory { wanted, points });
        }
        drop(bar);
        if let (Some(path), Some(weights)) = (&self.out, &weights) {
            let precision = if self.half { Precision::Half } else { Precision::Single };
            destination::write_file(path, &weights.to_safetensors(precision)?)?;
        }
        self.format_trained(&settings, &trained)
    }

    fn format_trained(&self, settings: &Settings, trained: &[TrainingHistory]) -> Result<String, BoxError> {
        let format = self.output.format();
        if format == Format::Json {
            return to_json(&object! { settings, trained });
        }
        let mut rows = TextTable::new(&["training", "steps", "loss", "P", "MUI", "unseen P", "MUI", "others P", "MUI"]);
        for one in trained {
            for point in &one.points {
                let fresh = (100.0 * point.fresh.accuracy, 100.0 * point.fresh.mui);
                let pairs = [point.task(&settings.taught), Some(fresh), point.mean_of_others(&settings.taught)];
                let mut row = vec![training_label(settings, one.wanted), point.step.to_string()];
                row.push(format_optional(format, point.loss));
                for pair in pairs {
                    row.push(format_optional(format, pair.map(|pair| pair.0)));
                    row.push(format_optional(format, pair.map(|pair| pair.1)));
                }
                rows.push(row);
            }
        }
        let Settings { begin, taught, .. } = settings;
        rows.render(format, |table| {
            format!("From {begin}; {taught}, unseen {taught}, the other tasks; P and MUI in percent\n{table}")
        })
    }
}
