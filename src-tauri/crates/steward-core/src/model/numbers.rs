//! Whole numbers that JavaScript can represent exactly.

use serde::{Deserialize, Serialize, Serializer};

/// Returns a number of things for the window; at most [`u32::MAX`].
pub fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// A time, in milliseconds since 1970 (UTC).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct Millis(#[specta(type = specta_typescript::Number)] pub i64);

impl Millis {
    /// Returns the current time.
    #[must_use]
    pub fn now() -> Self {
        jiff::Timestamp::now().into()
    }

    /// Returns the time for calculations, limited to the range of the calendar. An expiration beyond the range stays in
    /// the future.
    #[must_use]
    pub fn timestamp(self) -> jiff::Timestamp {
        let beyond = if self.0 < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
        jiff::Timestamp::from_millisecond(self.0).unwrap_or(beyond)
    }
}

impl From<jiff::Timestamp> for Millis {
    fn from(at: jiff::Timestamp) -> Self {
        Self(at.as_millisecond())
    }
}

// A site can return any number. Limit it to the range of the calendar, which the window can format.
impl Serialize for Millis {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [first, last] = [jiff::Timestamp::MIN, jiff::Timestamp::MAX].map(jiff::Timestamp::as_millisecond);
        serializer.serialize_i64(self.0.clamp(first, last))
    }
}

/// A size in bytes. Export files stay far below 2^53, the limit of exact numbers in JavaScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct Bytes(#[specta(type = specta_typescript::Number)] pub u64);

impl Bytes {
    /// Adds sizes; at most [`u64::MAX`], because a file that states them can lie.
    pub fn sum(sizes: impl Iterator<Item = Self>) -> Self {
        Self(sizes.fold(0, |sum, size| sum.saturating_add(size.0)))
    }
}

/// Number of an entry of the audit trail. Genuine ones stay far below 2^53; a forged one can be above [`u32::MAX`], and
/// later entries continue from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct EntryNumber(#[specta(type = specta_typescript::Number)] pub i64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_that_no_calendar_holds_is_the_last_that_one_does() {
        // Largest time of a `Date` in JavaScript, in milliseconds before or after 1970.
        const LARGEST_DATE: i64 = 8_640_000_000_000_000;
        for odd in [i64::MIN, i64::MAX, LARGEST_DATE + 1] {
            let written: i64 = serde_json::to_string(&Millis(odd)).unwrap().parse().unwrap();
            assert!(written.abs() < LARGEST_DATE && written.signum() == odd.signum(), "{odd}: {written}");
        }
        assert_eq!(serde_json::to_string(&Millis(1_763_668_800_000)).unwrap(), "1763668800000");
        assert!(Millis(i64::MAX).timestamp() > jiff::Timestamp::now(), "it is still to come");
        assert!(Millis(i64::MIN).timestamp() < jiff::Timestamp::UNIX_EPOCH);
    }
}
