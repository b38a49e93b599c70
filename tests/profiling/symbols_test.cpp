// SPDX-License-Identifier: Apache-2.0
#include "profiling/symbols.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace apus::test {

[[gnu::noinline, gnu::used]] int named_for_profiles(int n) { return n + 1; }

}  // namespace apus::test

using namespace apus::profiling;

TEST_CASE("functions of the program and of libraries have names") {
    symbols all;
    const auto own = reinterpret_cast<std::uintptr_t>(&apus::test::named_for_profiles);
    const auto* const module = all.module_of(own);
    REQUIRE(module);
    CHECK(module->path.contains("apus_profiling_test"));
    CHECK(module->named);
    CHECK(module->build_id.size() >= 16);
    CHECK(demangled(all.name_of(own)) == "apus::test::named_for_profiles(int)");
    const auto* const library = all.module_of(reinterpret_cast<std::uintptr_t>(&std::abort));
    CHECK((library && library->named));
}

TEST_CASE("files that are still mapped keep their symbols when the list is read again") {
    symbols all;
    const auto own = reinterpret_cast<std::uintptr_t>(&apus::test::named_for_profiles);
    const auto* const module = all.module_of(own);
    const auto name = all.name_of(own);
    all.refresh();
    CHECK(all.module_of(own) == module);
    CHECK(all.name_of(own).data() == name.data());
}

TEST_CASE("addresses outside of all code have no names") {
    symbols all;
    int local = 0;
    for (const std::uintptr_t address :
         {std::uintptr_t{0}, std::uintptr_t{16}, ~std::uintptr_t{0}, reinterpret_cast<std::uintptr_t>(&local)}) {
        CHECK(all.module_of(address) == nullptr);
        CHECK(all.name_of(address).empty());
    }
}

TEST_CASE("only mangled names are demangled") {
    CHECK(demangled("_ZN4shop5orderEv") == "shop::order()");
    CHECK(demangled("main") == "main");
    CHECK(demangled("_ZN4shop") == "_ZN4shop");
    CHECK(demangled("").empty());
}
