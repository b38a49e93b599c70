// SPDX-License-Identifier: Apache-2.0
#include "codec/protobuf/reader.hpp"

namespace apus::codec::protobuf {

bool field_reader::read_varint(std::uint64_t& to) noexcept {
    constexpr unsigned longest = 70;  // bits of ten bytes
    to = 0;
    for (unsigned shift = 0; shift < longest && !rest_.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(rest_.front());
        rest_.remove_prefix(1);
        to |= std::uint64_t{byte & 0x7fU} << shift;
        if (byte < 0x80) return shift < longest - 7 || byte <= 1;
    }
    return false;
}

bool field_reader::read_fixed(std::size_t size, std::uint64_t& to) noexcept {
    if (rest_.size() < size) return false;
    to = 0;
    for (std::size_t i = 0; i < size; ++i) to |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
    rest_.remove_prefix(size);
    return true;
}

field_reader::outcome field_reader::next(field& to) noexcept {
    constexpr std::uint64_t max_number = (1U << 29U) - 1;
    constexpr std::size_t of_fixed64 = 8, of_fixed32 = 4;
    if (rest_.empty()) return outcome::end;
    std::uint64_t tag = 0, size = 0;
    if (!read_varint(tag) || tag >> 3U == 0 || tag >> 3U > max_number) return outcome::invalid;
    to = {.number = static_cast<std::uint32_t>(tag >> 3U), .type = static_cast<wire_type>(tag & 7U)};
    bool fine = false;
    switch (to.type) {
        case wire_type::varint: fine = read_varint(to.value); break;
        case wire_type::fixed64: fine = read_fixed(of_fixed64, to.value); break;
        case wire_type::fixed32: fine = read_fixed(of_fixed32, to.value); break;
        case wire_type::sized:
            fine = read_varint(size) && size <= rest_.size();
            if (!fine) break;
            to.bytes = rest_.substr(0, size);
            rest_.remove_prefix(size);
            break;
    }
    return fine ? outcome::field : outcome::invalid;
}

}  // namespace apus::codec::protobuf
