//! Addresses that only this machine or its network can reach.

use reqwest::Url;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;
use url::Host;

/// How long may be looked for what a name stands for.
const LOOK: Duration = Duration::from_secs(2);

/// Whether an address leads to this machine or its network, by itself or by what its name stands for;
/// `None` for a name that stands for nothing here, as behind a proxy.
pub(super) async fn is_private(url: &Url) -> Option<bool> {
    match url.host() {
        Some(Host::Ipv4(ip)) => Some(is_private_v4(ip)),
        Some(Host::Ipv6(ip)) => Some(is_private_v6(ip)),
        Some(Host::Domain(name)) => {
            let port = url.port_or_known_default().unwrap_or_default();
            let found = tokio::time::timeout(LOOK, tokio::net::lookup_host((name, port))).await;
            Some(found.ok()?.ok()?.any(|it| is_private_ip(it.ip())))
        }
        None => None,
    }
}

fn is_private_ip(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_private_v4(ip),
        IpAddr::V6(ip) => is_private_v6(ip),
    }
}

fn is_private_v4(ip: Ipv4Addr) -> bool {
    let shared = ip.octets()[0] == 100 && ip.octets()[1] & 0xc0 == 64;
    ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified() || shared
}

fn is_private_v6(ip: Ipv6Addr) -> bool {
    match ip.to_ipv4_mapped() {
        Some(ip) => is_private_v4(ip),
        None => {
            ip.is_loopback()
                || ip.is_unspecified()
                || ip.is_unique_local()
                || ip.is_unicast_link_local()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn addresses_of_this_machine_and_its_network_are_private() {
        for (host, expected) in [
            ("127.0.0.1", true),
            ("10.1.2.3", true),
            ("192.168.0.1", true),
            ("169.254.169.254", true),
            ("100.64.0.1", true),
            ("0.0.0.0", true),
            ("[::1]", true),
            ("[fd00::1]", true),
            ("[fe80::1]", true),
            ("[::ffff:10.0.0.1]", true),
            ("localhost", true),
            ("93.184.216.34", false),
            ("100.128.0.1", false),
            ("[2606:2800:220:1::1]", false),
        ] {
            let url = Url::parse(&format!("https://{host}/x")).unwrap();
            assert_eq!(is_private(&url).await, Some(expected), "{host}");
        }
    }
}
