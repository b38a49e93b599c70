// SPDX-License-Identifier: Apache-2.0
#include "compression/encoder.hpp"

#include "compression/brotli_encoder.hpp"
#include "compression/gzip_encoder.hpp"
#include "compression/zstd_encoder.hpp"

#include <cassert>

namespace apus::compression {

std::unique_ptr<encoder> make_encoder(content_coding coding, int level) {
    switch (coding) {
        case content_coding::gzip: return std::make_unique<gzip_encoder>(level);
        case content_coding::br: return std::make_unique<brotli_encoder>(level);
        case content_coding::zstd: return std::make_unique<zstd_encoder>(level);
        case content_coding::identity:
        case content_coding::deflate: break;
    }
    assert(false && "unsupported content coding");
    return nullptr;
}

}  // namespace apus::compression
