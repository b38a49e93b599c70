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
/// Without this filter, the client chooses the host in everything that is derived from it: links in mails,
/// `https_redirect`, cache keys. Place the filter around all of these, and inside `trusted_proxies`: the filter then
/// checks the host that `trusted_proxies` determined.
///
/// "shop.example", "192.0.2.1" and "[2001:db8::1]" match on any port; "shop.example:8443" matches on that port only.
/// "*.shop.example" matches every name below "shop.example", but not that name. Case is ignored.
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
