// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/bounded_decoder.hpp"
#include "compression/encoder.hpp"

#include <string>
#include <string_view>

namespace apus::support {

/// Encodes a body with a content coding.
inline std::string coded(content_coding coding, std::string_view body, int level = 3) {
    std::string out;
    compression::make_encoder(coding, level)->whole(body, out);
    return out;
}

/// Decodes a body in pieces of this size, with limited room per call.
/// Returns the text, or "bad", "too large", "too dense", or "partial" with the size of the output.
inline std::string decoded(content_coding coding, std::string_view in,
                           compression::decoding_bounds bounds = {.size = 1 << 26}, std::size_t piece = 1 << 20,
                           std::size_t room = 4096) {
    compression::bounded_decoder decoder(coding, bounds);
    std::string out, space(room, '\0');
    while (true) {
        const auto step = decoder.take(in.substr(0, piece), space);
        if (step.state == compression::bounded::bad) return "bad";
        if (step.state == compression::bounded::too_large) return "too large";
        if (step.state == compression::bounded::too_dense) return "too dense";
        out.append(space, 0, step.made);
        in.remove_prefix(step.used);
        if (in.empty() && step.made < room) break;
    }
    return decoder.complete() ? out : "partial " + std::to_string(out.size());
}

}  // namespace apus::support
