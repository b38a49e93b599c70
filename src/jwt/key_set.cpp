// SPDX-License-Identifier: Apache-2.0
#include "jwt/key_set_parts.hpp"

#include "jwt/jwk.hpp"

#include <stdexcept>

namespace apus::jwt {
namespace {

constexpr std::size_t max_keys = 64;

bool two_alike(const key_list& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t k = i + 1; k < keys.size(); ++k)
            if (keys[i].alg() == keys[k].alg() && keys[i].id() == keys[k].id()) return true;
    return false;
}

}  // namespace

key_set::key_set() : parts_(new parts) {}

key_set::key_set(const std::vector<key>& keys) : key_set() {
    const auto done = replace(keys);
    if (!done) throw std::invalid_argument(done.error().detail());
}

result<void> key_set::replace(const std::vector<key>& keys) {
    if (keys.size() > max_keys) return fail(500, "a key set may have at most 64 keys");
    if (two_alike(keys)) return fail(500, "two keys of a key set have the same algorithm and id");
    auto made = std::make_shared<const key_list>(keys);
    {
        const std::lock_guard lock(parts_->changing);
        parts_->keys.swap(made);
    }
    parts_->version.fetch_add(1, std::memory_order_release);
    return {};
}

result<void> key_set::replace_by_jwks(std::string_view json) {
    const auto keys = read_jwks(json);
    if (!keys) return std::unexpected(keys.error());
    return replace(*keys);
}

std::size_t key_set::size() const { return parts_->now()->size(); }

void key_set::keep(parts* p) noexcept { p->owners.fetch_add(1, std::memory_order_relaxed); }
void key_set::let_go(parts* p) noexcept {
    if (p->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

}  // namespace apus::jwt
