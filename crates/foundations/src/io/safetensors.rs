use std::collections::HashSet;
use std::fmt;
use std::rc::Rc;

use safetensors::Dtype;
use safetensors::tensor::Metadata;
use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use super::array::{Array, Layout, Storage, payload_bytes};
use super::{ARRAYS_MAX, DType, HEADER_BYTES_MAX, IoError, ReadAt, source};

/// Bytes in front of the header: its length.
const LENGTH_BYTES: u64 = 8;

/// Whether first bytes are the length of a header that may be, and its first brace.
pub(super) fn looks_like_safetensors(begins: &[u8]) -> bool {
    let length = begins.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    length.is_some_and(|length| length <= HEADER_BYTES_MAX) && begins.get(LENGTH_BYTES as usize) == Some(&b'{')
}

/// The tensors; and those of other things than numbers, or of no matrix's shape, in `unread`.
pub(super) fn open(
    file: &str,
    source: &Rc<dyn ReadAt>,
    unread: &mut Vec<(String, IoError)>,
) -> Result<Vec<Array>, IoError> {
    let refuse =
        |at: u64, found: String, allowed: String| Err(IoError::Header { file: file.to_owned(), at, found, allowed });
    let mut length = [0; LENGTH_BYTES as usize];
    source::read(file, &**source, 0, &mut length)?;
    let length = u64::from_le_bytes(length);
    if length > HEADER_BYTES_MAX {
        let allowed = format!("at most {HEADER_BYTES_MAX} bytes");
        return refuse(0, format!("a header of {length} bytes"), allowed);
    }
    let mut header = vec![0; length as usize];
    source::read(file, &**source, LENGTH_BYTES, &mut header)?;
    if let Some(name) = find_duplicate_name(&header) {
        let found = format!("two tensors of the name {name:?}");
        return refuse(LENGTH_BYTES, found, "each name once".to_owned());
    }
    // Checks that shapes fit offsets, and that offsets leave no gap.
    let metadata: Metadata = match serde_json::from_slice(&header) {
        Ok(metadata) => metadata,
        Err(error) => {
            let allowed = "a JSON object of tensors, each with dtype, shape and data_offsets, \
                           which follow one another without a gap";
            return refuse(LENGTH_BYTES, error.to_string(), allowed.to_owned());
        }
    };
    drop(header);
    let names = metadata.offset_keys();
    if names.is_empty() || names.len() > ARRAYS_MAX {
        let allowed = format!("1 to {ARRAYS_MAX}");
        return refuse(LENGTH_BYTES, format!("{} tensors", names.len()), allowed);
    }
    let start = LENGTH_BYTES + length;
    let (needed, held) = (metadata.data_len() as u64, source.size() - start);
    if needed > held {
        let what = "its tensors".to_owned();
        return Err(IoError::Truncated { file: file.to_owned(), what, at: start, needed, held });
    }
    if needed < held {
        let found = format!("{} bytes after the last tensor", held - needed);
        return refuse(start + needed, found, "none".to_owned());
    }
    let mut arrays = Vec::new();
    for name in &names {
        // A tensor that is not read may be of any type and shape.
        let Some(info) = metadata.info(name) else { continue };
        let Some(dtype) = to_dtype(info.dtype) else {
            let (file, array) = (file.to_owned(), name.clone());
            let found = format!("{:?}", info.dtype);
            unread.push((name.clone(), IoError::DType { file, array, found }));
            continue;
        };
        let shape: Vec<u64> = info.shape.iter().map(|size| *size as u64).collect();
        let layout = Layout { dtype, big_endian: false, fortran_order: false, shape };
        match payload_bytes(file, name, &layout) {
            Ok(_) => {
                let at = start + info.data_offsets.0 as u64;
                arrays.push(Array::new(file, name, layout, Storage::InFile(Rc::clone(source), at)));
            }
            Err(why) => unread.push((name.clone(), why)),
        }
    }
    if let (true, Some((_, why))) = (arrays.is_empty(), unread.first()) {
        return Err(why.clone());
    }
    Ok(arrays)
}

/// The first name that stands twice in a header: a reader would take the one or the other. What is wrong
/// otherwise is told by whoever reads the header.
fn find_duplicate_name(header: &[u8]) -> Option<String> {
    struct NamesVisitor(Option<String>);

    impl<'de> Visitor<'de> for NamesVisitor {
        type Value = Option<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut seen = HashSet::new();
            while let Some((name, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
                if self.0.is_none() && seen.contains(&name) {
                    self.0 = Some(name);
                } else {
                    seen.insert(name);
                }
            }
            Ok(self.0)
        }
    }

    serde_json::Deserializer::from_slice(header).deserialize_map(NamesVisitor(None)).ok().flatten()
}

fn to_dtype(dtype: Dtype) -> Option<DType> {
    Some(match dtype {
        Dtype::F16 => DType::Float16,
        Dtype::BF16 => DType::BFloat16,
        Dtype::F32 => DType::Float32,
        Dtype::F64 => DType::Float64,
        Dtype::I8 => DType::Int8,
        Dtype::I16 => DType::Int16,
        Dtype::I32 => DType::Int32,
        Dtype::I64 => DType::Int64,
        Dtype::U8 => DType::UInt8,
        Dtype::U16 => DType::UInt16,
        Dtype::U32 => DType::UInt32,
        Dtype::U64 => DType::UInt64,
        _ => return None,
    })
}
