use std::path::{Path, PathBuf};

use serde_json::json;
use sfc_bench::Problem;
use sfc_bench::lab::evaluate::{ArrayChoice, UserRows, WorldRequest};
use sfc_bench::lab::families::{
    FamiliesConfig, FamiliesReport, JOBS_MAX, JobResult, Method, NoiseVerdict, Runner, SeedSpread,
    build_finished_report, build_report, query,
};
use sfc_bench::sae::recovery;
use sfc_bench::sae::train::{
    Autoencoder, CURVE_POINTS_DEFAULT, FILE_NAMES, Family, Metrics, TRAIN_K_DEFAULT, TRAIN_ROWS_DEFAULT, TrainConfig,
    Trainer, to_scorable_files,
};
use sfc_bench::settings::MEMORY_CAP;
use sfc_bench::synthetic::UserActivations;
use sfc_bench::synthetic::{Sample, World};

use crate::files::{DiskFiles, optional_array_ref};
use crate::format::{BoxError, Format, OutputArgs, TextResult, TextTable, to_json};
use crate::interrupt::Interrupted;
use crate::{checkpoint, destination, interrupt, jobs, progress};
use sfc_bench::papers::sfc::printed;

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct TrainArgs {
    /// relu, topk, batch-topk, jumprelu, gated or matryoshka
    #[arg(long, value_name = "NAME", default_value = "topk")]
    family: String,
    #[command(flatten)]
    world: WorldArgs,
    /// Rows of activations to train on, 2 to 200000
    #[arg(long, value_name = "N", default_value_t = TRAIN_ROWS_DEFAULT)]
    rows: usize,
    /// Latents F, 1 to 16384
    #[arg(long, value_name = "N", default_value_t = 32)]
    latents: usize,
    /// Codes a row; of topk, batch-topk and matryoshka [default: 3]
    #[arg(long, value_name = "N")]
    k: Option<usize>,
    /// Sparsity coefficient; of relu, gated and jumprelu [default: the family's]
    #[arg(long, value_name = "X")]
    sparsity: Option<f64>,
    /// Steps
    #[arg(long, value_name = "N", default_value_t = 1_500)]
    steps: u32,
    /// Rows of a batch, 1 to 4096
    #[arg(long, value_name = "N", default_value_t = 256)]
    batch: usize,
    /// Learning rate
    #[arg(long, value_name = "X", default_value_t = 0.003)]
    rate: f64,
    /// Seed of the first weights and of the rows' order
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u32,
    /// Write the autoencoder to this folder, as SAELens loads it, with activations that it was not
    /// trained on and what reads them out, as `evaluate` takes them
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write over files of these names that the folder holds
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

#[derive(Debug, clap::Args)]
pub struct WorldArgs {
    /// Where activations come from: superposition, paper or nonlinear
    #[arg(long, value_name = "NAME", default_value = "superposition")]
    world: String,
    /// Seed of the world
    #[arg(long, value_name = "SEED", default_value_t = 42)]
    world_seed: u32,
    /// Planted features, of a superposition [default: 32]
    #[arg(long, value_name = "N")]
    features: Option<usize>,
    /// Dimensions, of a superposition [default: 16]
    #[arg(long, value_name = "N")]
    dimensions: Option<usize>,
    /// How much neighbouring features fire together, of a superposition, 0 to 1 [default: 0]
    #[arg(long, value_name = "X")]
    correlation: Option<f64>,
    /// Features that fire only with a parent, of a superposition [default: 0]
    #[arg(long, value_name = "N")]
    children: Option<usize>,
    /// From sums (0) to products (1), of nonlinear [default: 1]
    #[arg(long, value_name = "X")]
    interaction: Option<f64>,
    /// Your own activations in the place of a world, one row a sample; .npy, .npz, .safetensors or
    /// .csv, FILE:ARRAY for one array of several; several files, or a folder of them, one after the other. The world's seed
    /// says which rows, in which order
    #[arg(
        long,
        value_name = "FILE",
        num_args = 1..,
        conflicts_with_all = ["world", "features", "dimensions", "correlation", "children", "interaction"]
    )]
    activations: Vec<PathBuf>,
    /// Linear readout W_out (outputs × D) that follows your activations [default: the identity]
    #[arg(long, value_name = "FILE", requires = "activations")]
    readout: Option<PathBuf>,
    /// The readout's bias
    #[arg(long, value_name = "FILE", requires = "readout")]
    readout_bias: Option<PathBuf>,
    /// Read the readout with rows and columns exchanged
    #[arg(long, value_name = "readout", requires = "readout", value_parser = ["readout"])]
    transposed: Vec<String>,
}

