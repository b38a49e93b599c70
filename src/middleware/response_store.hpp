// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/http.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::middleware {

/// A stored response; immutable. Times are in milliseconds of the loop's clock.
struct stored_response {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> fields;
    std::string type, body, etag;
    std::vector<std::pair<std::string, std::string>> vary;  ///< Request fields named by Vary, with their values.
    /// Whether the response may also be sent for requests with Authorization (RFC 9111, 3.5).
    bool for_authorized = false;
    std::vector<std::string> tags;  ///< By which `response_store::erase_tag` removes the response.
    std::uint64_t stored_at = 0, fresh_until = 0, usable_until = 0;

    /// Copies status, fields except `Set-Cookie`, media type and body. The body must not be streamed.
    static stored_response copy_of(const response&);
    /// Sets status, body and media type, and adds the fields.
    /// Throws `std::invalid_argument` for fields that `response::header` refuses.
    void put_into(response&) const;

    std::size_t size() const noexcept;  ///< Approximate memory in bytes.
    bool fits(const request&) const;    ///< Whether the request has the same values of the fields named by Vary.
};

/// Stored responses up to a total size, with least-recently-used eviction. Thread-safe.
class response_store {
public:
    explicit response_store(std::size_t bytes) noexcept : most_(bytes) {}

    /// Returns the newest response for this key that matches the request, or null. It may be stale.
    std::shared_ptr<const stored_response> find(const std::string& key, const request&);

    /// Stores a response. The new response replaces the stored response for an equal request.
    /// Responses larger than the store are not stored. `began`: result of `generation` before the handler was called; a
    /// response is not stored if its key or one of its tags was erased since, as the handler may have read older data.
    void put(const std::string& key, std::shared_ptr<const stored_response>, const request&, std::uint64_t began);

    void erase(const std::string& key);
    void erase_tag(std::string_view tag);
    void clear();  ///< Removes all responses, and those of handlers that run now.
    /// Does not lock, since each request for a response that is not stored calls it.
    std::uint64_t generation() const noexcept { return generation_.load(std::memory_order_acquire); }

    static constexpr std::size_t max_erased = 1'024;  ///< Erased tags and keys, remembered for running handlers.

    std::size_t bytes() const;  ///< Memory in use, in bytes.

private:
    struct item;
    using items = std::list<item>;
    using index = std::multimap<std::string_view, items::iterator>;
    struct item {
        std::string key;
        std::shared_ptr<const stored_response> what;
        index::iterator in_keys;
        std::vector<index::iterator> in_tags;  // many responses can have one tag, so that a search takes too long
    };

    void drop(items::iterator) noexcept;
    void count_changes();
    void remember(std::string erased);
    bool erased_since(const std::string& key, const stored_response&, std::uint64_t began) const;

    std::size_t most_;
    std::size_t used_ = 0;
    items items_;  // most recently used first
    index by_key_;
    index by_tag_;
    std::atomic<std::uint64_t> generation_ = 0;    // number of calls of `erase`, `erase_tag` and `clear`
    std::uint64_t forgotten_ = 0;                  // what was erased up to this generation is unknown
    std::map<std::string, std::uint64_t> erased_;  // tags and hashes of keys, with the generation of their last call
    std::uint64_t evictions_ = 0;
    struct counted_state {
        std::size_t entries = 0, bytes = 0;
        std::uint64_t evictions = 0;
    } counted_;  // included in the metrics of cores
    mutable std::mutex lock_;
};

}  // namespace apus::middleware
