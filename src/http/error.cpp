// SPDX-License-Identifier: Apache-2.0
#include <apus/error.hpp>

#include "base/json_string.hpp"
#include "http/error_extras.hpp"
#include "http/field_lines.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace apus {
namespace {

constexpr std::string_view own_members[] = {"type", "status", "title", "detail"};

}  // namespace

detail::error_extras& detail::owned_extras::make() {
    if (!at_) at_ = new error_extras;
    return *at_;
}
detail::error_extras* detail::owned_extras::copy(const error_extras& of) { return new error_extras(of); }
void detail::owned_extras::drop(error_extras* extras) noexcept { delete extras; }

detail::error_extras& detail::extras_of(error& of) { return of.extras_.make(); }

std::string_view error::type() const noexcept { return extras() ? extras()->type : std::string_view(); }
std::string_view error::title() const noexcept { return extras() ? extras()->title : std::string_view(); }
std::string_view error::cause() const noexcept { return extras() ? extras()->cause : std::string_view(); }

std::string_view error::member(std::string_view name) const noexcept {
    if (!extras()) return {};
    const auto& all = extras()->members;
    const auto at = std::ranges::find(all, name, [](const auto& one) { return std::string_view(one.first); });
    return at == all.end() ? std::string_view() : std::string_view(at->second);
}

void error::set_type(std::string_view uri) { extras_.make().type = uri; }
void error::set_title(std::string_view text) { extras_.make().title = text; }
void error::set_cause(std::string_view text) { extras_.make().cause = text; }
void error::add_field(std::string_view name, std::string_view value) {
    http::append_field(extras_.make().field_lines, name, value);
}

void detail::put_member(error& to, std::string_view name, std::string json) {
    if (std::ranges::find(own_members, name) != std::end(own_members))
        throw std::invalid_argument("error: the member `" + std::string(name) +
                                    "` is reserved: use the function of this name");
    auto& all = to.extras_.make().members;
    const auto at = std::ranges::find(all, name, [](const auto& one) { return std::string_view(one.first); });
    if (at != all.end()) at->second = std::move(json);
    else all.emplace_back(name, std::move(json));
}

void detail::put_text_member(error& to, std::string_view name, std::string_view text) {
    std::string json;
    base::append_json_string(json, text);
    put_member(to, name, std::move(json));
}

void detail::put_number_member(error& to, std::string_view name, double value) {
    std::array<char, 32> room{};
    if (!std::isfinite(value)) return put_member(to, name, "null");
    const char* const end = std::to_chars(room.data(), room.data() + room.size(), value).ptr;
    put_member(to, name, std::string(static_cast<const char*>(room.data()), end));
}

}  // namespace apus
