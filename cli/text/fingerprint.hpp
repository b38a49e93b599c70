// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace apus::cli::text {

/// FNV-1a (64 bits), which no version of a library changes: tells contents apart that nobody forges.
class fingerprint {
public:
    fingerprint& add(std::string_view text);

    /// The same, and that the text ends there: "ab" and "c" are not "a" and "bc".
    fingerprint& add_whole(std::string_view text);

    /// 16 hexadecimal digits.
    std::string digits() const;

private:
    void mix(std::uint64_t value) { hash_ = (hash_ ^ value) * 0x100000001b3; }

    std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace apus::cli::text
