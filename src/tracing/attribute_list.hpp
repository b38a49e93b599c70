// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/log.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace apus::tracing {

constexpr std::size_t max_text = 1024;  ///< Bytes of a name or a value; longer texts are truncated.

/// Appends a text as a protobuf `string`.
/// Truncates the text to `max_text` bytes, and replaces invalid UTF-8 with U+FFFD.
void append_text(std::string& to, std::uint32_t field, std::string_view text);

/// Appends an attribute: a `KeyValue` message. An empty field is ignored.
void append_attribute(std::string& to, std::uint32_t field, const log::field&);

/// Attributes of a span or an event, encoded as fields of its message.
class attribute_list {
public:
    static constexpr std::uint32_t max_count = 64;

    explicit attribute_list(std::uint32_t field) noexcept : field_(field) {}
    void add(const log::field&);  ///< Attributes beyond `max_count` are only counted.
    /// Adds a text, which may be empty. Faster than `add`. `key`: ASCII, as literals are.
    void add_text(std::string_view key, std::string_view text);
    void add_number(std::string_view key, std::uint64_t number);  ///< As `add_text`.

    std::string_view bytes() const noexcept { return bytes_; }
    std::uint32_t dropped() const noexcept { return dropped_; }

private:
    template <class F>
    void append_short(std::string_view key, std::size_t size, F write_value);

    std::uint32_t field_, count_ = 0, dropped_ = 0;
    std::string bytes_;
};

}  // namespace apus::tracing
