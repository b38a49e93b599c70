// SPDX-License-Identifier: Apache-2.0
#include "middleware/second_level.hpp"

#include "crypto/base64.hpp"
#include "crypto/hmac.hpp"
#include "http/list_fields.hpp"
#include "middleware/cache_entry.hpp"
#include "middleware/kept_response.hpp"
#include "middleware/middleware_counts.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

namespace apus::middleware {
namespace {

constexpr std::size_t room_for_fields = 64 * 1024;  // bytes of an entry that are not the body

void count(cache_store_cell cell) { counts_of(cache_store_counts).add(cell); }

// Clients have no influence on the size and the characters of keys in the store.
std::string digest(std::string_view kind, std::string_view text) {
    return crypto::base64url(crypto::hmac_sha256(std::string("apus response cache ").append(kind), text));
}

std::string digest_of_all() { return digest("all", {}); }

// Returns the text of the key of one of the responses of a target. Values of fields contain no line breaks.
template <class Fields>
std::string variant_key(std::string_view key, const Fields& fields) {
    std::string made(key);
    for (const auto& [name, value] : fields) made.append("\n").append(name).append(": ").append(value);
    return made;
}

std::string variant_key(std::string_view key, const varying_fields& names, const request& req) {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const std::string& name : names) fields.emplace_back(name, http::whole_field(req, name));
    return variant_key(key, fields);
}

std::vector<std::string> tags_of(std::string_view key, const stored_response& of) {
    std::vector<std::string> made{digest_of_all(), digest("target", key)};
    for (const std::string& tag : of.tags) made.push_back(digest("tag", tag));
    return made;
}

store_guard guard(const char* call, duration timeout) {
    return {{.failed = "response cache: the store failed",
             .works = "response cache: the store works again",
             .label = "call"},
            call,
            timeout};
}

}  // namespace

second_level::second_level(const response_cache_options& how)
    : store_(*how.store),
      how_(how),
      most_(how.largest + room_for_fields),
      reads_(guard("read", how.store_timeout)),
      writes_(guard("write", how.store_timeout)) {
    if (how.store_timeout < milliseconds(1))
        throw std::invalid_argument("response_cache: `store_timeout` must be at least 1 ms");
}

task<shared_response> second_level::find(const std::string& key, request& req) {
    auto got = co_await reads_.call<shared_response>([&] { return search(key, req); });
    if (got) co_return *std::move(got);
    count(store_failed);
    co_return shared_response();
}

// A response that depends on fields of the request is found by two calls: the first one returns the names.
task<shared_response> second_level::search(const std::string& key, request& req) {
    co_await drop_remembered();
    shared_response made;
    std::string text = key;
    for (bool first = true;; first = false) {
        const auto got = co_await store_.find(digest("key", text));
        if (first) made.began = got.began;
        if (got.bytes.empty()) break;
        const auto entry = got.bytes.size() <= most_ ? read_cache_entry(got.bytes) : std::nullopt;
        const bool valid = entry && entry->key == text;
        if (const auto* names = valid ? std::get_if<varying_fields>(&entry->content) : nullptr; names && first) {
            text = variant_key(key, *names, req);
            continue;
        }
        if (const auto* kept = valid ? std::get_if<stored_response>(&entry->content) : nullptr)
            made.found = usable(*kept, key, text, got.left, req);
        if (!made.found) {
            count(store_invalid);
            co_return made;
        }
        break;
    }
    count(made.found ? store_hits : store_misses);
    co_return made;
}

