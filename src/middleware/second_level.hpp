// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "middleware/response_store.hpp"
#include "middleware/store_guard.hpp"

#include <apus/response_cache.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace apus::middleware {

/// Result of a search in the second level.
struct shared_response {
    std::shared_ptr<const stored_response> found;  ///< Null: not found.
    std::string began;  ///< For `second_level::put`. Empty if the store failed: then the response is not stored there.
};

/// Second level of a response cache: a `response_cache_store`. Thread-safe.
/// Dropped tags are remembered until the store has removed them. Until then, no response of the store is used.
class second_level {
public:
    /// `how.store` must not be null. Throws `std::invalid_argument` for invalid options.
    explicit second_level(const response_cache_options& how);

    /// Searches a response for a request. `key`: of the first level.
    task<shared_response> find(const std::string& key, request&);
    /// Stores a response, without an error if this fails.
    task<> put(std::string key, std::shared_ptr<const stored_response>, std::string began);

    void drop_target(std::string_view key);  ///< `key`: of the first level.
    void drop_tag(std::string_view tag);
    void drop_all();
    /// Returns a number that increases with each drop.
    std::uint64_t last_drop();
    /// Waits until the store has removed the responses dropped since a result of `last_drop`.
    /// Returns false if the store fails.
    task<bool> finish_drops(std::uint64_t since);
    /// Like `finish_drops` for all drops, but calls the store also while it fails.
    task<bool> finish_all_drops();

    static constexpr std::size_t max_drops = 1'024;  ///< Remembered drops; over it, all responses are dropped.

private:
    using tag_drops = std::map<std::string, std::uint64_t, std::less<>>;

    void remember(std::string tag);
    tag_drops drops_since(std::uint64_t number);
    task<bool> drop_remembered(std::uint64_t since = 0);
    task<shared_response> search(const std::string& key, request&);
    std::shared_ptr<const stored_response> usable(const stored_response&, std::string_view key, const std::string& text,
                                                  duration left, request&) const;
    task<bool> write(const std::string& key, const std::string& text, std::string bytes, const stored_response&,
                     const std::string& began);

    response_cache_store& store_;
    const response_cache_options how_;
    const std::size_t most_;  // bytes of an entry
    store_guard reads_;
    store_guard writes_;  // separate: a store without memory can be read
    std::mutex lock_;
    std::uint64_t last_drop_ = 0;
    tag_drops drops_;  // digests of tags, with the number of their last drop
};

}  // namespace apus::middleware
