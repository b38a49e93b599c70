// SPDX-License-Identifier: Apache-2.0
#include "request_texts.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "websocket.hpp"

namespace load {
namespace {

constexpr std::size_t chunk_bytes = 16'384;

std::string in_chunks(const std::string& body) {
    std::string text;
    for (std::size_t at = 0; at < body.size(); at += chunk_bytes) {
        const auto size = std::min(chunk_bytes, body.size() - at);
        char line[24];
        text.append(line, std::size_t(std::snprintf(line, sizeof line, "%zx\r\n", size)));
        text.append(body, at, size).append("\r\n");
    }
    return text + "0\r\n\r\n";
}

std::string head(const request_shape& shape, const options& o) {
    auto text =
        shape.method + " " + shape.path + " HTTP/1.1\r\nHost: " + o.host + ":" + std::to_string(o.port) + "\r\n";
    for (const auto& header : shape.headers) text += header + "\r\n";
    return text;
}

std::string request_text(const request_shape& shape, const options& o) {
    auto text = head(shape, o);
    if (o.close) text += "Connection: close\r\n";
    if (!shape.has_body) return text + "\r\n";
    if (o.chunked) return text + "Transfer-Encoding: chunked\r\n\r\n" + in_chunks(shape.body);
    return text + "Content-Length: " + std::to_string(shape.body.size()) + "\r\n\r\n" + shape.body;
}

void append(batch& b, const std::string& text) {
    b.starts.push_back(b.text.size());
    b.text += text;
}

batch of_shape(const request_shape& shape) {
    return {.text = {},
            .starts = {},
            .bodiless = shape.method == "HEAD",
            .wanted = shape.wanted,
            .answer_bytes = shape.answer_bytes};
}

}  // namespace

std::vector<batch> batches(const options& o) {
    if (o.websocket) {
        batch messages;
        for (unsigned i = 0; i < o.pipeline; ++i) append(messages, masked_text(o.message_bytes));
        return {messages};
    }
    // Creates batches until the next one would begin with the first request again.
    const auto shapes = o.requests.size();
    std::vector<batch> all(shapes / std::gcd(shapes, std::size_t(o.pipeline)));
    std::size_t next = 0;
    for (auto& b : all) {
        b = of_shape(o.requests[next % shapes]);
        for (unsigned i = 0; i < o.pipeline; ++i) append(b, request_text(o.requests[next++ % shapes], o));
    }
    return all;
}

batch handshake(const options& o) {
    batch b = of_shape(o.requests.front());
    append(b, head(o.requests.front(), o) +
                  "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " +
                  std::string(websocket_key) + "\r\n\r\n");
    return b;
}

}  // namespace load
