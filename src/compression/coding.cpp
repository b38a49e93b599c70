// SPDX-License-Identifier: Apache-2.0
#include "compression/coding.hpp"

#include "base/ascii.hpp"

namespace apus {

std::string_view coding_name(content_coding coding) noexcept {
    switch (coding) {
        case content_coding::gzip: return "gzip";
        case content_coding::deflate: return "deflate";
        case content_coding::br: return "br";
        case content_coding::zstd: return "zstd";
        case content_coding::identity: break;
    }
    return "identity";
}

namespace compression {

std::optional<content_coding> coding_of(std::string_view name) noexcept {
    using enum content_coding;
    for (auto coding : {identity, gzip, deflate, br, zstd})
        if (base::equal_ignoring_case(name, coding_name(coding))) return coding;
    if (base::equal_ignoring_case(name, "x-gzip")) return gzip;
    return {};
}

}  // namespace compression

}  // namespace apus
