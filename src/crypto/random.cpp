// SPDX-License-Identifier: Apache-2.0
#include "crypto/random.hpp"

#include "base/hex.hpp"

#include <cerrno>
#include <system_error>

#include <sys/random.h>

namespace apus::crypto {

// Random bytes are not buffered between calls: a forked child process would return the same bytes as its parent.
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

std::string random_hex(std::size_t count) { return base::hex(random_bytes(count)); }

}  // namespace apus::crypto
