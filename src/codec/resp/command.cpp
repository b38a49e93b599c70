// SPDX-License-Identifier: Apache-2.0
#include "codec/resp/command.hpp"

#include <charconv>

namespace apus::codec::resp {
namespace {

void append_count(std::string& to, char type, std::size_t count) {
    char text[24];
    text[0] = type;
    char* end = std::to_chars(text + 1, text + sizeof text, count).ptr;
    *end++ = '\r';
    *end++ = '\n';
    to.append(text, end);
}

}  // namespace

void append_head(std::string& to, std::size_t arguments) { append_count(to, '*', arguments); }

void append_argument(std::string& to, std::string_view argument) {
    append_count(to, '$', argument.size());
    to.append(argument).append("\r\n");
}

void append_command(std::string& to, std::initializer_list<std::string_view> arguments) {
    append_head(to, arguments.size());
    for (const std::string_view one : arguments) append_argument(to, one);
}

}  // namespace apus::codec::resp
