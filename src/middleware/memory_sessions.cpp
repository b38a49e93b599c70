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
    bool came_back = false;  // the entry is in `known`: a later request has used the session
};

using entries = std::list<entry>;

// A part of the sessions. Each shard has its own lock, so that cores seldom wait for each other. A session is fresh
// until a later request uses it. If more than a quarter of the sessions of a full shard are fresh, the shard evicts the
// oldest fresh session. Otherwise it evicts the least recently used of the other sessions. So clients that only create
// sessions evict each other's sessions, and cannot displace more than a quarter of the sessions in use.
struct shard {
    std::mutex lock;
    entries fresh, known;  // both lists: most recently used first
    std::unordered_map<std::string_view, entries::iterator> by_key;

    std::size_t size() const noexcept { return by_key.size(); }
    void drop(entries::iterator which) {
        by_key.erase(which->key);
        (which->came_back ? known : fresh).erase(which);
    }
    void use(entries::iterator which) noexcept {
        known.splice(known.begin(), which->came_back ? known : fresh, which);
        which->came_back = true;
    }
    void make_room(std::size_t most) {
        if (size() < most) return;
        const bool enough_are_fresh = known.empty() || fresh.size() > most / 4;
        drop(std::prev((enough_are_fresh ? fresh : known).end()));
    }
};

constexpr std::size_t shards = 32;

}  // namespace

struct memory_session_store::parts {
    std::array<shard, shards> all;
    std::size_t max_shard_bytes;

    shard& of(std::string_view key) noexcept { return all[std::hash<std::string_view>()(key) % shards]; }
};

memory_session_store::memory_session_store(std::size_t sessions) : parts_(new parts) {
    parts_->max_shard_bytes = std::max<std::size_t>(sessions / shards, 2);
}
memory_session_store::~memory_session_store() { delete parts_; }

std::size_t memory_session_store::size() const {
    std::size_t n = 0;
    for (auto& s : parts_->all) {
        const std::lock_guard held(s.lock);
        n += s.size();
    }
    return n;
}

task<std::optional<std::string>> memory_session_store::load(std::string_view key) {
    shard& s = parts_->of(key);
    const std::lock_guard held(s.lock);
    const auto found = s.by_key.find(key);
    if (found == s.by_key.end()) co_return std::nullopt;
    s.use(found->second);
    co_return found->second->bytes;
}

task<> memory_session_store::save(std::string_view key, std::string bytes, duration) {
    shard& s = parts_->of(key);
    const std::lock_guard held(s.lock);
    if (const auto found = s.by_key.find(key); found != s.by_key.end()) {
        found->second->bytes = std::move(bytes);
        s.use(found->second);
        co_return;
    }
    s.make_room(parts_->max_shard_bytes);
    s.fresh.push_front({std::string(key), std::move(bytes)});
    s.by_key.emplace(s.fresh.front().key, s.fresh.begin());
}

task<> memory_session_store::remove(std::string_view key) {
    shard& s = parts_->of(key);
    const std::lock_guard held(s.lock);
    if (const auto found = s.by_key.find(key); found != s.by_key.end()) s.drop(found->second);
    co_return;
}

}  // namespace apus