// Applies the rules for responses of handlers. Returns null if the response may not be stored for this request, or if
// its key or lifetime does not match.
std::shared_ptr<const stored_response> second_level::usable(const stored_response& from, std::string_view key,
                                                            const std::string& text, duration left,
                                                            request& req) const {
    response res;
    from.put_into(res);
    auto made = kept_response(req, res, how_);
    if (!made || variant_key(key, made->vary) != text) return nullptr;
    constexpr std::uint64_t tolerance = 1'000;
    const std::uint64_t now = made->stored_at, fresh = made->fresh_until - now, life = made->usable_until - now;
    const auto rest = static_cast<std::uint64_t>(std::max<std::int64_t>(left.milliseconds(), 0));
    if (rest == 0 || rest > life + tolerance) return nullptr;
    const std::uint64_t age = life - std::min(rest, life);
    made->stored_at = now - age;  // may be before the start of the clock: the difference is right
    made->fresh_until = now + (fresh > age ? fresh - age : 0);
    made->usable_until = now + std::min(rest, life);
    return made;
}

task<> second_level::put(std::string key, std::shared_ptr<const stored_response> what, std::string began) {
    const std::string text = variant_key(key, what->vary);
    std::string bytes = entry_bytes(text, *what);
    if (bytes.size() > most_ || what->vary.size() > most_varying) co_return count(store_not_written);
    const auto done = co_await writes_.call<bool>([&] { return write(key, text, std::move(bytes), *what, began); });
    count(!done ? store_writes_failed : *done ? store_written : store_not_written);
}

task<bool> second_level::write(const std::string& key, const std::string& text, std::string bytes,
                               const stored_response& what, const std::string& began) {
    co_await drop_remembered();  // before `put`, which then refuses a response that is older than a drop
    const std::uint64_t now = runtime::loop::current().now();
    if (now >= what.usable_until) co_return false;
    const auto lifetime = milliseconds(static_cast<std::int64_t>(what.usable_until - now));
    const auto entry_of = [&](const std::string& named, std::string content) {
        return response_cache_store::entry{.key = digest("key", named),
                                           .bytes = std::move(content),
                                           .tags = tags_of(key, what),
                                           .lifetime = lifetime,
                                           .began = began};
    };
    if (!co_await store_.put(entry_of(text, std::move(bytes)))) co_return false;
    if (what.vary.empty()) co_return true;
    varying_fields names;
    for (const auto& [name, value] : what.vary) names.push_back(name);
    co_return co_await store_.put(entry_of(key, entry_bytes(key, names)));
}

void second_level::drop_target(std::string_view key) { remember(digest("target", key)); }
void second_level::drop_tag(std::string_view tag) { remember(digest("tag", tag)); }
void second_level::drop_all() { remember(digest_of_all()); }

void second_level::remember(std::string tag) {
    const std::scoped_lock hold(lock_);
    if (drops_.size() >= max_drops && !drops_.contains(tag)) {
        drops_.clear();
        tag = digest_of_all();
    }
    drops_.insert_or_assign(std::move(tag), ++last_drop_);
}

std::uint64_t second_level::last_drop() {
    const std::scoped_lock hold(lock_);
    return last_drop_;
}

second_level::tag_drops second_level::drops_since(std::uint64_t number) {
    const std::scoped_lock hold(lock_);
    tag_drops made = drops_;
    std::erase_if(made, [&](const auto& each) { return each.second <= number; });
    return made;
}

task<bool> second_level::drop_remembered(std::uint64_t since) {
    const tag_drops dropped = drops_since(since);
    if (dropped.empty()) co_return true;
    std::vector<std::string> tags;
    for (const auto& [tag, number] : dropped) tags.push_back(tag);
    co_await store_.drop(std::move(tags));
    const std::scoped_lock hold(lock_);
    // A tag that was dropped again meanwhile has a greater number.
    std::erase_if(drops_, [&](const auto& each) {
        const auto done = dropped.find(each.first);
        return done != dropped.end() && done->second == each.second;
    });
    co_return true;
}

task<bool> second_level::finish_drops(std::uint64_t since) {
    if (drops_since(since).empty()) co_return true;
    const auto done = co_await reads_.call<bool>([this, since] { return drop_remembered(since); });
    co_return done.has_value();
}

task<bool> second_level::finish_all_drops() {
    if (drops_since(0).empty()) co_return true;
    const auto done = co_await reads_.call_always<bool>([this] { return drop_remembered(0); });
    co_return done.has_value();
}

}  // namespace apus::middleware
