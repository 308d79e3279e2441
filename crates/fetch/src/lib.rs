//! URL to bytes: the gate, manners, robots.txt, caps, redirects, conditional requests
