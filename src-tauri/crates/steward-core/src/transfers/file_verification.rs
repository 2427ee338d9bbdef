//! A file on this computer that is verified in a run of its own, with its progress and Stop.
//!
//! It is an export that was recorded, or that is in a backup set. Nothing is sent, and other operations can run meanwhile.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::model::history_key::HistoryAction;
use crate::model::ids::Target;
use crate::model::numbers::{Bytes, Millis};
use crate::model::operation::OperationKey;
use crate::model::problem::Problem;
use crate::model::run_result::RunResult;
use crate::runs::{NewRun, Run, RunStep};
use crate::site_context::SiteContext;
use crate::sites::TargetSite;

/// Run that verifies a file.
pub struct FileVerification {
    run: Run,
    began: Instant,
}

impl FileVerification {
    /// Begins a run for a file that `operation` wrote.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if the site is not saved.
    pub fn begin(
        context: &SiteContext,
        target: &Target,
        operation: OperationKey,
        run: impl Into<NewRun>,
    ) -> Result<(Self, TargetSite), Problem> {
        // The server might have been removed from the site since its export.
        let sites = &context.access.sites;
        let site = sites.at(target).or_else(|_| sites.at(&Target::portal(target.site.clone())))?;
        let step = RunStep::VerifyingFile { done: Bytes(0), total: None };
        let run = context.runs.begin(run, &site, operation, Some(HistoryAction::VerifyExport), step)?;
        Ok((Self { run, began: Instant::now() }, site))
    }

    /// Returns a function that shows the progress: it receives the number of bytes of each read of a file with this
    /// size.
    pub fn counts(&self, size: Bytes) -> impl Fn(u64) + Send + use<> {
        let (run, read) = (self.run.clone(), AtomicU64::new(0));
        move |bytes| {
            let done = read.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
            run.step(RunStep::VerifyingFile { done: Bytes(done.min(size.0)), total: Some(size) });
        }
    }

    /// Waits for the verification, and returns its result. Stop ends it without one.
    ///
    /// # Errors
    /// The error of `verifying`.
    pub async fn ended<T>(
        &self,
        verifying: impl Future<Output = Result<T, Problem>>,
    ) -> Result<RunResult<T>, Problem> {
        let Some(report) = self.run.unless_stopped(verifying).await else {
            return Ok(RunResult::NotSent { record: None, backup: None });
        };
        let took = u32::try_from(self.began.elapsed().as_millis()).unwrap_or(u32::MAX);
        Ok(RunResult::Done { record: None, at: Millis::now(), took, report: report? })
    }
}
