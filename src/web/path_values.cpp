// SPDX-License-Identifier: Apache-2.0
#include "schema/expectation.hpp"
#include "schema/text_value.hpp"
#include "web/application.hpp"
#include "web/route_pattern.hpp"

#include <apus/detail/schema_captures.hpp>

#include <charconv>
#include <cmath>
#include <system_error>

namespace apus::detail {
namespace {

std::string name_of(request& req, unsigned index) {
    const auto& e = static_cast<const web::endpoint&>(*exchange_of(req).plan);
    return '`' + std::string(web::capture_name(*e.facts()->text, index)) + "` must be ";
}

// Rejects a value from the client. `must_be` completes the sentence "`name` must be ...".
bool refuse_value(request& req, unsigned index, const std::string& must_be, response& out) {
    constexpr std::size_t shown = 40;  // bytes of the value in the message
    const std::string_view value = req.capture(index);
    std::string detail = name_of(req, index) + must_be + ", not \"";
    detail.append(value.substr(0, shown)).append(value.size() > shown ? "...\"" : "\"");
    refuse(error(400, std::move(detail)), out);
    return false;
}

// Whether the whole text is an integer, of any size.
bool is_integer(std::string_view text) noexcept {
    if (text.starts_with('-')) text.remove_prefix(1);
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

template <class T>
bool parse(std::string_view text, T& value) noexcept {
    const char* end = text.data() + text.size();
    const auto [rest, status] = std::from_chars(text.data(), end, value);
    return status == std::errc() && rest == end;
}

template <class T>
bool read_integer(request& req, unsigned index, T least, T greatest, T& value, response& out) {
    const std::string_view text = req.capture(index);
    if (parse(text, value) && value >= least && value <= greatest) return true;
    std::string must_be = "an integer";
    if (is_integer(text)) must_be += " from " + std::to_string(least) + " to " + std::to_string(greatest);
    return refuse_value(req, index, must_be, out);
}

}  // namespace

bool read_signed(request& req, unsigned index, long long least, long long greatest, long long& value, response& out) {
    return read_integer(req, index, least, greatest, value, out);
}

bool read_unsigned(request& req, unsigned index, unsigned long long greatest, unsigned long long& value,
                   response& out) {
    return read_integer(req, index, 0ULL, greatest, value, out);
}

bool read_number(request& req, unsigned index, double& value, response& out) {
    // from_chars also accepts "inf" and "nan", which are not numbers.
    if (parse(req.capture(index), value) && std::isfinite(value)) return true;
    return refuse_value(req, index, "a number", out);
}

bool read_flag(request& req, unsigned index, bool& value, response& out) {
    const std::string_view text = req.capture(index);
    value = text == "true";
    return value || text == "false" || refuse_value(req, index, "true or false", out);
}

bool read_capture(request& req, unsigned index, const schema::type& t, void* value, response& out) {
    const std::string_view text = req.capture(index);
    if (schema::read_text(t, value, text)) return true;
    if (!schema::is_secret(t)) return refuse_value(req, index, schema::expectation(t), out);
    refuse(error(400, name_of(req, index) + schema::expectation(t)), out);
    return false;
}

std::string_view whole_body(request& req) noexcept { return exchange_of(req).body; }

}  // namespace apus::detail
