use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};

use super::{ReadAt, source};

/// Bytes that are unpacked at a time.
const CHUNK_BYTES: usize = 1 << 20;
/// Chunks after which it is noted how to go on from there: a jump unpacks no more than these anew.
const CHUNKS_PER_CHECKPOINT: u64 = 8;
/// Packed bytes that are read at a time.
const INPUT_BYTES: usize = 1 << 16;
/// Jumps after which unpacked chunks are kept: whoever jumps a few times only begins anew.
const JUMPS_BEFORE_CACHING: u32 = 4;

thread_local! {
    /// Bytes of unpacked chunks that all sources of this thread keep together.
    static CACHED_BYTES: Cell<u64> = const { Cell::new(0) };
}

/// Most that they may keep, in bytes: as much as a run may take unless it is asked for more.
pub(super) const CACHED_BYTES_MAX: u64 = super::MEMORY_CAP;

/// What deflate packed, read as if it were not: unpacked as it is asked for, in memory that does not
/// grow with it. Whoever reads on from where they are pays once; whoever jumps pays for a few chunks, and
/// where many jump for the memory to keep them, within a bound that all share.
pub(super) struct DeflateReader {
    source: Rc<dyn ReadAt>,
    /// Where the packed bytes begin, and how many there are.
    from: u64,
    packed: u64,
    size: u64,
    crc: u32,
    state: RefCell<State>,
}

/// Where a stream is: all it takes to go on from there.
#[derive(Clone)]
struct Checkpoint {
    inflate: Box<InflateState>,
    /// Packed bytes that have been used.
    used: u64,
    /// The next chunk.
    chunk: u64,
}

struct State {
    place: Checkpoint,
    /// Every [`CHUNKS_PER_CHECKPOINT`]th place that has been seen, by its chunk.
    marks: BTreeMap<u64, Checkpoint>,
    /// The chunk before the place, if it is one.
    last: Vec<u8>,
    jumps: u32,
    kept: BTreeMap<u64, Vec<u8>>,
}

impl Checkpoint {
    fn start() -> Self {
        Self { inflate: InflateState::new_boxed(DataFormat::Raw), used: 0, chunk: 0 }
    }
}

impl Drop for State {
    fn drop(&mut self) {
        let bytes: u64 = self.kept.values().map(|chunk| chunk.len() as u64).sum();
        CACHED_BYTES.set(CACHED_BYTES.get().saturating_sub(bytes));
    }
}

impl DeflateReader {
    /// The packed bytes are `packed` of the source's, from `from` on; they are said to become `size`, of
    /// that checksum. Nothing is read.
    pub(super) fn new(source: &Rc<dyn ReadAt>, (from, packed): (u64, u64), size: u64, crc: u32) -> Self {
        let place = Checkpoint::start();
        let state = State { place, marks: BTreeMap::new(), last: Vec::new(), jumps: 0, kept: BTreeMap::new() };
        let source = Rc::clone(source);
        Self { source, from, packed, size, crc, state: RefCell::new(state) }
    }

    /// Bytes of a chunk.
    fn chunk_length(&self, chunk: u64) -> usize {
        (self.size - chunk * CHUNK_BYTES as u64).min(CHUNK_BYTES as u64) as usize
    }

    /// Unpacks the next chunk.
    fn unpack_chunk(&self, place: &mut Checkpoint, into: &mut Vec<u8>) -> Result<(), String> {
        into.clear();
        into.resize(self.chunk_length(place.chunk), 0);
        let mut done = 0;
        while done < into.len() {
            let (status, written) = self.inflate_step(place, &mut into[done..])?;
            done += written;
            if status == MZStatus::StreamEnd && done < into.len() {
                return Err("it unpacks to less than its header says".to_owned());
            }
        }
        place.chunk += 1;
        Ok(())
    }

    /// Refuses a stream that goes on.
    fn check_end(&self, place: &mut Checkpoint) -> Result<(), String> {
        loop {
            match self.inflate_step(place, &mut [0])? {
                (_, 1..) => return Err("it unpacks to more than its header says".to_owned()),
                (MZStatus::StreamEnd, _) => return Ok(()),
                _ => {}
            }
        }
    }

    /// Unpacks what a piece of input gives; refuses where nothing comes of it.
    fn inflate_step(&self, place: &mut Checkpoint, into: &mut [u8]) -> Result<(MZStatus, usize), String> {
        let mut input = [0; INPUT_BYTES];
        let held = (self.packed - place.used).min(INPUT_BYTES as u64) as usize;
        self.source.read_at(self.from + place.used, &mut input[..held])?;
        let result = inflate(&mut place.inflate, &input[..held], into, MZFlush::None);
        place.used += result.bytes_consumed as u64;
        match result.status {
            Ok(MZStatus::StreamEnd) => Ok((MZStatus::StreamEnd, result.bytes_written)),
            Ok(_) | Err(MZError::Buf) if result.bytes_consumed == 0 && result.bytes_written == 0 => {
                Err("its packed bytes end before".to_owned())
            }
            Ok(status) => Ok((status, result.bytes_written)),
            Err(_) => Err("its packed bytes are damaged".to_owned()),
        }
    }

