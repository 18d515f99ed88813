use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::EvaluateError;
use super::decomposition::CodesBy;
use super::report::{InputFile, Reading, Variance};
use super::saelens::{Architecture, Config};
use crate::Weights;
use crate::io::{Array, DataFile, IoError};
use crate::papers::sfc::metric::fidelity::FidelityMode;
use crate::settings::MEMORY_CAP;

/// Most rows that are read, coded and measured together.
const BLOCK: usize = 64;

/// Active features that are remembered: 16 MiB.
pub(super) const KEPT: usize = 1 << 22;
/// What a row takes besides, in entries.
pub(super) const KEPT_ROW: usize = 12;

/// How many rows or features, of so many multiplications each, make one step: few enough that a browser
/// comes back from it in a tenth of a second or so. It fixes the order of sums.
pub(super) fn affordable(one: f64) -> usize {
    /// Multiplications a step.
    const STEP: f64 = 1.5e8;
    ((STEP / one.max(1.0)) as usize).clamp(1, BLOCK)
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "EvaluateOptions"))]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// The form of Eq. 2 that the score takes.
    pub fidelity: FidelityMode,
    /// The reading of Eq. 3 that the score takes.
    pub completeness: Reading,
    /// The variance that completeness divides by.
    pub variance: Variance,
    /// Weights of Eq. 4.
    pub weights: Weights,
    /// Most rows, evenly spaced, that the active-subspace reading looks at; fewer where they would
    /// take long.
    pub active_rows: u32,
    /// Memory the run may take, in bytes.
    #[cfg_attr(test, ts(type = "number"))]
    pub memory: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            fidelity: FidelityMode::default(),
            completeness: Reading::default(),
            variance: Variance::default(),
            weights: Weights::EQUAL,
            active_rows: 1_000,
            memory: MEMORY_CAP,
        }
    }
}

impl Options {
    /// Most memory that may be asked for: what WebAssembly can address, less what it needs itself.
    pub const MEMORY_MAX: u64 = 7 << 29;

    /// # Errors
    /// [`EvaluateError::Config`] with the option.
    pub fn check(&self) -> Result<(), EvaluateError> {
        let refuse = |field: &str, found: String, allowed: &str| {
            Err(EvaluateError::Config {
                file: "the options".to_owned(),
                field: field.to_owned(),
                found,
                allowed: allowed.to_owned(),
            })
        };
        if self.active_rows == 0 {
            return refuse("active_rows", "0".to_owned(), "a whole number from 1");
        }
        if self.memory > Self::MEMORY_MAX && cfg!(target_arch = "wasm32") {
            return refuse("memory", self.memory.to_string(), "at most 3758096384 bytes");
        }
        Ok(())
    }
}

/// What arrays are called where a file has several and none is named.
pub mod usual {
    /// The activations.
    pub const ACTIVATIONS: &[&str] = &["activations", "acts"];
    /// A readout's weights.
    pub const READOUT: &[&str] = &["W_out", "weight"];
    /// Its bias.
    pub const BIAS: &[&str] = &["b_out", "bias"];
}

/// One array of an open file.
#[derive(Clone)]
pub struct Picked {
    file: Rc<DataFile>,
    index: usize,
}

impl Picked {
    /// The array of a name; without one, the only array, or the first that has one of the usual names.
    ///
    /// # Errors
    /// [`IoError::Missing`], with the names there are.
    pub fn of(file: &Rc<DataFile>, name: Option<&str>, usual: &[&str]) -> Result<Self, IoError> {
        let array = match name {
            Some(name) => file.array(name)?,
            None => {
                let usual = usual.iter().find_map(|name| file.array(name).ok());
                usual.map_or_else(|| file.only(), Ok)?
            }
        };
        let index = file.arrays().iter().position(|other| std::ptr::eq(other, array));
        Ok(Self { file: Rc::clone(file), index: index.unwrap_or(0) })
    }

    /// The array.
    #[must_use]
    pub fn array(&self) -> &Array {
        &self.file.arrays()[self.index]
    }

    /// Its file.
    #[must_use]
    pub fn file(&self) -> &Rc<DataFile> {
        &self.file
    }
}

/// The decomposition.
#[derive(Clone)]
pub enum Method {
    /// A folder as SAELens writes it.
    Sae {
        /// The name of its `cfg.json`.
        config_file: String,
        /// What that says.
        config: Config,
        /// SHA-256 of it.
        config_digest: String,
        /// Its `sae_weights.safetensors`.
        weights: Rc<DataFile>,
    },
    /// A dictionary W (K × D) alone.
    Dictionary {
        /// W.
        dictionary: Picked,
        /// How codes are made; or the codes (N × K).
        codes: Result<CodesBy, Picked>,
    },
}

