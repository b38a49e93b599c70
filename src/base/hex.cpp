// SPDX-License-Identifier: Apache-2.0
#include "base/hex.hpp"

namespace apus::base {

void append_hex(std::string& to, std::string_view bytes) {
    static constexpr char digits[] = "0123456789abcdef";
    to.reserve(to.size() + 2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        to += digits[byte >> 4];
        to += digits[byte & 15];
    }
}

std::string hex(std::string_view bytes) {
    std::string text;
    append_hex(text, bytes);
    return text;
}

}  // namespace apus::base
