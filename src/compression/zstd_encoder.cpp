// SPDX-License-Identifier: Apache-2.0
#include "compression/zstd_encoder.hpp"

#include <new>
#include <stdexcept>
#include <string>

namespace apus::compression {
namespace {

constexpr int window = 18;  // log2 of the window size: 256 KiB, as for brotli
constexpr std::size_t step = 16 * 1024;

std::size_t good(std::size_t outcome) {
    if (ZSTD_isError(outcome)) throw std::runtime_error(std::string("zstd: ") + ZSTD_getErrorName(outcome));
    return outcome;
}

ZSTD_EndDirective directive_of(then what) noexcept {
    switch (what) {
        case then::flush: return ZSTD_e_flush;
        case then::end: return ZSTD_e_end;
        case then::more: break;
    }
    return ZSTD_e_continue;
}

}  // namespace

zstd_encoder::zstd_encoder(int level) : context_(ZSTD_createCCtx()) {
    if (!context_) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(context_, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(context_, ZSTD_c_windowLog, window);
}

void zstd_encoder::restart() { ZSTD_CCtx_reset(context_, ZSTD_reset_session_only); }

void zstd_encoder::put(std::string_view piece, then what, std::string& out) {
    ZSTD_inBuffer in{piece.data(), piece.size(), 0};
    bool done = false;
    while (!done) {
        const std::size_t before = out.size();
        out.resize(before + step);
        ZSTD_outBuffer to{out.data() + before, step, 0};
        const std::size_t left = good(ZSTD_compressStream2(context_, &to, &in, directive_of(what)));
        out.resize(before + to.pos);
        done = what == then::more ? in.pos == in.size : left == 0;
    }
}

void zstd_encoder::whole(std::string_view body, std::string& out) {
    const std::size_t before = out.size();
    out.resize(before + ZSTD_compressBound(body.size()));
    out.resize(before +
               good(ZSTD_compress2(context_, out.data() + before, out.size() - before, body.data(), body.size())));
}

}  // namespace apus::compression
