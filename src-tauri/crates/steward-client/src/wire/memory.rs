//! Memory that the elements of all lists of one response need together (ADR 0040).
//!
//! Limited one by one, thousands of lists just below the limit would need as much as one far above it.

use std::cell::Cell;

use crate::limits::are_hollow;

/// Memory of the elements so far, and the length of the text that they are read from, both in bytes.
#[derive(Clone, Copy)]
struct Needed {
    memory: usize,
    text: usize,
}

thread_local! {
    /// That of the response that this thread decodes. Decoding awaits nothing, and so stays on its thread.
    static NEEDED: Cell<Option<Needed>> = const { Cell::new(None) };
}

/// Forgets the memory when the outermost text has been decoded, also after a panic.
struct Outermost;

impl Drop for Outermost {
    fn drop(&mut self) {
        NEEDED.set(None);
    }
}

/// Decodes a text of this length. Of a text within another one, the outermost counts.
pub(super) fn of_text<R>(text: usize, decode: impl FnOnce() -> R) -> R {
    let outermost = NEEDED.get().is_none().then(|| Outermost);
    if outermost.is_some() {
        NEEDED.set(Some(Needed { memory: 0, text }));
    }
    decode()
}

/// Counts the memory of an element, and returns whether all elements together need far more than their text. They do
/// from then on, so that a list around this one cannot pass it for an unreadable element.
pub(super) fn is_too_much(element: usize) -> bool {
    let Some(before) = NEEDED.get() else { return false };
    let now = Needed { memory: before.memory.saturating_add(element), ..before };
    NEEDED.set(Some(now));
    are_hollow(now.memory, now.text)
}
