// SPDX-License-Identifier: Apache-2.0
#pragma once

// Keeps responses, so that handlers need not make them again.

#include <apus/detail/chain.hpp>
#include <apus/detail/parameters.hpp>

#include <cstddef>

namespace apus {

/// Middleware that keeps the responses to GET that say how long they may be kept, and answers GET
/// and HEAD with them (RFC 9111, as a cache of this origin that many clients share).
///
/// Kept is what has `max-age` or `s-maxage` in Cache-Control, and neither `no-store`, `no-cache` nor
/// `private`; a whole body; no Set-Cookie, no `Vary: *`, no `csp_nonce` and no `csrf_token`; and to a request
/// with Authorization, an `identity` or a `session` that is not empty or has an id only what says `public`,
/// `s-maxage` or `must-revalidate` besides. Nothing is kept by guessing.
///
/// The key is scheme, host and target, as `trusted_proxies` has found them where it is in front, with
/// the request's fields that Vary names; a request with a body goes to its handler. A kept response has
/// Age, and is a 304 for clients whose If-None-Match has its ETag. Cache-Control of requests is not
/// looked at: clients cannot make handlers run. A successful POST, PUT, PATCH or DELETE drops what is
/// kept of its target.
///
/// While one request waits for its handler, others of the same key on its core wait for what it
/// gives; if its client leaves, the next one's handler runs. Within `stale-while-revalidate` seconds
/// after its time (RFC 5861) a response is given once more, and made anew for the next client: the
/// handler then sees a copy of the request, without its conditions (RFC 9110, 13.1) and what
/// `request::set` has kept but `client_info`.
///
/// Copies share what is kept, from any thread, by a lock that is held for a look-up. So a cache
/// made outside `make_app` and captured is that of all cores; one made inside is that of a core.
class response_cache {
public:
    /// What is kept.
    struct options {
        std::size_t bytes = 64 * 1024 * 1024;  ///< Of memory, about. What was used longest ago goes first.
        std::size_t largest = 1024 * 1024;     ///< Bytes of a body that is kept, at most.
        bool errors = false;                   ///< Whether 4xx and 5xx that say `max-age` are kept too.
    };

    response_cache();
    explicit response_cache(const options&);
    response_cache(const response_cache&);
    response_cache(response_cache&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    response_cache& operator=(const response_cache&) = delete;
    ~response_cache();

    /// Forgets all that is kept of this target, such as "/news?page=2", of this host, for both schemes.
    /// Any thread.
    void drop(std::string_view host, std::string_view target);

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = detail::sets_nothing;
    detail::pending run(const detail::step* rest, request&, response& out) const;

private:
    struct parts;
    parts* parts_;
};

}  // namespace apus
