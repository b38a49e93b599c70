// SPDX-License-Identifier: Apache-2.0
// Header lists that Apus encodes and nghttp2 decodes, and vice versa. The input bytes select names, values,
// representations of fields, and limits.
#include "codec/hpack/oracle.hpp"

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace {

using namespace apus;
using apus::fuzz::must;

struct choices {
    const std::uint8_t* at;
    const std::uint8_t* end;

    std::size_t below(std::size_t n) noexcept {
        std::size_t number = at != end ? *at++ : 0;
        if (n > 256 && at != end) number = number << 8 | *at++;
        return number % n;
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    choices from{data, data + size};
    test::list_maker maker(from);
    codec::hpack::encoder encoder(static_cast<std::uint32_t>(from.below(2) ? 4096 : from.below(4097)));
    codec::hpack::decoder decoder;
    test::oracle_encoder their_encoder;
    test::oracle_decoder their_decoder;
    while (from.at != from.end) {
        if (from.below(8) == 0) {
            const auto limit = static_cast<std::uint32_t>(from.below(6000));
            encoder.set_peer_limit(limit);
            their_decoder.set_table_limit(limit);
        }
        if (from.below(8) == 0) {
            const auto limit = static_cast<std::uint32_t>(from.below(4097));
            their_encoder.set_peer_limit(limit);
            decoder.set_table_limit(limit);
        }
        if (from.below(16) == 0) encoder.shrink(), decoder.shrink();
        const test::field_list fields = maker.make();
        must(their_decoder.read(maker.encode(encoder, fields)) == fields, "nghttp2 decodes the blocks of Apus");
        const std::size_t piece = from.below(2) ? 1U << 20 : 1 + from.below(100);
        must(test::read_block(decoder, their_encoder.write(fields), piece) == fields,
             "Apus decodes the blocks of nghttp2");
    }
    return 0;
}