impl WorldArgs {
    /// The files that are given in the place of a world.
    fn open_user_rows(&self) -> Result<Option<UserRows>, BoxError> {
        if self.activations.is_empty() {
            return Ok(None);
        }
        let files = DiskFiles::new(MEMORY_CAP);
        let (activations, more_activations) = files.list_activations(&self.activations)?;
        let transposed = !self.transposed.is_empty();
        let request = WorldRequest {
            activations,
            more_activations,
            readout: optional_array_ref(self.readout.as_ref()).map(|readout| ArrayChoice { transposed, ..readout }),
            readout_bias: optional_array_ref(self.readout_bias.as_ref()),
            seed: self.world_seed,
        };
        let rows = request.open_rows(&files)?;
        progress::print_notes(&rows.unread_notes());
        Ok(Some(rows))
    }

    fn to_world(&self) -> Result<World, Problem> {
        let mut world = World::from_name(&self.world)?;
        let of_superposition = [
            ("features", self.features.is_some()),
            ("dimensions", self.dimensions.is_some()),
            ("correlation", self.correlation.is_some()),
            ("children", self.children.is_some()),
        ];
        let refuse =
            |field: &str, of: &str| Err(Problem::new(field, "set", format!("nothing, but for the world {of}")));
        if !matches!(world, World::Superposition(_))
            && let Some((field, _)) = of_superposition.iter().find(|(_, set)| *set)
        {
            return refuse(field, "superposition");
        }
        if !matches!(world, World::Nonlinear(_)) && self.interaction.is_some() {
            return refuse("interaction", "nonlinear");
        }
        match &mut world {
            World::Paper(network) => network.seed = self.world_seed,
            World::Nonlinear(nonlinear) => {
                nonlinear.network.seed = self.world_seed;
                nonlinear.interaction = self.interaction.unwrap_or(nonlinear.interaction);
            }
            World::Superposition(it) => {
                it.seed = self.world_seed;
                it.features = self.features.unwrap_or(it.features);
                it.dimensions = self.dimensions.unwrap_or(it.dimensions);
                it.correlation = self.correlation.unwrap_or(it.correlation);
                it.children = self.children.unwrap_or(it.children);
            }
            // None of the named ones.
            World::Own(_) => {}
        }
        Ok(world)
    }
}

impl TrainArgs {
    fn config(&self) -> Result<TrainConfig, Problem> {
        let family: Family = self.family.parse()?;
        let start = TrainConfig::for_family(family);
        Ok(TrainConfig {
            latents: self.latents,
            k: self.k.unwrap_or(TRAIN_K_DEFAULT),
            sparsity: self.sparsity.unwrap_or(start.sparsity),
            steps: self.steps,
            batch: self.batch,
            rate: self.rate,
            seed: self.seed,
            ..start
        })
    }

