//! A value that does not show itself.

use std::fmt;

/// A secret. It prints as dots and cannot be serialised: who needs the value says so with
/// [`expose`](Self::expose), which is easy to search for.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Secret<T>(T);

impl<T> Secret<T> {
    /// Wraps a value.
    pub const fn new(value: T) -> Self {
        Self(value)
    }

    /// The value itself.
    pub const fn expose(&self) -> &T {
        &self.0
    }
}

impl<T> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_print_itself() {
        assert!(!format!("{:?}", Secret::new("canary")).contains("canary"));
    }
}
