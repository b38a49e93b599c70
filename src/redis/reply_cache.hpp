// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

namespace apus::redis {

/// Replies by command, which are removed by key. Removes the least recently used replies first.
class reply_cache {
public:
    explicit reply_cache(std::size_t bytes) : most_(bytes) {}
    reply_cache(const reply_cache&) = delete;
    reply_cache& operator=(const reply_cache&) = delete;

    /// Returns the reply to a command if it was stored at `stored_after` or later, otherwise null.
    /// The pointer is valid until the next call of a function that is not const.
    const std::string* find(std::string_view command, std::uint64_t stored_after);
    /// Stores a reply that depends on the value of a key.
    /// Ignores replies that use more than a quarter of the memory. `now`: as in `find`.
    void store(std::string_view key, std::string_view command, std::string_view reply, std::uint64_t now);
    void remove_key(std::string_view key);
    void clear() noexcept;

    std::size_t bytes() const noexcept { return bytes_; }  ///< Used memory, with an estimate of the overhead.
    std::size_t size() const noexcept { return all_.size(); }
    std::uint64_t evictions() const noexcept { return evictions_; }  ///< Replies removed for lack of memory.

    static constexpr std::size_t overhead = 256;  ///< Bytes per reply for nodes of the list and the maps.

private:
    struct entry;
    using entries = std::list<entry>;
    // Equal keys are removed by their position: clients can choose many commands of one key, such as HGET.
    using keys = std::multimap<std::string_view, entries::iterator>;
    struct entry {
        std::string key, command, reply;
        std::uint64_t stored;
        keys::iterator in_keys;
    };

    static std::size_t size_of(const entry& e) noexcept;
    void remove(entries::iterator);

    std::size_t most_, bytes_ = 0;
    std::uint64_t evictions_ = 0;
    entries all_;  // the most recently used one first
    std::unordered_map<std::string_view, entries::iterator> by_command_;
    keys by_key_;
};

}  // namespace apus::redis
