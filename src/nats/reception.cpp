// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/command.hpp"
#include "codec/nats/headers.hpp"
#include "nats/failure.hpp"
#include "nats/session.hpp"
#include "outbound/failure.hpp"

#include <apus/log.hpp>

#include <charconv>
#include <optional>
#include <utility>

// Operations that a session receives.

namespace apus::nats {
namespace {

using codec::outcome;
using codec::nats::kind;
using codec::nats::operation;

message to_message(const operation& of) {
    message made{
        .subject = std::string(of.subject), .reply = std::string(of.reply), .payload = std::string(of.payload)};
    codec::nats::header_reader from(of.headers);
    for (codec::nats::header_line one; from.next(one);)
        made.headers.push_back({.name = std::string(one.name), .value = std::string(one.value)});
    return made;
}

// Returns the first text in double quotes, such as the subject of a permissions violation.
std::string_view quoted(std::string_view text) noexcept {
    const auto begin = text.find('"');
    if (begin == text.npos) return {};
    const auto end = text.find('"', begin + 1);
    return end == text.npos ? std::string_view() : text.substr(begin + 1, end - begin - 1);
}

}  // namespace

// Passes on a limited number of messages per event loop iteration, so that listeners can read these messages before
// others are queued.
void session::receive() {
    constexpr unsigned at_once = 256;
    if (!io_ || deliver_.waits()) return;
    heard_ |= io_->gather();
    for (unsigned passed = 0; passed < at_once; ++passed) {
        const auto got = codec::nats::read_operation(io_->unread(), options().message_size);
        if (got.state == outcome::bad) return lost(got.why->reason);
        if (got.state == outcome::partial) {
            if (io_->ended()) lost("NATS has closed the connection");
            return;
        }
        if (!on_operation(got.value)) return lost("NATS has sent an unexpected operation");
        if (!io_) return;
        io_->use(got.used);
    }
    loop_.timers().add(deliver_, loop_.now() + 1);
}

bool session::on_operation(const operation& of) {
    switch (of.what) {
        case kind::ok: return true;
        case kind::ping: return send_pong(), true;
        case kind::error: return on_error(of.text), true;
        case kind::message: return on_message(of), true;
        case kind::pong: {
            if (pongs_.empty()) return false;
            on_pong();
            return true;
        }
        case kind::info: {
            const auto changed = read_info(of.text);
            if (changed) info_ = *changed;
            return changed.has_value();
        }
    }
    return false;
}

// A server that sends PING without reading must not fill the memory. One response to several PING suffices.
void session::send_pong() {
    owes_pong_ = io_->unsent() >= outbound::transport::high_water;
    if (!owes_pong_) io_->send(codec::nats::pong);
}

void session::on_pong() {
    // Pings are numbered, and the server responds in order.
    const std::uint64_t number = pings_ - pongs_.size() + 1;
    const expected_pong front = pongs_.front();
    pongs_.pop_front();
    failures_ = 0;
    if (front.flush) {
        front.flush->awaits_pong = false;
        front.flush->finish();
    }
    if (!front.confirms) return;
    for (const auto& [ignored, one] : listeners_) one->confirm(number);
}

void session::on_message(const operation& of) {
    if (of.subscription == inbox_number_) return on_response(of);
    // Messages of a subscription that has ended meanwhile are ignored.
    const auto found = listeners_.find(of.subscription);
    if (found == listeners_.end()) return;
    counts_.add(messages_received);
    found->second->push(to_message(of));
}

void session::on_response(const operation& of) {
    if (!of.subject.starts_with(inbox_)) return;
    const std::string_view digits = of.subject.substr(inbox_.size());
    std::uint64_t number = 0;
    const auto [end, why] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (why != std::errc() || end != digits.data() + digits.size()) return;
    const auto found = requests_.find(number);
    if (found == requests_.end()) return;
    call& c = *found->second;
    const codec::nats::header_reader head(of.headers);
    if (head.status() == 503 && of.payload.empty())
        c.failed = refused({.status = 503}, "no subscriber, and no stream, has received the message");
    else c.response = to_message(of);
    c.finish();
}

// After other errors, the server closes the connection.
void session::on_error(std::string_view text) {
    const std::string shown = outbound::printable(text);
    const bool violates = text.starts_with("Permissions Violation");
    if (!violates) last_error_ = shown;
    const bool refuses = text.starts_with("Permissions Violation for Subscription") ||
                         text.starts_with("maximum subscriptions exceeded") || text.starts_with("Invalid Subject");
    if (refuses) {
        const std::string_view subject = quoted(text);
        for (const auto& [number, one] : listeners_)
            if (one->is_sent() && !one->is_ready() && (subject.empty() || subject == one->subject))
                one->refuse(refused({.status = 403}, text));
    }
    // A server that refuses each message must not fill the log.
    if (loop_.now() < warned_at_) return;
    warned_at_ = loop_.now() + 1'000;
    log::warn("nats: the server reports an error", {"reason", shown});
}

}  // namespace apus::nats
