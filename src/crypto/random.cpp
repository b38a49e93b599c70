// SPDX-License-Identifier: Apache-2.0
#include "crypto/random.hpp"

#include <cerrno>
#include <system_error>

#include <sys/random.h>

namespace apus::crypto {

// Nothing is kept between calls: a pool of random bytes would give a forked child the same ones.
void fill_random(std::span<unsigned char> out) {
    while (!out.empty()) {
        const ssize_t n = ::getrandom(out.data(), out.size(), 0);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) throw std::system_error(errno, std::generic_category(), "getrandom");
        out = out.subspan(static_cast<std::size_t>(n));
    }
}

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    fill_random({reinterpret_cast<unsigned char*>(bytes.data()), count});
    return bytes;
}

std::string random_hex(std::size_t count) {
    static constexpr char digits[] = "0123456789abcdef";
    const std::string bytes = random_bytes(count);
    std::string text;
    text.reserve(2 * count);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        (text += digits[byte >> 4]) += digits[byte & 15];
    }
    return text;
}

}  // namespace apus::crypto
