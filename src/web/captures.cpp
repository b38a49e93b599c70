// SPDX-License-Identifier: Apache-2.0
#include "web/captures.hpp"

#include "codec/url/percent.hpp"

#include <span>

namespace apus::web {
namespace {

// Decodes the captures into memory of the exchange. Returns false if a capture is not valid text.
bool decode(std::span<std::string_view> captures, std::string& memory) {
    std::size_t size = 0;
    for (std::string_view capture : captures) size += capture.size();
    memory.resize(size);
    char* at = memory.data();
    for (std::string_view& capture : captures) {
        const auto decoded = codec::url::decode_percent(capture, at);
        if (decoded.state != codec::outcome::done) return false;
        at += capture.size();
        capture = decoded.value;
    }
    return true;
}

// Rejects captures that would leave a folder, since handlers use captures as file names: joining a folder with
// "/etc/passwd" results in "/etc/passwd", and ".." leaves the folder. Applies to captures after decoding.
bool has_no_traversal(std::string_view capture) noexcept {
    return !capture.starts_with('/') && !codec::url::has_dot_segment(capture);
}

}  // namespace

bool decode_captures(http::exchange& x) {
    const std::span captures(x.captures, x.capture_count);
    bool fit = !x.head.path_has_percent || decode(captures, x.decoded_captures);
    for (std::string_view capture : captures) fit = fit && has_no_traversal(capture);
    if (!fit) x.capture_count = 0;
    return fit;
}

}  // namespace apus::web
