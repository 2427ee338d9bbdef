//! Fingerprints of certificates.

use sha2::{Digest, Sha256};

/// SHA-256 of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    pub(crate) fn of(der: &[u8]) -> Self {
        Self(Sha256::digest(der).into())
    }

    /// Reads 64 hexadecimal digits, with or without colons. `None` for anything else.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text
            .chars()
            .filter(|letter| *letter != ':' && !letter.is_whitespace())
            .map(|letter| letter.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()?;
        let (pairs, []) = digits.as_chunks::<2>() else { return None };
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        bytes.try_into().ok().map(Self)
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (index, byte) in self.0.iter().enumerate() {
            let colon = if index == 0 { "" } else { ":" };
            write!(f, "{colon}{byte:02X}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_is_parsed_with_and_without_colons_and_only_complete() {
        let fingerprint = Fingerprint::of(b"certificate");
        let shown = fingerprint.to_string();

        assert_eq!(shown.len(), 95);
        assert_eq!(Fingerprint::parse(&shown), Some(fingerprint));
        assert_eq!(Fingerprint::parse(&shown.replace(':', "").to_lowercase()), Some(fingerprint));
        assert_eq!(Fingerprint::parse(&shown[..92]), None);
        assert_eq!(Fingerprint::parse(""), None);
        assert_eq!(Fingerprint::parse(&shown.replace(':', "x")), None);
    }
}
