// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "canned.hpp"

#include <algorithm>
#include <charconv>

namespace limit {

/// Parser state of a connection between two pieces of input.
struct progress {
    std::uint64_t body_size = 0;
    std::uint64_t body_left = 0;
    kind asked = kind::none;
    bool closes = false;
    std::uint8_t tail_size = 0;
    char tail[3] = {};  // last bytes of the previous piece, since a blank line may be split between two pieces
};

/// The requests in a piece of input. Pipelined requests are assumed to be equal.
struct demand {
    kind asked = kind::none;
    unsigned answers = 0;
    bool closes = false;
};

inline kind kind_of(std::string_view head) {
    constexpr std::size_t after_get = 5;
    if (head.size() <= after_get + 5) return kind::text;
    if (head[0] == 'P') return kind::upload;
    if (head[after_get] == 'j') return kind::json;
    if (head.substr(after_get, 5) != "body/") return kind::text;
    return head.size() > after_get + 5 && head[after_get + 5] == '6' ? kind::body_64k : kind::body_1m;
}

/// Counts the ends of heads in `piece`, including an end that began in the previous piece.
inline unsigned count_blank_lines(progress& of, std::string_view piece) {
    constexpr std::string_view blank = "\r\n\r\n";
    unsigned found = 0;
    std::string_view rest = piece;
    if (of.tail_size) {
        char joint[6];
        std::size_t more = std::min(piece.size(), std::size_t(3));
        std::memcpy(joint, of.tail, of.tail_size);
        std::memcpy(joint + of.tail_size, piece.data(), more);
        std::string_view both(joint, of.tail_size + more);
        if (auto at = both.find(blank); at != both.npos) {
            ++found;
            rest.remove_prefix(at + blank.size() - of.tail_size);
        } else if (piece.size() < 3) {
            both.remove_prefix(both.size() - std::min(both.size(), std::size_t(3)));
            of.tail_size = std::uint8_t(both.size());
            std::memmove(of.tail, both.data(), both.size());
            return 0;
        }
    }
    while (auto end = static_cast<const char*>(memmem(rest.data(), rest.size(), blank.data(), blank.size()))) {
        ++found;
        rest.remove_prefix(std::size_t(end - rest.data()) + blank.size());
    }
    of.tail_size = std::uint8_t(std::min(rest.size(), std::size_t(3)));
    std::memcpy(of.tail, rest.end() - of.tail_size, of.tail_size);
    return found;
}

inline bool has(std::string_view head, std::string_view word) {
    return memmem(head.data(), head.size(), word.data(), word.size()) != nullptr;
}

/// Parses the head of an upload, which must arrive in one piece.
/// Field names are recognized in two spellings.
inline void begin_upload(progress& of, std::string_view head) {
    of.body_size = 0;
    auto at = head.find("ontent-");
    while (at != head.npos && head.substr(at + 8, 6) != "ength:") at = head.find("ontent-", at + 1);
    if (at != head.npos) {
        at = head.find_first_not_of(' ', at + 14);
        std::from_chars(head.data() + at, head.data() + head.size(), of.body_size);
    }
    of.body_left = of.body_size;
}

inline demand read_body(progress& of, std::string_view piece) {
    of.body_left -= std::min<std::uint64_t>(of.body_left, piece.size());
    if (of.body_left) return {};
    of.asked = kind::none;
    return {kind::upload, 1, of.closes};
}

inline demand read_piece(progress& of, std::string_view piece) {
    if (of.body_left) return read_body(of, piece);
    if (of.asked == kind::none) of.asked = kind_of(piece);
    auto found = count_blank_lines(of, piece);
    if (found == 0) return {};
    // Searches for Connection: close only if the request is alone, since the search would slow down pipelined requests.
    of.closes = false;
    if (found == 1) {
        bool old = has(piece, "HTTP/1.0\r\n");
        of.closes = has(piece, "lose\r\n") || (old && !has(piece, "eep-"));
        if (of.asked == kind::text && of.closes) of.asked = kind::text_last;
        if (of.asked == kind::text && old) of.asked = kind::text_kept;
    }
    if (of.asked == kind::upload) {
        auto body = piece.find("\r\n\r\n");
        if (body == piece.npos) return {kind::none, 0, true};
        of.tail_size = 0;
        begin_upload(of, piece.substr(0, body));
        return read_body(of, piece.substr(body + 4));
    }
    demand wanted{of.asked, found, of.closes};
    if (of.tail_size == 0) of.asked = kind::none;
    return wanted;
}

}  // namespace limit
