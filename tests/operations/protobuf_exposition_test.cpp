// SPDX-License-Identifier: Apache-2.0
#include "operations/exposition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

using namespace apus::operations;
using namespace std::string_literals;

namespace {

// Returns a field of a message, or a message with its size. The sizes are below 128.
std::string field(char tag, const std::string& value) { return tag + std::string(1, char(value.size())) + value; }
std::string sized(const std::string& message) { return std::string(1, char(message.size())) + message; }

const std::string one = "\0\0\0\0\0\0\xf0\x3f"s, half = "\0\0\0\0\0\0\xe0\x3f"s, infinity = "\0\0\0\0\0\0\xf0\x7f"s;

// Returns the fields of a native histogram that follow the fixed buckets.
std::string native_part(const std::vector<std::uint64_t>& counts, int first = 1) {
    exposition to(exposition_format::protobuf);
    to.family("h", metric_type::histogram, "");
    const std::uint64_t none[] = {0};
    const native_buckets native{.schema = 3, .zero_threshold = .5, .zeros = 2, .first = first, .counts = counts};
    to.histogram({}, {.bounds = {}, .counts = none, .sum = 1, .native = &native});
    const std::string text = std::move(to).finish();
    const std::string start = "\x28\x06\x31" + half + "\x38\x02";
    const auto at = text.find(start);
    REQUIRE(at != text.npos);
    return text.substr(at + start.size());
}

}  // namespace

TEST_CASE("protobuf: families are messages after their size") {
    exposition to(exposition_format::protobuf);
    to.family("empty", metric_type::gauge, "Without samples");
    to.family("a_total", metric_type::counter, "A");
    const sample_label label{"k", "v\xff"};
    to.sample({&label, 1}, std::uint64_t{1});
    to.family("g", metric_type::gauge, "");
    to.sample({}, .5);
    to.sample({}, 1.0);
    const std::string labels = field('\x0a', field('\x0a', "k") + field('\x12', "v\xEF\xBF\xBD"));
    CHECK(std::move(to).finish() ==
          sized(field('\x0a', "a_total") + field('\x12', "A") + "\x18\0"s +
                field('\x22', labels + field('\x1a', '\x09' + one))) +
              sized(field('\x0a', "g") + field('\x12', "") + "\x18\1" + field('\x22', field('\x12', '\x09' + half)) +
                    field('\x22', field('\x12', '\x09' + one))));
}

TEST_CASE("protobuf: a histogram has cumulative buckets and exemplars") {
    exposition to(exposition_format::protobuf);
    to.family("h", metric_type::histogram, "");
    const double bounds[] = {.5};
    const std::uint64_t counts[] = {3, 4};
    const sample_exemplar exemplars[] = {{}, {.trace = "00ff", .value = 1, .time = 2.5}};
    to.histogram({}, {.bounds = bounds, .counts = counts, .sum = 1, .exemplars = exemplars});
    const std::string time = "\x08\x02\x10\x80\xca\xb5\xee\x01"s;  // 2 s and 500,000,000 ns
    const std::string exemplar =
        field('\x0a', field('\x0a', "trace_id") + field('\x12', "00ff")) + '\x11' + one + field('\x1a', time);
    const std::string histogram = "\x08\x07\x11" + one + field('\x1a', "\x08\x03\x11" + half) +
                                  field('\x1a', "\x08\x07\x11" + infinity + field('\x1a', exemplar));
    CHECK(std::move(to).finish() ==
          sized(field('\x0a', "h") + field('\x12', "") + "\x18\4" + field('\x22', field('\x3a', histogram))));
}

TEST_CASE("protobuf: native buckets are spans and differences") {
    const struct {
        std::vector<std::uint64_t> counts;
        int first;
        std::string part;
    } rows[] = {
        {{}, 1, ""},
        {{0, 0, 0}, 1, ""},
        {{5}, 1, "\x62\x04\x08\x02\x10\x01\x6a\x01\x0a"},
        {{0, 0, 5, 3}, -4, "\x62\x04\x08\x03\x10\x02\x6a\x02\x0a\x03"},                         // from index -2
        {{1, 0, 0, 1}, 0, "\x62\x04\x08\0\x10\x04\x6a\x04\x02\x01\0\x02"s},                     // a short gap
        {{1, 0, 0, 0, 1}, 0, "\x62\x04\x08\0\x10\x01\x62\x04\x08\x06\x10\x01\x6a\x02\x02\0"s},  // a second span
        {{0, 2, 0, 0, 0, 0, 4, 0}, 0, "\x62\x04\x08\x02\x10\x01\x62\x04\x08\x08\x10\x01\x6a\x02\x04\x04"},
        {{300}, 0, "\x62\x04\x08\0\x10\x01\x6a\x02\xd8\x04"s},
    };
    for (const auto& row : rows) {
        CAPTURE(row.counts);
        CHECK(native_part(row.counts, row.first) == row.part);
    }
}

// The counts of a core are read while it changes them.
TEST_CASE("protobuf: fixed and native buckets of a message have the same number of values") {
    for (const std::uint64_t native_count : {3U, 4U, 5U, 6U}) {
        exposition to(exposition_format::protobuf);
        to.family("h", metric_type::histogram, "");
        const double bounds[] = {.5};
        const std::uint64_t counts[] = {4, 1}, natives[] = {native_count};
        const native_buckets native{.schema = 3, .zero_threshold = .5, .first = 1, .counts = natives};
        to.histogram({}, {.bounds = bounds, .counts = counts, .sum = 1, .native = &native});
        const std::string text = std::move(to).finish();
        const auto count = static_cast<char>(native_count),
                   first = static_cast<char>(std::min(native_count, std::uint64_t{4}));
        CHECK(text.contains("\x08"s + count + '\x11' + one));
        CHECK(text.contains("\x08"s + first + '\x11' + half));
        CHECK(text.contains("\x08"s + count + '\x11' + infinity));
    }
}
