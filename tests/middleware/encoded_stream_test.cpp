// SPDX-License-Identifier: Apache-2.0
#include "middleware/encoded_stream.hpp"

#include <doctest/doctest.h>

#include <set>

using apus::content_coding;
using apus::middleware::encoder_pool;

TEST_CASE("encoders are reused, and few are kept") {
    encoder_pool pool({6, 5, 3});
    std::set<apus::compression::encoder*> first;
    for (int round = 0; round < 2; ++round) {
        std::vector<std::unique_ptr<apus::compression::encoder>> taken;
        for (int i = 0; i < 5; ++i) taken.push_back(pool.take(content_coding::gzip));
        unsigned known = 0;
        for (auto& e : taken) known += !first.insert(e.get()).second;
        if (round == 1) CHECK(known >= 2);
        CHECK(first.size() <= 5 + 3 * static_cast<unsigned>(round));
        for (auto& e : taken) pool.give(content_coding::gzip, std::move(e));
    }
    // Encoders of another coding are not reused.
    CHECK(first.count(pool.take(content_coding::zstd).get()) == 0);
}
