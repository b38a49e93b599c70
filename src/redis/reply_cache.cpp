// SPDX-License-Identifier: Apache-2.0
#include "redis/reply_cache.hpp"

#include <iterator>
#include <utility>

namespace apus::redis {

std::size_t reply_cache::size_of(const entry& e) noexcept {
    return overhead + e.key.size() + e.command.size() + e.reply.size();
}

const std::string* reply_cache::find(std::string_view command, std::uint64_t stored_after) {
    const auto found = by_command_.find(command);
    if (found == by_command_.end()) return nullptr;
    const auto at = found->second;
    if (at->stored < stored_after) {
        remove(at);
        return nullptr;
    }
    all_.splice(all_.begin(), all_, at);
    return &at->reply;
}

void reply_cache::store(std::string_view key, std::string_view command, std::string_view reply, std::uint64_t now) {
    if (const auto found = by_command_.find(command); found != by_command_.end()) remove(found->second);
    entry made{.key = std::string(key),
               .command = std::string(command),
               .reply = std::string(reply),
               .stored = now,
               .in_keys = by_key_.end()};
    const std::size_t size = size_of(made);
    if (size > most_ / 4) return;
    for (; bytes_ + size > most_; ++evictions_) remove(std::prev(all_.end()));
    all_.push_front(std::move(made));
    by_command_.emplace(all_.front().command, all_.begin());
    all_.front().in_keys = by_key_.emplace(all_.front().key, all_.begin());
    bytes_ += size;
}

void reply_cache::remove_key(std::string_view key) {
    for (auto found = by_key_.find(key); found != by_key_.end(); found = by_key_.find(key)) remove(found->second);
}

void reply_cache::remove(entries::iterator at) {
    by_command_.erase(at->command);
    by_key_.erase(at->in_keys);
    bytes_ -= size_of(*at);
    all_.erase(at);
}

void reply_cache::clear() noexcept {
    by_command_.clear();
    by_key_.clear();
    all_.clear();
    bytes_ = 0;
}

}  // namespace apus::redis
