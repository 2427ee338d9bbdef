//! Which process of the app writes an entry.

/// Process of the app that writes entries. One of each kind uses a journal at a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Process {
    /// The window.
    Window,
    /// The runner of backup plans.
    Runner,
}

impl Process {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::Runner => "runner",
        }
    }

    /// Returns the process with this name. Any other name is damage, and becomes the window: only entries of the runner
    /// are waited for.
    pub(crate) fn named(name: &str) -> Self {
        if name == Self::Runner.name() { Self::Runner } else { Self::Window }
    }
}
