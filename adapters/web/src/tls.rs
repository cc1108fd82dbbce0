//! Connections with encryption, by certificate files.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;
use leap_base::files;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

pub(super) use tokio_rustls::TlsAcceptor;

/// The largest file of certificates or a key, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a chain of certificates and its key, both in PEM. No error quotes from the files.
///
/// # Errors
/// If a file cannot be read or holds something else, or the key belongs to another certificate.
pub(super) fn acceptor(chain: &Path, key: &Path) -> anyhow::Result<TlsAcceptor> {
    let read = |path: &Path| {
        files::read(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))
    };
    let certificates = CertificateDer::pem_slice_iter(&read(chain)?)
        .collect::<Result<Vec<_>, _>>()
        .ok()
        .filter(|certificates| !certificates.is_empty())
        .with_context(|| format!("expected certificates in PEM in {}", chain.display()))?;
    let key_in = PrivateKeyDer::from_pem_slice(&read(key)?)
        .ok()
        .with_context(|| format!("expected a private key in PEM in {}", key.display()))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(certificates, key_in);
    let config = config.with_context(|| {
        format!("the key in {} does not fit {}", key.display(), chain.display())
    })?;
    Ok(TlsAcceptor::from(Arc::new(config)))
}
