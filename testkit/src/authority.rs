//! A certificate authority of our own, and the certificates it should never have signed.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::ServerConfig;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;

/// A certificate authority that exists for one test.
pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
}

/// What protocols a server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offer {
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2, and HTTP/1.1 for those who do not know it.
    Http2,
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Authority {
    /// A new authority nobody knows yet.
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self { issuer: CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap() }
    }

    /// What a client must trust.
    pub fn root(&self) -> CertificateDer<'static> {
        self.issuer.der().clone()
    }

    /// The same as PEM.
    pub fn root_pem(&self) -> String {
        self.issuer.pem()
    }

    /// A good certificate for `name` and its key, as PEM.
    pub fn good_pem(&self, name: &str) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        (params.signed_by(&key, &self.issuer).unwrap().pem(), key.serialize_pem())
    }

    /// A good certificate for `name`, which may be an address.
    pub fn good(&self, name: &str, offer: Offer) -> TlsAcceptor {
        self.sign(&CertificateParams::new([name.to_owned()]).unwrap(), offer)
    }

    /// One that was good until 2001.
    pub fn expired(&self, name: &str) -> TlsAcceptor {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(2000, 1, 1);
        params.not_after = date_time_ymd(2001, 1, 1);
        self.sign(&params, Offer::Http1)
    }

    /// One that only its owner vouches for.
    pub fn self_signed(name: &str) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new([name.to_owned()]).unwrap();
        acceptor(params.self_signed(&key).unwrap().der().clone(), &key, Offer::Http1)
    }

    fn sign(&self, params: &CertificateParams, offer: Offer) -> TlsAcceptor {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        acceptor(certificate.der().clone(), &key, offer)
    }
}

fn acceptor(certificate: CertificateDer<'static>, key: &KeyPair, offer: Offer) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    config.alpn_protocols = match offer {
        Offer::Http1 => vec![b"http/1.1".to_vec()],
        Offer::Http2 => vec![b"h2".to_vec(), b"http/1.1".to_vec()],
    };
    TlsAcceptor::from(Arc::new(config))
}
