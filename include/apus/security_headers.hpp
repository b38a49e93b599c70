// SPDX-License-Identifier: Apache-2.0
#pragma once

// Fields that keep browsers from doing more with an answer than was meant.

#include <apus/detail/owned_parts.hpp>
#include <apus/duration.hpp>
#include <apus/http.hpp>

#include <string>
#include <vector>

namespace apus {

/// A Content-Security-Policy (CSP level 3): which sources a page may use. A directive is set once or
/// replaced; sources are those of CSP, with their quotes: `"'self' https://cdn.example"`. The word
/// `'nonce'` stands for the nonce of each answer, see `csp_nonce`.
///
/// Throws `std::invalid_argument` for a directive that there is none of, and for sources that say
/// something else than was meant: a keyword without its quotes, 'none' beside others, a semicolon.
class content_security_policy {
public:
    /// Nothing is forbidden yet.
    content_security_policy() = default;

    /// This origin only; scripts and styles from it or with the nonce; no plugins, no other base, no
    /// forms to elsewhere, no frames around the page.
    static content_security_policy self();

    /// Replaces a directive, or adds it. Empty sources are for directives that take none.
    content_security_policy& set(std::string_view directive, std::string_view sources) &;
    content_security_policy&& set(std::string_view directive, std::string_view sources) && {
        return std::move(set(directive, sources));
    }

    /// As the field's value; `nonce` takes the place of `'nonce'`, which is left out where it is empty.
    std::string text(std::string_view nonce) const;

private:
    struct entry {
        std::string name, sources;
    };
    std::vector<entry> directives_;
};

/// The nonce of this request's answer: 16 random bytes in base 64, for `<script nonce="...">`. Made
/// when it is first asked for; valid as long as the request. Worth something only behind
/// `security_headers` with a policy that holds `'nonce'`.
std::string_view csp_nonce(request&);

/// Middleware that adds such fields to every answer. A field that the answer has already, from its
/// handler or middleware further inside, stays as it is.
///
/// `app.use(apus::security_headers())` is good for most pages. An answer costs no allocation more,
/// unless it has a nonce.
class security_headers {
public:
    /// The fields' values. An empty one is not sent.
    struct options {
        content_security_policy policy = content_security_policy::self();  ///< `{}`: not sent.
        bool report_only = false;  ///< The policy is only reported by browsers, which is how to try one.
        /// How long a browser asks by https only (RFC 6797). 0: not sent. Only sent to who has come by https, as
        /// `trusted_proxies` finds.
        duration hsts = seconds(365LL * 24 * 3600);
        bool hsts_subdomains = false;        ///< Also for all hosts below this one.
        std::string frame_options = "DENY";  ///< For browsers that do not know frame-ancestors: "DENY" or "SAMEORIGIN".
        std::string content_type_options = "nosniff";                     ///< Types are what they are said to be.
        std::string referrer_policy = "strict-origin-when-cross-origin";  ///< What other sites learn of the page's URL.
        /// What no page may use.
        std::string permissions_policy =
            "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()";
        std::string opener_policy = "same-origin";  ///< Cross-Origin-Opener-Policy.
        /// Cross-Origin-Resource-Policy: "cross-origin" for what others embed.
        std::string resource_policy = "same-origin";
        std::string embedder_policy = "";  ///< Cross-Origin-Embedder-Policy, such as "require-corp".
    };

    security_headers();
    explicit security_headers(options);

    // For the app.
    static constexpr const void* sets = detail::sets_nothing;
    bool before(request&, response&) const noexcept { return true; }
    void after(request&, response&) const;

private:
    struct parts;
    detail::owned_parts<parts> parts_;
};

}  // namespace apus
