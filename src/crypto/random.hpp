// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace apus::crypto {

/// Fills `out` with bytes that nobody can guess, from the kernel's generator. Any thread. Throws
/// `std::system_error` if the kernel has none to give, which a system that has started never does.
void fill_random(std::span<unsigned char> out);

/// So many of them.
std::string random_bytes(std::size_t count);

/// The same, each as two of 0-9 and a-f: 16 bytes are 32 digits.
std::string random_hex(std::size_t count);

}  // namespace apus::crypto
