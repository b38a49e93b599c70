// SPDX-License-Identifier: Apache-2.0
#include "base/published.hpp"
#include "base/short_text.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

namespace {

struct many {
    std::uint64_t words[24];
};

}  // namespace

TEST_CASE("a published value is absent before the first write, and then complete") {
    apus::base::published<many> value;
    many copy{};
    CHECK(!value.read(copy));
    many written{};
    written.words[23] = 7;
    value.write(written);
    REQUIRE(value.read(copy));
    CHECK(copy.words[23] == 7);
}

TEST_CASE("a reader never sees parts of two values") {
    apus::base::published<many> value;
    std::atomic<bool> ends = false;
    std::thread writer([&] {
        many next{};
        while (!ends.load(std::memory_order_relaxed)) {
            for (auto& word : next.words) ++word;
            value.write(next);
        }
    });
    int complete = 0;
    bool torn = false;
    for (int tries = 0; complete < 1000 && tries < 50'000'000; ++tries) {
        many copy{};
        if (!value.read(copy)) continue;
        ++complete;
        for (const auto word : copy.words) torn = torn || word != copy.words[0];
    }
    ends = true;
    writer.join();
    CHECK(!torn);
    CHECK(complete > 0);
}

TEST_CASE("a short text is truncated to its room") {
    using text = apus::base::short_text<4>;
    CHECK(text("").view().empty());
    CHECK(text("four").view() == "four");
    CHECK(!text("four").truncated());
    CHECK(text(std::string(1000, 'x')).view() == "xxxx");
    CHECK(text("12345").truncated());
}
