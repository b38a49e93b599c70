// SPDX-License-Identifier: Apache-2.0
#include <apus/form.hpp>

#include "base/ascii.hpp"
#include "codec/fields/list.hpp"
#include "codec/multipart/boundary.hpp"
#include "codec/url/query.hpp"
#include "forms/multipart_form.hpp"
#include "http/exchange.hpp"
#include "web/invalid_input.hpp"

#include <apus/detail/chain.hpp>

#include <string>

namespace apus::detail {
namespace {

constexpr std::string_view urlencoded = "application/x-www-form-urlencoded";
constexpr std::string_view multipart = "multipart/form-data";

bool says(std::string_view content_type, std::string_view media_type) noexcept {
    return base::same_word(codec::fields::trimmed(content_type.substr(0, content_type.find(';'))), media_type);
}

bool refuse_type(std::string accepted, std::string_view content_type, response& out) {
    const std::string found =
        content_type.empty() ? ", but Content-Type is missing or invalid" : ", not " + std::string(content_type);
    refuse(error(415, "the body must be " + std::move(accepted) + found), out);
    return false;
}

bool has_boundary(std::string_view content_type, response& out) {
    const auto* const why = codec::multipart::read_boundary(content_type).why;
    if (why) refuse(error(why->status, why->reason), out);
    return !why;
}

bool read_urlencoded(std::string_view body, const schema::type& t, void* value, response& out) {
    codec::url::query_report found;
    codec::url::read_query(body, t, value, found);
    if (found.fine()) return true;
    if (found.malformed) refuse(error(400, found.malformed), out);
    else out = web::invalid_input(found.list.status, "the form does not match the expected fields", found.list);
    return false;
}

}  // namespace

bool read_form(request& req, const schema::type& t, const form_limits& limits, void* value, response& out) {
    const http::exchange& x = exchange_of(req);
    const std::string_view type = x.field("content-type");
    if (says(type, urlencoded)) return read_urlencoded(x.body, t, value, out);
    if (!says(type, multipart))
        return refuse_type(std::string(urlencoded) + " or " + std::string(multipart), type, out);
    if (!has_boundary(type, out)) return false;
    forms::multipart_form form(t, value, limits, codec::multipart::read_boundary(type).value);
    form.take(x.body);
    return form.finish(out);
}

bool announces_files(request& req, response& out) {
    const std::string_view type = exchange_of(req).field("content-type");
    if (!says(type, multipart)) return refuse_type(std::string(multipart), type, out);
    return has_boundary(type, out);
}

task<bool> read_files(request& req, const schema::type& t, const form_limits& limits, void* value, response& out) {
    using wants = forms::multipart_form::wants;
    const std::string_view type = exchange_of(req).field("content-type");
    forms::multipart_form form(t, value, limits, codec::multipart::read_boundary(type).value);
    wants next = wants::bytes;
    while (next == wants::bytes) {
        const std::string_view piece = co_await req.read();
        if (piece.empty()) break;
        next = form.take(piece);
        while (next == wants::disk) {
            co_await form.write();
            next = form.go_on();
        }
    }
    const bool whole = form.finish(out);
    co_return whole;
}

}  // namespace apus::detail
