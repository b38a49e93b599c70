// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/date.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace {

struct moment {
    std::int64_t seconds;
    std::string_view text;
};

constexpr moment moments[] = {
    {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
    {784'111'777, "Sun, 06 Nov 1994 08:49:37 GMT"},
    {951'782'399, "Mon, 28 Feb 2000 23:59:59 GMT"},
    {951'782'400, "Tue, 29 Feb 2000 00:00:00 GMT"},
    {1'772'323'200, "Sun, 01 Mar 2026 00:00:00 GMT"},
    {4'107'542'400, "Mon, 01 Mar 2100 00:00:00 GMT"},
    {253'402'300'799, "Fri, 31 Dec 9999 23:59:59 GMT"},
    {253'402'300'800, "Fri, 31 Dec 9999 23:59:59 GMT"},
    {-1, "Thu, 01 Jan 1970 00:00:00 GMT"},
};

}  // namespace

TEST_CASE("dates are written in the one format that may be sent") {
    for (const auto& [seconds, text] : moments) {
        std::string out(apus::codec::http1::date_size, 'x');
        apus::codec::http1::write_date(seconds, out.data());
        CHECK(out == text);
    }
}
