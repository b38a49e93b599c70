// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.hpp"
#include "runtime/loop.hpp"
#include "server/test_client_parts.hpp"

#include <apus/test.hpp>

#include <utility>

namespace apus::test {
namespace {

// Removes the first event of a stream, including its empty line. Returns nullopt if the event is incomplete. Sets
// `is_event` to false for a block without data, such as a comment or a retry time (WHATWG HTML, 9.2.6).
std::optional<event> next_block(std::string& text, bool& is_event) {
    const auto end = text.find("\n\n");
    if (end == text.npos) return {};
    event made{.name = "message", .data = {}, .id = {}};
    is_event = false;
    std::string_view lines = std::string_view(text).substr(0, end + 1);
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(line.size() + 1);
        const auto colon = line.find(':');
        const std::string_view field = line.substr(0, colon);
        std::string_view value = colon == line.npos ? std::string_view() : line.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (field == "event") made.name = value;
        if (field == "id") made.id = value;
        if (field == "data") made.data.append(std::exchange(is_event, true) ? "\n" : "").append(value);
    }
    text.erase(0, end + 2);
    return made;
}

}  // namespace

response_stream::~response_stream() { delete parts_; }

bool response_stream::has_begun() {
    server::settle(*parts_->loop);
    parts_->line->take_input();
    parts_->line->advance(parts_->to_head);
    return parts_->line->has_head();
}

// Returns true if the response is complete. Otherwise the head has arrived and, if `bytes`, some bytes of the body.
bool response_stream::await(bool bytes) {
    parts& p = *parts_;
    const std::uint64_t due = p.loop->due_in(p.timeout);
    server::test_connection& line = *p.line;
    while (true) {
        if (line.advance(p.to_head)) return true;
        if (line.has_head() && (!bytes || !line.now().body.empty())) return false;
        if (line.ended()) return true;  // the app closed the connection within the response
        line.wait(due, p.timeout);
    }
}

int response_stream::status() {
    await(false);
    return parts_->line->now().status;
}

std::string_view response_stream::header(std::string_view name) {
    await(false);
    return parts_->line->now().header(name);
}

std::string response_stream::read() {
    if (!parts_->unread.empty()) return std::exchange(parts_->unread, {});
    await(true);
    return std::exchange(parts_->line->now().body, {});
}

std::optional<event> response_stream::next_event() {
    while (true) {
        bool is_event = false;
        auto made = next_block(parts_->unread, is_event);
        if (made && is_event) return made;
        if (made) continue;
        await(true);
        const std::string more = std::exchange(parts_->line->now().body, {});
        if (more.empty()) return {};
        parts_->unread += more;
    }
}

response response_stream::rest() {
    parts& p = *parts_;
    std::string body;
    for (std::string piece = read(); !piece.empty(); piece = read()) body += piece;
    response all = p.line->now();
    all.body = std::move(body);
    all.closed = p.line->ended() || base::equal_ignoring_case(all.header("connection"), "close");
    all.request = p.asked;
    return all;
}

}  // namespace apus::test
