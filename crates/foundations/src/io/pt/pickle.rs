//! The pickle of a file of PyTorch's, interpreted as data: the few opcodes and globals that tensors need. Nothing is
//! imported, called or executed; whatever else it asks for is refused by its name.

use std::collections::HashMap;

use super::super::{DType, IoError};

/// Largest pickle that is read, in bytes: some 30,000 tensors.
pub(super) const PICKLE_BYTES_MAX: u64 = 8 << 20;
/// Most values on the stack, marks apart.
const STACK_MAX: usize = 1 << 16;
/// Most dimensions of a tensor.
const DIMENSIONS_MAX: usize = 32;

/// A value's place in [`Pickle::nodes`].
pub(super) type NodeId = u32;

/// What a value is. Those that hold others name them by their places, so that nothing recurses.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    None,
    Bool(bool),
    Int(i64),
    /// A whole number of more than 8 bytes, least first.
    Long(Vec<u8>),
    Float(f64),
    Text(String),
    Global(Global),
    Tuple(Vec<NodeId>),
    List(Vec<NodeId>),
    /// Keys and values, in the order in which they were set.
    Dict(Vec<(NodeId, NodeId)>),
    Storage(StorageRef),
    Tensor(Tensor),
    /// Indices and values of a sparse tensor in coordinates, and its shape.
    Sparse {
        indices: NodeId,
        values: NodeId,
        shape: Vec<u64>,
    },
    /// The word of a layout of tensors.
    Layout,
}

/// Numbers of a storage, by the key of the entry that has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StorageRef {
    /// None of bytes without a type.
    pub dtype: Option<DType>,
    pub key: String,
    /// Numbers, or bytes of those without a type.
    pub count: u64,
}

/// A tensor: a view of a storage, in numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tensor {
    pub dtype: DType,
    pub storage_key: String,
    /// Numbers of this type in the storage.
    pub storage_count: u64,
    pub offset: u64,
    pub shape: Vec<u64>,
    pub strides: Vec<u64>,
}

/// What a name of a module stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Global {
    OrderedDict,
    RebuildTensor,
    /// With a type of its own, of a storage without one.
    RebuildTyped,
    RebuildParameter,
    RebuildSparse,
    GetLayout,
    Size,
    /// A storage of numbers of a type; none of bytes.
    Storage(Option<DType>),
    Type(DType),
}

/// Names that are understood. Nothing of them is imported.
const GLOBALS: [(&str, &str, Global); 33] = [
    ("collections", "OrderedDict", Global::OrderedDict),
    ("torch._utils", "_rebuild_tensor_v2", Global::RebuildTensor),
    ("torch._utils", "_rebuild_tensor_v3", Global::RebuildTyped),
    ("torch._utils", "_rebuild_parameter", Global::RebuildParameter),
    ("torch._utils", "_rebuild_parameter_with_state", Global::RebuildParameter),
    ("torch._utils", "_rebuild_sparse_tensor", Global::RebuildSparse),
    ("torch.serialization", "_get_layout", Global::GetLayout),
    ("torch", "Size", Global::Size),
    ("torch", "FloatStorage", Global::Storage(Some(DType::Float32))),
    ("torch", "DoubleStorage", Global::Storage(Some(DType::Float64))),
    ("torch", "HalfStorage", Global::Storage(Some(DType::Float16))),
    ("torch", "BFloat16Storage", Global::Storage(Some(DType::BFloat16))),
    ("torch", "LongStorage", Global::Storage(Some(DType::Int64))),
    ("torch", "IntStorage", Global::Storage(Some(DType::Int32))),
    ("torch", "ShortStorage", Global::Storage(Some(DType::Int16))),
    ("torch", "CharStorage", Global::Storage(Some(DType::Int8))),
    ("torch", "ByteStorage", Global::Storage(Some(DType::UInt8))),
    // A byte each, 0 or 1.
    ("torch", "BoolStorage", Global::Storage(Some(DType::UInt8))),
    ("torch.storage", "UntypedStorage", Global::Storage(None)),
    ("torch", "UntypedStorage", Global::Storage(None)),
    ("torch", "float32", Global::Type(DType::Float32)),
    ("torch", "float64", Global::Type(DType::Float64)),
    ("torch", "float16", Global::Type(DType::Float16)),
    ("torch", "bfloat16", Global::Type(DType::BFloat16)),
    ("torch", "int64", Global::Type(DType::Int64)),
    ("torch", "int32", Global::Type(DType::Int32)),
    ("torch", "int16", Global::Type(DType::Int16)),
    ("torch", "int8", Global::Type(DType::Int8)),
    ("torch", "uint8", Global::Type(DType::UInt8)),
    ("torch", "bool", Global::Type(DType::UInt8)),
    ("torch", "uint16", Global::Type(DType::UInt16)),
    ("torch", "uint32", Global::Type(DType::UInt32)),
    ("torch", "uint64", Global::Type(DType::UInt64)),
];

