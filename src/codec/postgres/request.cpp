// SPDX-License-Identifier: Apache-2.0
#include "codec/postgres/request.hpp"

#include <initializer_list>

namespace apus::codec::postgres {
namespace {

void append_text(std::string& to, std::string_view text) {
    to.append(text);
    to += '\0';
}

// Appends the type and an empty length. Returns the position of the length, for `close_message`.
std::size_t open_message(std::string& to, char type) {
    const char head[5] = {type, 0, 0, 0, 0};
    to.append(head, sizeof head);
    return to.size() - 4;
}

void close_message(std::string& to, std::size_t at) noexcept {
    store(to.data() + at, static_cast<std::uint32_t>(to.size() - at));
}

// Appends a message whose body is `kind`, which may be empty, and NUL-terminated texts.
void append_message(std::string& to, char type, std::string_view kind, std::initializer_list<std::string_view> texts) {
    const std::size_t at = open_message(to, type);
    to.append(kind);
    for (const std::string_view text : texts) append_text(to, text);
    close_message(to, at);
}

}  // namespace

void append_parse(std::string& to, std::string_view statement, std::string_view sql,
                  std::span<const std::uint32_t> types) {
    const std::size_t at = open_message(to, 'P');
    append_text(to, statement);
    append_text(to, sql);
    append(to, static_cast<std::uint16_t>(types.size()));
    for (const std::uint32_t type : types) append(to, type);
    close_message(to, at);
}

void append_describe_statement(std::string& to, std::string_view statement) {
    append_message(to, 'D', "S", {statement});
}

void append_describe_portal(std::string& to) { append_message(to, 'D', "P", {""}); }

void append_execute(std::string& to) { to.append("E\0\0\0\x9\0\0\0\0\0", 10); }

void append_close_statement(std::string& to, std::string_view statement) { append_message(to, 'C', "S", {statement}); }

void append_sync(std::string& to) { to.append("S\0\0\0\x4", 5); }

void append_query(std::string& to, std::string_view sql) { append_message(to, 'Q', "", {sql}); }

void append_copy_data(std::string& to, std::string_view data) { append_message(to, 'd', data, {}); }

void append_copy_done(std::string& to) { to.append("c\0\0\0\x4", 5); }

bind_writer::bind_writer(std::string& to, std::string_view statement, std::uint16_t parameters)
    : to_(to), begin_(to.size()) {
    open_message(to, 'B');
    to += '\0';
    append_text(to, statement);
    append(to, parameters);
    formats_ = to.size();
    to.append(2 * std::size_t(parameters), '\0');
    append(to, parameters);
}

void bind_writer::add_null() {
    append<std::int32_t>(to_, -1);
    ++next_;
}

std::string& bind_writer::value() {
    append<std::int32_t>(to_, 0);
    value_ = to_.size();
    return to_;
}

void bind_writer::end_value(bool binary) noexcept {
    store(to_.data() + value_ - 4, static_cast<std::uint32_t>(to_.size() - value_));
    to_[formats_ + 2 * std::size_t(next_++) + 1] = binary ? 1 : 0;
}

void bind_writer::end() {
    to_.append("\0\1\0\1", 4);  // one format for all columns: binary
    close_message(to_, begin_ + 1);
}

}  // namespace apus::codec::postgres
