//! Files of PyTorch's `torch.save`, zip archives and the older form before version 1.6, read without executing
//! anything: see [`pickle`].

mod pickle;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use zip::ZipArchive;

use super::array::{Array, Layout, Storage, payload_bytes};
use super::folder::{UnpackBudget, open_entry};
use super::npz::{SourceCursor, normalise_path};
use super::strided::Strided;
use super::{ARRAYS_MAX, ChecksumRange, IoError, PackedEntry, PendingChecksums, ReadAt, Scalar, source};
use pickle::{Node, NodeId, PICKLE_BYTES_MAX, Pickle, Tensor};

/// The entry of an archive that says what the others are.
const PICKLE_ENTRY: &str = "data.pkl";
/// Numbers that a tensor may repeat of a storage with fewer: an expanded bias.
const EXPANDED_ELEMENTS_MAX: u64 = 1 << 20;
/// How deep dictionaries may be in one another.
const DEPTH_MAX: usize = 8;
/// Dictionaries, lists and what they hold, all together.
const VISITED_NODES_MAX: usize = 8 * ARRAYS_MAX;
/// What the older form begins with, pickled, and the version after it.
const LEGACY_MAGIC: [u8; 10] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19];
const LEGACY_VERSION: i64 = 1001;

/// What a file holds besides arrays: numbers and words under their keys.
pub(super) type Scalars = Vec<(String, Scalar)>;

/// Where what a file takes is put.
pub(super) struct SideOutput<'a> {
    pub checks: &'a mut PendingChecksums,
    pub unreadable_arrays: &'a mut Vec<(String, IoError)>,
    pub scalars: &'a mut Scalars,
}

/// The folder in an archive of PyTorch's; none of another one.
pub(super) fn find_folder<'a>(mut names: impl Iterator<Item = &'a str>) -> Option<String> {
    names.find_map(|name| {
        let before = name.strip_suffix(PICKLE_ENTRY)?;
        (before.is_empty() || before.ends_with('/')).then(|| before.to_owned())
    })
}

/// Whether first bytes are those of the older form.
pub(super) fn is_legacy(begins: &[u8]) -> bool {
    // PROTO 2, LONG1 of 10 bytes.
    begins.starts_with(&[0x80, 2, 0x8a, 10]) && begins.get(4..14) == Some(&LEGACY_MAGIC[..])
}

/// Numbers of a storage, somewhere in a source.
#[derive(Clone)]
struct StorageLocation {
    source: Rc<dyn ReadAt>,
    from: u64,
    bytes: u64,
}

/// The tensors of an archive.
pub(super) fn open_zip(
    file: &str,
    source: &Rc<dyn ReadAt>,
    archive: &mut ZipArchive<SourceCursor>,
    folder: &str,
    cap: u64,
    into: SideOutput<'_>,
) -> Result<Vec<Array>, IoError> {
    let wrong = |entry: &str, reason: String| IoError::archive(file, entry, reason);
    let mut budget = UnpackBudget::new(cap);
    let checks = &mut *into.checks;
    let mut open = |name: &str| -> Result<StorageLocation, IoError> {
        let name = format!("{folder}{name}");
        let index = archive.index_for_name(&name);
        let Some(index) = index else {
            return Err(wrong(&name, "it is not in the archive".to_owned()));
        };
        let mut zipped = archive.by_index(index).map_err(|error| wrong(&name, error.to_string()))?;
        let (crc, begin, stored) =
            (zipped.crc32(), zipped.data_start(), zipped.compression() == zip::CompressionMethod::Stored);
        let part: Rc<dyn ReadAt> = open_entry(file, &name, source, &mut zipped, &mut budget)?.into();
        let bytes = part.size();
        match begin.filter(|_| stored) {
            // Without a checksum, as PyTorch may be told to write, it is 0.
            Some(from) if crc != 0 => {
                let end = from.saturating_add(bytes);
                checks.stretches.push(ChecksumRange { entry: name, from, end, crc });
            }
            Some(_) => {}
            None => checks.packed.push(PackedEntry { entry: name, source: Rc::clone(&part) }),
        }
        Ok(StorageLocation { source: part, from: 0, bytes })
    };
    let small = |numbers: &StorageLocation, name: &str, cap: u64| -> Result<Vec<u8>, IoError> {
        super::read_capped(file, &*numbers.source, name, cap)
    };
    let order = format!("{folder}byteorder");
    if let Ok(numbers) = open("byteorder") {
        let order_held = small(&numbers, &order, 64)?;
        if order_held != b"little" {
            let found = String::from_utf8_lossy(&order_held).into_owned();
            return Err(wrong(&order, format!("numbers in the order {found}; allowed: little")));
        }
    }
    let bytes = small(&open(PICKLE_ENTRY)?, PICKLE_ENTRY, PICKLE_BYTES_MAX)?;
    let pickle = pickle::read(file, &bytes)?;
    let mut storages: HashMap<String, StorageLocation> = HashMap::new();
    let numbers = |tensor: &Tensor| -> Result<StorageLocation, IoError> {
        if let Some(held) = storages.get(&tensor.storage_key) {
            return Ok(held.clone());
        }
        let held = open(&format!("data/{}", tensor.storage_key))?;
        storages.insert(tensor.storage_key.clone(), held.clone());
        Ok(held)
    };
    collect_arrays(file, &pickle, numbers, into.unreadable_arrays, into.scalars)
}

