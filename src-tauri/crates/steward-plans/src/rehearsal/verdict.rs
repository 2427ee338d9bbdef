//! How the steps of a rehearsal stand, and how it ended. What this returns depends on its arguments only.
//!
//! Invariant: what was not tried, not found, or not read is never *back*.

#![deny(clippy::wildcard_enum_match_arm)]

use serde::{Deserialize, Serialize};
use steward_core::model::site_proof::{ProofState, SiteProof};
use steward_journal::Outcome;

use super::differences::{DifferenceAbout, RehearsalDifference};
use crate::restore::{ImportedFile, RestoreStep, StepCopy};

/// State of a step of a rehearsal. The first four are sorted from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum StepState {
    /// Imported, and the test site was back.
    Back,
    /// Imported, but a part of the test site is not as it should be, or the import reported warnings.
    BackBut,
    /// Imported, but it is not known whether the test site was back, or whether the file was verified and is the one of
    /// the set.
    NotKnown,
    /// Imported, and the wait ended before the test site was back.
    NotBack,
    /// The user skipped it.
    Skipped,
    /// The set has nothing to import, or the test site nothing to import it into.
    NotPossible,
    /// The file differs from the one that the run of the plan wrote.
    Changed,
    /// The part was not imported yet.
    Open,
    /// The import is running.
    Importing,
    /// Imported, and the app checks the test site until it is back.
    ComingBack,
    /// The last import was of another file.
    OtherFile,
    /// The import was undone.
    Undone,
    /// The import failed.
    Failed,
    /// The outcome of the import is not known.
    Unknown,
}

/// Result of a rehearsal, from the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub enum RehearsalVerdict {
    /// Every part was imported, and the test site was back after each.
    Back,
    /// Every part was imported and the test site was back, but a part of it was not as it should be, or an import
    /// reported warnings.
    BackBut,
    /// It is not known whether the test site was back with the content of the set, or whether its versions are those of
    /// the set.
    NotKnown,
    /// The test site was not back after an import.
    NotBack,
    /// A part was not imported, was imported from another file, or its import was undone.
    Incomplete,
    /// An import failed, is still running, or has an unknown outcome.
    Failed,
}

/// State of the test site after the import of a step.
#[derive(Debug, Clone, Copy)]
pub(super) enum AfterImport<'p> {
    /// The test site is being checked, or will be.
    Waiting,
    /// The last check.
    Checked(&'p SiteProof),
    /// Nothing.
    NotKnown,
}

/// Returns the state of a step.
pub(super) fn state(step: &RestoreStep, is_skipped: bool, after: AfterImport<'_>) -> StepState {
    let is_verified = match &step.copy {
        StepCopy::None { .. } => return StepState::NotPossible,
        StepCopy::Here { is_verified, .. } | StepCopy::OnPortal { is_verified, .. } => *is_verified,
    };
    let Some(import) = &step.import else {
        return if is_skipped { StepState::Skipped } else { StepState::Open };
    };
    match (import.file, import.outcome) {
        (_, Outcome::Sent) => StepState::Importing,
        (_, Outcome::Unknown) => StepState::Unknown,
        (_, Outcome::Failed | Outcome::NotSent) => StepState::Failed,
        (ImportedFile::Undo, Outcome::Succeeded | Outcome::Warnings) => StepState::Undone,
        (ImportedFile::Other, Outcome::Succeeded | Outcome::Warnings) => StepState::OtherFile,
        (
            ImportedFile::OfSet | ImportedFile::NotKnown,
            outcome @ (Outcome::Succeeded | Outcome::Warnings),
        ) => {
            let back = match after {
                AfterImport::Waiting => return StepState::ComingBack,
                AfterImport::NotKnown => StepState::NotKnown,
                AfterImport::Checked(proof) => match proof.state {
                    ProofState::Done if outcome == Outcome::Warnings => StepState::BackBut,
                    ProofState::Done => StepState::Back,
                    ProofState::Wrong => StepState::BackBut,
                    ProofState::NotKnown => StepState::NotKnown,
                    ProofState::NotYet => StepState::NotBack,
                },
            };
            // If the file was not read completely on this computer, it is not known what was restored.
            let is_known = import.file == ImportedFile::OfSet && is_verified;
            if is_known { back } else { back.max(StepState::NotKnown) }
        }
    }
}

impl StepState {
    /// Returns whether the next step may be imported after it.
    pub(super) const fn is_settled(self) -> bool {
        match self {
            Self::Back
            | Self::BackBut
            | Self::NotKnown
            | Self::NotBack
            | Self::Skipped
            | Self::NotPossible => true,
            Self::Changed
            | Self::Open
            | Self::Importing
            | Self::ComingBack
            | Self::OtherFile
            | Self::Undone
            | Self::Failed
            | Self::Unknown => false,
        }
    }

    /// Returns whether the file of the set was imported.
    pub(super) const fn is_imported(self) -> bool {
        match self {
            Self::Back | Self::BackBut | Self::NotKnown | Self::NotBack | Self::ComingBack => true,
            Self::Skipped
            | Self::NotPossible
            | Self::Changed
            | Self::Open
            | Self::Importing
            | Self::OtherFile
            | Self::Undone
            | Self::Failed
            | Self::Unknown => false,
        }
    }

    const fn verdict(self) -> RehearsalVerdict {
        match self {
            Self::Back => RehearsalVerdict::Back,
            Self::BackBut => RehearsalVerdict::BackBut,
            Self::NotKnown => RehearsalVerdict::NotKnown,
            Self::NotBack | Self::ComingBack => RehearsalVerdict::NotBack,
            Self::Skipped
            | Self::NotPossible
            | Self::Changed
            | Self::Open
            | Self::OtherFile
            | Self::Undone => RehearsalVerdict::Incomplete,
            Self::Importing | Self::Failed | Self::Unknown => RehearsalVerdict::Failed,
        }
    }
}

/// Returns how a rehearsal with these steps ended. If a version differs or is not known, the best verdict is
/// [`NotKnown`](RehearsalVerdict::NotKnown).
pub(super) fn verdict(
    steps: impl IntoIterator<Item = StepState>,
    differences: &[RehearsalDifference],
) -> RehearsalVerdict {
    let is_of_version = |one: &&RehearsalDifference| one.about == DifferenceAbout::Version;
    let of_versions = differences.iter().filter(is_of_version).map(|_| RehearsalVerdict::NotKnown);
    let steps = steps.into_iter().map(StepState::verdict);
    // A set without a part shows nothing.
    steps.max().map_or(RehearsalVerdict::Incomplete, |worst| of_versions.fold(worst, Ord::max))
}

impl RehearsalVerdict {
    /// Returns the outcome that a rehearsal with this verdict has in the history.
    pub(super) const fn outcome(self) -> Outcome {
        match self {
            Self::Back => Outcome::Succeeded,
            Self::BackBut | Self::NotKnown | Self::NotBack | Self::Incomplete => Outcome::Warnings,
            Self::Failed => Outcome::Failed,
        }
    }
}

#[cfg(test)]
mod tests;
