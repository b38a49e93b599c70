// SPDX-License-Identifier: Apache-2.0
#pragma once

// A cache of responses in memory, with an optional second level that processes share.

#include <apus/duration.hpp>
#include <apus/middleware.hpp>
#include <apus/task.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace apus {

/// Second level of response caches: responses that the processes of a service share.
/// On Redis: `redis::response_cache_store` (redis/response_cache_store.hpp). One store serves all cores: several event
/// loops call its functions concurrently, each on its own thread. They must not block. Keys and tags are digests: 43
/// letters, digits, '-' and '_'.
class response_cache_store {
public:
    struct found {
        std::string bytes;   ///< Empty if nothing is stored.
        duration left = {};  ///< Remaining lifetime of the bytes.
        std::string began;   ///< The state of the tags now: see `entry::began`. Not empty.
    };
    struct entry {
        std::string key, bytes;
        std::vector<std::string> tags;
        duration lifetime;
        std::string began;  ///< From the call of `find` before the handler was called.
    };

    virtual ~response_cache_store() = default;

    /// Returns the bytes of a key, unless one of their tags was dropped after they were stored.
    virtual task<found> find(std::string key) = 0;
    /// Stores bytes for their lifetime. Returns false if they are not stored.
    /// If a tag was dropped since `began`, they must not be stored, as the handler may have read older data.
    virtual task<bool> put(entry what) = 0;
    /// Drops all bytes with one of the tags, for all processes.
    virtual task<> drop(std::vector<std::string> tags) = 0;
};

/// Size of the cache and cached responses.
struct response_cache_options {
    std::size_t bytes = 64 * 1024 * 1024;  ///< Approximate memory. Evicts least recently used responses.
    std::size_t largest = 1024 * 1024;     ///< Maximum bytes of a stored body.
    bool errors = false;                   ///< Whether to store 4xx and 5xx responses with a lifetime too.
    /// Lifetime of responses with status 404 or 410 and without Cache-Control (negative caching).
    /// In whole seconds, at most a day. 0: they are not stored.
    duration not_found = {};
    /// Second level, which a core asks for responses that are not in memory.
    /// Null: none. Must outlive the cache.
    response_cache_store* store = nullptr;
    duration store_timeout = milliseconds(100);  ///< Maximum wait for `store`; then it has failed. At least 1 ms.
};

/// Middleware that caches responses to GET with an explicit lifetime.
/// It reuses them for GET and HEAD, as a shared cache of this origin (RFC 9111).
///
/// A response is stored if its Cache-Control has `max-age` or `s-maxage`, but none of `no-store`, `no-cache` and
/// `private`. Its body must not be streamed. It must not have Set-Cookie, `Vary: *`, a `csp_nonce` or a `csrf_token`.
/// If the request has Authorization, an `identity`, or a `session` with data or an id, Cache-Control must also have
/// `public`, `s-maxage` or `must-revalidate`. Heuristic freshness (RFC 9111, 4.2.2) is not used.
///
/// The key consists of scheme and host (as determined by `trusted_proxies`, if it is around this middleware), target,
/// and the request's fields that Vary names. Requests with a body are not served from the cache. A response from the
/// cache has Age; it is a 304 if If-None-Match contains its ETag. Cache-Control of requests is ignored: clients cannot
/// force handlers to run. A successful POST, PUT, PATCH or DELETE removes the responses stored for its target.
///
/// While a handler runs for a key, other requests for the key on this core wait for its response. If the client of the
/// first request disconnects, the handler runs for the next request. Within `stale-while-revalidate` seconds after
/// expiry (RFC 5861), the stale response is sent, and the handler runs in the background to refresh it. The background
/// request is a copy without conditions (RFC 9110, 13.1) and without the values of `request::set`, except
/// `client_info`.
///
/// The field Cache-Tag of a response is a list of up to 64 tags, by which `drop_tag` removes responses with different
/// targets. For several processes: `redis::cache_relay`.
///
/// With `response_cache_options::store`, processes also share the stored responses. A core asks the store once for all
/// requests with a key that wait. Requests with Authorization, an `identity` or a `session` with data or an id do not
/// use the store. Its responses are checked like those of handlers; invalid bytes count as missing. While the store
/// fails, the cache in memory works alone, and one request per second tries the store again.
///
/// Copies share the stored responses, on any thread; each lookup holds a lock. All cores share a cache that is created
/// outside `make_app` and captured; a cache created inside belongs to one core.
class response_cache {
public:
    response_cache();
    /// Throws `std::invalid_argument` if `store_timeout` is too small.
    explicit response_cache(const response_cache_options&);
    response_cache(const response_cache&);
    response_cache(response_cache&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    response_cache& operator=(const response_cache&) = delete;
    ~response_cache();

    // With a store, the three functions also remove the responses there: before the next request of this process that
    // asks the store, or when `store_drops` is called. Other processes keep what they have in memory.

    /// Removes all responses stored for a host and a target, such as "/news?page=2", for both schemes.
    /// Any thread.
    void drop(std::string_view host, std::string_view target);
    /// Removes all responses whose Cache-Tag contains this tag. Any thread.
    /// Responses with this tag that handlers are producing now are not stored.
    void drop_tag(std::string_view tag);
    /// Removes all responses. Responses that handlers are producing now are not stored. Any thread.
    void drop_all();

    /// Waits until the store has removed all responses that this process has dropped.
    /// Any core. Error 503 if the store fails: then the next request that asks the store removes them.
    task<> store_drops() const;
    /// Like `drop_tag`, but keeps the responses in the store: for relays between processes.
    void drop_tag_in_memory(std::string_view tag);
    /// Like `drop_all`, but keeps the responses in the store.
    void drop_all_in_memory();

    // Middleware interface, used by the app.
    using sets = void;
    pending_response operator()(request&, response& out, next_handler) const;

private:
    struct parts;
    parts* parts_;
};

}  // namespace apus