/// The tensors of the older form: five pickles, then the numbers of storages in the order of the last of them.
pub(super) fn open_legacy(file: &str, source: &Rc<dyn ReadAt>, into: SideOutput<'_>) -> Result<Vec<Array>, IoError> {
    let refuse = |at: u64, found: &str| {
        Err(IoError::Pickle {
            file: file.to_owned(),
            at,
            found: found.to_owned(),
            allowed: "what torch.save writes".to_owned(),
        })
    };
    let mut bytes = vec![0; source.size().min(PICKLE_BYTES_MAX) as usize];
    source::read(file, &**source, 0, &mut bytes)?;
    let mut at = 0;
    let mut next = || -> Result<Pickle, IoError> {
        let pickle = pickle::read(file, bytes.get(at..).unwrap_or_default())?;
        at += pickle.byte_length;
        Ok(pickle)
    };
    let (magic, version, system, object, keys) = (next()?, next()?, next()?, next()?, next()?);
    if *magic.get(magic.root) != Node::Long(LEGACY_MAGIC.to_vec())
        || *version.get(version.root) != Node::Int(LEGACY_VERSION)
    {
        return refuse(0, "another version of the format");
    }
    if let Node::Dict(items) = system.get(system.root) {
        let order =
            items.iter().find(|(key, _)| matches!(system.get(*key), Node::Text(word) if word == "little_endian"));
        if order.is_some_and(|(_, value)| *system.get(*value) != Node::Bool(true)) {
            return refuse(0, "numbers with their greatest byte first");
        }
    }
    // What a key's numbers are, a reference to it says.
    let mut sizes: HashMap<&str, (u64, u64)> = HashMap::new();
    for node in &object.nodes {
        if let Node::Storage(storage) = node {
            let size = storage.dtype.map_or(1, super::DType::size) as u64;
            sizes.insert(&storage.key, (storage.count, size));
        }
    }
    let Node::List(keys_held) = keys.get(keys.root) else {
        return refuse(at as u64, "no list of storages");
    };
    let mut storages: HashMap<String, StorageLocation> = HashMap::new();
    let mut from = at as u64;
    for key in keys_held {
        let known = match keys.get(*key) {
            Node::Text(key) => sizes.get(key.as_str()).map(|size| (key, *size)),
            _ => None,
        };
        let Some((key, (count, size))) = known else {
            return refuse(from, "a storage that nothing refers to");
        };
        let mut held = [0; 8];
        source::read(file, &**source, from, &mut held)?;
        if u64::from_le_bytes(held) != count {
            return refuse(from, "another number of numbers than its storage has");
        }
        let bytes = count.saturating_mul(size);
        let end = (from + 8).checked_add(bytes).filter(|end| *end <= source.size());
        let Some(end) = end else {
            return Err(IoError::Truncated {
                file: file.to_owned(),
                what: "a storage".to_owned(),
                at: from + 8,
                needed: bytes,
                held: source.size() - from - 8,
            });
        };
        let numbers = StorageLocation { source: Rc::clone(source), from: from + 8, bytes };
        storages.insert(key.clone(), numbers);
        from = end;
    }
    let numbers = |tensor: &Tensor| match storages.get(&tensor.storage_key) {
        Some(held) => Ok(held.clone()),
        None => Err(IoError::Pickle {
            file: file.to_owned(),
            at: at as u64,
            found: "a storage that is not in the file".to_owned(),
            allowed: "what torch.save writes".to_owned(),
        }),
    };
    collect_arrays(file, &object, numbers, into.unreadable_arrays, into.scalars)
}

/// What is under a name: a path of keys, with points between.
struct NamedNode {
    name: String,
    id: NodeId,
    depth: usize,
}