    /// Trains, writes the files, and gives what is to be printed.
    pub fn run(&self) -> TextResult {
        let config = self.config()?;
        config.check()?;
        if let Some(folder) = self.out.as_deref().filter(|_| !self.force) {
            check_vacant(folder)?;
        }
        interrupt::listen_for_signals();
        let (world, sample, held) = match self.world.open_user_rows()? {
            None => {
                let world = self.world.to_world()?;
                let sample = world.sample(self.rows)?;
                (world, sample, None)
            }
            Some(files) => {
                // The page measures on the rows that are held back.
                let (world, sample, held) = files.training_split(self.world.world_seed, self.rows, true)?;
                (world, sample, Some(held))
            }
        };
        let mut trainer = Trainer::new(config.clone(), &sample.activations)?;
        let planted = sample.truth.as_ref().map(|truth| &truth.directions);
        let mut curve = Vec::new();
        for line in 1..=CURVE_POINTS_DEFAULT {
            let until = (u64::from(config.steps) * u64::from(line) / u64::from(CURVE_POINTS_DEFAULT)) as u32;
            while trainer.metrics().step < until && !interrupt::is_requested() {
                trainer.step(INTERRUPT_CHECK_STEPS.min(until - trainer.metrics().step))?;
            }
            curve.push(trainer.metrics_with_recovery(planted)?);
        }
        curve.dedup_by_key(|metrics| metrics.step);
        let (step, format) = (trainer.metrics().step, self.output.format());
        let stopped = step < config.steps;
        let out = self.out.as_ref().map(|folder| match stopped {
            true => unfinished_path(folder, step, self.force),
            false => folder.clone(),
        });
        // Before its first step it is nothing to keep.
        if let Some(folder) = out.as_ref().filter(|_| step > 0) {
            let held = match held {
                Some(held) => held,
                None => {
                    // Rows that it was not trained on, unless there are no more.
                    let all = (self.rows + world.train_and_held_out_rows(self.rows).1).min(World::ROWS_MAX);
                    world.sample(all)?.split(self.rows.min(all - 2)).1
                }
            };
            write_autoencoder(folder, trainer.autoencoder(), &held)?;
        }
        if !stopped {
            return format_training(format, &world, &config, &curve, &sample, &trainer);
        }
        let done = format!("{step} of {} steps are done", config.steps);
        let text = match format {
            Format::Table | Format::Json if step > 0 => {
                let text = format_training(format, &world, &config, &curve, &sample, &trainer)?;
                progress::mark_partial(format, &text, &done, step as usize, config.steps as usize)
            }
            _ => String::new(),
        };
        let kept = match out {
            Some(folder) if step > 0 => {
                format!("the autoencoder as it is then is in {}, and nothing else was written", folder.display())
            }
            _ => "no autoencoder was written".to_owned(),
        };
        Err(Interrupted { message: format!("interrupted: {done}; {kept}"), partial_output: text }.into())
    }
}

/// Steps between two looks at whether somebody asked to stop.
const INTERRUPT_CHECK_STEPS: u32 = 8;

/// Where an autoencoder goes that is not trained to the end: beside where the trained one would be.
/// What lies there of another run is left, unless it may be written over.
fn unfinished_path(folder: &Path, step: u32, force: bool) -> PathBuf {
    let named = |again: u32| {
        let mut name = folder.as_os_str().to_owned();
        name.push(format!(".step-{step}"));
        if again > 1 {
            name.push(format!("-{again}"));
        }
        PathBuf::from(name)
    };
    let free = |path: &PathBuf| force || check_vacant(path).is_ok();
    (1..).map(named).find(free).unwrap_or_else(|| named(1))
}

/// The names of what is written into a folder; the first tells what the others are.
const OUTPUT_FILES: [&str; 5] = [FILE_NAMES[0], FILE_NAMES[1], "activations.npy", "readout.npy", "readout_bias.npy"];

/// Refuses a folder that holds files of these names, before anything is trained.
fn check_vacant(folder: &Path) -> Result<(), Problem> {
    let held = OUTPUT_FILES.into_iter().find(|name| folder.join(name).exists());
    held.map_or(Ok(()), |name| {
        let value = format!("{:?}, which holds a {name}", folder.display().to_string());
        Err(Problem::new("out", value, "a folder without one, or --force to write over it"))
    })
}

