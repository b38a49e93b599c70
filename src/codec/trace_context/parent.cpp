// SPDX-License-Identifier: Apache-2.0
#include "codec/trace_context/parent.hpp"

#include "base/ascii.hpp"

#include <algorithm>

namespace apus::codec::trace_context {
namespace {

// Upper-case letters are invalid (W3C Trace Context, 3.2.2).
int id_digit(char c) noexcept { return c >= 'A' && c <= 'F' ? -1 : base::hex_value(c); }

bool read_bytes(std::string_view text, unsigned char* out) noexcept {
    for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
        const int high = id_digit(text[i]), low = id_digit(text[i + 1]);
        if (high < 0 || low < 0) return false;
        out[i / 2] = static_cast<unsigned char>(high << 4U | low);
    }
    return true;
}

bool all_zero(const auto& id) noexcept {
    return std::ranges::all_of(id, [](unsigned char byte) { return byte == 0; });
}

}  // namespace

std::optional<parent> read_parent(std::string_view text) noexcept {
    constexpr std::size_t trace_at = 3, span_at = 36, flags_at = 53;
    constexpr unsigned char forbidden_version = 0xff;
    if (text.size() < parent_size) return std::nullopt;
    if (text[trace_at - 1] != '-' || text[span_at - 1] != '-' || text[flags_at - 1] != '-') return std::nullopt;
    unsigned char version = 0, flags = 0;
    parent found;
    if (!read_bytes(text.substr(0, 2), &version) || version == forbidden_version) return std::nullopt;
    // Later versions may append parts.
    if (text.size() > parent_size && (version == 0 || text[parent_size] != '-')) return std::nullopt;
    if (!read_bytes(text.substr(trace_at, 32), found.trace.data())) return std::nullopt;
    if (!read_bytes(text.substr(span_at, 16), found.span.data())) return std::nullopt;
    if (!read_bytes(text.substr(flags_at, 2), &flags)) return std::nullopt;
    if (all_zero(found.trace) || all_zero(found.span)) return std::nullopt;
    // In later versions, only the sampled flag is certain to have the same meaning.
    found.flags = flags & (version == 0 ? parent::sampled_flag | parent::random_flag : parent::sampled_flag);
    return found;
}

void write_parent(const parent& of, char* out) noexcept {
    constexpr std::string_view around = "00-";
    out = std::copy(around.begin(), around.end(), out);
    write_id(of.trace, out);
    out += 2 * of.trace.size();
    *out++ = '-';
    write_id(of.span, out);
    out += 2 * of.span.size();
    *out++ = '-';
    write_id(std::array<unsigned char, 1>{of.flags}, out);
}

}  // namespace apus::codec::trace_context
