// SPDX-License-Identifier: Apache-2.0
#include "postgres/prepared.hpp"

#include <algorithm>

namespace apus::postgres {

namespace {

// Returns whether the rows of a statement have the same format at each execution. For such statements, the server
// reports an error if the format changes.
bool has_constant_format(std::string_view sql) noexcept {
    const auto same = [](char a, char b) { return (a | 0x20) == b; };
    for (const std::string_view word : {"select", "insert", "update", "delete", "with", "values"})
        if (sql.size() > word.size() && std::ranges::equal(sql.substr(0, word.size()), word, same)) return true;
    return false;
}

}  // namespace

prepared* statement_cache::find(std::string_view sql) {
    const auto found = by_text_.find(sql);
    if (found == by_text_.end()) return nullptr;
    if (found->second != order_.begin()) order_.splice(order_.begin(), order_, found->second);
    return &*found->second;
}

prepared& statement_cache::add(std::string_view sql, bool named) {
    order_.emplace_front();
    prepared& made = order_.front();
    made.sql = sql;
    made.varies = !named || !has_constant_format(sql);
    if (named) made.name = "apus" + std::to_string(++names_);
    by_text_.emplace(made.sql, order_.begin());
    return made;
}

std::string statement_cache::evict() {
    if (order_.size() <= most) return {};
    const auto oldest = std::find_if(order_.rbegin(), order_.rend(),
                                     [](const prepared& p) { return p.ready && p.in_use == 0 && p.waiting.empty(); });
    if (oldest == order_.rend()) return {};
    std::string name = oldest->name;
    remove(*oldest);
    return name;
}

void statement_cache::remove(const prepared& p) {
    const auto found = by_text_.find(p.sql);
    const auto at = found->second;
    by_text_.erase(found);
    order_.erase(at);
}

}  // namespace apus::postgres
