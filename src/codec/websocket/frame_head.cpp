// SPDX-License-Identifier: Apache-2.0
#include "codec/websocket/frame_head.hpp"

#include "codec/websocket/refusals.hpp"

#include <bit>
#include <cstring>

namespace apus::codec::websocket {
namespace {

using head_outcome = parsed<frame_head>;

constexpr unsigned final_bit = 0x80, compressed_bit = 0x40, other_reserved_bits = 0x30, opcode_bits = 0x0f;
constexpr unsigned mask_bit = 0x80, size_bits = 0x7f, two_bytes = 126, eight_bytes = 127;

head_outcome bad(const refusal& why) noexcept { return {outcome::bad, {}, 0, &why}; }

unsigned byte_at(std::string_view in, std::size_t at) noexcept { return static_cast<unsigned char>(in[at]); }

template <class Number>
Number big_endian(const char* at) noexcept {
    Number n;
    std::memcpy(&n, at, sizeof n);
    return std::endian::native == std::endian::little ? std::byteswap(n) : n;
}

template <class Number>
char* put_big_endian(char* to, Number n) noexcept {
    if constexpr (std::endian::native == std::endian::little) n = std::byteswap(n);
    std::memcpy(to, &n, sizeof n);
    return to + sizeof n;
}

// Returns the reason for rejecting the first two bytes, or null.
const refusal* fault_of(unsigned first, unsigned second, frame_rules rules) noexcept {
    if (first & other_reserved_bits) return &refusals::reserved_bits;
    const unsigned code = first & opcode_bits;
    const bool control = code & 8;
    if ((code & 7) > 2) return &refusals::opcode_unknown;
    if (first & compressed_bit) {
        if (!rules.compressed) return &refusals::reserved_bits;
        if (control) return &refusals::compressed_control;
        if (code == 0) return &refusals::compressed_continuation;
    }
    if (control && !(first & final_bit)) return &refusals::control_fragmented;
    if (control && (second & size_bits) > max_control_size) return &refusals::control_too_long;
    if (rules.masked != ((second & mask_bit) != 0)) return rules.masked ? &refusals::not_masked : &refusals::masked;
    return nullptr;
}

char* put_head(char* to, const frame_head& head, unsigned mask) noexcept {
    *to++ = static_cast<char>((head.final ? final_bit : 0) | (head.compressed ? compressed_bit : 0) |
                              static_cast<unsigned>(head.what));
    if (head.size < two_bytes) {
        *to++ = static_cast<char>(mask | static_cast<unsigned>(head.size));
        return to;
    }
    if (head.size <= 0xffff) {
        *to++ = static_cast<char>(mask | two_bytes);
        return put_big_endian(to, static_cast<std::uint16_t>(head.size));
    }
    *to++ = static_cast<char>(mask | eight_bytes);
    return put_big_endian(to, head.size);
}

}  // namespace

head_outcome read_frame_head(std::string_view in, frame_rules rules) noexcept {
    if (in.size() < 2) {
        // Rejects an invalid first byte before the second byte arrives.
        const refusal* why = in.empty() ? nullptr : fault_of(byte_at(in, 0), rules.masked ? mask_bit : 0, rules);
        return why ? bad(*why) : head_outcome{outcome::partial, {}, 0, nullptr};
    }
    const unsigned first = byte_at(in, 0), second = byte_at(in, 1);
    if (const refusal* why = fault_of(first, second, rules)) return bad(*why);

    const unsigned size = second & size_bits;
    const std::size_t length_bytes = size < two_bytes ? 0 : size == two_bytes ? 2 : 8;
    const std::size_t used = 2 + length_bytes + (rules.masked ? 4 : 0);
    frame_head head{size, 0, static_cast<opcode>(first & opcode_bits), (first & final_bit) != 0,
                    (first & compressed_bit) != 0};
    if (in.size() >= 2 + length_bytes && length_bytes != 0) {
        head.size =
            length_bytes == 2 ? big_endian<std::uint16_t>(in.data() + 2) : big_endian<std::uint64_t>(in.data() + 2);
        if (head.size >> 63) return bad(refusals::length_too_large);
        if (head.size < two_bytes || (length_bytes == 8 && head.size <= 0xffff))
            return bad(refusals::length_not_minimal);
    }
    if (in.size() < used) return {outcome::partial, {}, 0, nullptr};
    if (rules.masked) std::memcpy(&head.mask, in.data() + used - 4, 4);
    return {outcome::done, head, used, nullptr};
}

char* write_frame_head(char* to, const frame_head& head) noexcept { return put_head(to, head, 0); }

char* write_masked_frame_head(char* to, const frame_head& head) noexcept {
    to = put_head(to, head, mask_bit);
    std::memcpy(to, &head.mask, sizeof head.mask);
    return to + sizeof head.mask;
}

}  // namespace apus::codec::websocket
