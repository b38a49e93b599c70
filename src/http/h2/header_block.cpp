// SPDX-License-Identifier: Apache-2.0
#include "http/h2/header_block.hpp"

#include <cstring>

namespace apus::http::h2 {

using namespace codec::http2;

char* frame_block(char* frame, char* end, std::uint32_t stream, std::uint8_t flags) noexcept {
    frame_type type = frame_type::headers;
    while (true) {
        const auto size = static_cast<std::size_t>(end - frame) - frame_head_size;
        if (size <= default_frame_size) {
            write_frame_head(frame, {static_cast<std::uint32_t>(size), type,
                                     static_cast<std::uint8_t>(flags | flag_end_headers), stream});
            return end;
        }
        write_frame_head(frame, {default_frame_size, type, flags, stream});
        frame += frame_head_size + default_frame_size;
        std::memmove(frame + frame_head_size, frame, static_cast<std::size_t>(end - frame));
        end += frame_head_size;
        type = frame_type::continuation;
        flags = flag_none;
    }
}

}  // namespace apus::http::h2
