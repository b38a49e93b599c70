// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace apus::crypto {

/// Fills `out` with random bytes from the kernel's generator. Thread-safe.
/// Throws `std::system_error` if the generator fails, which cannot happen once the system has started.
void fill_random(std::span<unsigned char> out);

/// Returns `count` bytes from the same generator as `fill_random`, with the same errors.
std::string random_bytes(std::size_t count);

/// Returns `count` random bytes as lower-case hexadecimal digits: 32 digits for 16 bytes.
std::string random_hex(std::size_t count);

}  // namespace apus::crypto
