// SPDX-License-Identifier: Apache-2.0
#include "middleware/cache_entry.hpp"

#include "base/keyed_hash.hpp"
#include "base/sized_text.hpp"
#include "codec/http1/field_rules.hpp"
#include "middleware/response_bytes.hpp"

#include <utility>

namespace apus::middleware {
namespace {

// Format: magic text with the version, checksum, key as a text with its size, kind. After 'r' (response) come the
// status and the bytes of `append_response`, after 'v' (varies) the names of fields as texts with their sizes.
constexpr std::string_view entry_magic = "apus-rc1";
constexpr unsigned checksum_bytes = 8, key_size_bytes = 4, status_bytes = 2, name_size_bytes = 2;

// Detects damage, not forgery: a program that may write to the store can also compute it.
std::uint64_t checksum_of(std::string_view bytes) noexcept { return base::keyed_hash(bytes, {}); }

// Returns the beginning of an entry, with room for the checksum.
std::string started(std::string_view key, char kind) {
    std::string made(entry_magic);
    made.append(checksum_bytes, '\0');
    base::put_text(made, key, key_size_bytes);
    return made += kind;
}

std::string sealed(std::string made) {
    std::string checksum;
    base::put_number(checksum, checksum_of(std::string_view(made).substr(entry_magic.size() + checksum_bytes)),
                     checksum_bytes);
    made.replace(entry_magic.size(), checksum_bytes, checksum);
    return made;
}

std::optional<stored_response> read_stored(std::string_view from) {
    if (from.size() < status_bytes) return std::nullopt;
    stored_response made;
    made.status = static_cast<int>(base::take_number(from, status_bytes));
    if (made.status < 200 || made.status > 599 || !read_response(from, made)) return std::nullopt;
    return made;
}

std::optional<varying_fields> read_names(std::string_view from) {
    varying_fields made;
    while (!from.empty()) {
        const auto name = base::take_text(from, name_size_bytes);
        if (!name || !codec::http1::is_token(*name) || made.size() == most_varying) return std::nullopt;
        made.emplace_back(*name);
    }
    return made.empty() ? std::nullopt : std::optional(std::move(made));
}

}  // namespace

std::string entry_bytes(std::string_view key, const stored_response& of) {
    std::string made = started(key, 'r');
    base::put_number(made, static_cast<std::uint64_t>(of.status), status_bytes);
    append_response(made, of);
    return sealed(std::move(made));
}

std::string entry_bytes(std::string_view key, const varying_fields& names) {
    std::string made = started(key, 'v');
    for (const std::string& name : names) base::put_text(made, name, name_size_bytes);
    return sealed(std::move(made));
}

std::optional<cache_entry> read_cache_entry(std::string_view bytes) {
    if (!bytes.starts_with(entry_magic) || bytes.size() < entry_magic.size() + checksum_bytes) return std::nullopt;
    bytes.remove_prefix(entry_magic.size());
    if (base::take_number(bytes, checksum_bytes) != checksum_of(bytes)) return std::nullopt;
    const auto key = base::take_text(bytes, key_size_bytes);
    if (!key || bytes.empty()) return std::nullopt;
    const char kind = bytes.front();
    bytes.remove_prefix(1);
    if (kind == 'r') {
        if (auto made = read_stored(bytes)) return cache_entry{std::string(*key), *std::move(made)};
    } else if (kind == 'v') {
        if (auto made = read_names(bytes)) return cache_entry{std::string(*key), *std::move(made)};
    }
    return std::nullopt;
}

}  // namespace apus::middleware
