use std::borrow::Cow;

use half::f16;
use safetensors::tensor::{Dtype, View, serialize};

use super::{ModelError, Parameters, TensorSpec};

/// How exactly weights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Four bytes a number, as they are.
    Single,
    /// Two bytes a number, rounded to eleven bits.
    Half,
}

struct TensorBytes {
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl View for TensorBytes {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.bytes)
    }

    fn data_len(&self) -> usize {
        self.bytes.len()
    }
}

impl Parameters {
    /// A `.safetensors` file with TransformerLens' names, as [`Parameters::open`] reads it.
    ///
    /// # Errors
    /// [`ModelError::Unwritten`].
    pub fn to_safetensors(&self, precision: Precision) -> Result<Vec<u8>, ModelError> {
        Self::models_to_safetensors(&[(String::new(), self)], precision)
    }

    /// Several models in one `.safetensors` file: what each one's tensors' names begin with, and it.
    ///
    /// # Errors
    /// [`ModelError::Unwritten`].
    pub fn models_to_safetensors(models: &[(String, &Self)], precision: Precision) -> Result<Vec<u8>, ModelError> {
        let each = |(before, model): &(String, &Self)| {
            let tensors = model.tensor_specs().into_iter();
            tensors.map(|t| (format!("{before}{}", t.name), model.tensor_bytes(t, precision))).collect()
        };
        let tensors: Vec<Vec<(String, TensorBytes)>> = models.iter().map(each).collect();
        serialize(tensors.into_iter().flatten(), None).map_err(|error| ModelError::Unwritten(error.to_string()))
    }

    fn tensor_bytes(&self, tensor: TensorSpec, precision: Precision) -> TensorBytes {
        let values = &self.values()[tensor.range];
        let (dtype, bytes) = match precision {
            Precision::Single => (Dtype::F32, values.iter().flat_map(|value| value.to_le_bytes()).collect()),
            Precision::Half => {
                let halves = values.iter().map(|value| f16::from_f32(*value));
                (Dtype::F16, halves.flat_map(f16::to_le_bytes).collect())
            }
        };
        TensorBytes { dtype, shape: tensor.shape, bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::DataFile;
    use crate::model::Config;

    #[test]
    fn what_is_written_is_read_again() {
        let config = Config { layers: 1, d_model: 16, d_head: 4, d_mlp: 64, ..Config::TOY_MODEL };
        let weights = Parameters::random_init(config, 3);
        let read = |precision| {
            let bytes = weights.to_safetensors(precision).unwrap();
            Parameters::open(&DataFile::open("m.safetensors", Box::new(bytes), 0).unwrap()).unwrap()
        };
        assert_eq!(read(Precision::Single), weights);
        let halves = read(Precision::Half);
        assert_eq!(halves.config(), weights.config());
        for (half, single) in halves.values().iter().zip(weights.values()) {
            assert!((half - single).abs() <= single.abs() / 2048.0 + 1e-7, "{half} {single}");
        }
    }
}