/// Writes the autoencoder, and beside it rows to score it on.
fn write_autoencoder(folder: &Path, autoencoder: Autoencoder, held: &Sample) -> Result<(), BoxError> {
    let files = to_scorable_files(autoencoder, held)?;
    let files: Vec<_> = files.iter().map(|file| (file.name, file.bytes.as_slice())).collect();
    Ok(destination::write_files(folder, &files, &OUTPUT_FILES)?)
}

fn format_training(
    format: Format,
    world: &World,
    config: &TrainConfig,
    curve: &[Metrics],
    sample: &Sample,
    trainer: &Trainer,
) -> TextResult {
    let decoder = trainer.autoencoder().decoder();
    let truth = sample.truth.as_ref();
    let matching = truth.map(|truth| recovery::match_directions(&decoder, &truth.directions)).transpose()?;
    if format == Format::Json {
        return to_json(&json!({
            "world": world,
            "config": config,
            "curve": curve,
            "matching": matching,
        }));
    }
    let mut heads = vec!["step", "loss", "mse", "explained", "l0", "dead"];
    heads.extend(truth.map(|_| "mean_max_cosine"));
    let mut rows = TextTable::new(&heads);
    for at in curve {
        let text = |value: f64| match format {
            Format::Table => format!("{value:.4}"),
            _ => value.to_string(),
        };
        let mut row = vec![at.step.to_string()];
        row.extend([at.loss, at.mse, at.explained, at.l0].map(text));
        row.push(at.dead.to_string());
        row.extend(at.mean_max_cosine.map(text));
        rows.push(row);
    }
    let found = matching.map_or_else(String::new, |matching| {
        format!(
            "Planted directions: mean matched cosine {:.3}, {:.0} % recovered\n",
            matching.mcc,
            100.0 * matching.recovered
        )
    });
    rows.render(format, |table| {
        format!(
            "{} with {} latents on {} rows of the world {}, seed {}\n{table}{found}",
            config.family.label(),
            config.latents,
            sample.activations.rows(),
            world.name(),
            config.seed,
        )
    })
}

