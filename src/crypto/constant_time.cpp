// SPDX-License-Identifier: Apache-2.0
#include <apus/secret.hpp>

#include <sodium.h>

namespace apus {

bool constant_time_equal(std::string_view a, std::string_view b) noexcept {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace apus
