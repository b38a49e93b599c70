// SPDX-License-Identifier: Apache-2.0
#include "codec/url/file_path.hpp"

#include "codec/url/percent.hpp"

#include <algorithm>

namespace apus::codec::url {
namespace {

constexpr std::size_t longest_name = 255;

// Returns the reason for rejecting a name, or null.
const refusal* refuse_name(std::string_view name, bool first, bool hidden) noexcept {
    if (name.empty() || name == "." || name == "..") return &climbing_name;
    if (name.size() > longest_name) return &long_name;
    if (name.front() == '.' && !hidden && !(first && name == ".well-known")) return &hidden_name;
    return nullptr;
}

const refusal* refuse_names(std::string_view path, bool hidden) noexcept {
    for (bool first = true; !path.empty(); first = false) {
        const auto slash = std::min(path.find('/'), path.size());
        if (const refusal* why = refuse_name(path.substr(0, slash), first, hidden)) return why;
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return nullptr;
}

const refusal* refuse_bytes(std::string_view path) noexcept {
    for (const char c : path) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7f) return &control_in_name;
        if (c == '\\') return &slash_in_name;
    }
    return nullptr;
}

}  // namespace

parsed<std::string_view> read_file_path(std::string_view in, bool hidden, char* out) noexcept {
    constexpr std::size_t triplet = 3;
    if (in.size() > triplet * longest_file_path) return {outcome::bad, {}, 0, &long_name};
    auto path = decode_percent(in, out);
    if (path.state != outcome::done) return path;
    // An encoded slash must not separate names.
    const refusal* why = std::ranges::count(path.value, '/') == std::ranges::count(in, '/') ? nullptr : &slash_in_name;
    if (path.value.size() > longest_file_path) why = &long_name;
    if (!why) why = refuse_bytes(path.value);
    if (!why) why = refuse_names(path.value, hidden);
    if (why) return {outcome::bad, {}, 0, why};
    return path;
}

}  // namespace apus::codec::url
