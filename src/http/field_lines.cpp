// SPDX-License-Identifier: Apache-2.0
#include "http/field_lines.hpp"

#include "base/ascii.hpp"
#include "codec/http1/field_rules.hpp"

#include <stdexcept>

namespace apus::http {
namespace {

// The server sets these fields. With framing fields of its own, a handler could split one response into two.
constexpr std::string_view reserved[] = {"content-length", "transfer-encoding", "connection", "date", "keep-alive"};

}  // namespace

void append_field(std::string& lines, std::string_view name, std::string_view value) {
    if (!codec::http1::is_token(name)) throw std::invalid_argument("response: invalid field name");
    if (!codec::http1::is_field_value(value))
        throw std::invalid_argument("response: the value of " + std::string(name) + " contains a control character");
    for (auto taken : reserved)
        if (base::equal_ignoring_case(name, taken))
            throw std::invalid_argument("response: the server sets " + std::string(taken) + " itself");
    lines.reserve(lines.size() + name.size() + value.size() + 4);
    ((lines.append(name) += ": ").append(value)) += "\r\n";
}

}  // namespace apus::http
