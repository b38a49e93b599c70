// SPDX-License-Identifier: Apache-2.0
#include "middleware/api_key.hpp"

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "crypto/digest.hpp"
#include "crypto/random.hpp"

#include <apus/api_key_auth.hpp>

#include <stdexcept>

namespace apus {
namespace middleware {
namespace {

constexpr std::size_t id_digits = 16, secret_digits = 64, longest_prefix = 16;

bool is_prefix(std::string_view text) noexcept {
    for (const char c : text)
        if (!base::is_letter(c) && !base::is_digit(c)) return false;
    return !text.empty() && text.size() <= longest_prefix;
}

bool is_hex(std::string_view text) noexcept {
    for (const char c : text)
        if (!base::is_digit(c) && !(c >= 'a' && c <= 'f')) return false;
    return true;
}

}  // namespace

std::string_view id_of_api_key(std::string_view text) noexcept {
    const std::size_t bar = text.find('_');
    if (bar == text.npos || !is_prefix(text.substr(0, bar))) return {};
    const std::string_view rest = text.substr(bar + 1);
    if (rest.size() != id_digits + 1 + secret_digits || rest[id_digits] != '_') return {};
    if (!is_hex(rest.substr(0, id_digits)) || !is_hex(rest.substr(id_digits + 1))) return {};
    return rest.substr(0, id_digits);
}

std::string digest_of_api_key(std::string_view text) { return base::hex(crypto::sha256(text)); }

}  // namespace middleware

new_api_key make_api_key(std::string_view prefix) {
    if (!middleware::is_prefix(prefix))
        throw std::invalid_argument("make_api_key: the prefix must be 1 to 16 letters and digits");
    new_api_key made;
    made.id = crypto::random_hex(middleware::id_digits / 2);
    made.text = std::string(prefix) + '_' + made.id + '_' + crypto::random_hex(middleware::secret_digits / 2);
    made.digest = middleware::digest_of_api_key(made.text);
    return made;
}

}  // namespace apus
