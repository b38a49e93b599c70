// SPDX-License-Identifier: Apache-2.0
#pragma once

// Middleware that keeps sessions: in a sealed cookie, or in a store of the server.

#include <apus/cookies.hpp>
#include <apus/detail/chain.hpp>
#include <apus/detail/owned_parts.hpp>
#include <apus/detail/parameters.hpp>
#include <apus/session.hpp>

namespace apus {

/// Where sessions are kept on the server's side. One store serves all cores: its functions are
/// called on several threads at once, each on a core's loop, which they must not block. An error of
/// theirs becomes the response. What they are given is valid until their task ends.
class session_store {
public:
    virtual ~session_store() = default;

    /// What was saved last by this key, or nothing.
    virtual task<std::optional<std::string>> load(std::string_view key) = 0;
    /// Keeps `bytes`, which are not text, for `lifetime` at least if there is room.
    virtual task<> save(std::string_view key, std::string bytes, duration lifetime) = 0;
    /// Forgets a key. One that is not there is fine.
    virtual task<> remove(std::string_view key) = 0;
};

/// Sessions in the memory of this process, for all of its cores; any thread may use it. Bounded: a new session
/// takes the place of the least recently used one, of those that no request has come back with while they
/// are more than a quarter, else of all others. So a client that makes sessions without end logs at most a
/// quarter of the users out, those that were away for longest. A restart ends all of them.
/// Cores that use it at the same moment may wait for each other, for less than a microsecond.
class memory_sessions final : public session_store {
public:
    /// `sessions` at most, each of at most 16 KiB. At least 64.
    explicit memory_sessions(std::size_t sessions = 100'000);
    memory_sessions(const memory_sessions&) = delete;
    memory_sessions& operator=(const memory_sessions&) = delete;
    ~memory_sessions() override;

    /// How many there are now.
    std::size_t size() const;

    task<std::optional<std::string>> load(std::string_view key) override;              ///< Counts as a use.
    task<> save(std::string_view key, std::string bytes, duration lifetime) override;  ///< Counts as a use.
    task<> remove(std::string_view key) override;                                      ///< At once.

private:
    struct parts;
    parts* parts_;
};

/// How long sessions live, and how their cookie is set.
struct session_options {
    std::string name = "session";  ///< Of the cookie. `__Host-` is put in front if it is secure.
    /// Without a request. Told to the store or the browser each tenth of it at most.
    duration idle = seconds(30 * 60);
    duration absolute = seconds(12 * 3600);  ///< From the beginning, or the last `renew`.
    bool persistent = false;                 ///< The browser keeps the cookie when it ends.
    /// False: for developing by http, where the browser takes no secure cookies.
    bool secure = true;
    /// With `none` other sites cause requests with the session: see csrf.hpp.
    same_site site = same_site::lax;
    std::int64_t (*now)() = nullptr;  ///< Seconds since 1970; null: the core's clock. For tests.
};

/// Middleware that gives each request its `session`. The cookie is HttpOnly, SameSite=Lax, Secure
/// and for this host only; it is sent when something has changed, and otherwise only to move the
/// idle time on. An answer that sets it is not to be cached, unless its handler says otherwise; one
/// behind which the session is not empty varies by the cookie.
///
/// Of two requests that change one session at the same time, the last to end wins; but one that was
/// destroyed or renewed stays so, where there is a store.
class sessions {
public:
    /// Sessions in the cookie itself, sealed so that the browser can neither read nor change them:
    /// any number of servers with the same secrets share them, and they survive restarts. They hold
    /// about 2900 bytes. `destroy` and `renew` cannot take back a copy of an old cookie, which is good
    /// until it is expired. Each secret has 32 bytes or more of a random generator; the first one
    /// seals, all open, so a new one is put in front. Throws `std::invalid_argument` if one is shorter.
    explicit sessions(const std::vector<std::string>& secrets, session_options = {});

    /// Sessions in a store, which must outlive the app. The cookie holds a random id of 128 bits,
    /// the store gets a digest of it as the key: who reads the store has nobody's session.
    explicit sessions(session_store& store, session_options = {});

    // For the app.
    static constexpr detail::body_use body = detail::body_use::ignored;
    static constexpr const void* sets = &detail::type_key<session>;
    detail::pending run(const detail::step* rest, request&, response& out) const;
    void after(request&, response&) const;

private:
    detail::owned_parts<middleware::session_keeper> keeper_;
};

}  // namespace apus
