// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/h1/wire.hpp"
#include "http/h2/core.hpp"
#include "support/http2_frames.hpp"

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <nghttp2/nghttp2.h>

// A client that sends frames, valid or malformed.

namespace apus::test::h2 {

inline constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

inline std::string head(std::uint32_t stream, std::string_view method, std::string_view path,
                        std::uint8_t how = ends_all, field_list more = {}) {
    const std::string first =
        literals({{":method", method}, {":scheme", "http"}, {":path", path}, {":authority", "a"}});
    return frame(NGHTTP2_HEADERS, how, stream, first + literals(more));
}
inline std::string get(std::uint32_t stream, std::string_view path, field_list more = {}) {
    return head(stream, "GET", path, ends_all, more);
}
/// Everything received on one stream.
struct answer {
    std::string heads;  ///< The fields of each block as lines; an empty line ends each block.
    std::string body;
    bool ended = false;
    int code = -1;             ///< Error code of the RST_STREAM frame; -1: none.
    std::uint32_t window = 0;  ///< Sum of the received window updates.

    std::string field(std::string_view name) const {
        const auto at = ("\n" + heads).find("\n" + std::string(name) + ": ");
        if (at == std::string::npos) return "";
        const auto begin = at + name.size() + 2;
        return heads.substr(begin, heads.find('\n', begin) - begin);
    }
    bool over() const { return ended || code >= 0; }
};

/// An HTTP/2 client of an app. Sends raw bytes, and parses received frames.
class client {
public:
    explicit client(app a, limits l = {}, over kind = over::unix_pair) : wire_(std::move(a), l, kind) { begin(); }
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() { nghttp2_hd_inflate_del(inflater_); }

    /// Replaces the current connection by a new one without a preface.
    void connect(runtime::protocols spoken = runtime::protocols::every) {
        wire_.connect(spoken);
        begin();
    }
    void greet(std::initializer_list<std::pair<std::uint16_t, std::uint32_t>> values = {}) {
        send(std::string(preface) + settings(values));
    }
    void send(std::string_view bytes) { wire_.send(bytes); }

    /// Runs the loop and processes received frames until `done`.
    void until(const std::function<bool()>& done) {
        wire_.turn_until([&] {
            take();
            return done() || wire_.ended;
        });
    }
    const answer& of(std::uint32_t stream) {
        until([&] { return streams[stream].over() || goaway >= 0; });
        return streams[stream];
    }
    void turn(int times = 4) {
        wire_.turn(times);
        take();
    }
    /// Advances the loop's clock.
    void pass(std::int64_t milliseconds) {
        wire_.pass(milliseconds);
        take();
    }
    void to_end() {
        until([this] { return wire_.ended; });
    }

    std::map<std::uint32_t, answer> streams;  ///< By stream id; stream 0 is the connection.
    std::map<int, int> frames;                ///< Number of frames by type.
    int goaway = -1;                          ///< Error code of the GOAWAY frame; -1: none.
    std::uint32_t last_stream = 0;            ///< Last stream id of the GOAWAY frame.
    std::string pieces;                       ///< Stream ids of the DATA frames, such as "1 3 1 ".

    wire& line() noexcept { return wire_; }
    const http::metrics& counts() noexcept { return wire_.core().counts; }

private:
    void begin() {
        if (inflater_) nghttp2_hd_inflate_del(inflater_);
        nghttp2_hd_inflate_new(&inflater_);
        streams.clear();
        frames.clear();
        unread_.clear();
        pieces.clear();
        goaway = -1;
    }
    static std::uint32_t read(std::string_view bytes) {
        std::uint32_t n = 0;
        for (char c : bytes) n = n << 8 | static_cast<std::uint8_t>(c);
        return n;
    }
    void take() {
        for (std::string more = wire_.take(); !more.empty(); more = wire_.take()) unread_ += more;
        while (unread_.size() >= 9) {
            const std::size_t size = read(unread_.substr(0, 3));
            if (unread_.size() < 9 + size) return;
            note(static_cast<std::uint8_t>(unread_[3]), static_cast<std::uint8_t>(unread_[4]),
                 read(unread_.substr(5, 4)), unread_.substr(9, size));
            unread_.erase(0, 9 + size);
        }
    }
    void note(int type, std::uint8_t flags, std::uint32_t stream, const std::string& payload) {
        ++frames[type];
        auto& to = streams[stream];
        if (type == NGHTTP2_DATA) to.body += payload, pieces += std::to_string(stream) + " ";
        if (type == NGHTTP2_HEADERS || type == NGHTTP2_CONTINUATION) block_ += payload;
        if ((type == NGHTTP2_HEADERS || type == NGHTTP2_CONTINUATION) && (flags & end_headers))
            to.heads += inflate(std::exchange(block_, {})) + "\n";
        if (type == NGHTTP2_DATA || type == NGHTTP2_HEADERS) to.ended = to.ended || (flags & end_stream);
        if (type == NGHTTP2_RST_STREAM) to.code = static_cast<int>(read(payload));
        if (type == NGHTTP2_WINDOW_UPDATE) to.window += read(payload);
        if (type == NGHTTP2_GOAWAY)
            last_stream = read(payload.substr(0, 4)), goaway = static_cast<int>(read(payload.substr(4, 4)));
    }
    std::string inflate(const std::string& block) {
        std::string lines;
        auto* at = reinterpret_cast<const std::uint8_t*>(block.data());
        std::size_t left = block.size();
        while (true) {
            nghttp2_nv line;
            int how = 0;
            const ssize_t used = nghttp2_hd_inflate_hd2(inflater_, &line, &how, at, left, 1);
            if (used < 0) throw std::runtime_error("HPACK that is no_flags");
            at += used;
            left -= static_cast<std::size_t>(used);
            if (how & NGHTTP2_HD_INFLATE_EMIT)
                lines.append(reinterpret_cast<char*>(line.name), line.namelen)
                    .append(": ")
                    .append(reinterpret_cast<char*>(line.value), line.valuelen)
                    .append("\n");
            if (how & NGHTTP2_HD_INFLATE_FINAL) break;
        }
        nghttp2_hd_inflate_end_headers(inflater_);
        return lines;
    }

    wire wire_;
    nghttp2_hd_inflater* inflater_ = nullptr;
    std::string unread_;
    std::string block_;  // the header block received so far, if it is incomplete
};

}  // namespace apus::test::h2
