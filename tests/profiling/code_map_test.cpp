// SPDX-License-Identifier: Apache-2.0
#include "profiling/code_map.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace apus::test {

[[gnu::noinline, gnu::used]] int named_for_crashes(int n) { return n + 2; }

}  // namespace apus::test

using namespace apus::profiling;

TEST_CASE("addresses have names without allocation") {
    const auto code = std::make_unique<code_map>();
    code->read();
    frame_namer names(*code);
    const auto own = reinterpret_cast<std::uintptr_t>(&apus::test::named_for_crashes);
    for (int i = 0; i < 2; ++i) {
        const auto frame = names.name(own + 1);
        CHECK(frame.file.ends_with("apus_profiling_test"));
        CHECK(frame.build_id.size() >= 8);
        CHECK(frame.function == "_ZN4apus4test17named_for_crashesEi");
        CHECK(frame.offset == 1);
        CHECK(frame.file_address != 0);
        const auto library = names.name(reinterpret_cast<std::uintptr_t>(&std::abort));
        CHECK(library.function == "abort");
        CHECK(names.name(16).file.empty());
    }
}
