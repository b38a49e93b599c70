// SPDX-License-Identifier: Apache-2.0
#include "store.hpp"

namespace links {

std::optional<account> store::add_account(std::string name, std::string email, std::string kept_password) {
    const std::lock_guard hold(lock_);
    for (const account& one : accounts_)
        if (one.email == email) return std::nullopt;
    const std::int64_t id = static_cast<std::int64_t>(accounts_.size()) + 1;
    return accounts_.emplace_back(id, std::move(name), std::move(email), std::move(kept_password));
}

std::optional<account> store::find_account(std::string_view email) const {
    const std::lock_guard hold(lock_);
    for (const account& one : accounts_)
        if (one.email == email) return one;
    return std::nullopt;
}

std::optional<account> store::find_account(std::int64_t id) const {
    const std::lock_guard hold(lock_);
    for (const account& one : accounts_)
        if (one.id == id) return one;
    return std::nullopt;
}

bool store::add(short_link made) {
    const std::lock_guard hold(lock_);
    std::string code = made.code;
    return links_.try_emplace(std::move(code), std::move(made)).second;
}

std::optional<short_link> store::find(const std::string& code) const {
    const std::lock_guard hold(lock_);
    const auto found = links_.find(code);
    return found == links_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<short_link> store::of(std::int64_t owner) const {
    const std::lock_guard hold(lock_);
    std::vector<short_link> found;
    for (const auto& [code, one] : links_)
        if (one.owner == owner) found.push_back(one);
    return found;
}

bool store::change(const short_link& to) {
    const std::lock_guard hold(lock_);
    const auto found = links_.find(to.code);
    if (found == links_.end() || found->second.owner != to.owner) return false;
    found->second = to;
    return true;
}

bool store::remove(const std::string& code, std::int64_t owner) {
    const std::lock_guard hold(lock_);
    const auto found = links_.find(code);
    if (found == links_.end() || found->second.owner != owner) return false;
    links_.erase(found);
    return true;
}

std::optional<std::string> store::visit(const std::string& code) {
    const std::lock_guard hold(lock_);
    const auto found = links_.find(code);
    if (found == links_.end()) return std::nullopt;
    ++found->second.visits, ++visits_;
    return found->second.target;
}

std::int64_t store::visits() const {
    const std::lock_guard hold(lock_);
    return visits_;
}

}  // namespace links
