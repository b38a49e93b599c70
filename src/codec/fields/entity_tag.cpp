// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/entity_tag.hpp"

#include "codec/fields/list.hpp"

namespace apus::codec::fields {
namespace {

// etagc: a visible character other than a quote, or a byte over 127.
bool is_tag_byte(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x22 && byte != 0x7f;
}

// Removes a tag from the front of the text. Returns false, without a change of the text, if the text does not begin
// with a tag.
bool take_tag(std::string_view& text, entity_tag& tag) noexcept {
    std::string_view rest = text;
    const bool weak = rest.starts_with("W/");
    if (weak) rest.remove_prefix(2);
    if (!rest.starts_with('"')) return false;
    std::size_t end = 1;
    while (end < rest.size() && is_tag_byte(rest[end])) ++end;
    if (end == rest.size() || rest[end] != '"') return false;
    tag = {rest.substr(1, end - 1), weak};
    text = rest.substr(end + 1);
    return true;
}

}  // namespace

bool next_entity_tag(std::string_view& list, entity_tag& tag) noexcept {
    while (!list.empty() && (base::is_blank(list.front()) || list.front() == ',')) list.remove_prefix(1);
    if (!take_tag(list, tag)) return list = {}, false;
    list = trimmed(list);
    if (!list.empty() && list.front() != ',') list = {};
    return true;
}

bool read_entity_tag(std::string_view value, entity_tag& tag) noexcept {
    value = trimmed(value);
    return take_tag(value, tag) && value.empty();
}

bool names(std::string_view list, entity_tag current, comparison how) noexcept {
    if (trimmed(list) == "*") return true;
    entity_tag tag;
    while (next_entity_tag(list, tag))
        if (tag.opaque == current.opaque && (how == comparison::weak || !(tag.weak || current.weak))) return true;
    return false;
}

}  // namespace apus::codec::fields
