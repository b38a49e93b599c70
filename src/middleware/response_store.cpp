// SPDX-License-Identifier: Apache-2.0
#include "middleware/response_store.hpp"

#include "base/ascii.hpp"
#include "http/field_lines.hpp"
#include "http/list_fields.hpp"
#include "middleware/middleware_counts.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace apus::middleware {
namespace {

// Tags contain no line break. Responses to keys with equal hashes count as erased together.
std::string erased_key(const std::string& key) { return "\n" + std::to_string(std::hash<std::string>()(key)); }

}  // namespace

stored_response stored_response::copy_of(const response& res) {
    stored_response made;
    made.status = res.status();
    made.type = res.media_type();
    made.body = res.body();
    for (std::size_t at = 0; at < res.field_lines().size();) {
        const auto [name, value, next] = http::split_line(res.field_lines(), at);
        at = next;
        if (base::equal_ignoring_case(name, "content-type") || base::equal_ignoring_case(name, "set-cookie")) continue;
        made.fields.emplace_back(name, value);
    }
    return made;
}

void stored_response::put_into(response& out) const {
    out.status(status);
    if (!body.empty() || !type.empty()) out.body(body, type);
    for (const auto& [name, value] : fields) out.header(name, value);
}

std::size_t stored_response::size() const noexcept {
    constexpr std::size_t overhead = 400;  // approximate size of the object, its list node and its table entry
    std::size_t sum = overhead + type.size() + body.size() + etag.size();
    for (const auto* lines : {&fields, &vary})
        for (const auto& [name, value] : *lines) sum += name.size() + value.size() + 64;
    for (const std::string& tag : tags) sum += tag.size() + 128;
    return sum;
}

bool stored_response::fits(const request& req) const {
    for (const auto& [name, value] : vary)
        if (http::whole_field(req, name) != value) return false;
    return true;
}

std::shared_ptr<const stored_response> response_store::find(const std::string& key, const request& req) {
    const std::scoped_lock hold(lock_);
    const auto [first, last] = by_key_.equal_range(key);
    for (auto at = first; at != last; ++at) {
        if (!at->second->what->fits(req)) continue;
        items_.splice(items_.begin(), items_, at->second);
        return at->second->what;
    }
    return nullptr;
}

void response_store::put(const std::string& key, std::shared_ptr<const stored_response> what, const request& req,
                         std::uint64_t began) {
    // Maximum number of variants of one page, so that clients cannot fill the store with them.
    constexpr std::size_t max_variants = 16;
    const std::size_t size = what->size() + key.size();
    const std::scoped_lock hold(lock_);
    const auto [first, last] = by_key_.equal_range(key);
    std::size_t others = 0;
    for (auto at = first; at != last;) {
        const auto found = at++->second;
        if (found->what->fits(req)) drop(found);
        else ++others;
    }
    for (; others > max_variants; --others) drop(by_key_.lower_bound(key)->second);  // removes the oldest variant
    if (size > most_ || erased_since(key, *what, began)) return count_changes();
    for (; used_ + size > most_; ++evictions_) drop(std::prev(items_.end()));
    item& made = items_.emplace_front(key, std::move(what), by_key_.end(), std::vector<index::iterator>());
    made.in_tags.reserve(made.what->tags.size());
    made.in_keys = by_key_.emplace(made.key, items_.begin());
    for (const std::string& tag : made.what->tags) made.in_tags.push_back(by_tag_.emplace(tag, items_.begin()));
    used_ += size;
    count_changes();
}

// Adds the changes since the last call to the metrics of this core. Each core may have added some of the responses that
// another core removes; `/metrics` has the sum. The caller holds the lock.
void response_store::count_changes() {
    if (!runtime::loop::exists()) return;
    auto& to = counts_of(cache_counts);
    to.add(cache_entries, items_.size() - counted_.entries);
    to.add(cache_bytes, used_ - counted_.bytes);
    to.add(cache_evictions, evictions_ - counted_.evictions);
    counted_ = {items_.size(), used_, evictions_};
}

void response_store::erase(const std::string& key) {
    const std::scoped_lock hold(lock_);
    remember(erased_key(key));
    for (auto at = by_key_.find(key); at != by_key_.end(); at = by_key_.find(key)) drop(at->second);
    count_changes();
}

void response_store::remember(std::string erased) {
    ++generation_;
    if (erased_.size() >= max_erased && !erased_.contains(erased)) {
        erased_.clear();
        forgotten_ = generation_;
    }
    erased_.insert_or_assign(std::move(erased), generation_);
}

void response_store::erase_tag(std::string_view tag) {
    const std::scoped_lock hold(lock_);
    remember(std::string(tag));
    for (auto at = by_tag_.find(tag); at != by_tag_.end(); at = by_tag_.find(tag)) drop(at->second);
    count_changes();
}

void response_store::clear() {
    const std::scoped_lock hold(lock_);
    forgotten_ = ++generation_;
    erased_.clear();
    by_key_.clear();
    by_tag_.clear();
    items_.clear();
    used_ = 0;
    count_changes();
}

bool response_store::erased_since(const std::string& key, const stored_response& what, std::uint64_t began) const {
    if (began < forgotten_) return true;
    const auto erased = [&](const std::string& one) {
        const auto found = erased_.find(one);
        return found != erased_.end() && found->second > began;
    };
    return erased(erased_key(key)) || std::ranges::any_of(what.tags, erased);
}

std::size_t response_store::bytes() const {
    const std::scoped_lock hold(lock_);
    return used_;
}

void response_store::drop(items::iterator it) noexcept {
    by_key_.erase(it->in_keys);
    for (const auto at : it->in_tags) by_tag_.erase(at);
    used_ -= it->what->size() + it->key.size();
    items_.erase(it);
}

}  // namespace apus::middleware
