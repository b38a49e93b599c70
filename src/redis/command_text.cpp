// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/redis_command.hpp>

#include "codec/resp/command.hpp"
#include "codec/resp/reply.hpp"

#include <charconv>

namespace apus::redis::detail {

void command_text::add(std::string_view argument) {
    codec::resp::append_argument(body_, argument);
    ++count_;
}

void command_text::add_integer(long long value) {
    char text[24];
    add({text, std::to_chars(text, text + sizeof text, value).ptr});
}

void command_text::add_natural(unsigned long long value) {
    char text[24];
    add({text, std::to_chars(text, text + sizeof text, value).ptr});
}

void command_text::add_real(double value) {
    char text[40];
    add({text, std::to_chars(text, text + sizeof text, value).ptr});
}

void command_text::add_others(const command_text& from) {
    std::string_view others = from.body_;
    codec::resp::skip_element(others);
    body_ += others;
    count_ += from.count_ - 1;
    hidden_ |= from.hidden_;
}

void command_text::append_to(std::string& wire) const {
    codec::resp::append_head(wire, count_);
    wire += body_;
}

}  // namespace apus::redis::detail
