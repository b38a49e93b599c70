// SPDX-License-Identifier: Apache-2.0
#pragma once

// Middleware for sessions, stored in a sealed cookie or on the server.

#include <apus/cookies.hpp>
#include <apus/detail/owned_parts.hpp>
#include <apus/middleware.hpp>
#include <apus/session.hpp>

namespace apus {

/// Server-side storage of sessions.
/// One store serves all cores: several event loops call the functions concurrently, each on its own thread. The
/// functions must not block. Their errors become the response. Arguments are valid until the task ends.
class session_store {
public:
    virtual ~session_store() = default;

    /// Returns the most recently saved value of this key, or nullopt.
    virtual task<std::optional<std::string>> load(std::string_view key) = 0;
    /// Stores binary data for at least `lifetime`, if there is space.
    virtual task<> save(std::string_view key, std::string bytes, duration lifetime) = 0;
    /// Removes a key. A missing key is not an error.
    virtual task<> remove(std::string_view key) = 0;
};

/// Session store in the memory of this process, shared by all cores; any thread may use it.
/// If the store is full, a new session evicts the least recently used session. If more than a quarter of all sessions
/// have had only one request, the evicted session is one of these; otherwise, it is one of the others. So a client that
/// creates many sessions can evict at most a quarter of the sessions of users, and only the least recently used ones. A
/// restart ends all sessions. A core may have to wait for the lock of the store, for less than a microsecond.
class memory_session_store final : public session_store {
public:
    /// `sessions`: maximum number of sessions, each of at most 16 KiB. At least 64.
    explicit memory_session_store(std::size_t sessions = 100'000);
    memory_session_store(const memory_session_store&) = delete;
    memory_session_store& operator=(const memory_session_store&) = delete;
    ~memory_session_store() override;

    /// Number of stored sessions.
    std::size_t size() const;

    task<std::optional<std::string>> load(std::string_view key) override;              ///< Counts as a use.
    task<> save(std::string_view key, std::string bytes, duration lifetime) override;  ///< Counts as a use.
    task<> remove(std::string_view key) override;                                      ///< Takes effect at once.

private:
    struct parts;
    parts* parts_;
};

/// Lifetime of sessions, and attributes of the cookie.
struct sessions_options {
    std::string name = "session";  ///< Name of the cookie. Prefixed with `__Host-` if `secure`.
    /// Maximum time between requests.
    /// Use is recorded in the store or cookie at most once per tenth of this time.
    duration idle = seconds(30 * 60);
    duration absolute = seconds(12 * 3600);  ///< Maximum age since creation or the last `renew`.
    bool persistent = false;                 ///< Whether the cookie outlives the browser session.
    /// False is for development over http, for which browsers reject secure cookies.
    bool secure = true;
    /// With `none`, requests caused by other sites carry the session: see csrf.hpp.
    same_site site = same_site::lax;
    std::int64_t (*now)() = nullptr;  ///< Clock for tests, in seconds since 1970. Null: the core's clock.
};

/// Middleware that gives each request its `session`.
/// By default the cookie is HttpOnly, SameSite=Lax, Secure and host-only. The cookie is sent after changes, and
/// otherwise only to extend the idle time. A response that sets the cookie is not cacheable, unless its handler sets
/// Cache-Control; a response with a non-empty session has `Vary: Cookie`.
///
/// If two requests change a session concurrently, the last change is kept. With a store, a session that was destroyed
/// or renewed stays destroyed or renewed.
class sessions {
public:
    /// Stores sessions in the cookie, sealed so that the browser can neither read nor change them.
    /// Servers with the same secrets share sessions, and a restart does not end sessions. A session holds about 2900
    /// bytes. `destroy` and `renew` cannot invalidate a copy of an old cookie before its expiry. Each secret has at
    /// least 32 random bytes. The first secret seals cookies, all secrets open them: add new secrets at the front.
    /// Throws `std::invalid_argument` for a shorter secret.
    explicit sessions(const std::vector<std::string>& secrets, sessions_options = {});

    /// Stores sessions on the server, in `store`, which must outlive the app.
    /// The cookie holds a random id of 128 bits; the key in `store` is a digest of the id, so `store` does not reveal
    /// ids.
    explicit sessions(session_store& store, sessions_options = {});

    // Middleware interface, used by the app.
    using sets = session;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    detail::owned_parts<middleware::session_cookies> keeper_;
};

}  // namespace apus
