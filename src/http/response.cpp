// SPDX-License-Identifier: Apache-2.0
#include <apus/http.hpp>

#include "base/ascii.hpp"
#include "http/field_lines.hpp"
#include "http/known_types.hpp"

#include <iterator>
#include <stdexcept>
#include <cstddef>
#include <utility>

namespace apus {
namespace {

using namespace std::string_view_literals;

}  // namespace

response::response(response&& other) noexcept
    : status_(other.status_),
      known_type_(other.known_type_),
      literal_(other.literal_),
      producer_(std::exchange(other.producer_, {})),
      refusal_(std::exchange(other.refusal_, nullptr)) {
    // Each middleware moves the response, and usually one or both of these strings are empty.
    if (!other.bytes_.empty()) bytes_ = std::move(other.bytes_);
    if (!other.fields_.empty()) fields_ = std::move(other.fields_);
}

response& response::operator=(response&& other) noexcept {
    status_ = other.status_;
    known_type_ = other.known_type_;
    literal_ = other.literal_;
    bytes_ = std::move(other.bytes_);
    fields_ = std::move(other.fields_);
    std::swap(producer_, other.producer_);
    std::swap(refusal_, other.refusal_);
    return *this;
}

response::response(error why) : status_(why.status()), refusal_(new error(std::move(why))) {}

error response::take_refusal() {
    error why = std::move(*refusal_);
    drop_refusal();
    return why;
}

void response::drop_refusal() noexcept { delete std::exchange(refusal_, nullptr); }

void detail::append_field_line(std::string& lines, std::string_view name, std::string_view value) {
    http::append_field(lines, name, value);
}

response response::text(std::string bytes) {
    response res;
    res.bytes_ = std::move(bytes);
    res.known_type_ = 1;
    return res;
}

response response::html(std::string bytes) {
    response res;
    res.body(std::move(bytes), "text/html; charset=utf-8");
    return res;
}

response& response::header(std::string_view name, std::string_view value) & {
    if (base::equal_ignoring_case(name, "content-type"sv)) {
        std::string line;
        http::append_field(line, name, value);
        known_type_ = 0;
        return remove_header(name).lines(line);
    }
    http::append_field(fields_, name, value);
    return *this;
}

std::string_view response::header(std::string_view name) const noexcept {
    for (std::size_t at = 0; at < fields_.size();) {
        auto line = http::split_line(fields_, at);
        if (base::equal_ignoring_case(line.name, name)) return line.value;
        at = line.next;
    }
    return {};
}

response& response::remove_header(std::string_view name) & {
    for (std::size_t at = 0; at < fields_.size();) {
        auto line = http::split_line(fields_, at);
        if (base::equal_ignoring_case(line.name, name)) fields_.erase(at, line.next - at);
        else at = line.next;
    }
    return *this;
}

response& response::lines_not_there(std::string_view whole_lines) & {
    const std::size_t before = fields_.size();
    for (std::size_t at = 0; at < whole_lines.size();) {
        const auto line = http::split_line(whole_lines, at);
        bool there = false;
        for (std::size_t own = 0; own < before && !there;) {
            const auto other = http::split_line(std::string_view(fields_), own);
            there = base::equal_ignoring_case(other.name, line.name);
            own = other.next;
        }
        if (!there) fields_.append(whole_lines.substr(at, line.next - at));
        at = line.next;
    }
    return *this;
}

response& response::body(std::string bytes, std::string_view media_type) & {
    if (producer_.self) drop_producer();
    literal_ = {};
    bytes_ = std::move(bytes);
    set_media_type(media_type);
    return *this;
}

response& response::produce(detail::producer p, std::string_view media_type) & {
    if (producer_.self) drop_producer();
    producer_ = p;
    set_media_type(media_type);
    return *this;
}

void response::hold(std::string_view bytes, detail::producer owner) noexcept {
    if (producer_.self) drop_producer();
    producer_ = owner;
    // A literal with null data means that the producer writes the body later. So an empty body must have non-null data.
    literal_ = bytes.data() ? bytes : std::string_view("");
}

std::string_view response::media_type() const noexcept {
    return known_type_ ? http::known_types[known_type_].type() : header("content-type");
}

void response::set_media_type(std::string_view type) {
    if (type.empty()) return;
    remove_header("content-type");
    for (std::size_t i = 1; i < std::size(http::known_types); ++i)
        if (http::known_types[i].type() == type) return void(known_type_ = static_cast<std::uint8_t>(i));
    header("content-type", type);
}

void response::drop_producer() noexcept {
    producer_.destroy(producer_.self);
    producer_ = {};
}

template class result<response>;
template class detail::late<result<response>>;
template class task<response>;
template struct task<response>::awaiter<true>;
template struct task<response>::awaiter<false>;

}  // namespace apus
