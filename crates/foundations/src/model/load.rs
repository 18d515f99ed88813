use super::parameters::TensorRanges;
use super::{Config, ModelError, Parameters};
use crate::io::{Array, DataFile};

impl Parameters {
    /// Reads tensors that have TransformerLens' names; sizes are those of the shapes. The activation
    /// function and ε are the toy model's.
    ///
    /// # Errors
    /// [`ModelError`]: a missing tensor, shapes that do not fit one another, a number that is not finite.
    pub fn open(file: &DataFile) -> Result<Self, ModelError> {
        let config = config_from_shapes(file)?;
        // Every shape before any number: sizes that do not fit one another multiply to more than the file has.
        let mut checked = Ok(());
        TensorRanges::with_ranges(&config, |tensor, shape| {
            if checked.is_ok() {
                checked = find_weights(file, &tensor, shape).map(|_| ());
            }
            0..0
        });
        checked?;
        let mut all = Self::zeros(config);
        for tensor in all.tensor_specs() {
            let values = find_tensor(file, &tensor.name)?.read_all()?;
            all.values_mut()[tensor.range].copy_from_slice(&values);
        }
        Ok(all)
    }

    /// One of several models in a file, by what its tensors' names begin with, of sizes that are known.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_with_prefix(file: &DataFile, before: &str, config: Config) -> Result<Self, ModelError> {
        let mut all = Self::zeros(config);
        for tensor in all.tensor_specs() {
            let array = find_weights(file, &format!("{before}{}", tensor.name), &tensor.shape)?;
            all.values_mut()[tensor.range].copy_from_slice(&array.read_all()?);
        }
        Ok(all)
    }
}

fn find_tensor<'a>(file: &'a DataFile, tensor: &str) -> Result<&'a Array, ModelError> {
    file.array(tensor).map_err(|_| ModelError::Missing { file: file.name().to_owned(), tensor: tensor.to_owned() })
}

/// Weights of a shape.
pub(super) fn find_weights<'a>(file: &'a DataFile, tensor: &str, shape: &[usize]) -> Result<&'a Array, ModelError> {
    let array = find_tensor(file, tensor)?;
    let found = array.description();
    let shape: Vec<u64> = shape.iter().map(|size| *size as u64).collect();
    if found.shape != shape {
        return Err(shape_error(file, tensor, &found.shape, &format_shape(&shape)));
    }
    if found.dtype.is_integer() {
        let (file, tensor) = (file.name().to_owned(), tensor.to_owned());
        return Err(ModelError::DType { file, tensor, found: found.dtype });
    }
    Ok(array)
}

pub(super) fn format_shape(shape: &[u64]) -> String {
    let sizes: Vec<String> = shape.iter().map(u64::to_string).collect();
    sizes.join(" × ")
}

fn shape_error(file: &DataFile, tensor: &str, found: &[u64], allowed: &str) -> ModelError {
    ModelError::Shape {
        file: file.name().to_owned(),
        tensor: tensor.to_owned(),
        found: format_shape(found),
        allowed: allowed.to_owned(),
    }
}

/// What the shapes say. Nothing is allocated by it: the tensors are there, or the file would not have opened.
fn config_from_shapes(file: &DataFile) -> Result<Config, ModelError> {
    let dimensions = |tensor: &str, count: usize| {
        let found = find_tensor(file, tensor)?.description().shape;
        if found.len() == count {
            Ok(found.into_iter().map(|size| size as usize).collect::<Vec<_>>())
        } else {
            Err(shape_error(file, tensor, &found, &format!("of {count} dimensions")))
        }
    };
    let [embed, positions] = [dimensions("embed.W_E", 2)?, dimensions("pos_embed.W_pos", 2)?];
    let heads = dimensions("blocks.0.attn.W_Q", 3)?;
    let input = dimensions("blocks.0.mlp.W_in", 2)?;
    let has = |name: &str| file.array(name).is_ok();
    let layers = (0..).take_while(|layer| has(&format!("blocks.{layer}.attn.W_Q"))).count();
    let tied = !has("unembed.W_U");
    // What a part of it is there of is not left out in silence.
    let further = format!("blocks.{layers}.");
    if file.arrays().iter().any(|array| array.name().starts_with(&further)) {
        find_tensor(file, &format!("{further}attn.W_Q"))?;
    }
    if tied && has("unembed.b_U") {
        find_tensor(file, "unembed.W_U")?;
    }
    Ok(Config {
        layers,
        heads: heads[0],
        d_model: embed[1],
        d_head: heads[2],
        d_mlp: input[1],
        context: positions[0],
        vocabulary: embed[0],
        tied,
        ..Config::TOY_MODEL
    })
}
