// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/close.hpp"

#include "base/utf8.hpp"
#include "codec/websocket/frame_head.hpp"
#include "codec/websocket/refusals.hpp"

#include <cstring>

namespace apus::codec::websocket {

parsed<close_reason> read_close(std::string_view payload) noexcept {
    const auto bad = [](const refusal& why) { return parsed<close_reason>{outcome::bad, {}, 0, &why}; };
    if (payload.empty()) return {outcome::done, {}, 0, nullptr};
    if (payload.size() == 1) return bad(refusals::close_one_byte);
    const auto code = static_cast<std::uint16_t>(static_cast<unsigned char>(payload[0]) << 8 |
                                                 static_cast<unsigned char>(payload[1]));
    if (!may_be_sent(code)) return bad(refusals::close_code);
    const std::string_view text = payload.substr(2);
    if (!base::is_utf8(text)) return bad(refusals::not_utf8);
    return {outcome::done, {code, text}, payload.size(), nullptr};
}

char* write_close(char* to, close_reason why) noexcept {
    *to++ = static_cast<char>(why.code >> 8);
    *to++ = static_cast<char>(why.code & 0xff);
    std::size_t size = why.text.size();
    if (size > max_control_size - 2) {
        size = max_control_size - 2;
        while (size > 0 && (static_cast<unsigned char>(why.text[size]) & 0xc0) == 0x80) --size;
    }
    if (size) std::memcpy(to, why.text.data(), size);
    return to + size;
}

}  // namespace apus::codec::websocket
