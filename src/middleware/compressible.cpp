// SPDX-License-Identifier: Apache-2.0
#include "middleware/compressible.hpp"

#include "base/ascii.hpp"

namespace apus::middleware {
namespace {

bool ends_in(std::string_view text, std::string_view end) noexcept {
    return text.size() > end.size() && base::equal_ignoring_case(text.substr(text.size() - end.size()), end);
}

constexpr std::string_view types[] = {
    "application/ecmascript",
    "application/graphql",
    "application/javascript",
    "application/json",
    "application/manifest+json",
    "application/rtf",
    "application/sql",
    "application/toml",
    "application/vnd.ms-fontobject",
    "application/wasm",
    "application/x-javascript",
    "application/x-ndjson",
    "application/xml",
    "application/yaml",
    "font/otf",
    "font/ttf",
    "image/bmp",
    "image/vnd.microsoft.icon",
    "image/x-icon",
};

}  // namespace

bool compressible(std::string_view media_type) noexcept {
    media_type = media_type.substr(0, media_type.find_first_of("; \t"));
    if (media_type.size() > 5 && base::equal_ignoring_case(media_type.substr(0, 5), "text/")) return true;
    if (ends_in(media_type, "+json") || ends_in(media_type, "+xml")) return true;
    for (auto type : types)
        if (base::equal_ignoring_case(type, media_type)) return true;
    return false;
}

}  // namespace apus::middleware
