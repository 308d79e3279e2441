//! TLS as we speak it: ring, the system's roots, verification always on, HTTP/2 offered.

use crate::error::FetchError;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use std::sync::Arc;
use tokio_rustls::TlsConnector;
use url::Host;

/// Built once for a process: reading the system's roots takes milliseconds.
pub(crate) fn connector(extra_roots: &[CertificateDer<'static>]) -> Result<TlsConnector, FetchError> {
    let mut roots = RootCertStore::empty();
    let system = rustls_native_certs::load_native_certs();
    roots.add_parsable_certificates(system.certs);
    if roots.is_empty() {
        tracing::info!("no usable system certificates; trusting the built-in list");
        roots.extend(webpki_roots::TLS_SERVER_ROOTS.iter().cloned());
    }
    for root in extra_roots {
        roots.add(root.clone())?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![H2.to_vec(), b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// The ALPN name of HTTP/2.
pub(crate) const H2: &[u8] = b"h2";

/// Whom the certificate must name.
pub(crate) fn server_name(host: &Host<&str>) -> Option<ServerName<'static>> {
    match host {
        Host::Domain(name) => ServerName::try_from((*name).to_owned()).ok(),
        Host::Ipv4(address) => Some(ServerName::IpAddress(std::net::IpAddr::V4(*address).into())),
        Host::Ipv6(address) => Some(ServerName::IpAddress(std::net::IpAddr::V6(*address).into())),
    }
}
