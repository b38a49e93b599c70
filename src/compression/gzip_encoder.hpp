// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compression/encoder.hpp"

#include <libdeflate.h>
#include <zlib.h>

namespace apus::compression {

/// gzip encoder. Streams use zlib; whole bodies use libdeflate if it is faster.
/// Uses 268 KB, and 250 to 700 KB more from the first large body on.
class gzip_encoder final : public encoder {
public:
    explicit gzip_encoder(int level);
    gzip_encoder(const gzip_encoder&) = delete;
    gzip_encoder& operator=(const gzip_encoder&) = delete;
    ~gzip_encoder() override;

    void put(std::string_view, then, std::string& out) override;
    void restart() override;
    void whole(std::string_view body, std::string& out) override;

private:
    int level_;
    z_stream stream_{};
    libdeflate_compressor* whole_ = nullptr;
};

}  // namespace apus::compression
