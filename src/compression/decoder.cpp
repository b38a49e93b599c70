// SPDX-License-Identifier: Apache-2.0
#include "compression/decoder.hpp"

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>
#include <utility>

namespace apus::compression {
namespace {

decoded state_of(bool bad, bool done) noexcept { return bad ? decoded::bad : done ? decoded::done : decoded::partial; }

class inflating final : public decoder {
public:
    explicit inflating(bool gzip) : gzip_(gzip) {
        constexpr int largest_window = 15, gzip_framing = 16;
        if (inflateInit2(&stream_, gzip ? largest_window + gzip_framing : largest_window) != Z_OK)
            throw std::bad_alloc();
    }
    inflating(const inflating&) = delete;
    inflating& operator=(const inflating&) = delete;
    ~inflating() override { inflateEnd(&stream_); }

    step take(std::string_view in, std::span<char> room) override {
        constexpr std::size_t most = 1 << 30;  // zlib counts bytes in 32-bit integers
        if (done_) {
            // RFC 1952, 2.2: a gzip file has one or more members.
            if (!gzip_ || in.empty()) return {decoded::done, 0, 0};
            inflateReset(&stream_);
            done_ = false;
        }
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
        stream_.avail_in = static_cast<uInt>(std::min(in.size(), most));
        stream_.next_out = reinterpret_cast<Bytef*>(room.data());
        stream_.avail_out = static_cast<uInt>(std::min(room.size(), most));
        const uInt input = stream_.avail_in, output = stream_.avail_out;
        const int outcome = inflate(&stream_, Z_NO_FLUSH);
        if (outcome == Z_MEM_ERROR) throw std::bad_alloc();
        done_ = outcome == Z_STREAM_END;
        const bool bad = !done_ && outcome != Z_OK && outcome != Z_BUF_ERROR;
        return {state_of(bad, done_), input - stream_.avail_in, output - stream_.avail_out};
    }

private:
    z_stream stream_{};
    bool gzip_;
    bool done_ = false;
};

class brotli_decoding final : public decoder {
public:
    brotli_decoding() : state_(BrotliDecoderCreateInstance(nullptr, nullptr, nullptr)) {
        if (!state_) throw std::bad_alloc();
    }
    brotli_decoding(const brotli_decoding&) = delete;
    brotli_decoding& operator=(const brotli_decoding&) = delete;
    ~brotli_decoding() override { BrotliDecoderDestroyInstance(state_); }

    step take(std::string_view in, std::span<char> room) override {
        if (BrotliDecoderIsFinished(state_)) return {decoded::done, 0, 0};
        const auto* from = reinterpret_cast<const std::uint8_t*>(in.data());
        auto* to = reinterpret_cast<std::uint8_t*>(room.data());
        std::size_t left = in.size(), free = room.size();
        const auto outcome = BrotliDecoderDecompressStream(state_, &left, &from, &free, &to, nullptr);
        return {state_of(outcome == BROTLI_DECODER_RESULT_ERROR, outcome == BROTLI_DECODER_RESULT_SUCCESS),
                in.size() - left, room.size() - free};
    }

private:
    BrotliDecoderState* state_;
};

class zstd_decoding final : public decoder {
public:
    zstd_decoding() : context_(ZSTD_createDCtx()) {
        constexpr int largest_window = 23;  // RFC 9659, 3: maximum window 8 MiB
        if (!context_) throw std::bad_alloc();
        ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, largest_window);
    }
    zstd_decoding(const zstd_decoding&) = delete;
    zstd_decoding& operator=(const zstd_decoding&) = delete;
    ~zstd_decoding() override { ZSTD_freeDCtx(context_); }

    step take(std::string_view in, std::span<char> room) override {
        // libzstd would treat empty input as the start of another frame.
        if (done_ && in.empty()) return {decoded::done, 0, 0};
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        ZSTD_outBuffer to{room.data(), room.size(), 0};
        const std::size_t outcome = ZSTD_decompressStream(context_, &to, &from);
        note(in.substr(0, from.pos), to.pos);
        done_ = outcome == 0;
        const bool bad = ZSTD_isError(outcome) || (done_ && !frame_is_of_its_size());
        return {state_of(bad, done_), from.pos, to.pos};
    }

private:
    // Records the output size and the frame header, to compare the size with the content size in the header (RFC 8878,
    // 3.1.1.1.4). libzstd does not compare the sizes if input is streamed and the last block is empty.
    void note(std::string_view used, std::size_t made) noexcept {
        const std::size_t more = std::min(used.size(), sizeof head_ - head_size_);
        if (more != 0) std::memcpy(head_ + head_size_, used.data(), more);
        head_size_ += more;
        made_ += made;
    }
    bool frame_is_of_its_size() noexcept {
        const unsigned long long says = ZSTD_getFrameContentSize(head_, std::exchange(head_size_, 0));
        const std::uint64_t made = std::exchange(made_, 0);
        return says == ZSTD_CONTENTSIZE_UNKNOWN || says == made;
    }

    static constexpr std::size_t largest_head = 18;  // maximum size of a frame header, including the magic number

    ZSTD_DCtx* context_;
    char head_[largest_head];
    std::size_t head_size_ = 0;
    std::uint64_t made_ = 0;  // output bytes of the current frame
    bool done_ = false;
};

}  // namespace

std::unique_ptr<decoder> make_decoder(content_coding coding) {
    switch (coding) {
        case content_coding::gzip: return std::make_unique<inflating>(true);
        case content_coding::deflate: return std::make_unique<inflating>(false);
        case content_coding::br: return std::make_unique<brotli_decoding>();
        case content_coding::zstd: return std::make_unique<zstd_decoding>();
        case content_coding::identity: break;
    }
    assert(false && "unknown coding");
    return nullptr;
}

}  // namespace apus::compression
