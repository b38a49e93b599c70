// SPDX-License-Identifier: Apache-2.0
#include "crypto/base64.hpp"

#include <cstddef>

#include <sodium.h>

namespace apus::crypto {
namespace {

std::string encode(std::string_view bytes, int variant) {
    const std::size_t with_nul = sodium_base64_encoded_len(bytes.size(), variant);
    std::string text(with_nul - 1, '\0');
    sodium_bin2base64(text.data(), with_nul, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                      variant);
    return text;
}

std::optional<std::string> decode(std::string_view text, int variant) {
    // libsodium 1.0.18 treats each byte over 127 as the 63rd character of the alphabet.
    for (const char c : text)
        if (static_cast<unsigned char>(c) > 127) return std::nullopt;
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    const int refused = sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(),
                                          text.size(), nullptr, &size, &end, variant);
    if (refused != 0 || end != text.data() + text.size()) return std::nullopt;
    bytes.resize(size);
    return bytes;
}

}  // namespace

std::string base64(std::string_view bytes) { return encode(bytes, sodium_base64_VARIANT_ORIGINAL); }
std::string base64url(std::string_view bytes) { return encode(bytes, sodium_base64_VARIANT_URLSAFE_NO_PADDING); }

std::optional<std::string> decode_base64(std::string_view text) { return decode(text, sodium_base64_VARIANT_ORIGINAL); }
std::optional<std::string> decode_base64url(std::string_view text) {
    return decode(text, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

}  // namespace apus::crypto
