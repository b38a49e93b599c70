// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/http2/frame.hpp"
#include "outbound/servers.hpp"
#include "support/http2_frames.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Frames of a server, valid or malformed, and a server that sends them.

namespace apus::test::h2wire {

using namespace h2;

inline std::string head(std::uint32_t stream, field_list fields, std::uint8_t how = end_headers) {
    return frame(headers_type, how, stream, literals(fields));
}
inline std::string goaway(std::uint32_t last, std::uint32_t code = 0) {
    return frame(goaway_type, no_flags, 0, number(last, 4) + number(code, 4));
}
inline std::string ok(std::uint32_t stream, std::string_view body) {
    return head(stream, {{":status", "200"}}) + data(stream, body, end_stream);
}
inline std::string many(std::string_view text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

/// Describes frames of a client as text: "SETTINGS HEADERS:1 DATA:1:5 RST_STREAM:1:8 GOAWAY:0".
/// The last number is the size of DATA, the increment of WINDOW_UPDATE, or the error code. "." means END_STREAM.
class client_frames {
public:
    /// Returns the text of the frames that are complete now.
    std::string take(std::string_view bytes) {
        using namespace codec::http2;
        unread_ += bytes;
        if (!begun_ && unread_.starts_with(preface)) unread_.erase(0, preface.size()), begun_ = true;
        std::string all;
        while (begun_ && unread_.size() >= frame_head_size) {
            const auto h = read_frame_head(unread_.data());
            if (unread_.size() < frame_head_size + h.length) break;
            const std::string payload = unread_.substr(frame_head_size, h.length);
            unread_.erase(0, frame_head_size + h.length);
            if (!all.empty()) all += ' ';
            all += text_of(h, payload);
            if (on_frame) on_frame(h, payload);
        }
        return all;
    }
    std::function<void(const codec::http2::frame_head&, const std::string&)> on_frame;

private:
    static std::string text_of(const codec::http2::frame_head& h, const std::string& payload) {
        using namespace codec::http2;
        constexpr std::string_view names[] = {"DATA",         "HEADERS", "PRIORITY", "RST_STREAM",    "SETTINGS",
                                              "PUSH_PROMISE", "PING",    "GOAWAY",   "WINDOW_UPDATE", "CONTINUATION"};
        std::string all(names[static_cast<unsigned>(h.type)]);
        if (h.stream) all += ":" + std::to_string(h.stream);
        if (h.type == frame_type::data) all += ":" + std::to_string(payload.size());
        if (h.type == frame_type::rst_stream || h.type == frame_type::window_update)
            all += ":" + std::to_string(read_number<4>(payload.data()));
        if (h.type == frame_type::goaway) all += ":" + std::to_string(read_number<4>(payload.data() + 4));
        if ((h.type == frame_type::settings || h.type == frame_type::ping) && h.has(flag_ack)) all += ":ack";
        if ((h.type == frame_type::data || h.type == frame_type::headers) && h.has(flag_end_stream)) all += ".";
        return all;
    }

    std::string unread_;
    bool begun_ = false;
};

/// State of a connection of a scripted server.
struct heard_frames {
    client_frames parser;
    bool over = false;
};

/// A server that sends `greeting`, and the result of `reply` for each HEADERS frame.
/// If the result is empty, closes the connection; if it is "-", sends nothing.
class scripted final : public raw_server<heard_frames> {
public:
    using reply = std::function<std::string(std::uint32_t stream, unsigned request)>;
    scripted(own_loop& l, reply r, std::string greeting = settings())
        : raw_server(l), reply_(std::move(r)), greeting_(std::move(greeting)) {}
    ~scripted() { end(); }

    std::string frames;  ///< All frames of clients except SETTINGS and WINDOW_UPDATE, separated by spaces.
    unsigned requests = 0;

private:
    void begin(peer& p) override {
        p.parser.on_frame = [this, &p](const codec::http2::frame_head& h, const std::string&) { note(p, h); };
        if (!greeting_.empty()) loop.io().queue(p, greeting_);
    }
    void hear(peer& p, std::string_view bytes) override {
        std::string text = p.parser.take(bytes);
        while (!text.empty()) {
            const std::string one = text.substr(0, text.find(' '));
            text.erase(0, one.size() + 1);
            if (!one.starts_with("SETTINGS") && !one.starts_with("WINDOW")) frames += one + " ";
        }
        if (p.over) drop(p);
    }
    void note(peer& p, const codec::http2::frame_head& h) {
        if (h.type != codec::http2::frame_type::headers || p.over) return;
        const std::string said = reply_(h.stream, ++requests);
        if (said.empty()) p.over = true;
        else if (said != "-") loop.io().queue(p, said);
    }

    reply reply_;
    std::string greeting_;
};

inline client_options prior_knowledge() {
    client_options o;
    o.protocols = client_protocols::http2;
    return o;
}

}  // namespace apus::test::h2wire
