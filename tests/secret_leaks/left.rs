//! Searching what left.

use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// Every planted secret begins with this.
pub(crate) const CANARY: &str = "cAnArY7391";

/// Fails when a planted secret, or one of `others`, is in `bytes`: as it is, or in Base64.
pub(crate) fn assert_clean(place: &str, bytes: &[u8], others: &[String]) {
    let secrets = std::iter::once(CANARY).chain(others.iter().map(String::as_str));
    for secret in secrets {
        for spelling in spellings(secret) {
            let at = bytes.windows(spelling.len()).position(|window| window == spelling.as_bytes());
            if let Some(at) = at {
                let around = &bytes[at.saturating_sub(200)..bytes.len().min(at + 200)];
                // Not in the panic's own words: those pass the redaction.
                eprintln!("…{}…", String::from_utf8_lossy(around));
                panic!("{spelling} in {place}");
            }
        }
    }
}

/// The same for every file below a folder.
pub(crate) fn assert_clean_files(folder: &Path, others: &[String]) -> usize {
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files += assert_clean_files(&path, others);
        } else {
            assert_clean(&path.display().to_string(), &std::fs::read(&path).unwrap(), others);
            files += 1;
        }
    }
    files
}

/// A text as it is, and as it stands within Base64: there are three ways, by where it begins.
fn spellings(secret: &str) -> Vec<String> {
    let mut all = vec![secret.to_owned()];
    for before in 0..3 {
        let encoded = STANDARD_NO_PAD.encode([vec![0; before], secret.as_bytes().to_vec()].concat());
        // Letters at either end depend on what stands beside it.
        all.push(encoded[(before * 8).div_ceil(6)..encoded.len() - 2].to_owned());
    }
    all
}

#[test]
fn a_secret_is_found_as_it_is_and_in_base64() {
    let found = |text: &str| {
        let text = text.as_bytes().to_vec();
        std::panic::catch_unwind(move || assert_clean("a test", &text, &["another".to_owned()])).is_err()
    };
    assert!(found(&format!("x{CANARY}y")) && found("an another one"));
    for before in ["", "x", "xy", "sam:"] {
        assert!(found(&STANDARD_NO_PAD.encode(format!("{before}{CANARY}after"))), "{before}");
    }
    assert!(!found("nothing here"));
}
