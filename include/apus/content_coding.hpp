// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace apus {

/// Supported content codings (RFC 9110, 8.4.1; RFC 7932; RFC 8878).
enum class content_coding : std::uint8_t {
    identity,  ///< No coding.
    gzip,      ///< RFC 1952.
    deflate,   ///< RFC 1950: with the zlib header and checksum.
    br,        ///< RFC 7932.
    zstd,      ///< RFC 8878, with windows of at most 8 MiB (RFC 9659).
};

/// Returns the name of a coding in Content-Encoding and Accept-Encoding.
std::string_view coding_name(content_coding) noexcept;

}  // namespace apus
