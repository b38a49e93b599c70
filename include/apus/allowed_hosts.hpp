// SPDX-License-Identifier: Apache-2.0
#pragma once

// Rejects requests whose host is not one of this service's hosts.

#include <apus/http.hpp>

#include <string>
#include <vector>

namespace apus {

/// Filter that accepts only requests for these hosts.
/// Other hosts get 421 (RFC 9110, 15.5.20); a missing host gets 400.
///
/// Without this filter, the client controls every value derived from the host: links in mails, redirects of
/// `https_redirect`, cache keys. Place the filter around the middleware and handlers that use the host, and inside
/// `trusted_proxies`: the filter then checks the host that `trusted_proxies` determined.
///
/// "shop.example", "192.0.2.1" and "[2001:db8::1]" match on any port; "shop.example:8443" matches on that port only.
/// "*.shop.example" matches every subdomain of "shop.example", but not "shop.example" itself. Case is ignored.
class allowed_hosts {
public:
    /// Throws `std::invalid_argument` for an empty list or an invalid host.
    explicit allowed_hosts(std::vector<std::string> hosts);
    allowed_hosts(std::initializer_list<std::string> hosts) : allowed_hosts(std::vector<std::string>(hosts)) {}

    // Middleware interface, used by the app.
    using sets = void;
    result<void> operator()(request&) const;

private:
    std::vector<std::string> hosts_;
};

}  // namespace apus
