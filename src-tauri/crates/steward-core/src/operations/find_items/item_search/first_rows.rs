//! First rows of a long response that is still being received.

use crate::model::item_row::ItemRow;

/// Number of items after which a response counts as long. A shorter one is complete before its rows could be read.
const LONG: u32 = 1_000;

/// Number of rows that a large window shows.
const FIRST: u32 = 50;

/// Collects the first rows of a response, and passes those of a long one to a callback, once.
pub struct Arriving<T> {
    seen: u32,
    first: Vec<ItemRow>,
    tell: T,
}

impl<T: FnMut(Vec<ItemRow>)> Arriving<T> {
    /// Creates a collector with its callback.
    pub const fn telling(tell: T) -> Self {
        Self { seen: 0, first: Vec::new(), tell }
    }

    /// Adds the next item.
    pub fn see(&mut self, item: &str) {
        if self.seen < FIRST {
            self.first.push(ItemRow::of(self.seen, item));
        }
        self.seen = self.seen.saturating_add(1);
        if self.seen == LONG {
            (self.tell)(std::mem::take(&mut self.first));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_passed(items: u32) -> Vec<Vec<ItemRow>> {
        let mut told = Vec::new();
        let mut arriving = Arriving::telling(|rows| told.push(rows));
        (0..items).for_each(|item| arriving.see(&format!(r#"{{"path":"/{item}","password":"canary"}}"#)));
        told
    }

    #[test]
    fn a_long_answer_is_told_of_once_by_its_first_rows() {
        let told = rows_passed(5 * LONG);

        let [first] = &told[..] else { panic!("told {} times", told.len()) };
        assert_eq!(first.len(), FIRST as usize);
        assert_eq!((first[49].path.as_str(), first[49].item), ("/49", 49));
    }

    #[test]
    fn a_short_answer_is_shown_when_it_is_there() {
        assert!(rows_passed(LONG - 1).is_empty());
    }
}
