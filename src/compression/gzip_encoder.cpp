// SPDX-License-Identifier: Apache-2.0
#include "compression/gzip_encoder.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace apus::compression {
namespace {

constexpr int gzip_window = 15 + 16;  // window bits of zlib: the largest window (15), plus 16 for gzip framing
constexpr int usual_memory = 8;
constexpr std::size_t step = 16 * 1024;

// Smallest body for which libdeflate is faster than zlib: libdeflate first prepares tables. Measured with JSON: 2.5 KB
// take 7 us with zlib and 13 us with libdeflate; 12 KB take 41 us with zlib and 29 us with libdeflate.
constexpr std::size_t for_libdeflate = 6 * 1024;

int flush_of(then what) noexcept {
    switch (what) {
        case then::flush: return Z_SYNC_FLUSH;
        case then::end: return Z_FINISH;
        case then::more: break;
    }
    return Z_NO_FLUSH;
}

}  // namespace

gzip_encoder::gzip_encoder(int level) : level_(level) {
    if (deflateInit2(&stream_, level, Z_DEFLATED, gzip_window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

gzip_encoder::~gzip_encoder() {
    deflateEnd(&stream_);
    libdeflate_free_compressor(whole_);
}

void gzip_encoder::restart() { deflateReset(&stream_); }

void gzip_encoder::put(std::string_view piece, then what, std::string& out) {
    constexpr std::size_t most = std::numeric_limits<uInt>::max();
    do {
        const std::size_t now = std::min(piece.size(), most);
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
        stream_.avail_in = static_cast<uInt>(now);
        piece.remove_prefix(now);
        const int flush = piece.empty() ? flush_of(what) : Z_NO_FLUSH;
        do {
            const std::size_t before = out.size();
            out.resize(before + step);
            stream_.next_out = reinterpret_cast<Bytef*>(out.data() + before);
            stream_.avail_out = static_cast<uInt>(step);
            deflate(&stream_, flush);
            out.resize(out.size() - stream_.avail_out);
        } while (stream_.avail_out == 0);
    } while (!piece.empty());
}

void gzip_encoder::whole(std::string_view body, std::string& out) {
    if (body.size() < for_libdeflate) {
        put(body, then::end, out);
        return restart();
    }
    if (!whole_) whole_ = libdeflate_alloc_compressor(level_);
    if (!whole_) throw std::bad_alloc();
    const std::size_t before = out.size();
    out.resize(before + libdeflate_gzip_compress_bound(whole_, body.size()));
    out.resize(before +
               libdeflate_gzip_compress(whole_, body.data(), body.size(), out.data() + before, out.size() - before));
}

}  // namespace apus::compression
