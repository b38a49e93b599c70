// SPDX-License-Identifier: Apache-2.0
#include <apus/secret.hpp>

#include <cstring>

namespace apus::detail {

void wipe(void* at, std::size_t size) noexcept { explicit_bzero(at, size); }

}  // namespace apus::detail
