// SPDX-License-Identifier: Apache-2.0
#include "runtime/output_arena.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <string_view>
#include <vector>

using apus::runtime::output_arena;

namespace {

void write(output_arena& arena, std::string_view bytes) {
    char* to = arena.room(bytes.size());
    std::memcpy(to, bytes.data(), bytes.size());
    arena.wrote(to + bytes.size());
}

}  // namespace

TEST_CASE("a batch is contiguous") {
    output_arena arena;
    arena.begin();
    CHECK(arena.batch().empty());
    write(arena, "one ");
    write(arena, "two");
    CHECK(arena.batch() == "one two");
    const auto first = arena.batch();
    arena.begin();
    CHECK(arena.batch().empty());
    write(arena, "three");
    CHECK(arena.batch() == "three");
    CHECK(first == "one two");
}

TEST_CASE("a batch may grow beyond any size, and unused room is not part of it") {
    output_arena arena;
    arena.begin();
    write(arena, "before");
    const auto before = arena.batch();
    arena.begin();
    std::string all;
    for (std::size_t size : {std::size_t{1}, std::size_t{65'000}, std::size_t{1000}, std::size_t{200'000},
                             std::size_t{64 * 1024}, std::size_t{7}}) {
        const std::string piece(size, static_cast<char>('a' + size % 26));
        arena.room(size + 100);
        write(arena, piece);
        all += piece;
        CHECK((arena.batch() == all));
    }
    CHECK(before == "before");
}

TEST_CASE("batches live until the end of the next turn") {
    output_arena arena;
    std::vector<std::string_view> before;
    for (int turn = 0; turn < 20; ++turn) {
        std::vector<std::string_view> now;
        for (int i = 0; i < 30; ++i) {
            arena.begin();
            write(arena, std::string(static_cast<std::size_t>(1000 * i + 1), static_cast<char>('a' + turn)));
            now.push_back(arena.batch());
        }
        auto intact = [](const std::vector<std::string_view>& batches, char of) {
            for (auto b : batches)
                if (b.find_first_not_of(of) != b.npos) return false;
            return true;
        };
        CHECK(intact(now, static_cast<char>('a' + turn)));
        CHECK(intact(before, static_cast<char>('a' + turn - 1)));
        arena.recycle();
        before = now;
    }
}
