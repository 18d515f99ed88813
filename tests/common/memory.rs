//! How much memory something takes. What includes this file has its allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts what each thread holds, and the most it held.
struct Counting;

thread_local! {
    /// What is held, and the most that was. One cell: each is an access, and tests are not optimised.
    static BYTES: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(bytes: isize) {
    // A thread that ends has no cell any more.
    let _ = BYTES.try_with(|cell| {
        let (held, most) = cell.get();
        let held = held + bytes;
        cell.set((held, if held > most { held } else { most }));
    });
}

// SAFETY: everything is the system allocator's; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller's promises are those the system asks for.
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // As if it were copied: for a moment both are held.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs something on this thread; returns its result and the most memory it held.
pub fn measured<T>(run: impl FnOnce() -> T) -> (T, isize) {
    let (before, _) = BYTES.get();
    BYTES.set((before, before));
    let result = run();
    (result, BYTES.get().1 - before)
}
