// SPDX-License-Identifier: Apache-2.0
#pragma once

// Helpers to parse heads in tests: at the end of a page, with every prefix.

#include "codec/http1/request_head.hpp"
#include "support/page_end.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace apus::test {

constexpr codec::http1::head_limits usual_limits{8192, 100, 16384};

struct head_seen {
    codec::outcome state;
    const codec::refusal* why;
    std::size_t used;
    std::string says;  ///< The complete head, as one line.
};

inline std::string describe(const codec::http1::request_head& head, const char* bytes) {
    const char* forms[] = {"origin", "absolute", "authority", "asterisk"};
    std::string line = std::string(head.verb_text.in(bytes)) + " " + forms[static_cast<int>(head.form)];
    line += " path=" + std::string(head.path.in(bytes)) + (head.path_has_percent ? "(%)" : "");
    line += " query=" + std::string(head.query.in(bytes)) + " host=" + std::string(head.host.in(bytes));
    line += " 1." + std::to_string(head.minor) + (head.keep_alive ? " keep" : " close");
    if (head.body == codec::http1::framing::sized) line += " sized:" + std::to_string(head.content_length);
    if (head.body == codec::http1::framing::chunked) line += " chunked";
    if (head.expects_continue) line += " continue";
    if (head.has_trace_parent) line += " traced";
    if (head.wants_upgrade) line += " upgrade";
    return line;
}

/// Parses `bytes` without copying them.
inline head_seen read_placed(std::string_view bytes, const codec::http1::head_limits& limits = usual_limits) {
    codec::http1::request_head head;
    const auto read = codec::http1::read_request_head(bytes, limits, head);
    const bool done = read.state == codec::outcome::done;
    return {read.state, read.why, read.used, done ? describe(head, bytes.data()) : std::string()};
}

/// Parses `bytes` at the end of a page, then each prefix, and checks that the results agree:
/// partial until the head is complete or rejected, and unchanged afterwards.
inline head_seen read_head(std::string_view bytes, const codec::http1::head_limits& limits = usual_limits) {
    static page_end room(128 * 1024);
    const head_seen whole = read_placed(room.place(bytes), limits);
    bool decided = false;
    for (std::size_t n = 0; n < bytes.size(); n += n < 2048 || bytes.size() - n < 64 ? 1 : 61) {
        const head_seen cut = read_placed(room.place(bytes.substr(0, n)), limits);
        if (cut.state == codec::outcome::partial) {
            CHECK_MESSAGE(!decided, "partial again at ", n, " of ", bytes);
            continue;
        }
        decided = true;
        CHECK_MESSAGE(cut.state == whole.state, "decided otherwise at ", n, " of ", bytes);
        CHECK_MESSAGE(cut.why == whole.why, "another reason at ", n, " of ", bytes);
        CHECK(cut.says == whole.says);
        CHECK(cut.used == whole.used);
    }
    return whole;
}

}  // namespace apus::test
