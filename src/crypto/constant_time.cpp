// SPDX-License-Identifier: Apache-2.0
#include "crypto/constant_time.hpp"

#include <sodium.h>

namespace apus::crypto {

bool same_secret(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace apus::crypto
