// SPDX-License-Identifier: Apache-2.0
#include "crypto/argon2id.hpp"

#include "crypto/base64.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <new>

#include <sodium.h>

namespace apus::crypto {
namespace {

constexpr std::size_t salt_size = 16, hash_size = 32;

std::string beginning(argon2id_cost cost) {
    return "$argon2id$v=19$m=" + std::to_string(cost.memory) + ",t=" + std::to_string(cost.passes) + ",p=1$";
}

// Encodes as standard base64 (not the alphabet for URLs) without padding.
std::string unpadded(std::string_view bytes) {
    std::string text = base64(bytes);
    while (text.ends_with('=')) text.pop_back();
    return text;
}

/// Parses `name` and the number after it from the front of `text`.
bool take(std::string_view& text, std::string_view name, std::uint32_t& number) {
    if (!text.starts_with(name)) return false;
    text.remove_prefix(name.size());
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return true;
}

}  // namespace

std::string argon2id(std::string_view password, argon2id_cost cost) {
    if (sodium_init() < 0) throw std::bad_alloc();
    char text[crypto_pwhash_STRBYTES] = {};
    if (crypto_pwhash_str_alg(text, password.data(), password.size(), cost.passes, std::size_t{cost.memory} * 1'024,
                              crypto_pwhash_ALG_ARGON2ID13) != 0)
        throw std::bad_alloc();
    return text;
}

bool is_argon2id_of(const std::string& text, std::string_view password) {
    if (sodium_init() < 0) throw std::bad_alloc();
    errno = 0;
    if (crypto_pwhash_str_verify(text.c_str(), password.data(), password.size()) == 0) return true;
    if (errno == ENOMEM) throw std::bad_alloc();
    return false;
}

std::optional<argon2id_cost> argon2id_cost_of(std::string_view text) {
    std::uint32_t version = 0, lanes = 0;
    argon2id_cost cost{};
    if (text.size() >= crypto_pwhash_STRBYTES || text.find('\0') != text.npos) return std::nullopt;
    if (!take(text, "$argon2id$v=", version) || version != 19 || !take(text, "$m=", cost.memory) ||
        !take(text, ",t=", cost.passes) || !take(text, ",p=", lanes) || lanes == 0 || !text.starts_with('$'))
        return std::nullopt;
    return cost;
}

std::string argon2id_of_nobody(argon2id_cost cost) {
    // The bytes of the hash are zero. Finding a password with this hash is infeasible but not impossible, so callers
    // must also check that the user exists.
    return beginning(cost) + unpadded(std::string(salt_size, 'n')) + '$' + unpadded(std::string(hash_size, '\0'));
}

}  // namespace apus::crypto
