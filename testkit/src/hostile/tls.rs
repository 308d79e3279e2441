//! Servers that speak TLS badly.

use super::{Expected, Hostile, is_timeout, is_tls, is_unreadable, own_address};
use crate::authority::{Authority, Offer};
use crate::site::{Answer, Asked, Site};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

pub(super) async fn add(hostile: &mut Hostile) {
    certificate(hostile, "expired certificate", |name, authority| authority.expired(name)).await;
    certificate(hostile, "certificate for another name", |_, authority| {
        authority.good("other.example", Offer::Http1)
    })
    .await;
    certificate(hostile, "self-signed certificate", |name, _| Authority::self_signed(name)).await;
    certificate(hostile, "certificate of an unknown authority", |name, _| {
        Authority::new().good(name, Offer::Http1)
    })
    .await;
    plain_http(hostile).await;
    raw(hostile, "silence instead of TLS", is_timeout, Raw::Silence).await;
    raw(hostile, "garbage after agreeing on HTTP/2", is_unreadable, Raw::GarbageInHttp2).await;
}

async fn certificate(
    hostile: &mut Hostile,
    name: &'static str,
    make: impl Fn(&str, &Authority) -> TlsAcceptor,
) {
    let address = own_address();
    let acceptor = make(&address.to_string(), &hostile.authority);
    let site = Site::start_at(address, Some(acceptor), |_: &Asked| Answer::html("never seen")).await;
    hostile.case(name, site.url("/").as_str(), is_tls);
    hostile.sites.push(site);
}

async fn plain_http(hostile: &mut Hostile) {
    let site = Site::start_at(own_address(), None, |_: &Asked| Answer::html("never seen")).await;
    let mut url = site.url("/");
    url.set_scheme("https").unwrap();
    hostile.case("plain HTTP where TLS is expected", url.as_str(), is_tls);
    hostile.sites.push(site);
}

enum Raw {
    Silence,
    GarbageInHttp2,
}

async fn raw(hostile: &mut Hostile, name: &'static str, expected: Expected, raw: Raw) {
    let listener = TcpListener::bind((own_address(), 0)).await.unwrap();
    let address = listener.local_addr().unwrap();
    hostile.case(name, &format!("https://{address}/"), expected);
    let acceptor = hostile.authority.good(&address.ip().to_string(), Offer::Http2);
    hostile.servers.spawn(async move {
        let mut open = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            match raw {
                Raw::Silence => open.push(stream),
                Raw::GarbageInHttp2 => {
                    if let Ok(mut stream) = acceptor.accept(stream).await {
                        let _ = stream.write_all(&[0xaa; 4096]).await;
                        let _ = stream.flush().await;
                    }
                }
            }
        }
    });
}
