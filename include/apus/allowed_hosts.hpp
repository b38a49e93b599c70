// SPDX-License-Identifier: Apache-2.0
#pragma once

// Refusing requests for hosts that are not this service's.

#include <apus/detail/parameters.hpp>
#include <apus/http.hpp>

#include <string>
#include <vector>

namespace apus {

/// Filter that lets requests for these hosts pass. Others get 421 (RFC 9110, 15.5.20), and 400 without a host.
///
/// Anything that is built from the request's host (links in mails, `https_redirect`, keys of a cache) is
/// otherwise chosen by the client. Belongs in front of all of it, and inside `trusted_proxies`, whose
/// `host` it then looks at.
///
/// A host is "shop.example", "192.0.2.1" or "[2001:db8::1]", on any port; "shop.example:8443" on that
/// one; "*.shop.example" is every name below it, but not it itself. Case does not matter.
class allowed_hosts {
public:
    /// Throws `std::invalid_argument` for an empty list or an invalid host.
    explicit allowed_hosts(std::vector<std::string> hosts);
    allowed_hosts(std::initializer_list<std::string> hosts) : allowed_hosts(std::vector<std::string>(hosts)) {}

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    result<void> operator()(request&) const;

private:
    std::vector<std::string> hosts_;
};

}  // namespace apus