/// The tensors of what was pickled, each under the keys on the way to it; numbers and words go to `scalars`.
fn collect_arrays(
    file: &str,
    pickle: &Pickle,
    mut numbers: impl FnMut(&Tensor) -> Result<StorageLocation, IoError>,
    unread: &mut Vec<(String, IoError)>,
    scalars: &mut Scalars,
) -> Result<Vec<Array>, IoError> {
    let refuse = |found: String, allowed: &str| {
        Err(IoError::Pickle { file: file.to_owned(), at: 0, found, allowed: allowed.to_owned() })
    };
    let mut arrays = Vec::new();
    let mut seen: HashSet<String> = HashSet::new();
    let mut open = vec![NamedNode { name: String::new(), id: pickle.root, depth: 0 }];
    let mut visited = 0;
    while let Some(NamedNode { name, id, depth }) = open.pop() {
        visited += 1;
        if visited > VISITED_NODES_MAX || arrays.len() >= ARRAYS_MAX {
            return refuse("more values than are read".to_owned(), &format!("at most {ARRAYS_MAX} tensors"));
        }
        let inner = |key: &str, id: NodeId| NamedNode {
            name: if name.is_empty() { key.to_owned() } else { format!("{name}.{key}") },
            id,
            depth: depth + 1,
        };
        let inside: Vec<NamedNode> = match pickle.get(id) {
            Node::Tensor(tensor) => {
                if !seen.insert(name.clone()) {
                    return refuse(format!("two tensors of the name {name:?}"), "each name once");
                }
                match to_array(file, &name, tensor, numbers(tensor)?) {
                    Ok(array) => arrays.push(array),
                    // It may be empty as long as nobody asks for it.
                    Err(why @ IoError::Shape { .. }) => unread.push((name, why)),
                    Err(why) => return Err(why),
                }
                continue;
            }
            Node::Sparse { indices, values, shape } => {
                let shape = shape.iter().take(2).map(u64::to_string).collect::<Vec<_>>().join(" × ");
                scalars.push((inner("shape", id).name, Scalar::Text(shape)));
                vec![inner("indices", *indices), inner("values", *values)]
            }
            Node::Dict(items) => {
                // As Python has it: the last value of a key, in the place of the first.
                let mut last: HashMap<String, usize> = HashMap::new();
                let mut kept: Vec<NamedNode> = Vec::new();
                for (key, value) in items {
                    let key = match pickle.get(*key) {
                        Node::Text(key) => key.clone(),
                        Node::Int(key) => key.to_string(),
                        _ => continue,
                    };
                    let named = inner(&key, *value);
                    match last.get(&key) {
                        Some(at) => kept[*at] = named,
                        None => {
                            last.insert(key, kept.len());
                            kept.push(named);
                        }
                    }
                }
                kept
            }
            Node::List(items) | Node::Tuple(items) => {
                items.iter().enumerate().map(|(at, id)| inner(&at.to_string(), *id)).collect()
            }
            other => {
                let scalar = match other {
                    Node::Bool(value) => Some(Scalar::Bool(*value)),
                    Node::Int(value) => Some(Scalar::Int(*value)),
                    Node::Float(value) => Some(Scalar::Float(*value)),
                    Node::Text(value) => Some(Scalar::Text(value.clone())),
                    _ => None,
                };
                scalars.extend(scalar.map(|scalar| (name, scalar)));
                continue;
            }
        };
        if depth >= DEPTH_MAX && !inside.is_empty() {
            return refuse("dictionaries in one another".to_owned(), &format!("at most {DEPTH_MAX} deep"));
        }
        if visited + open.len() + inside.len() > VISITED_NODES_MAX {
            return refuse("more values than are read".to_owned(), &format!("at most {ARRAYS_MAX} tensors"));
        }
        open.extend(inside.into_iter().rev());
    }
    if let (true, Some((_, why))) = (arrays.is_empty(), unread.first()) {
        return Err(why.clone());
    }
    if arrays.is_empty() {
        return refuse(
            "no tensor".to_owned(),
            "a tensor, or tensors in dictionaries, as torch.save(state_dict) writes them",
        );
    }
    Ok(arrays)
}

/// A tensor as an array.
fn to_array(file: &str, name: &str, tensor: &Tensor, numbers: StorageLocation) -> Result<Array, IoError> {
    let size = tensor.dtype.size() as u64;
    let needed = tensor.storage_count.saturating_mul(size);
    if needed > numbers.bytes {
        return Err(IoError::Truncated {
            file: file.to_owned(),
            what: format!("the storage {}", tensor.storage_key),
            at: numbers.from,
            needed,
            held: numbers.bytes,
        });
    }
    // The rows or columns of a matrix may be the file's own; all else is gathered as it is read.
    let fortran = tensor.shape.len() == 2 && {
        let turned = |of: &[u64]| of.iter().rev().copied().collect::<Vec<u64>>();
        !is_contiguous(&tensor.shape, &tensor.strides)
            && is_contiguous(&turned(&tensor.shape), &turned(&tensor.strides))
    };
    let layout = Layout { dtype: tensor.dtype, big_endian: false, fortran_order: fortran, shape: tensor.shape.clone() };
    payload_bytes(file, name, &layout)?;
    let from = numbers.from + tensor.offset * size;
    let storage = if fortran || is_contiguous(&tensor.shape, &tensor.strides) {
        Storage::InFile(numbers.source, from)
    } else {
        let view = Strided {
            source: numbers.source,
            offset: from,
            item_size: size,
            shape: tensor.shape.clone(),
            strides: tensor.strides.clone(),
        };
        Storage::InFile(Rc::new(view), 0)
    };
    Ok(Array::new(file, name, layout, storage))
}

/// Whether numbers with these strides follow one another, the last dimension's first.
fn is_contiguous(shape: &[u64], strides: &[u64]) -> bool {
    let mut step = 1;
    for (size, stride) in shape.iter().zip(strides).rev() {
        if *size > 1 && *stride != step {
            return false;
        }
        step *= size;
    }
    true
}

/// The path of an entry, whose folders some programs end by backslashes.
pub(super) fn entry_paths(archive: &ZipArchive<SourceCursor>) -> Vec<String> {
    archive.file_names().filter_map(Result::ok).map(|name| normalise_path(&name)).collect()
}
