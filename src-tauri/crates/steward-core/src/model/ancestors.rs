//! Paths that other paths are below.

use std::cmp::Ordering;

/// Set of paths that finds whether another path is at or below one of them by binary search: a site can return 100,000
/// paths.
#[derive(Debug, Clone)]
pub(crate) struct Ancestors<S> {
    separator: char,
    /// Sorted, and without what is below another one.
    sorted: Vec<S>,
}

impl<S: AsRef<str>> Ancestors<S> {
    pub(crate) fn of(separator: char, mut paths: Vec<S>) -> Self {
        paths.sort_unstable_by(|one, other| by_level(separator, one.as_ref(), other.as_ref()));
        paths.dedup_by(|below, above| is_below(separator, below.as_ref(), above.as_ref()));
        Self { separator, sorted: paths }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Returns whether a path is one of these, or below one.
    pub(crate) fn has(&self, path: &str) -> bool {
        // In this order, everything below a path follows it directly: only the last path that is not after `path` can
        // contain it.
        let next = self.sorted.partition_point(|one| by_level(self.separator, one.as_ref(), path).is_le());
        let before = next.checked_sub(1).and_then(|before| self.sorted.get(before));
        before.is_some_and(|above| is_below(self.separator, path, above.as_ref()))
    }
}

/// Sorts a path before everything that is below it, and that before its neighbors.
fn by_level(separator: char, one: &str, other: &str) -> Ordering {
    one.split(separator).cmp(other.split(separator))
}

fn is_below(separator: char, path: &str, above: &str) -> bool {
    path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_below_another_one_and_not_beside_it() {
        for (paths, path, is_there) in [
            (&["/a", "/a-b", "/a/x"][..], "/a/c", true),
            (&["/a", "/b"], "/a", true),
            (&["/a", "/a-b"], "/a.c", false),
            (&["/a/b", "/a/d"], "/a/c", false),
            (&["", "/x"], "/a/c", true),
            (&["…"], "/a/c", false),
            (&[], "/a/c", false),
        ] {
            assert_eq!(Ancestors::of('/', paths.to_vec()).has(path), is_there, "{path} in {paths:?}");
            let dotted = |path: &str| path.replace('.', ":").replace('/', ".");
            let paths: Vec<_> = paths.iter().map(|path| dotted(path)).collect();
            assert_eq!(Ancestors::of('.', paths).has(&dotted(path)), is_there, "{path}");
        }
    }
}
