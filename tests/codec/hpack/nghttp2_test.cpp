// SPDX-License-Identifier: Apache-2.0
#include "codec/hpack/oracle.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <random>
#include <string>

// APUS_HPACK_LISTS sets the number of lists, for example 1000000.

using namespace apus::codec;
using namespace apus::test;

namespace {

struct random_choices {
    std::minstd_rand numbers;
    std::size_t below(std::size_t n) { return numbers() / 8 % n; }
};

unsigned lists() {
    const char* given = std::getenv("APUS_HPACK_LISTS");
    return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 2000;
}

constexpr unsigned lists_of_connection = 50;

}  // namespace

TEST_CASE("HPACK: lists that we encode are decoded by nghttp2") {
    for (unsigned done = 0; done < lists(); done += lists_of_connection) {
        random_choices choices{std::minstd_rand(done + 1)};
        list_maker maker(choices);
        hpack::encoder encoder(choices.below(4) ? 4096 : static_cast<std::uint32_t>(choices.below(4097)));
        oracle_decoder oracle;
        for (unsigned i = 0; i < lists_of_connection; ++i) {
            for (std::size_t changes = choices.below(8); changes > 5; --changes) {
                const auto limit = static_cast<std::uint32_t>(choices.below(6000));
                oracle.set_table_limit(limit);
                encoder.set_peer_limit(limit);
            }
            if (choices.below(10) == 0) encoder.shrink();
            const field_list fields = maker.make();
            REQUIRE(oracle.read(maker.encode(encoder, fields)) == fields);
        }
    }
}

TEST_CASE("HPACK: lists that nghttp2 encodes are decoded by us") {
    for (unsigned done = 0; done < lists(); done += lists_of_connection) {
        random_choices choices{std::minstd_rand(done + 1)};
        list_maker maker(choices);
        hpack::decoder decoder;
        oracle_encoder oracle;
        for (unsigned i = 0; i < lists_of_connection; ++i) {
            for (std::size_t changes = choices.below(8); changes > 5; --changes) {
                const auto limit = static_cast<std::uint32_t>(choices.below(4097));
                oracle.set_peer_limit(limit);
                decoder.set_table_limit(limit);
            }
            if (choices.below(10) == 0) decoder.shrink();
            const field_list fields = maker.make();
            const std::size_t piece = choices.below(2) ? 1 << 20 : 1 + choices.below(100);
            REQUIRE(read_block(decoder, oracle.write(fields), piece) == fields);
        }
    }
}
