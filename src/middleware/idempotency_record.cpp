// SPDX-License-Identifier: Apache-2.0
#include "middleware/idempotency_record.hpp"

#include "crypto/random.hpp"
#include "middleware/response_bytes.hpp"

namespace apus::middleware {
namespace {

// Format of a claim: magic text with the version, 'c', fingerprint, 16 random bytes.
// Format of a response: magic text, 'r', fingerprint, three digits of the status, 's' or '-'. After 's' (stored) come
// the bytes of `append_response`.
constexpr std::string_view magic = "apus-ik1";
constexpr std::size_t fingerprint_size = 32, nonce_size = 16;

}  // namespace

std::string new_claim(std::string_view fingerprint) {
    return std::string(magic).append("c").append(fingerprint).append(crypto::random_bytes(nonce_size));
}

std::string to_bytes(std::string_view fingerprint, const response& res, bool stores) {
    std::string made = std::string(magic).append("r").append(fingerprint).append(std::to_string(res.status()));
    if (!stores) return made.append("-");
    made += 's';
    append_response(made, stored_response::copy_of(res));
    return made;
}

std::optional<idempotency_record> read_record(std::string_view bytes) {
    constexpr std::size_t status_size = 3;
    if (!bytes.starts_with(magic) || bytes.size() < magic.size() + 1 + fingerprint_size) return std::nullopt;
    bytes.remove_prefix(magic.size());
    const char kind = bytes.front();
    idempotency_record made{.fingerprint = std::string(bytes.substr(1, fingerprint_size)), .status = 0, .kept = {}};
    bytes.remove_prefix(1 + fingerprint_size);
    if (kind == 'c') return bytes.size() == nonce_size ? std::optional(std::move(made)) : std::nullopt;
    if (kind != 'r' || bytes.size() < status_size + 1) return std::nullopt;
    for (const char c : bytes.substr(0, status_size)) {
        if (c < '0' || c > '9') return std::nullopt;
        made.status = made.status * 10 + (c - '0');
    }
    if (made.status < 200 || made.status > 599) return std::nullopt;
    const bool stored = bytes[status_size] == 's';
    bytes.remove_prefix(status_size + 1);
    if (!stored) return bytes.empty() ? std::optional(std::move(made)) : std::nullopt;
    auto& kept = made.kept.emplace();
    kept.status = made.status;
    if (!read_response(bytes, kept)) return std::nullopt;
    return made;
}

}  // namespace apus::middleware
