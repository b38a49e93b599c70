// SPDX-License-Identifier: Apache-2.0
#include "runtime/loop.hpp"

#include <apus/idempotency.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace apus {
namespace {

struct kept_key {
    std::string key, value;
    std::uint64_t expires;  // in milliseconds of the loops' clock
    bool is_claim;

    std::size_t size() const noexcept {
        constexpr std::size_t overhead = 200;  // approximate size of the list node and the table entry
        return overhead + key.size() + value.size();
    }
};

std::uint64_t time_after(duration d) noexcept { return runtime::loop::current().due_in(std::max(d, milliseconds(1))); }

}  // namespace

struct memory_idempotency_store::parts {
    using keys = std::list<kept_key>;

    explicit parts(std::size_t bytes) : most(std::max<std::size_t>(bytes, 64 * 1024)) {}

    keys& list_of(const kept_key& one) noexcept { return one.is_claim ? claims : responses; }
    void drop(keys::iterator it) {
        used -= it->size();
        by_key.erase(it->key);
        list_of(*it).erase(it);
    }
    // Returns the end of `responses` if the key does not exist or has expired.
    keys::iterator find(std::string_view key) {
        const auto found = by_key.find(key);
        if (found == by_key.end()) return responses.end();
        if (found->second->expires > runtime::loop::current().now()) return found->second;
        drop(found->second);
        return responses.end();
    }
    bool make_room(std::size_t size) {
        const std::uint64_t now = runtime::loop::current().now();
        while (!claims.empty() && claims.front().expires <= now) drop(claims.begin());
        while (!responses.empty() && (used + size > most || responses.front().expires <= now)) drop(responses.begin());
        return used + size <= most;
    }
    void add(kept_key one) {
        used += one.size();
        keys& to = list_of(one);
        to.push_back(std::move(one));
        by_key.emplace(to.back().key, std::prev(to.end()));
    }

    const std::size_t most;
    std::size_t used = 0;
    keys claims, responses;  // oldest first
    std::unordered_map<std::string_view, keys::iterator> by_key;
    std::mutex lock;
};

memory_idempotency_store::memory_idempotency_store(std::size_t bytes) : parts_(detail::own_parts(new parts(bytes))) {}

std::size_t memory_idempotency_store::keys() const {
    const std::lock_guard held(parts_->lock);
    return parts_->by_key.size();
}

std::size_t memory_idempotency_store::bytes() const {
    const std::lock_guard held(parts_->lock);
    return parts_->used;
}

task<std::optional<std::string>> memory_idempotency_store::claim(std::string_view key, std::string_view claim,
                                                                 duration lease) {
    parts& p = *parts_;
    {
        const std::lock_guard held(p.lock);
        if (const auto found = p.find(key); found != p.responses.end()) co_return found->value;
        kept_key one{std::string(key), std::string(claim), time_after(lease), true};
        if (p.make_room(one.size())) {
            p.add(std::move(one));
            co_return std::nullopt;
        }
    }
    co_await fail(503, "too many requests with an Idempotency-Key are in progress").expose().header("Retry-After", "1");
    co_return std::nullopt;
}

task<bool> memory_idempotency_store::complete(std::string_view key, std::string_view claim, std::string_view value,
                                              duration lifetime) {
    parts& p = *parts_;
    const std::lock_guard held(p.lock);
    const auto found = p.find(key);
    if (found == p.responses.end() || found->value != claim) co_return false;
    p.drop(found);
    kept_key one{std::string(key), std::string(value), time_after(lifetime), false};
    if (p.make_room(one.size())) p.add(std::move(one));
    co_return true;
}

task<> memory_idempotency_store::release(std::string_view key, std::string_view claim) {
    parts& p = *parts_;
    const std::lock_guard held(p.lock);
    if (const auto found = p.find(key); found != p.responses.end() && found->value == claim) p.drop(found);
    co_return;
}

}  // namespace apus
