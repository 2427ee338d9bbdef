//! TLS certificate of the site: a certificate authority (CA) created at first startup, and a server certificate issued
//! by it. Many clients reject a CA certificate used by a server.
//!
//! [`prepare`] returns the files. Invariant: the CA's key is not stored, because it could be used to impersonate any
//! site to a program that trusts the CA. A certificate that expires soon is replaced together with its CA.

use crate::regular_file;
use anyhow::Context as _;
use jiff::{Span, Timestamp, Zoned};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose, date_time_ymd,
};
use sha2::{Digest as _, Sha256};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use x509_parser::pem::parse_x509_pem;

/// Certificate files, all in PEM.
pub(crate) struct Files {
    pub(crate) authority: PathBuf,
    pub(crate) server: PathBuf,
    pub(crate) server_key: PathBuf,
}

const NAMES: [&str; 3] = ["localhost", "127.0.0.1", "::1"];
/// Validity, in days. Some platforms reject server certificates that are valid for more than 825 days.
const DAYS: i64 = 820;
/// Minimum remaining validity at startup, in days. A site can run for weeks.
const LEAST_DAYS_LEFT: i64 = 30;

/// Returns the certificate files in `folder`. Creates them if they are missing, unreadable or about to expire.
pub(crate) fn prepare(folder: &Path) -> anyhow::Result<Files> {
    let files = Files {
        authority: folder.join("ca.pem"),
        server: folder.join("server.pem"),
        server_key: folder.join("server.key"),
    };
    if !is_usable(&files) {
        crate::folders::private_folder(folder)?;
        make(&files).context("cannot make the practice site's certificate")?;
        tracing::info!("the practice site has a new certificate and a new authority");
    }
    Ok(files)
}

/// Returns the SHA-256 fingerprint of the server certificate, for example `AB:CD:…`.
pub(crate) fn fingerprint(files: &Files) -> anyhow::Result<String> {
    let (_, pem) = parse_x509_pem(regular_file::read(&files.server)?.as_bytes())?;
    let bytes = Sha256::digest(&pem.contents).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>();
    Ok(bytes.join(":"))
}

/// Returns when the server certificate expires, in milliseconds since 1970.
pub(crate) fn expires_at(files: &Files) -> anyhow::Result<i64> {
    let (_, pem) = parse_x509_pem(regular_file::read(&files.server)?.as_bytes())?;
    Ok(pem.parse_x509()?.validity().not_after.timestamp() * 1000)
}

/// Returns whether all files exist and the certificate remains valid for at least [`LEAST_DAYS_LEFT`].
fn is_usable(files: &Files) -> bool {
    let Ok(pem) = regular_file::read(&files.server) else {
        return false;
    };
    let Ok((_, pem)) = parse_x509_pem(pem.as_bytes()) else {
        return false;
    };
    let Ok(certificate) = pem.parse_x509() else {
        return false;
    };
    let validity = certificate.validity();
    let now = Timestamp::now().as_second();
    files.authority.is_file()
        && files.server_key.is_file()
        && validity.not_before.timestamp() <= now
        && validity.not_after.timestamp() - now > LEAST_DAYS_LEFT * 24 * 60 * 60
}

fn make(files: &Files) -> anyhow::Result<()> {
    let authority_key = KeyPair::generate()?;
    let mut authority = params(Vec::new(), "Practice Site Authority")?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    authority.key_usages =
        vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign, KeyUsagePurpose::DigitalSignature];
    let authority_certificate = authority.self_signed(&authority_key)?;

    let server_key = KeyPair::generate()?;
    let mut server = params(NAMES.map(str::to_owned).to_vec(), "Practice Site")?;
    server.is_ca = IsCa::ExplicitNoCa;
    server.use_authority_key_identifier_extension = true;
    server.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let issuer = Issuer::from_params(&authority, &authority_key);
    let server_certificate = server.signed_by(&server_key, &issuer)?;

    // Remove the certificate first and write it last: if it exists, it belongs to the other two files. A pipe in place of
    // the authority would be waited for.
    for before in [&files.server, &files.authority] {
        match std::fs::remove_file(before) {
            Err(cause) if cause.kind() != ErrorKind::NotFound => return Err(cause.into()),
            _ => {}
        }
    }
    crate::users_file::write_private(&files.server_key, server_key.serialize_pem().as_bytes())?;
    std::fs::write(&files.authority, authority_certificate.pem())?;
    std::fs::write(&files.server, server_certificate.pem())?;
    Ok(())
}

fn params(names: Vec<String>, common_name: &str) -> anyhow::Result<CertificateParams> {
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name = rcgen::DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, common_name);
    params.distinguished_name.push(DnType::OrganizationName, "Practice Site");
    let today = Zoned::now();
    let day = |days: i64| -> anyhow::Result<_> {
        let when = today.checked_add(Span::new().days(days))?;
        Ok(date_time_ymd(when.year().into(), when.month().try_into()?, when.day().try_into()?))
    };
    // Start the validity 2 days ago, so that clients with a slow clock accept the certificate.
    params.not_before = day(-2)?;
    params.not_after = day(DAYS)?;
    Ok(params)
}
