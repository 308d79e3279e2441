//! Parameters that say how a reader came, never which page it is.

/// Whether a query parameter only tracks.
pub(super) fn is_tracking(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name.as_str())
}

/// Families of parameters.
const PREFIXES: &[&str] = &[
    "utm_",  // campaign tags that most analytics tools understand
    "mtm_",  // the same by Matomo
    "pk_",   // the same by Piwik, its older name
    "hsa_",  // HubSpot adverts
    "at_",   // AT Internet, used by public broadcasters
    "stm_",  // Piano
    "wt_mc", // Webtrekk / Mapp
    "ns_",   // Comscore: ns_mchannel, ns_source, ns_campaign
    "ga_",   // older Google Analytics
    "__hs",  // HubSpot e-mail
    "vero_", // Vero e-mail
    "oly_",  // Omeda e-mail
    "trk_",  // LinkedIn
];

/// Single parameters.
const NAMES: &[&str] = &[
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "msclkid",
    "yclid",
    "twclid",
    "ttclid",
    "li_fat_id", // advert clicks
    "igshid",
    "igsh",
    "_openstat",
    "rb_clickid",
    "wickedid",
    "s_kwcid",
    "ef_id",
    "srsltid", // clicks, smaller networks
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "ml_subscriber",
    "ml_subscriber_hash", // newsletters
    "ocid",
    "cmpid",
    "icid",
    "intcmp",
    "cmp",
    "xtor",
    "smid",
    "partner_id", // publishers' own campaign codes
    "spm",
    "scm",
    "from_source",
    "share_token",
    "isappinstalled", // Chinese portals and messengers
    "_ga",
    "_gl",
    "ref_src",
    "ref_url",
    "amp_js_v",
    "usqp",
    "guccounter",
    "guce_referrer",
    "guce_referrer_sig",
];