#[derive(Debug, clap::Args)]
#[command(allow_negative_numbers = true)]
pub struct FamiliesArgs {
    /// A whole study as text, as the page's links have it: small,world:nonlinear,seeds:0-4
    #[arg(
        long,
        value_name = "TEXT",
        conflicts_with_all = [
            "preset", "world", "world_seed", "features", "dimensions", "correlation", "children",
            "interaction", "methods", "seeds", "steps", "latents", "ks", "completeness",
        ]
    )]
    study: Option<String>,
    /// How much is run: small (seconds) or full
    #[arg(long, value_name = "NAME", default_value = "full")]
    preset: String,
    #[command(flatten)]
    world: WorldArgs,
    /// Which methods: svd, pca, relu, topk, batch-topk, jumprelu, gated, matryoshka, oracle, random,
    /// permuted, untrained [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    methods: Option<Vec<String>>,
    /// Number of training seeds, from 0 on
    #[arg(long, value_name = "N")]
    seeds: Option<u32>,
    /// Steps of each training
    #[arg(long, value_name = "N")]
    steps: Option<u32>,
    /// Latents of each autoencoder
    #[arg(long, value_name = "N")]
    latents: Option<usize>,
    /// Codes a row, the knob of every method but relu, gated and jumprelu
    #[arg(long, value_name = "K,…", value_delimiter = ',')]
    ks: Option<Vec<usize>>,
    /// Reading of completeness for the fronts: row-space, reconstruction or active-subspace
    #[arg(long, value_name = "READING", default_value = "reconstruction")]
    completeness: String,
    #[command(flatten)]
    checkpoint: checkpoint::Options,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl FamiliesArgs {
    /// What a text says, if all of it can be followed to the letter.
    fn parse_study(text: &str) -> Result<FamiliesConfig, BoxError> {
        let read = query::parse(text);
        if read.changes.is_empty() {
            return Ok(read.config);
        }
        let sentences: Vec<&str> = read.changes.iter().map(|change| change.sentence.as_str()).collect();
        Err(format!("the study cannot be followed to the letter: {}", sentences.join("; ")).into())
    }

    fn config(&self) -> Result<FamiliesConfig, Problem> {
        let mut config = FamiliesConfig::preset(&self.preset)?;
        config.world = self.world.to_world()?;
        if let Some(methods) = &self.methods {
            config.methods = methods.iter().map(|name| name.parse::<Method>()).collect::<Result<_, _>>()?;
        }
        if let Some(seeds) = self.seeds {
            // Counted before they are made.
            if seeds as usize > JOBS_MAX {
                let allowed = format!("a whole number from 1 to {JOBS_MAX}");
                return Err(Problem::new("seeds", seeds.to_string(), allowed));
            }
            config.seeds = (0..seeds).collect();
        }
        config.train.steps = self.steps.unwrap_or(config.train.steps);
        config.train.latents = self.latents.unwrap_or(config.train.latents);
        config.ks = self.ks.clone().unwrap_or(config.ks);
        config.completeness = self.completeness.parse()?;
        Ok(config)
    }

    /// Runs every job, on all cores, and gives what is to be printed.
    pub fn run(&self) -> TextResult {
        let mut config = match &self.study {
            Some(text) => Self::parse_study(text)?,
            None => self.config()?,
        };
        let runner = match self.world.open_user_rows()? {
            None => Runner::new(&config)?,
            Some(files) => {
                let asked = match (&self.study, &config.world) {
                    (Some(_), World::Own(asked)) => Some(asked.clone()),
                    _ => None,
                };
                let seed = asked.as_ref().map_or(self.world.world_seed, |asked| asked.seed);
                let given = files.to_world(seed, true)?;
                match asked {
                    // It says which activations it is of, and everything else that it wants.
                    Some(asked) => check_same_activations(&asked, &given)?,
                    None if self.study.is_some() => {
                        if config.world != World::default() {
                            let name = config.world.name();
                            let found = format!("world:{name}");
                            return Err(Problem::new("study", found, STUDY_WORLD_ALLOWED).into());
                        }
                    }
                    None => {
                        config.adapt_to_data(given.rows, given.dimensions);
                        config.train.latents = self.latents.unwrap_or(config.train.latents);
                    }
                }
                let drawn = files.draw_rows(given.seed, config.train_rows + config.eval_rows)?;
                config.world = World::Own(given);
                Runner::with_rows(&config, Some(&drawn))?
            }
        };
        let (wanted, format) = (config.jobs(), self.output.format());
        let place = |found: &JobResult| wanted.iter().position(|job| *job == found.job);
        let work = |at: usize| Ok(runner.run(&wanted[at])?);
        let (run, of) = (("families", &config), wanted.len());
        let (kept, results) = jobs::run_resumable(&self.checkpoint, run, of, place, "members", work)?;
        let done = results.len();
        if done == of {
            return format_report(format, &build_report(&config, results)?);
        }
        let finished = format!("{done} of {of} members are done");
        let said = (finished.as_str(), "; methods with members to come are left out");
        let print = || format_report(format, &build_finished_report(&config, &results)?);
        jobs::finish_interrupted(kept.as_ref(), format, (done, of), said, print)
    }
}

const STUDY_WORLD_ALLOWED: &str = "no world of its own beside activations, or world:given";

/// Refuses activations that are not those that a study names.
fn check_same_activations(asked: &UserActivations, given: &UserActivations) -> Result<(), Problem> {
    let refused = |value: &str, allowed: &str| Err(Problem::new("activations", value, allowed));
    if asked.shape_text() != given.shape_text() {
        return refused(&given.shape_text(), &asked.shape_text());
    }
    let digests = [("file", &asked.sha256, &given.sha256), ("array, readout or bias", &asked.with, &given.with)];
    for (what, asked, given) in digests {
        // A study may leave out which they are.
        if let Some(asked) = asked
            && given.as_ref() != Some(asked)
        {
            let found = given.as_deref().unwrap_or("none");
            let value = format!("another {what}, with the digest {found}");
            return refused(&value, &format!("the one with {asked}"));
        }
    }
    Ok(())
}

