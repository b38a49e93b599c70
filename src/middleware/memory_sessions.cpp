// SPDX-License-Identifier: Apache-2.0
#include <apus/sessions.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <list>
#include <mutex>
#include <unordered_map>

namespace apus {
namespace {

struct entry {
    std::string key, bytes;
};

// A part of the sessions, with a lock of its own so that cores seldom wait for each other.
struct shard {
    std::mutex lock;
    std::list<entry> by_use;  // the last one used is the first
    std::unordered_map<std::string_view, std::list<entry>::iterator> by_key;

    void drop(std::list<entry>::iterator which) {
        by_key.erase(which->key);
        by_use.erase(which);
    }
};

constexpr std::size_t shards = 32;

}  // namespace

struct memory_sessions::parts {
    std::array<shard, shards> all;
    std::size_t most_of_shard;

    shard& of(std::string_view key) noexcept { return all[std::hash<std::string_view>()(key) % shards]; }
};

memory_sessions::memory_sessions(std::size_t sessions) : parts_(new parts) {
    parts_->most_of_shard = std::max<std::size_t>(sessions / shards, 2);
}
memory_sessions::~memory_sessions() { delete parts_; }

std::size_t memory_sessions::size() const {
    std::size_t n = 0;
    for (auto& s : parts_->all) {
        const std::lock_guard held(s.lock);
        n += s.by_use.size();
    }
    return n;
}

task<std::optional<std::string>> memory_sessions::load(std::string_view key) {
    shard& s = parts_->of(key);
    const std::lock_guard held(s.lock);
    const auto found = s.by_key.find(key);
    if (found == s.by_key.end()) co_return std::nullopt;
    s.by_use.splice(s.by_use.begin(), s.by_use, found->second);
    co_return found->second->bytes;
}

task<> memory_sessions::save(std::string_view key, std::string bytes, duration) {
    shard& s = parts_->of(key);
    const std::lock_guard held(s.lock);
    if (const auto found = s.by_key.find(key); found != s.by_key.end()) {
        found->second->bytes = std::move(bytes);
        s.by_use.splice(s.by_use.begin(), s.by_use, found->second);
        co_return;
    }
    if (s.by_use.size() >= parts_->most_of_shard) s.drop(std::prev(s.by_use.end()));
    s.by_use.push_front({std::string(key), std::move(bytes)});
    s.by_key.emplace(s.by_use.front().key, s.by_use.begin());
}

task<> memory_sessions::remove(std::string_view key) {
    shard& s = parts_->of(key);
    const std::lock_guard held(s.lock);
    if (const auto found = s.by_key.find(key); found != s.by_key.end()) s.drop(found->second);
    co_return;
}

}  // namespace apus
