// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/encoder.hpp"

#include <brotli/encode.h>

namespace apus::compression {

/// Brotli encoder. Allocates per body, as the library cannot reset its state.
class brotli_encoder final : public encoder {
public:
    explicit brotli_encoder(int level) noexcept : level_(level) {}
    brotli_encoder(const brotli_encoder&) = delete;
    brotli_encoder& operator=(const brotli_encoder&) = delete;
    ~brotli_encoder() override { BrotliEncoderDestroyInstance(state_); }

    void put(std::string_view, then, std::string& out) override;
    void restart() override;
    void whole(std::string_view body, std::string& out) override;

private:
    int level_;
    BrotliEncoderState* state_ = nullptr;
};

}  // namespace apus::compression
