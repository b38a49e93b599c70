// SPDX-License-Identifier: Apache-2.0
#include "profiling/profile.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <zlib.h>

using namespace apus::profiling;

namespace {

// Returns the bytes of a gzip file, or "invalid".
std::string unzipped(const std::string& file) {
    z_stream s{};
    inflateInit2(&s, 15 + 16);
    std::string out(1'000'000, '\0');
    s.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(file.data()));
    s.avail_in = static_cast<uInt>(file.size());
    s.next_out = reinterpret_cast<Bytef*>(out.data());
    s.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&s, Z_FINISH);
    out.resize(out.size() - s.avail_out);
    inflateEnd(&s);
    return result == Z_STREAM_END && s.avail_in == 0 ? out : "invalid";
}

}  // namespace

TEST_CASE("zlib reads stored gzip files of all sizes") {
    for (const std::size_t size : {0U, 1U, 65'534U, 65'535U, 65'536U, 200'000U}) {
        std::string bytes;
        while (bytes.size() < size) bytes += static_cast<char>(bytes.size() * 7 + bytes.size() / 251);
        CHECK(unzipped(stored_gzip(bytes)) == bytes);
    }
}

TEST_CASE("a profile has names, labels and mappings, each once") {
    constexpr profile::value_type values[] = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    symbols names;
    profile made(values, names);
    const auto own = reinterpret_cast<std::uintptr_t>(&stored_gzip);
    const std::uintptr_t stack[] = {own, 16};
    const std::int64_t numbers[] = {3, 30};
    const profile::label labels[] = {{"route", "/cart"}, {"thread", ""}};
    made.add(stack, numbers, labels);
    made.add(stack, numbers, labels);
    made.add("waiting", numbers, {});
    made.comment("two samples were dropped");
    const std::string message = unzipped(std::move(made).finish());
    const auto occurrences = [&](std::string_view text) {
        int n = 0;
        for (std::size_t at = 0; (at = message.find(text, at)) != message.npos; ++at) ++n;
        return n;
    };
    // sample_type (1): samples/count and cpu/nanoseconds are texts 1 to 4; the first text is empty
    CHECK(message.starts_with("\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04"));
    CHECK(occurrences(std::string("\x32\x00", 2)) == 1);
    CHECK(occurrences("apus::profiling::stored_gzip") == 1);
    CHECK(occurrences("apus_profiling_test") == 1);
    CHECK(occurrences("/cart") == 1);
    CHECK(occurrences("thread") == 0);
    CHECK(occurrences("waiting") == 1);
    CHECK(occurrences("two samples were dropped") == 1);
}
