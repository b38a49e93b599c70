// SPDX-License-Identifier: Apache-2.0
#include "jwt/key_parts.hpp"

namespace apus::jwt {

std::expected<key, std::string> key::secret(algorithm of, std::string_view bytes, std::string_view id) {
    return key_access::loaded(key_access::named(crypto::signature_key::secret(of, bytes), id));
}

std::expected<key, std::string> key::pem(algorithm of, std::string_view text, std::string_view id) {
    return key_access::loaded(key_access::named(crypto::signature_key::pem(of, text), id));
}

algorithm key::alg() const noexcept { return parts_->signature.algorithm(); }
std::string_view key::id() const noexcept { return parts_->id; }
bool key::signs() const noexcept { return parts_->signature.signs(); }

void key::keep(parts* p) noexcept { p->owners.fetch_add(1, std::memory_order_relaxed); }
void key::let_go(parts* p) noexcept {
    if (p->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete p;
}

}  // namespace apus::jwt