/// What else than a tensor a name asks for, with what helps.
const MODULE_HINT: &str =
    "tensors alone: torch.save(model.state_dict(), \"x.pt\") saves those of a module without its classes";
const ALLOWED_TENSORS: &str = "tensors, numbers and text in dictionaries, as torch.save(state_dict) writes them";

/// A pickle that was read: every value it made, and the last one.
pub(super) struct Pickle {
    pub nodes: Vec<Node>,
    pub root: NodeId,
    /// Bytes that it took.
    pub byte_length: usize,
}

impl Pickle {
    pub fn get(&self, id: NodeId) -> &Node {
        self.nodes.get(id as usize).unwrap_or(&Node::None)
    }
}

struct Unpickler<'a> {
    file: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// Where the opcode that is read begins.
    op: usize,
    nodes: Vec<Node>,
    stack: Vec<NodeId>,
    marks: Vec<usize>,
    memo: HashMap<u32, NodeId>,
}

/// Reads the pickle that `bytes` begin with.
///
/// # Errors
/// [`IoError::Pickle`] with the byte and what is there.
pub(super) fn read(file: &str, bytes: &[u8]) -> Result<Pickle, IoError> {
    let machine = Unpickler {
        file,
        bytes,
        at: 0,
        op: 0,
        nodes: Vec::new(),
        stack: Vec::new(),
        marks: Vec::new(),
        memo: HashMap::new(),
    };
    machine.run()
}

type PickleResult<T> = Result<T, IoError>;

impl<'a> Unpickler<'a> {
    fn refuse<T>(&self, found: impl Into<String>, allowed: &str) -> PickleResult<T> {
        Err(IoError::Pickle {
            file: self.file.to_owned(),
            at: self.op as u64,
            found: found.into(),
            allowed: allowed.to_owned(),
        })
    }

    fn take_bytes(&mut self, count: usize) -> PickleResult<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let Some(end) = end else {
            return self.refuse("the end, before the pickle's", "a whole file");
        };
        let bytes: &'a [u8] = self.bytes;
        let taken = &bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn read_number<const N: usize>(&mut self) -> PickleResult<u64> {
        Ok(self.take_bytes(N)?.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    fn read_text(&mut self, length: u64) -> PickleResult<String> {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        match std::str::from_utf8(self.take_bytes(length)?) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => self.refuse("text that is not UTF-8", ALLOWED_TENSORS),
        }
    }

    /// To the end of the line, which is left behind.
    fn read_line(&mut self) -> PickleResult<String> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let length = rest.iter().take(1_000).position(|byte| *byte == b'\n');
        let Some(length) = length else {
            return self.refuse("a name without an end", ALLOWED_TENSORS);
        };
        let line = self.read_text(length as u64)?;
        self.at += 1;
        Ok(line)
    }

    fn push(&mut self, node: Node) -> PickleResult<()> {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.push_id(id)
    }

    fn push_id(&mut self, id: NodeId) -> PickleResult<()> {
        if self.stack.len() >= STACK_MAX {
            return self.refuse(format!("more than {STACK_MAX} values at once"), ALLOWED_TENSORS);
        }
        self.stack.push(id);
        Ok(())
    }

    fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id as usize).unwrap_or(&Node::None)
    }

    fn pop(&mut self) -> PickleResult<NodeId> {
        let floor = self.marks.last().copied().unwrap_or(0);
        match self.stack.pop() {
            Some(id) if self.stack.len() >= floor => Ok(id),
            _ => self.refuse("an opcode without its values", ALLOWED_TENSORS),
        }
    }

    fn top(&self) -> PickleResult<NodeId> {
        match self.stack.last() {
            Some(id) => Ok(*id),
            None => self.refuse("an opcode without its value", ALLOWED_TENSORS),
        }
    }

    /// What is above the last mark.
    fn pop_mark(&mut self) -> PickleResult<Vec<NodeId>> {
        match self.marks.pop() {
            Some(mark) if mark <= self.stack.len() => Ok(self.stack.split_off(mark)),
            _ => self.refuse("an opcode without its mark", ALLOWED_TENSORS),
        }
    }

    fn push_tuple(&mut self, count: usize) -> PickleResult<()> {
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(self.pop()?);
        }
        items.reverse();
        self.push(Node::Tuple(items))
    }

    fn memoize(&mut self, index: u64) -> PickleResult<()> {
        let id = self.top()?;
        // Of 4 bytes at most.
        self.memo.insert(index as u32, id);
        Ok(())
    }

    fn push_memo(&mut self, index: u64) -> PickleResult<()> {
        match self.memo.get(&(index as u32)) {
            Some(id) => self.push_id(*id),
            None => self.refuse("a value that was not kept", ALLOWED_TENSORS),
        }
    }

    fn append_items(&mut self, items: Vec<NodeId>) -> PickleResult<()> {
        let id = self.top()? as usize;
        match self.nodes.get_mut(id) {
            Some(Node::List(list)) => list.extend(items),
            _ => return self.refuse("items for what is no list", ALLOWED_TENSORS),
        }
        Ok(())
    }

    fn set_items(&mut self, items: &[NodeId]) -> PickleResult<()> {
        let id = self.top()? as usize;
        let (pairs, rest) = items.as_chunks::<2>();
        match self.nodes.get_mut(id) {
            Some(Node::Dict(dict)) if rest.is_empty() => {
                dict.extend(pairs.iter().map(|[key, value]| (*key, *value)));
            }
            _ => return self.refuse("items for what is no dictionary", ALLOWED_TENSORS),
        }
        Ok(())
    }

    fn push_global(&mut self, module: &str, name: &str) -> PickleResult<()> {
        let known = GLOBALS.iter().find(|(m, n, _)| (*m, *n) == (module, name));
        match known {
            Some((.., global)) => self.push(Node::Global(*global)),
            None => {
                let allowed = if module.starts_with("torch.nn") || !module.starts_with("torch") {
                    MODULE_HINT
                } else {
                    ALLOWED_TENSORS
                };
                self.refuse(format!("the name {module}.{name}, which is not imported"), allowed)
            }
        }
    }

    fn run(mut self) -> PickleResult<Pickle> {
        loop {
            self.op = self.at;
            let &[opcode] = self.take_bytes(1)? else { continue };
            match opcode {
                // PROTO
                0x80 => match self.read_number::<1>()? {
                    2..=5 => {}
                    other => return self.refuse(format!("protocol {other}"), "protocols 2 to 5"),
                },
                // FRAME: of no matter to bytes that are there.
                0x95 => drop(self.read_number::<8>()?),
                b'(' => {
                    if self.marks.len() >= STACK_MAX {
                        return self.refuse(format!("more than {STACK_MAX} marks"), ALLOWED_TENSORS);
                    }
                    self.marks.push(self.stack.len());
                }
                b'N' => self.push(Node::None)?,
                0x88 => self.push(Node::Bool(true))?,
                0x89 => self.push(Node::Bool(false))?,
                b'K' => self.push_small_int::<1>()?,
                b'M' => self.push_small_int::<2>()?,
                b'J' => {
                    let value = self.read_number::<4>()? as u32;
                    self.push(Node::Int(i64::from(value as i32)))?;
                }
                0x8a => self.push_long()?,
                b'G' => {
                    let bits = self.read_number::<8>()?;
                    self.push(Node::Float(f64::from_bits(bits.swap_bytes())))?;
                }
                b'X' => {
                    let length = self.read_number::<4>()?;
                    let text = self.read_text(length)?;
                    self.push(Node::Text(text))?;
                }
                0x8c => {
                    let length = self.read_number::<1>()?;
                    let text = self.read_text(length)?;
                    self.push(Node::Text(text))?;
                }
                b'c' => {
                    let (module, name) = (self.read_line()?, self.read_line()?);
                    self.push_global(&module, &name)?;
                }
                0x93 => {
                    let (name, module) = (self.pop()?, self.pop()?);
                    match (self.node(module).clone(), self.node(name).clone()) {
                        (Node::Text(module), Node::Text(name)) => self.push_global(&module, &name)?,
                        _ => return self.refuse("a name that is no text", ALLOWED_TENSORS),
                    }
                }
                b'}' => self.push(Node::Dict(Vec::new()))?,
                b']' => self.push(Node::List(Vec::new()))?,
                b')' => self.push(Node::Tuple(Vec::new()))?,
                b't' => {
                    let items = self.pop_mark()?;
                    self.push(Node::Tuple(items))?;
                }
                0x85 => self.push_tuple(1)?,
                0x86 => self.push_tuple(2)?,
                0x87 => self.push_tuple(3)?,
                b'a' => {
                    let item = self.pop()?;
                    self.append_items(vec![item])?;
                }
                b'e' => {
                    let items = self.pop_mark()?;
                    self.append_items(items)?;
                }
                b's' => {
                    let (value, key) = (self.pop()?, self.pop()?);
                    self.set_items(&[key, value])?;
                }
                b'u' => {
                    let items = self.pop_mark()?;
                    self.set_items(&items)?;
                }
                b'q' => {
                    let index = self.read_number::<1>()?;
                    self.memoize(index)?;
                }
                b'r' => {
                    let index = self.read_number::<4>()?;
                    self.memoize(index)?;
                }
                0x94 => self.memoize(self.memo.len() as u64)?,
                b'h' => {
                    let index = self.read_number::<1>()?;
                    self.push_memo(index)?;
                }
                b'j' => {
                    let index = self.read_number::<4>()?;
                    self.push_memo(index)?;
                }
                b'Q' => self.push_persistent()?,
                b'R' => self.reduce()?,
                b'b' => {
                    self.pop()?;
                    let of = self.top()?;
                    // What hangs on a dictionary of tensors beside its items: versions of modules.
                    if !matches!(self.node(of), Node::Dict(_)) {
                        return self.refuse("a state for what is no dictionary", MODULE_HINT);
                    }
                }
                b'.' => {
                    let top = self.pop()?;
                    return Ok(Pickle { nodes: self.nodes, root: top, byte_length: self.at });
                }
                other => {
                    let shown = char::from(other).escape_default();
                    let found = format!("the opcode {other:#04x} ({shown}), which is not executed");
                    return self.refuse(found, MODULE_HINT);
                }
            }
        }
    }

    fn push_small_int<const N: usize>(&mut self) -> PickleResult<()> {
        let value = self.read_number::<N>()?;
        self.push(Node::Int(value as i64))
    }

    /// A whole number of some bytes, least first, in two's complement.
    fn push_long(&mut self) -> PickleResult<()> {
        let length = self.read_number::<1>()? as usize;
        let bytes = self.take_bytes(length)?.to_vec();
        if length > 8 {
            return self.push(Node::Long(bytes));
        }
        let negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
        let mut wide = [if negative { 0xff } else { 0 }; 8];
        wide.iter_mut().zip(&bytes).for_each(|(wide, byte)| *wide = *byte);
        self.push(Node::Int(i64::from_le_bytes(wide)))
    }

    /// What a file keeps beside its pickle: numbers of a storage.
    fn push_persistent(&mut self) -> PickleResult<()> {
        let id = self.pop()?;
        let parts = match self.node(id) {
            Node::Tuple(parts) => parts.clone(),
            _ => return self.refuse("a reference that is no tuple", ALLOWED_TENSORS),
        };
        let parts: Vec<&Node> = parts.iter().map(|part| self.node(*part)).collect();
        let storage = match parts.as_slice() {
            [
                Node::Text(kind),
                Node::Global(Global::Storage(dtype)),
                Node::Text(key),
                _,
                Node::Int(count),
                rest @ ..,
            ] if kind == "storage" && matches!(rest, [] | [Node::None]) => u64::try_from(*count)
                .ok()
                .map(|count| Node::Storage(StorageRef { dtype: *dtype, key: key.clone(), count })),
            _ => None,
        };
        match storage {
            Some(storage) => self.push(storage),
            None => self.refuse("a reference to something else than a storage", ALLOWED_TENSORS),
        }
    }

    fn reduce(&mut self) -> PickleResult<()> {
        let (arguments, of) = (self.pop()?, self.pop()?);
        let (Node::Global(of), Node::Tuple(arguments)) = (self.node(of).clone(), self.node(arguments).clone()) else {
            return self.refuse("a call of what is no name", ALLOWED_TENSORS);
        };
        let made = match of {
            Global::OrderedDict if arguments.is_empty() => Some(Node::Dict(Vec::new())),
            Global::RebuildTensor | Global::RebuildTyped => {
                let tensor = self.parse_tensor(&arguments, of == Global::RebuildTyped)?;
                Some(Node::Tensor(tensor))
            }
            Global::RebuildParameter => match arguments.first() {
                Some(id) if matches!(self.node(*id), Node::Tensor(_)) => return self.push_id(*id),
                _ => None,
            },
            Global::GetLayout => match arguments.as_slice() {
                [id] if matches!(self.node(*id), Node::Text(word) if word == "torch.sparse_coo") => Some(Node::Layout),
                _ => None,
            },
            Global::Size => match arguments.as_slice() {
                [id] if matches!(self.node(*id), Node::Tuple(_)) => return self.push_id(*id),
                _ => None,
            },
            Global::RebuildSparse => self.parse_sparse(&arguments),
            Global::OrderedDict | Global::Storage(_) | Global::Type(_) => None,
        };
        match made {
            Some(node) => self.push(node),
            None => self.refuse(format!("a call of {}, with other arguments than its own", of.name()), ALLOWED_TENSORS),
        }
    }

    /// (layout, (indices, values, shape, …)).
    fn parse_sparse(&self, arguments: &[NodeId]) -> Option<Node> {
        let [layout, parts] = *arguments else { return None };
        let (Node::Layout, Node::Tuple(parts)) = (self.node(layout), self.node(parts)) else {
            return None;
        };
        let [indices, values, shape, ..] = *parts.as_slice() else { return None };
        let tensors = [indices, values].iter().all(|id| matches!(self.node(*id), Node::Tensor(_)));
        let shape = self.parse_sizes(shape).filter(|_| tensors)?;
        Some(Node::Sparse { indices, values, shape })
    }

    /// A tuple of numbers that are not negative.
    fn parse_sizes(&self, id: NodeId) -> Option<Vec<u64>> {
        let Node::Tuple(items) = self.node(id) else { return None };
        let number = |id: &NodeId| match self.node(*id) {
            Node::Int(number) => u64::try_from(*number).ok(),
            _ => None,
        };
        items.iter().map(number).collect::<Option<Vec<u64>>>().filter(|sizes| sizes.len() <= DIMENSIONS_MAX)
    }

    /// (storage, offset, shape, strides, requires_grad, hooks, …).
    fn parse_tensor(&self, arguments: &[NodeId], typed: bool) -> PickleResult<Tensor> {
        let wrong = |what: &str| self.refuse(format!("a tensor {what}"), ALLOWED_TENSORS);
        let [storage, offset, shape, strides, ..] = *arguments else {
            return wrong("without its storage, offset, shape and strides");
        };
        let Node::Storage(StorageRef { dtype, key, count }) = self.node(storage) else {
            return wrong("of something else than a storage");
        };
        let offset = match self.node(offset) {
            Node::Int(offset) => u64::try_from(*offset).ok(),
            _ => None,
        };
        let (Some(offset), Some(shape), Some(strides)) = (offset, self.parse_sizes(shape), self.parse_sizes(strides))
        else {
            return wrong("whose offset, shape or strides are no whole numbers from 0, or too many");
        };
        let own = match (typed, arguments.get(6).map(|id| self.node(*id))) {
            (true, Some(Node::Global(Global::Type(own)))) => Some(*own),
            (true, _) => None,
            (false, _) => *dtype,
        };
        let Some(own) = own else { return wrong("of numbers that are not read") };
        let bytes = dtype.map_or(1, DType::size) as u64;
        let count = count.saturating_mul(bytes) / own.size() as u64;
        if shape.len() != strides.len() {
            return wrong("with another number of strides than of dimensions");
        }
        // The last number that it reaches; none of one without numbers.
        let empty = shape.contains(&0);
        let reach = shape.iter().zip(&strides).try_fold(offset, |reach, (size, stride)| {
            size.saturating_sub(1).checked_mul(*stride).and_then(|by| reach.checked_add(by))
        });
        if !empty && reach.is_none_or(|reach| reach >= count) {
            return wrong("that reaches beyond its storage");
        }
        // Where a stride is 0 a few bytes may claim to be many.
        let numbers = shape.iter().try_fold(1u64, |all, size| all.checked_mul(*size));
        let most = count.max(super::EXPANDED_ELEMENTS_MAX);
        if !empty && numbers.is_none_or(|numbers| numbers > most) {
            return wrong("of more numbers than its storage has");
        }
        Ok(Tensor { dtype: own, storage_key: key.clone(), storage_count: count, offset, shape, strides })
    }
}

impl Global {
    fn name(self) -> String {
        let known = GLOBALS.iter().find(|(.., global)| *global == self);
        known.map_or_else(String::new, |(module, name, _)| format!("{module}.{name}"))
    }
}
