//! Which addresses are not somebody's public web server.

use ipnet::{Ipv4Net, Ipv6Net};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What is special about an address; `None` for one of the public internet.
pub(super) fn special(address: IpAddr) -> Option<&'static str> {
    match address {
        IpAddr::V4(address) => V4.iter().find(|(net, _)| net.contains(&address)).map(|(_, what)| *what),
        IpAddr::V6(address) => special_v6(address),
    }
}

fn special_v6(address: Ipv6Addr) -> Option<&'static str> {
    if let Some((_, what)) = V6.iter().find(|(net, _)| net.contains(&address)) {
        return Some(what);
    }
    // ISATAP hides an IPv4 address behind any prefix; bit 6 of the interface id says "global" and may vary.
    let [_, _, _, _, high, low, _, _] = address.segments();
    if matches!((high, low), (0 | 0x0200, 0x5efe)) {
        return Some("an ISATAP address, which carries an IPv4 address");
    }
    (!GLOBAL.contains(&address)).then_some("outside the part of IPv6 that is assigned to the internet")
}

const fn v4(a: u8, b: u8, c: u8, d: u8, bits: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), bits)
}

const fn v6(head: [u16; 3], bits: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(head[0], head[1], head[2], 0, 0, 0, 0, 0), bits)
}

/// After IANA's registry of special-purpose IPv4 addresses; the first match names it.
const V4: [(Ipv4Net, &str); 18] = [
    (v4(127, 0, 0, 0, 8), "this machine itself (loopback)"),
    (v4(10, 0, 0, 0, 8), "in a private network"),
    (v4(172, 16, 0, 0, 12), "in a private network"),
    (v4(192, 168, 0, 0, 16), "in a private network"),
    (v4(169, 254, 0, 0, 16), "link-local, where cloud providers keep their secrets"),
    (v4(100, 64, 0, 0, 10), "in a provider's shared network (CGNAT)"),
    (v4(0, 0, 0, 0, 32), "the unspecified address"),
    (v4(0, 0, 0, 0, 8), "in \"this network\", 0.0.0.0/8"),
    (v4(255, 255, 255, 255, 32), "the broadcast address"),
    (v4(224, 0, 0, 0, 4), "a multicast address"),
    (v4(240, 0, 0, 0, 4), "reserved"),
    (v4(192, 0, 2, 0, 24), "for documentation only"),
    (v4(198, 51, 100, 0, 24), "for documentation only"),
    (v4(203, 0, 113, 0, 24), "for documentation only"),
    (v4(198, 18, 0, 0, 15), "for benchmarks only"),
    (v4(192, 0, 0, 0, 24), "reserved for protocols"),
    (v4(192, 88, 99, 0, 24), "a 6to4 relay"),
    (v4(192, 31, 196, 0, 24), "a sink for private names (AS112)"),
];

/// After IANA's registry of special-purpose IPv6 addresses; the first match names it.
const V6: [(Ipv6Net, &str); 21] = [
    (Ipv6Net::new_assert(Ipv6Addr::LOCALHOST, 128), "this machine itself (loopback)"),
    (Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 128), "the unspecified address"),
    (MAPPED, "an IPv4 address in IPv6 form (v4-mapped)"),
    (Ipv6Net::new_assert(Ipv6Addr::UNSPECIFIED, 96), "an IPv4 address in IPv6 form (v4-compatible)"),
    (v6([0x64, 0xff9b, 0], 96), "an IPv4 address behind NAT64"),
    (v6([0x64, 0xff9b, 1], 48), "an IPv4 address behind NAT64"),
    (v6([0x100, 0, 0], 64), "for discarding only"),
    (v6([0x2001, 0, 0], 32), "a Teredo address, which carries an IPv4 address"),
    (v6([0x2002, 0, 0], 16), "a 6to4 address, which carries an IPv4 address"),
    (v6([0x2001, 2, 0], 48), "for benchmarks only"),
    (v6([0x2001, 0x10, 0], 28), "an ORCHID, not an address"),
    (v6([0x2001, 0x20, 0], 28), "an ORCHID, not an address"),
    (v6([0x2001, 0, 0], 23), "reserved for protocols"),
    (v6([0x2001, 0xdb8, 0], 32), "for documentation only"),
    (v6([0x3fff, 0, 0], 20), "for documentation only"),
    (v6([0x2620, 0x4f, 0x8000], 48), "a sink for private names (AS112)"),
    (v6([0x5f00, 0, 0], 16), "for segment routing"),
    (v6([0xfc00, 0, 0], 7), "in a private network (unique local)"),
    (v6([0xfe80, 0, 0], 10), "link-local"),
    (v6([0xfec0, 0, 0], 10), "in a private network (site-local)"),
    (v6([0xff00, 0, 0], 8), "a multicast address"),
];

const MAPPED: Ipv6Net = Ipv6Net::new_assert(Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96);

/// All that has been assigned for use on the internet so far.
const GLOBAL: Ipv6Net = v6([0x2000, 0, 0], 3);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_addresses_are_not_special() {
        for public in ["1.1.1.1", "93.184.215.14", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1"] {
            assert_eq!(special(public.parse().unwrap()), None, "{public}");
        }
        for public in ["2606:4700:4700::1111", "2a00:1450:4001::200e", "2001:4860:4860::8888"] {
            assert_eq!(special(public.parse().unwrap()), None, "{public}");
        }
    }

    #[test]
    fn both_ends_of_every_range_are_special() {
        for (net, _) in V4 {
            assert!(special(net.network().into()).is_some() && special(net.broadcast().into()).is_some());
        }
        for (net, _) in V6 {
            assert!(special(net.network().into()).is_some() && special(net.broadcast().into()).is_some());
        }
    }

    #[test]
    fn the_most_telling_name_wins() {
        assert_eq!(special("0.0.0.0".parse().unwrap()), Some("the unspecified address"));
        assert_eq!(special("::1".parse().unwrap()), Some("this machine itself (loopback)"));
        assert_eq!(special("255.255.255.255".parse().unwrap()), Some("the broadcast address"));
    }
}
