// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/encoder.hpp"

#include <zstd.h>

namespace apus::compression {

/// zstd encoder. Uses about 1 MB at level 3.
class zstd_encoder final : public encoder {
public:
    explicit zstd_encoder(int level);
    zstd_encoder(const zstd_encoder&) = delete;
    zstd_encoder& operator=(const zstd_encoder&) = delete;
    ~zstd_encoder() override { ZSTD_freeCCtx(context_); }

    void put(std::string_view, then, std::string& out) override;
    void restart() override;
    void whole(std::string_view body, std::string& out) override;

private:
    ZSTD_CCtx* context_;
};

}  // namespace apus::compression
