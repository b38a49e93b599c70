// SPDX-License-Identifier: Apache-2.0
#include "codec/json/number.hpp"

#include <charconv>
#include <system_error>

namespace apus::codec::json {
namespace {

constexpr std::uint64_t room_for_digit = (UINT64_MAX - 9) / 10;

// Appends the digits at `at` to the digits of the number.
const char* read_digits(const char* at, const char* end, number_text& number) noexcept {
    for (; at != end && base::is_digit(*at); ++at) {
        const auto digit = static_cast<unsigned>(*at - '0');
        if (number.digits > room_for_digit &&
            (number.digits > UINT64_MAX / 10 || number.digits * 10 > UINT64_MAX - digit))
            number.many = true;
        number.digits = number.digits * 10 + digit;
    }
    return at;
}

const char* read_exponent(const char*& at, const char* end, number_text& number) noexcept {
    ++at;
    const bool negative = at != end && *at == '-';
    if (at != end && (*at == '+' || *at == '-')) ++at;
    if (at == end || !base::is_digit(*at)) return "a digit of the exponent";
    int value = 0;
    for (; at != end && base::is_digit(*at); ++at)
        if (value < 100'000'000) value = value * 10 + (*at - '0');  // larger exponents have the same result
    number.exponent += negative ? -value : value;
    number.whole = false;
    return nullptr;
}

// Returns whether a number out of the range of double is too small. If not, it is too large.
bool is_tiny(const number_text& number) noexcept {
    long long place = number.exponent;  // decimal place of the last digit, later of the first nonzero digit
    bool any = false;
    for (const char* at = number.begin; at != number.end && (*at | 0x20) != 'e'; ++at) {
        if (!base::is_digit(*at)) continue;
        if (any) ++place;
        else any = *at != '0';
    }
    return !any || place < 0;
}

}  // namespace

const char* read_number(const char*& at, const char* end, number_text& number) noexcept {
    number.begin = at;
    if (at != end && *at == '-') number.negative = true, ++at;
    if (at == end || !base::is_digit(*at)) return "a digit";
    if (*at == '0') {
        ++at;
        if (at != end && base::is_digit(*at)) return "a number without leading zeros";
    } else {
        at = read_digits(at, end, number);
    }
    if (at != end && *at == '.') {
        const char* fraction = ++at;
        at = read_digits(at, end, number);
        if (at == fraction) return "a digit after the decimal point";
        number.exponent = -static_cast<int>(at - fraction);
        number.whole = false;
    }
    if (at != end && (*at | 0x20) == 'e')
        if (const char* expected = read_exponent(at, end, number)) return expected;
    number.end = at;
    return nullptr;
}

bool to_magnitude(const number_text& number, std::uint64_t& value) noexcept {
    if (number.many) return false;
    value = number.digits;
    if (value == 0) return true;
    int exponent = number.exponent;
    for (; exponent < 0 && value % 10 == 0; ++exponent) value /= 10;
    for (; exponent > 0 && value <= UINT64_MAX / 10; --exponent) value *= 10;
    return exponent == 0;
}

bool to_double(const number_text& number, double& value) noexcept {
    static constexpr double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (!number.many && number.digits <= std::uint64_t(1) << 53 && number.exponent >= -22 && number.exponent <= 22) {
        // Both operands are exact, so one operation gives the correctly rounded result (Clinger, 1990).
        value = static_cast<double>(number.digits);
        value = number.exponent < 0 ? value / powers[-number.exponent] : value * powers[number.exponent];
        if (number.negative) value = -value;
        return true;
    }
    const auto [rest, status] = std::from_chars(number.begin, number.end, value);
    if (status == std::errc() && rest == number.end) return true;
    if (!is_tiny(number)) return false;
    value = number.negative ? -0.0 : 0.0;
    return true;
}

}  // namespace apus::codec::json
