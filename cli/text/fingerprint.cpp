// SPDX-License-Identifier: Apache-2.0
#include "cli/text/fingerprint.hpp"

namespace apus::cli::text {

fingerprint& fingerprint::add(std::string_view text) {
    for (const char c : text) mix(static_cast<unsigned char>(c));
    return *this;
}

fingerprint& fingerprint::add_whole(std::string_view text) {
    add(text);
    mix(0x100);  // a separator that differs from every byte
    return *this;
}

std::string fingerprint::digits() const {
    static constexpr char digits[] = "0123456789abcdef";
    std::string made(16, '0');
    std::uint64_t rest = hash_;
    for (std::size_t i = 16; i-- > 0; rest >>= 4) made[i] = digits[rest & 15];
    return made;
}

}  // namespace apus::cli::text
