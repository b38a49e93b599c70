// SPDX-License-Identifier: Apache-2.0
#include "compression/message_deflate.hpp"

#include <algorithm>
#include <new>

namespace apus::compression {
namespace {

constexpr int level = 4;  // achieves most of the compression of higher levels in half the time
// the end of every flush: the sender omits it, and the receiver adds it before inflating
constexpr std::string_view flush_end("\x00\x00\xff\xff", 4);
constexpr std::uint64_t smallest_room = 1024;

Bytef* bytes_of(const char* at) noexcept { return reinterpret_cast<Bytef*>(const_cast<char*>(at)); }

}  // namespace

message_deflater::message_deflater(unsigned window_bits, bool keeps_window) : keeps_window_(keeps_window) {
    const int bits = static_cast<int>(window_bits);
    if (deflateInit2(&stream_, level, Z_DEFLATED, -bits, bits - 7, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
}

void message_deflater::put(std::string_view message, std::string& out) {
    stream_.next_in = bytes_of(message.data());
    stream_.avail_in = static_cast<uInt>(message.size());
    do {
        const std::size_t before = out.size();
        const std::size_t room = deflateBound(&stream_, stream_.avail_in) + flush_end.size() + 2;
        out.resize(before + room);
        stream_.next_out = bytes_of(out.data() + before);
        stream_.avail_out = static_cast<uInt>(room);
        deflate(&stream_, Z_SYNC_FLUSH);
        out.resize(out.size() - stream_.avail_out);
    } while (stream_.avail_out == 0);
    out.resize(out.size() - flush_end.size());
    if (!keeps_window_) forget();
}

message_inflater::message_inflater(unsigned window_bits, bool keeps_window) : keeps_window_(keeps_window) {
    if (inflateInit2(&stream_, -static_cast<int>(window_bits)) != Z_OK) throw std::bad_alloc();
}

message_inflater::outcome message_inflater::feed(std::string_view piece, std::string& out, std::uint64_t most) {
    stream_.next_in = bytes_of(piece.data());
    stream_.avail_in = static_cast<uInt>(piece.size());
    while (true) {
        const std::size_t before = out.size();
        // Room for one byte more than the limit is enough to detect a message that is too large.
        const std::uint64_t room = std::min(
            most + 1 - before, std::max<std::uint64_t>({smallest_room, before, std::uint64_t{stream_.avail_in} * 2}));
        out.resize(before + room);
        stream_.next_out = bytes_of(out.data() + before);
        stream_.avail_out = static_cast<uInt>(room);
        const int result = inflate(&stream_, Z_SYNC_FLUSH);
        out.resize(out.size() - stream_.avail_out);
        if (out.size() > most) return outcome::too_large;
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        if (result == Z_STREAM_END) {
            // A sender may end the DEFLATE stream within a message, and begin another stream (RFC 7692, 7.2.3.5).
            inflateReset(&stream_);
            if (stream_.avail_in == 0) return outcome::good;
        } else if (result != Z_OK && result != Z_BUF_ERROR) {
            return outcome::bad;
        } else if (stream_.avail_out != 0) {
            return stream_.avail_in == 0 ? outcome::good : outcome::bad;
        }
    }
}

message_inflater::outcome message_inflater::take(std::string_view piece, bool last, std::string& out,
                                                 std::uint64_t most) {
    outcome so_far = feed(piece, out, most);
    if (!last || so_far != outcome::good) return so_far;
    so_far = feed(flush_end, out, most);
    if (!keeps_window_) inflateReset(&stream_);
    return so_far;
}

}  // namespace apus::compression