impl Method {
    /// A SAELens folder: the name and bytes of `cfg.json`, and the open weights.
    ///
    /// # Errors
    /// [`EvaluateError::Config`].
    pub fn sae(name: &str, json: Vec<u8>, weights: Rc<DataFile>) -> Result<Self, EvaluateError> {
        let config = Config::parse(name, &json)?;
        let config_digest = crate::io::digest(name, &json)?;
        Ok(Self::Sae { config_file: name.to_owned(), config, config_digest, weights })
    }
}

/// Everything that is read.
#[derive(Clone)]
pub struct Inputs {
    /// A (N × D).
    pub activations: Picked,
    /// The decomposition.
    pub method: Method,
    /// W_out (o × D) of the linear readout f(a) = W_out·a + b_out; none for the identity.
    pub readout: Option<Picked>,
    /// b_out (o); none for zero. It matters only for the grand variance.
    pub readout_bias: Option<Picked>,
}

/// Sizes of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shapes {
    /// Rows N.
    pub rows: usize,
    /// Width D.
    pub dimensions: usize,
    /// Dictionary size K.
    pub k: usize,
    /// Width of f's output.
    pub outputs: usize,
}

/// An evaluation whose shapes fit and whose memory is known; no payload has been read.
#[derive(Clone)]
pub struct Plan {
    pub(super) inputs: Inputs,
    pub(super) options: Options,
    shapes: Shapes,
}

impl Plan {
    /// Holds shapes against each other, and the memory against its cap.
    ///
    /// # Errors
    /// [`EvaluateError::Io`] for an array that is missing or of another shape,
    /// [`EvaluateError::Memory`], [`EvaluateError::Config`].
    pub fn new(inputs: Inputs, options: Options) -> Result<Self, EvaluateError> {
        options.check()?;
        let activations = inputs.activations.array();
        let (rows, d) = (activations.rows(), activations.cols());
        let k = match &inputs.method {
            Method::Sae { config_file, config, weights, .. } => {
                let decoder = weights.array("W_dec")?;
                let k = decoder.rows();
                decoder.expect(k, d, "as wide as the activations")?;
                for (field, said, found) in [("d_in", config.d_in, d), ("d_sae", config.d_sae, k)] {
                    if said.is_some_and(|said| said != found) {
                        return Err(EvaluateError::Config {
                            file: config_file.clone(),
                            field: field.to_owned(),
                            found: said.unwrap_or_default().to_string(),
                            allowed: format!("{found}, as W_dec has it"),
                        });
                    }
                }
                weights.array("W_enc")?.expect(d, k, "the transpose of W_dec's shape")?;
                if let Architecture::TopK { k: kept } = config.architecture
                    && kept > k
                {
                    return Err(EvaluateError::Config {
                        file: config_file.clone(),
                        field: "k".to_owned(),
                        found: kept.to_string(),
                        allowed: format!("1 to {k}, the number of features"),
                    });
                }
                k
            }
            Method::Dictionary { dictionary, codes } => {
                let dictionary = dictionary.array();
                let k = dictionary.rows();
                dictionary.expect(k, d, "as wide as the activations")?;
                if let Err(codes) = codes {
                    codes.array().expect(rows, k, "one row a row of activations")?;
                }
                k
            }
        };
        let outputs = match &inputs.readout {
            None => d,
            Some(readout) => {
                let readout = readout.array();
                readout.expect(readout.rows(), d, "as wide as the activations")?;
                readout.rows()
            }
        };
        if let Some(bias) = &inputs.readout_bias {
            bias.array().expect(1, outputs, "one a row of the readout")?;
        }
        let plan = Self { inputs, options, shapes: Shapes { rows, dimensions: d, k, outputs } };
        let (needed, cap) = (plan.memory(), options.memory);
        if needed > cap {
            return Err(EvaluateError::Memory { needed, cap });
        }
        Ok(plan)
    }

    /// Sizes of the run.
    #[must_use]
    pub fn shapes(&self) -> Shapes {
        self.shapes
    }

