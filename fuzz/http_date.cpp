// SPDX-License-Identifier: Apache-2.0
#include "codec/fields/date.hpp"
#include "codec/fields/retry_after.hpp"

#include "property.hpp"

#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace apus::codec::fields;
    using apus::fuzz::must;
    const std::vector<char> in(data, data + size);
    constexpr std::int64_t now = 1'792'000'000;
    const auto delay = read_retry_after({in.data(), in.size()}, now);
    must(!delay || (*delay >= 0 && *delay <= max_retry_after), "a delay is in its range");
    const auto date = read_date({in.data(), in.size()}, now);
    must(!date || delay, "a date is a delay");
    if (!date) return 0;
    constexpr std::int64_t year_10000 = 253'402'300'800;
    must(*date < year_10000 + 1, "the year is at most 9999");
    if (*date < 0 || *date >= year_10000) return 0;
    std::string text(date_size, 'x');
    write_date(*date, text.data());
    must(read_date(text, now) == date, "a parsed date, written and parsed again, is the same");
    return 0;
}