fn format_report(format: Format, found: &FamiliesReport) -> TextResult {
    match format {
        Format::Json => Ok(found.to_json()?),
        Format::Csv => {
            let mut rows = TextTable::new(&[
                "method",
                "knob",
                "seed",
                "sparsity",
                "fidelity",
                "row_space",
                "reconstruction",
                "active_subspace",
                "l0",
                "explained",
                "dead",
                "c_gt",
                "mcc",
                "recovered",
                "f1",
            ]);
            for r in &found.results {
                let mut row = vec![r.job.method.name().to_owned(), r.job.knob.to_string(), r.job.seed.to_string()];
                let c = r.completeness;
                let numbers = [
                    r.sparsity,
                    r.fidelity,
                    c.row_space,
                    c.reconstruction,
                    c.active_subspace,
                    r.l0,
                    r.explained,
                    r.dead,
                ];
                row.extend(numbers.map(|value| value.to_string()));
                row.extend(
                    [r.c_gt, r.mcc, r.recovered, r.f1]
                        .map(|value| value.map_or_else(String::new, |value| value.to_string())),
                );
                rows.push(row);
            }
            rows.to_csv()
        }
        Format::Table => Ok(format_table(found)),
    }
}

fn format_table(found: &FamiliesReport) -> String {
    let spread = |spread: &SeedSpread| {
        let mean = printed::format_three_decimals(spread.mean);
        if spread.deviation > 0.0 { format!("{mean} ± {:.3}", spread.deviation) } else { mean }
    };
    let mut rows = TextTable::new(&["method", "knob", "l0", "S", "F", "C", "SFC", "cosine", "front"]);
    for method in &found.methods {
        for point in &method.points {
            let some = |value: &Option<SeedSpread>| value.as_ref().map_or_else(String::new, spread);
            rows.push(vec![
                method.method.name().to_owned(),
                point.knob.to_string(),
                format!("{:.2}", point.l0.mean),
                spread(&point.sparsity),
                spread(&point.fidelity),
                spread(&point.completeness),
                spread(&point.sfc),
                some(&point.mcc),
                format!("{}/{}", point.on_front, method.seeds),
            ]);
        }
    }
    let config = &found.config;
    let mut out = format!(
        "World {}, {} latents, {} steps, {} seeds; mean ± standard deviation over the seeds\n{}",
        config.world.name(),
        config.train.latents,
        config.train.steps,
        config.seeds.len(),
        rows.to_table()
    );
    let mut rows = TextTable::new(&["method", "role", "hypervolume", "best SFC", "best cosine"]);
    for method in &found.methods {
        rows.push(vec![
            method.label.clone(),
            format!("{:?}", method.role).to_lowercase(),
            spread(&method.hypervolume),
            spread(&method.best_sfc),
            method.best_mcc.as_ref().map_or_else(String::new, spread),
        ]);
    }
    out += &rows.to_table();
    let mut rows = TextTable::new(&["first", "second", "difference", "seed noise", "exceeds"]);
    for pair in &found.differences {
        let noise = pair.noise.map_or_else(String::new, |noise| format!("{noise:.3}"));
        let (noise, exceeds) = match pair.noise_verdict() {
            NoiseVerdict::Exceeds => (noise, "yes"),
            NoiseVerdict::Within => (noise, "no"),
            NoiseVerdict::OneSeed => (noise, "one seed"),
            NoiseVerdict::NoSeeds => (String::new(), "no seeds"),
        };
        rows.push(vec![
            pair.first.name().to_owned(),
            pair.second.name().to_owned(),
            format!("{:+.3}", pair.difference),
            noise,
            exceeds.to_owned(),
        ]);
    }
    out += &rows.to_table();
    out += "Best: of the best member of each seed, mean ± standard deviation over the seeds.\n";
    out += &format!("{}\n", found.criterion);
    for warning in &found.warnings {
        out += &format!("Warning: {}\n", warning.message());
    }
    out
}
