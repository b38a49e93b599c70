// SPDX-License-Identifier: Apache-2.0
#pragma once

// Response fields that restrict browsers for security.

#include <apus/detail/owned_parts.hpp>
#include <apus/duration.hpp>
#include <apus/http.hpp>
#include <apus/middleware.hpp>

#include <string>
#include <vector>

namespace apus {

/// A Content-Security-Policy (CSP level 3): the sources from which a page may load resources.
/// Setting a directive again replaces it. Sources are written as in CSP, with quotes: `"'self' https://cdn.example"`.
/// `'nonce'` is replaced by the nonce of each response; see `csp_nonce`.
///
/// Throws `std::invalid_argument` for an unknown directive and for suspicious sources: a keyword without quotes, 'none'
/// together with other sources, a semicolon.
class content_security_policy {
public:
    /// An empty policy, which restricts nothing.
    content_security_policy() = default;

    /// Returns a policy that allows resources of this origin.
    /// It allows scripts and styles with the nonce. It forbids plugins, other base URLs, forms to other origins, and
    /// framing of the page.
    static content_security_policy self();

    /// Adds or replaces a directive. Pass empty sources for a directive that takes no sources.
    content_security_policy& set(std::string_view directive, std::string_view sources) &;
    content_security_policy&& set(std::string_view directive, std::string_view sources) && {
        return std::move(set(directive, sources));
    }

    /// Returns the field's value. `nonce` replaces `'nonce'`; if it is empty, `'nonce'` is omitted.
    std::string text(std::string_view nonce) const;

private:
    struct entry {
        std::string name, sources;
    };
    std::vector<entry> directives_;
};

/// Returns the nonce of this response, for `<script nonce="...">`.
/// It is 16 random bytes in base64, generated on first use, and valid as long as the request. Effective only inside
/// `security_headers` with a policy that contains `'nonce'`.
std::string_view csp_nonce(request&);

/// Values of the header fields. A field with an empty value is not sent.
struct security_headers_options {
    content_security_policy policy = content_security_policy::self();  ///< Content-Security-Policy. `{}`: not sent.
    bool report_only = false;  ///< Browsers report violations, but do not block: for trying out a policy.
    /// Strict-Transport-Security: duration for which browsers use only https (RFC 6797).
    /// 0: not sent. Sent only over https, as determined by `trusted_proxies` if present.
    duration hsts = seconds(365LL * 24 * 3600);
    bool hsts_subdomains = false;                  ///< Includes all subdomains.
    std::string frame_options = "DENY";            ///< For browsers without frame-ancestors: "DENY" or "SAMEORIGIN".
    std::string content_type_options = "nosniff";  ///< X-Content-Type-Options: disables MIME sniffing.
    std::string referrer_policy = "strict-origin-when-cross-origin";
    /// Permissions-Policy. Default: these features are disabled for all pages.
    std::string permissions_policy = "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";
    std::string opener_policy = "same-origin";  ///< Cross-Origin-Opener-Policy.
    /// Cross-Origin-Resource-Policy: "cross-origin" for resources that other sites embed.
    std::string resource_policy = "same-origin";
    std::string embedder_policy = "";  ///< Cross-Origin-Embedder-Policy, such as "require-corp".
};

/// Middleware that adds security header fields to every response.
/// Fields that the handler or inner middleware has set are kept.
///
/// The defaults, `app.use(apus::security_headers())`, suit most pages. Allocates memory only for responses with a
/// nonce.
class security_headers {
public:
    security_headers();
    explicit security_headers(security_headers_options);

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    detail::owned_parts<parts> parts_;
};

}  // namespace apus