    /// What is asked for.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Estimated peak memory, in bytes: the dictionary, the encoder (twice while it is laid out) and
    /// its rounded copy, decompositions of Gram matrices, one block of rows with its codes, what is
    /// active in each row, and what is unpacked.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let Shapes { rows, dimensions, k, outputs } = self.shapes;
        let (d, k, o) = (dimensions as u64, k as u64, outputs as u64);
        let rows = rows as u64;
        let times = |a: u64, b: u64| a.saturating_mul(b);
        let weights = times(times(d, k), 4);
        let rounded = times(times(d.next_multiple_of(8), k), 2);
        let encoder = match &self.inputs.method {
            Method::Dictionary { codes: Err(_), .. } => rounded,
            Method::Dictionary { .. } => weights.saturating_add(rounded),
            Method::Sae { .. } => times(weights, 2).saturating_add(rounded),
        };
        // Of every row at most half of the features; twice, while the list of rows grows.
        let entries = times(rows, (k / 2).saturating_add(KEPT_ROW as u64)).min(KEPT as u64);
        let kept = times(entries, 2 * 4);
        // Gram matrix, its copy for nalgebra, eigenvectors, and what is made of them.
        let side = d.min(k);
        let grams = times(times(side, side), 8 * 5).saturating_add(times(times(side, d), 8 * 3));
        // Wide copies of active rows and their Gram matrix, for one row at a time.
        let active = times(times(side, side + 2 * d), 8).saturating_add(times(d, 512 * 8));
        let block = times(BLOCK as u64, times(10 * d + 2 * k + 2 * o, 8));
        let features = times(k, 64).saturating_add(times(o + d, 64));
        let readout = if self.inputs.readout.is_some() { times(times(o, d), 8) } else { 0 };
        let held = self.files().iter().flat_map(|(_, file)| file.arrays()).map(Array::held).sum();
        [weights, encoder, grams, active, block, features, readout, kept, held]
            .into_iter()
            .fold(0, u64::saturating_add)
    }

    /// The files, by their part, each once.
    fn files(&self) -> Vec<(&'static str, &Rc<DataFile>)> {
        let mut all = vec![("activations", self.inputs.activations.file())];
        match &self.inputs.method {
            Method::Sae { weights, .. } => all.push(("weights", weights)),
            Method::Dictionary { dictionary, codes } => {
                all.push(("dictionary", dictionary.file()));
                all.extend(codes.as_ref().err().map(|codes| ("codes", codes.file())));
            }
        }
        all.extend(self.inputs.readout.iter().map(|readout| ("readout", readout.file())));
        all.extend(self.inputs.readout_bias.iter().map(|bias| ("readout bias", bias.file())));
        let mut seen: Vec<&Rc<DataFile>> = Vec::new();
        all.retain(|(_, file)| {
            let new = !seen.iter().any(|other| Rc::ptr_eq(other, file));
            seen.push(file);
            new
        });
        all
    }

    /// What is read, without digests.
    #[must_use]
    pub fn described(&self) -> Vec<InputFile> {
        let one = |role: &str, picked: &Picked| InputFile {
            role: role.to_owned(),
            file: picked.file().name().to_owned(),
            array: Some(picked.array().description()),
            sha256: None,
        };
        let mut files = vec![one("activations", &self.inputs.activations)];
        match &self.inputs.method {
            Method::Sae { config_file, config_digest, weights, .. } => {
                files.push(InputFile {
                    role: "configuration".to_owned(),
                    file: config_file.clone(),
                    array: None,
                    sha256: Some(config_digest.clone()),
                });
                files.push(InputFile {
                    role: "weights".to_owned(),
                    file: weights.name().to_owned(),
                    array: weights.array("W_dec").ok().map(Array::description),
                    sha256: None,
                });
            }
            Method::Dictionary { dictionary, codes } => {
                files.push(one("dictionary", dictionary));
                files.extend(codes.as_ref().err().map(|codes| one("codes", codes)));
            }
        }
        files.extend(self.inputs.readout.iter().map(|readout| one("readout", readout)));
        files.extend(self.inputs.readout_bias.iter().map(|bias| one("readout bias", bias)));
        files
    }

    /// What is read, with the SHA-256 of every file: all of them are read whole.
    ///
    /// # Errors
    /// [`IoError::Unreadable`].
    pub fn digested(&self) -> Result<Vec<InputFile>, IoError> {
        let mut described = self.described();
        for (_, file) in self.files() {
            let digest = file.digest()?;
            let same = described.iter_mut().filter(|one| one.file == file.name());
            same.filter(|one| one.role != "configuration")
                .for_each(|one| one.sha256 = Some(digest.clone()));
        }
        Ok(described)
    }

    /// How codes are made, in a word.
    #[must_use]
    pub fn codes(&self) -> String {
        match &self.inputs.method {
            Method::Sae { config, .. } => match config.architecture {
                Architecture::Standard => "standard".to_owned(),
                Architecture::TopK { k } => format!("topk ({k})"),
                Architecture::JumpRelu => "jumprelu".to_owned(),
                Architecture::BatchTopK => "batchtopk".to_owned(),
                Architecture::Gated => "gated".to_owned(),
            },
            Method::Dictionary { codes: Ok(CodesBy::Projection), .. } => "projection".to_owned(),
            Method::Dictionary { codes: Ok(CodesBy::LeastSquares), .. } => {
                "least-squares".to_owned()
            }
            Method::Dictionary { codes: Err(_), .. } => "given".to_owned(),
        }
    }
}
