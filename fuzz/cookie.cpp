// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/cookie.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace apus::codec::fields;
using apus::fuzz::must;

void read(std::string_view text) {
    std::string_view rest = text;
    while (const auto found = next_cookie(rest)) {
        must(!found->name.empty(), "a cookie name is not empty");
        must(!found->name.contains('=') && !found->name.contains(';'), "a name contains neither `=` nor `;`");
        must(!found->value.contains(';'), "a value contains no `;`");
        must(rest.size() < text.size(), "each cookie consumes bytes");
    }
    must(rest.empty(), "the parser consumes the whole field");
}

// Parsing a written cookie must result in exactly one cookie with the same values.
void write_and_read(const set_cookie& cookie) {
    if (fault_in(cookie)) return;
    std::string line(room_for(cookie), '\0');
    line.resize(static_cast<std::size_t>(write(cookie, line.data()) - line.data()));
    must(line.find_first_of("\r\n") == line.npos, "a written cookie contains no line break");
    std::string_view rest = line;
    const auto first = next_cookie(rest);
    must(first && first->name == cookie.name && first->value == cookie.value,
         "a written cookie parses to the same name and value");
    const auto path = next_cookie(rest);
    if (!cookie.path.empty()) must(path && path->name == "Path", "the attribute Path follows the value");
    must(!next_cookie(rest), "the written cookie has no other attribute");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    read(text);
    const std::size_t one = text.find('\n'), two = one == text.npos ? one : text.find('\n', one + 1);
    set_cookie cookie;
    cookie.name = std::string_view(text).substr(0, one);
    if (one != text.npos) cookie.value = std::string_view(text).substr(one + 1, two - one - 1);
    if (two != text.npos) cookie.path = std::string_view(text).substr(two + 1);
    write_and_read(cookie);
    return 0;
}
