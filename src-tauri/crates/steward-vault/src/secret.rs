//! Secret value that is not printed, and is overwritten in memory when it is dropped.

use std::fmt;

use zeroize::{Zeroize, Zeroizing};

/// Secret value. It prints as dots and cannot be serialized: code that needs the value calls [`expose`](Self::expose),
/// which is easy to search for.
///
/// Each copy overwrites its memory when it is dropped.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret<T: Zeroize>(Zeroizing<T>);

impl<T: Zeroize> Secret<T> {
    /// Wraps a value.
    pub fn new(value: T) -> Self {
        Self(Zeroizing::new(value))
    }

    /// Returns the value.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    #[test]
    fn a_secret_does_not_print_itself() {
        assert!(!format!("{:?}", Secret::new("canary".to_owned())).contains("canary"));
    }

    #[derive(Clone)]
    struct Counter(Rc<Cell<u32>>);

    impl Zeroize for Counter {
        fn zeroize(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }

    #[test]
    fn every_copy_of_a_secret_is_overwritten_when_it_is_dropped() {
        let overwritten = Rc::new(Cell::new(0));
        let secret = Secret::new(Counter(Rc::clone(&overwritten)));
        let copy = secret.clone();

        drop(secret);
        assert_eq!(overwritten.get(), 1);
        drop(copy);
        assert_eq!(overwritten.get(), 2);
    }
}
