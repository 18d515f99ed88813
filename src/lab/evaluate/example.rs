use crate::Settings;
use crate::io::to_npy;
use crate::linalg::{DictionaryError, SvdDictionary};
use crate::papers::sfc::codes::{dropped_count, zero_smallest};
use crate::synthetic::{PlantedNetwork, activations};

/// A file to try an evaluation with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleFile {
    /// What it is to be taken for: a key of the page's request.
    pub role: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its content, as NumPy saves an array of `float32`.
    pub bytes: Vec<u8>,
}

/// The level of the example's codes, for which the paper's score is highest.
pub const EXAMPLE_LEVEL: f64 = 0.85;

/// The paper's standard network as files: activations (2000 × 64), the first 48 singular directions,
/// codes on them at [`EXAMPLE_LEVEL`], and the layer that follows with its bias.
///
/// S and F of it are those of Table 3; C differs in the third decimal, as here it is of all rows.
///
/// # Errors
/// None for the paper's settings; [`DictionaryError`] comes from making the dictionary.
pub fn example_files() -> Result<Vec<ExampleFile>, DictionaryError> {
    let settings = Settings::default();
    let network = PlantedNetwork::new(&settings.network_spec());
    let h = activations(&network, &settings.data_spec());
    let dictionary = SvdDictionary::new(&h, false)?;
    let mut codes = dictionary.encode(&h, settings.k())?;
    zero_smallest(&mut codes, dropped_count(EXAMPLE_LEVEL, settings.k()));
    let directions = dictionary.directions().first_cols(settings.k()).transposed();
    let file = |role, name, (rows, cols): (usize, usize), values: &[f64]| ExampleFile {
        role,
        name,
        bytes: to_npy(&[rows, cols], values),
    };
    let (w, b) = (&network.w2, &network.b2);
    Ok(vec![
        file("activations", "example-activations.npy", h.shape(), h.data()),
        file("dictionary", "example-dictionary.npy", directions.shape(), directions.data()),
        file("codes", "example-codes.npy", codes.shape(), codes.data()),
        file("readout", "example-readout.npy", w.shape(), w.data()),
        ExampleFile { role: "readout_bias", name: "example-readout-bias.npy", bytes: to_npy(&[b.len()], b) },
    ])
}
