// SPDX-License-Identifier: Apache-2.0
#include "codec/nats/command.hpp"

#include <charconv>

namespace apus::codec::nats {
namespace {

void append_number(std::string& to, std::uint64_t value) {
    char text[24];
    to.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void append_word(std::string& to, std::string_view word) {
    if (!word.empty()) to.append(word).append(1, ' ');
}

}  // namespace

void append_connect(std::string& to, std::string_view json) { to.append("CONNECT ").append(json).append("\r\n"); }

void append_publish(std::string& to, std::string_view subject, std::string_view reply, std::string_view headers,
                    std::string_view payload) {
    // The line breaks and spaces, and two numbers of at most 20 digits.
    to.reserve(to.size() + subject.size() + reply.size() + headers.size() + payload.size() + 56);
    to.append(headers.empty() ? "PUB " : "HPUB ");
    append_word(to, subject);
    append_word(to, reply);
    if (!headers.empty()) {
        append_number(to, headers.size());
        to += ' ';
    }
    append_number(to, headers.size() + payload.size());
    to.append("\r\n").append(headers).append(payload).append("\r\n");
}

void append_subscribe(std::string& to, std::string_view subject, std::string_view queue, std::uint64_t subscription) {
    to += "SUB ";
    append_word(to, subject);
    append_word(to, queue);
    append_number(to, subscription);
    to += "\r\n";
}

void append_unsubscribe(std::string& to, std::uint64_t subscription) {
    to += "UNSUB ";
    append_number(to, subscription);
    to += "\r\n";
}

}  // namespace apus::codec::nats
