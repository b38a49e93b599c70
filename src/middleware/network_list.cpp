// SPDX-License-Identifier: Apache-2.0
#include <apus/client_info.hpp>

#include "middleware/ip_address.hpp"

#include <charconv>
#include <cstring>
#include <stdexcept>

namespace apus {
namespace {

[[noreturn]] void refuse(const std::string& text) {
    throw std::invalid_argument(
        "\"" + text +
        "\" is not a network: expected an address, an address/prefix without bits beyond the prefix, or unix");
}

bool same_prefix(const unsigned char* a, const unsigned char* b, unsigned bits) noexcept {
    if (std::memcmp(a, b, bits / 8) != 0) return false;
    return bits % 8 == 0 || (a[bits / 8] ^ b[bits / 8]) >> (8 - bits % 8) == 0;
}

}  // namespace

network_list::network_list(const std::vector<std::string>& networks) {
    for (const std::string& text : networks) {
        if (text == "unix") {
            has_unix_ = true;
            continue;
        }
        const std::size_t slash = text.find('/');
        const auto address = middleware::ip_address::parse(std::string_view(text).substr(0, slash));
        if (!address) refuse(text);
        network n{{}, 128};
        std::memcpy(n.bytes, address->bytes.data(), sizeof n.bytes);
        if (slash != text.npos) {
            const bool short_form = text.find(':') == text.npos;
            const char* const end = text.data() + text.size();
            const auto [at, error] = std::from_chars(text.data() + slash + 1, end, n.bits);
            if (error != std::errc() || at != end || n.bits > (short_form ? 32u : 128u)) refuse(text);
            if (short_form) n.bits += 96;
        }
        for (unsigned bit = n.bits; bit < 128; ++bit)
            if (n.bytes[bit / 8] & (0x80 >> bit % 8)) refuse(text);
        networks_.push_back(n);
    }
}

bool network_list::contains(std::string_view text) const noexcept {
    if (text == "unix") return has_unix_;
    const auto address = middleware::ip_address::parse(text);
    if (!address) return false;
    for (const network& n : networks_)
        if (same_prefix(n.bytes, address->bytes.data(), n.bits)) return true;
    return false;
}

}  // namespace apus