    /// Hands over a chunk, unpacked.
    fn with_chunk(&self, chunk: u64, take: impl FnOnce(&[u8])) -> Result<(), String> {
        let mut state = self.state.try_borrow_mut().map_err(|_| "it is read already")?;
        let State { place, marks, last, jumps, kept } = &mut *state;
        if place.chunk == chunk + 1 && last.len() == self.chunk_length(chunk) {
            take(last);
            return Ok(());
        }
        if let Some(bytes) = kept.get(&chunk) {
            take(bytes);
            return Ok(());
        }
        if chunk < place.chunk || chunk - place.chunk > CHUNKS_PER_CHECKPOINT {
            let mark = marks.range(..=chunk).next_back().map(|(_, mark)| mark);
            // Forward only where that is nearer.
            if chunk < place.chunk || mark.is_some_and(|mark| mark.chunk > place.chunk) {
                *place = mark.cloned().unwrap_or_else(Checkpoint::start);
                *jumps = jumps.saturating_add(u32::from(chunk > 0));
            }
        }
        while place.chunk <= chunk {
            if place.chunk.is_multiple_of(CHUNKS_PER_CHECKPOINT) && !marks.contains_key(&place.chunk) {
                marks.insert(place.chunk, place.clone());
            }
            let at = place.chunk;
            if let Err(reason) = self.unpack_chunk(place, last) {
                // What failed is begun anew, whoever asks again.
                *place = Checkpoint::start();
                last.clear();
                return Err(reason);
            }
            let bytes = last.len() as u64;
            if *jumps > JUMPS_BEFORE_CACHING
                && CACHED_BYTES.get() + bytes <= CACHED_BYTES_MAX
                && !kept.contains_key(&at)
            {
                CACHED_BYTES.set(CACHED_BYTES.get() + bytes);
                kept.insert(at, last.clone());
            }
        }
        take(last);
        Ok(())
    }
}

impl ReadAt for DeflateReader {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, into: &mut [u8]) -> Result<(), String> {
        source::check_range(self.size, offset, into.len())?;
        let mut done = 0;
        while done < into.len() {
            let at = offset + done as u64;
            let start = (at % CHUNK_BYTES as u64) as usize;
            let mut some = 0;
            self.with_chunk(at / CHUNK_BYTES as u64, |bytes| {
                some = (bytes.len() - start).min(into.len() - done);
                into[done..done + some].copy_from_slice(&bytes[start..start + some]);
            })?;
            done += some;
        }
        Ok(())
    }

    fn verify_bytes(&self) -> Result<(), String> {
        let mut place = Checkpoint::start();
        let mut chunk = Vec::new();
        let mut sum = crc32fast::Hasher::new();
        for _ in 0..self.size.div_ceil(CHUNK_BYTES as u64) {
            self.unpack_chunk(&mut place, &mut chunk)?;
            sum.update(&chunk);
        }
        self.check_end(&mut place)?;
        if sum.finalize() != self.crc {
            return Err(super::CHECKSUM_MISMATCH.to_owned());
        }
        Ok(())
    }

    fn held_bytes(&self) -> u64 {
        self.size.min(CACHED_BYTES_MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, write::DeflateEncoder};

    use super::*;

    /// Bytes that deflate makes something of, but not nothing.
    fn bytes(size: usize) -> Vec<u8> {
        (0..size as u64).map(|i| ((i * i / 97) ^ (i >> 13)) as u8).collect()
    }

    fn inflated(bytes: &[u8]) -> DeflateReader {
        let mut encoder = DeflateEncoder::new(vec![7; 5], Compression::fast());
        encoder.write_all(bytes).unwrap();
        let packed = encoder.finish().unwrap();
        let crc = crc32fast::hash(bytes);
        let length = packed.len() as u64 - 5;
        let source: Rc<dyn ReadAt> = Rc::new(packed);
        DeflateReader::new(&source, (5, length), bytes.len() as u64, crc)
    }

    #[test]
    fn any_place_is_read_as_if_nothing_were_packed() {
        let bytes = bytes(11 * CHUNK_BYTES + 4321);
        let source = inflated(&bytes);
        source.verify_bytes().unwrap();
        let mut at = 12_345;
        let mut part = vec![0; CHUNK_BYTES / 2];
        for round in 0..24 {
            // Many of them back, some on, some across chunks.
            at = (at * 7_919 + round) % (bytes.len() - part.len());
            let some = 1 + at % part.len();
            source.read_at(at as u64, &mut part[..some]).unwrap();
            assert!(part[..some] == bytes[at..at + some], "{some} bytes from {at}");
        }
        assert!(CACHED_BYTES.get() > 0, "so many jumps are worth keeping what is unpacked");
        drop(source);
        assert_eq!(CACHED_BYTES.get(), 0, "what is closed is kept no more");
    }

    #[test]
    fn one_pass_after_the_other_keeps_nothing() {
        let bytes = bytes(2 * CHUNK_BYTES);
        let source = inflated(&bytes);
        let mut part = vec![0; CHUNK_BYTES / 3];
        for _ in 0..6 {
            for start in (0..bytes.len() - part.len()).step_by(part.len()) {
                source.read_at(start as u64, &mut part).unwrap();
            }
        }
        assert_eq!(CACHED_BYTES.get(), 0);
    }

    #[test]
    fn what_is_damaged_or_of_another_length_is_refused() {
        let bytes = bytes(2 * CHUNK_BYTES + 5);
        let reason = |change: &dyn Fn(&mut DeflateReader)| {
            let mut source = inflated(&bytes);
            change(&mut source);
            source.verify_bytes().unwrap_err()
        };
        assert!(reason(&|source| source.crc ^= 1).contains("checksum"));
        assert!(reason(&|source| source.size -= 1).contains("more"));
        assert!(reason(&|source| source.size += 1).contains("less"));
        assert!(reason(&|source| source.packed -= 9).contains("end before"));
        let mut whole = vec![0; bytes.len()];
        let mut source = inflated(&bytes);
        source.packed -= 9;
        assert!(source.read_at(0, &mut whole).is_err() && source.read_at(0, &mut whole).is_err());
        source.read_at(0, &mut whole[..9]).unwrap();
        assert_eq!(whole[..9], bytes[..9]);
    }
}
