// SPDX-License-Identifier: Apache-2.0
#include "middleware/idempotency_record.hpp"

#include "crypto/random.hpp"

#include <cstdint>
#include <stdexcept>

namespace apus::middleware {
namespace {

// A magic text with the version, 'c' and a fingerprint and 16 random bytes; or 'r', a fingerprint, the status, 's' if
// the response is stored, and then texts: the media type, the body, and names and values of fields. Each text begins
// with its size in four bytes.
constexpr std::string_view magic = "apus-ik1";
constexpr std::size_t fingerprint_size = 32, nonce_size = 16;

void add_text(std::string& to, std::string_view text) {
    for (unsigned shift = 0; shift < 32; shift += 8) to += static_cast<char>(text.size() >> shift & 0xff);
    to += text;
}

bool take_text(std::string_view& from, std::string& to) {
    if (from.size() < 4) return false;
    std::uint32_t size = 0;
    for (unsigned i = 0; i < 4; ++i) size |= std::uint32_t{static_cast<unsigned char>(from[i])} << (8 * i);
    from.remove_prefix(4);
    if (size > from.size()) return false;
    to = from.substr(0, size);
    from.remove_prefix(size);
    return true;
}

// Whether the fields can be added to a response: the store may have been changed by others.
bool valid(const stored_response& r) {
    try {
        response probe;
        r.put_into(probe);
        return true;
    } catch (const std::invalid_argument&) {
        return false;
    }
}

bool read_response(std::string_view from, stored_response& to) {
    if (!take_text(from, to.type) || !take_text(from, to.body)) return false;
    while (!from.empty()) {
        auto& [name, value] = to.fields.emplace_back();
        if (!take_text(from, name) || !take_text(from, value)) return false;
    }
    return valid(to);
}

}  // namespace

std::string new_claim(std::string_view fingerprint) {
    return std::string(magic).append("c").append(fingerprint).append(crypto::random_bytes(nonce_size));
}

std::string to_bytes(std::string_view fingerprint, const response& res, bool stores) {
    std::string made = std::string(magic).append("r").append(fingerprint).append(std::to_string(res.status()));
    if (!stores) return made.append("-");
    const stored_response copy = stored_response::copy_of(res);
    made += 's';
    add_text(made, copy.type);
    add_text(made, copy.body);
    for (const auto& [name, value] : copy.fields) add_text(made, name), add_text(made, value);
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
