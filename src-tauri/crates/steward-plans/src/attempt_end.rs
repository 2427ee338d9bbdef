//! How a run of a plan ended.

use std::collections::BTreeSet;

use steward_core::model::problem::{self, Problem};

use super::acceptance_line::{AcceptanceLine, SessionEnd};
use super::attempt::StoredSet;
use super::not_removed::WhyNotRemoved;
use super::set::{PartFault, SetPart, Verdict, fault_of};

/// End of a run, as far as the schedule needs it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AttemptEnd {
    /// Verdict of the set.
    pub(crate) verdict: Verdict,
    /// Fault of a part that failed; `None` if none did.
    pub(crate) fault: Option<PartFault>,
    /// Folder of the set; `None` if there is none.
    pub(crate) folder: Option<String>,
    /// Reason why there is no set; empty if there is one.
    pub(crate) note: String,
    /// Parts as the run left them; none if it did not begin.
    pub(crate) parts: Vec<SetPart>,
    /// Line of the acceptance list that kept the plan from running; `None` if none did.
    pub(crate) refused: Option<AcceptanceLine>,
    /// First end of a session of its parts; `None` if a password is saved for each, or if it is not known.
    pub(crate) session_end: Option<SessionEnd>,
    /// Whether nothing was sent, for example because there is no network. Such a run is repeated.
    pub(crate) sent_nothing: bool,
    /// Its set, if `set.json` could not be written at its end.
    pub(crate) unwritten: Option<StoredSet>,
    /// Sets that no rule keeps and that could not be removed; `None` if none was to be removed after this run.
    pub(crate) not_removed: Option<Vec<(String, WhyNotRemoved)>>,
}

impl AttemptEnd {
    /// Returns the end of a run that failed before a request left.
    pub(crate) const fn without_set() -> Self {
        Self {
            verdict: Verdict::Failed,
            fault: None,
            folder: None,
            note: String::new(),
            parts: Vec::new(),
            refused: None,
            session_end: None,
            sent_nothing: true,
            unwritten: None,
            not_removed: None,
        }
    }

    /// Returns whether sets that no rule keeps may be removed after it: it left a set as expected, or a copy of a part.
    pub(crate) fn takes_the_place_of_others(&self) -> bool {
        let has_copy = || self.parts.iter().any(SetPart::has_copy);
        self.folder.is_some() && (self.verdict == Verdict::AsExpected || has_copy())
    }

    /// Returns the end of a run that a disk kept from beginning.
    pub(crate) fn on_full_disk(problem: &Problem) -> Self {
        let note = problem::as_text(problem);
        Self { fault: Some(PartFault::Disk), note, ..Self::without_set() }
    }

    /// Returns the end of a run whose parts all failed before anything was sent.
    pub(crate) fn unsent(parts: Vec<SetPart>) -> Self {
        let notes = parts.iter().filter_map(|part| part.state.failure()).map(|(_, note)| note);
        let note = notes.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(" · ");
        Self { fault: fault_of(&parts), note, parts, ..Self::without_set() }
    }
}

/// A run that ended before a request left.
impl From<Problem> for Box<AttemptEnd> {
    fn from(problem: Problem) -> Self {
        let fault = PartFault::of(&problem).or(Some(PartFault::Other));
        Self::new(AttemptEnd { fault, note: problem::as_text(&problem), ..AttemptEnd::without_set() })
    }
}
