// SPDX-License-Identifier: Apache-2.0
#include "codec/http1/date.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace apus::codec::http1 {
namespace {

constexpr char day_names[] = "SunMonTueWedThuFriSat";
constexpr char month_names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
constexpr std::int64_t last_second = 253'402'300'799;  // 9999-12-31 23:59:59

void write_two(char* out, unsigned value) noexcept {
    out[0] = static_cast<char>('0' + value / 10);
    out[1] = static_cast<char>('0' + value % 10);
}

}  // namespace

void write_date(std::int64_t seconds, char* out) noexcept {
    using namespace std::chrono;
    const std::int64_t time = std::clamp<std::int64_t>(seconds, 0, last_second);
    const auto second_of_day = static_cast<unsigned>(time % 86'400);
    const sys_days day{days{time / 86'400}};
    const year_month_day date{day};
    const auto year = static_cast<unsigned>(static_cast<int>(date.year()));

    std::memcpy(out, "Sun, 00 Jan 0000 00:00:00 GMT", date_size);
    std::memcpy(out, day_names + 3 * weekday{day}.c_encoding(), 3);
    write_two(out + 5, static_cast<unsigned>(date.day()));
    std::memcpy(out + 8, month_names + 3 * (static_cast<unsigned>(date.month()) - 1), 3);
    write_two(out + 12, year / 100);
    write_two(out + 14, year % 100);
    write_two(out + 17, second_of_day / 3600);
    write_two(out + 20, second_of_day / 60 % 60);
    write_two(out + 23, second_of_day % 60);
}

}  // namespace apus::codec::http1
