// SPDX-License-Identifier: Apache-2.0
#include "runtime/resident_memory.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstring>

#include <sys/mman.h>

namespace {

TEST_CASE("resident memory grows when pages are written, not when they are reserved") {
    constexpr std::size_t size = 32 << 20;
    const apus::runtime::resident_memory resident;
    const auto before = resident.bytes();
    REQUIRE(before > 0);
    void* pages = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages != MAP_FAILED);
    CHECK(resident.bytes() < before + size / 2);
    std::memset(pages, 1, size);
    CHECK(resident.bytes() > before + size / 4 * 3);
    munmap(pages, size);
    CHECK(resident.bytes() < before + size / 2);
}

}  // namespace
