// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/protobuf/writer.hpp"

#include <cstdint>
#include <string_view>

namespace apus::codec::protobuf {

/// Reads the fields of a Protocol Buffers message, in their order.
class field_reader {
public:
    struct field {
        std::uint32_t number = 0;
        wire_type type = wire_type::varint;
        std::uint64_t value = 0;      ///< Of `varint`, `fixed64` and `fixed32`.
        std::string_view bytes = {};  ///< Of `sized`: a view of the message.
    };
    enum class outcome : std::uint8_t {
        field,   ///< `to` is the next field.
        end,     ///< The message is complete.
        invalid  ///< A truncated field, or a reserved number or type.
    };

    explicit field_reader(std::string_view message) noexcept : rest_(message) {}
    outcome next(field& to) noexcept;

private:
    bool read_varint(std::uint64_t& to) noexcept;
    bool read_fixed(std::size_t size, std::uint64_t& to) noexcept;

    std::string_view rest_;
};

}  // namespace apus::codec::protobuf
