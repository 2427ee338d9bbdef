//! One administrative operation at a time in each area.

use super::Refusal;
use std::sync::{Arc, Mutex, PoisonError};

/// Where an area's export or import sits while it runs.
#[derive(Clone, Default)]
pub(crate) struct Desk(Arc<Mutex<Option<&'static str>>>);

impl Desk {
    /// Takes the seat, or says who has it.
    pub(crate) fn sit(&self, operation: &'static str) -> Result<Seat, Refusal> {
        let mut occupant = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(other) = *occupant {
            return Err(Refusal::failed(format!(
                "Another administrative operation is currently accessing the store: {other}. Try again when it has finished."
            )));
        }
        *occupant = Some(operation);
        Ok(Seat(self.clone()))
    }
}

/// Held by the running work itself, not by the request: a client that hangs up does not end the work.
pub(crate) struct Seat(Desk);

impl Drop for Seat {
    fn drop(&mut self) {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_administrative_operation_is_told_which_one_runs() {
        let desk = Desk::default();
        let seat = desk.sit("exportSite").unwrap();
        let refusal = desk.sit("importSite").err().unwrap();
        assert_eq!(refusal.code, 500);
        assert!(refusal.message.starts_with("Another administrative operation"));
        assert!(refusal.message.contains("exportSite"));
        drop(seat);
        assert!(desk.sit("importSite").is_ok());
    }
}
