// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// A 64-bit FNV-1a hash, stable across versions of the tool.
/// Detects changes of files. Not secure against input chosen by an attacker.
class fingerprint {
public:
    fingerprint& add(std::string_view text);

    /// Adds a text and its end, so that "ab", "c" differs from "a", "bc".
    fingerprint& add_whole(std::string_view text);

    /// Returns 16 hexadecimal digits.
    std::string digits() const;

private:
    void mix(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }

    std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace apus::cli::text
