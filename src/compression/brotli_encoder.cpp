// SPDX-License-Identifier: Apache-2.0
#include "compression/brotli_encoder.hpp"

#include <new>
#include <utility>

namespace apus::compression {
namespace {

// Log2 of the window size: 256 KiB. Larger windows need more memory and help only large bodies, which are mostly files
// that were compressed in advance.
constexpr int window = 18;

BrotliEncoderOperation operation_of(then what) noexcept {
    switch (what) {
        case then::flush: return BROTLI_OPERATION_FLUSH;
        case then::end: return BROTLI_OPERATION_FINISH;
        case then::more: break;
    }
    return BROTLI_OPERATION_PROCESS;
}

}  // namespace

void brotli_encoder::restart() { BrotliEncoderDestroyInstance(std::exchange(state_, nullptr)); }

void brotli_encoder::put(std::string_view piece, then what, std::string& out) {
    if (!state_) {
        state_ = BrotliEncoderCreateInstance(nullptr, nullptr, nullptr);
        if (!state_) throw std::bad_alloc();
        BrotliEncoderSetParameter(state_, BROTLI_PARAM_QUALITY, static_cast<std::uint32_t>(level_));
        BrotliEncoderSetParameter(state_, BROTLI_PARAM_LGWIN, window);
    }
    const auto* in = reinterpret_cast<const std::uint8_t*>(piece.data());
    std::size_t left = piece.size();
    do {
        std::size_t no_room = 0;
        if (!BrotliEncoderCompressStream(state_, operation_of(what), &left, &in, &no_room, nullptr, nullptr))
            throw std::bad_alloc();
        while (BrotliEncoderHasMoreOutput(state_)) {
            std::size_t size = 0;
            const auto* made = BrotliEncoderTakeOutput(state_, &size);
            out.append(reinterpret_cast<const char*>(made), size);
        }
    } while (left || (what == then::end && !BrotliEncoderIsFinished(state_)));
}

void brotli_encoder::whole(std::string_view body, std::string& out) {
    const std::size_t before = out.size();
    std::size_t size = BrotliEncoderMaxCompressedSize(body.size());
    out.resize(before + size);
    if (!BrotliEncoderCompress(level_, window, BROTLI_MODE_GENERIC, body.size(),
                               reinterpret_cast<const std::uint8_t*>(body.data()), &size,
                               reinterpret_cast<std::uint8_t*>(out.data() + before)))
        throw std::bad_alloc();
    out.resize(before + size);
}

}  // namespace apus::compression
