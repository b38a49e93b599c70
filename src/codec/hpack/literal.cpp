// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/literal.hpp"

#include "base/ascii.hpp"

#include <charconv>

namespace apus::codec::hpack {
namespace {

char* append(char* to, std::string_view text) noexcept {
    if (!text.empty()) std::memcpy(to, text.data(), text.size());
    return to + text.size();
}

constexpr unsigned status_index(unsigned status) noexcept {
    switch (status) {
        case 200: return 8;
        case 204: return 9;
        case 206: return 10;
        case 304: return 11;
        case 400: return 12;
        case 404: return 13;
        case 500: return 14;
        default: return 0;
    }
}

}  // namespace

char* write_text(char* to, std::string_view text, coding how) noexcept {
    if (how == coding::huffman) {
        if (const std::size_t size = huffman_size(text); size < text.size())
            return write_huffman(write_integer(to, 0x80, 7, static_cast<std::uint32_t>(size)), text);
    }
    return append(write_integer(to, 0, 7, static_cast<std::uint32_t>(text.size())), text);
}

char* write_status(char* to, unsigned status) noexcept {
    if (const unsigned index = status_index(status); index != 0) {
        *to = static_cast<char>(0x80 | index);
        return to + 1;
    }
    to = write_integer(to, 0, 4, static_index_of(fields::field_id::status));
    *to++ = 3;
    return std::to_chars(to, to + 3, status).ptr;
}

char* write_content_length(char* to, std::uint64_t size) noexcept {
    to = write_integer(to, 0, 4, static_index_of(fields::field_id::content_length));
    char* end = std::to_chars(to + 1, to + 21, size).ptr;
    *to = static_cast<char>(end - to - 1);
    return end;
}

char* write_literal(char* to, fields::field_id id, std::string_view value, coding how, indexing which) noexcept {
    const std::uint32_t index = static_index_of(id);
    to = write_integer(to, static_cast<unsigned>(which), 4, index);
    if (index == 0) to = write_text(to, fields::text_of(id), how);
    return write_text(to, value, how);
}

char* write_literal(char* to, std::string_view name, std::string_view value, coding how, indexing which) noexcept {
    char* const text = write_integer(to + 1, 0, 7, static_cast<std::uint32_t>(name.size()));
    char* end = text;
    for (const char c : name) *end++ = base::lowered(c);
    const auto index = static_index_of(fields::find_field_id({text, name.size()}));
    if (index != 0) end = write_integer(to, static_cast<unsigned>(which), 4, index);
    else *to = static_cast<char>(which);
    return write_text(end, value, how);
}

}  // namespace apus::codec::hpack
