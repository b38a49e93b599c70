// SPDX-License-Identifier: Apache-2.0
#include "base/hex.hpp"
#include "server/json_part.hpp"
#include "server/log_text.hpp"
#include "server/request_board.hpp"

#include <charconv>

// The formats of `/debug/requests`.

namespace apus::server {
namespace {

constexpr std::string_view list_names[] = {"slowest", "failed", "rejected"};

std::string milliseconds_text(std::uint64_t nanoseconds) {
    char digits[32];
    const std::uint64_t microseconds = nanoseconds / 1000;
    const double value = static_cast<double>(microseconds) / 1000;
    return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::string moment_text(std::uint64_t nanoseconds) {
    char bytes[32];
    bounded_text to(bytes, sizeof bytes);
    put_time(to, static_cast<std::int64_t>(nanoseconds / 1'000'000));
    return std::string(bytes, to.size());
}

template <class Id>
std::string id_text(const Id& id) {
    return base::hex({reinterpret_cast<const char*>(id.data()), id.size()});
}

void write_spans(std::string& to, const http::ended_request& of, const tracing::ended_spans& spans) {
    json_part all(to, '[');
    for (std::size_t i = 0; i < spans.count; ++i) {
        const auto& span = spans.spans[i];
        json_part one(all.next(), '{');
        one.text("name", span.name.view());
        one.text("id", id_text(span.id));
        one.text("parent", id_text(span.parent));
        one.literal("start_ms", milliseconds_text(span.start > of.start ? span.start - of.start : 0));
        one.literal("duration_ms", milliseconds_text(span.end > span.start ? span.end - span.start : 0));
        if (span.failed) one.boolean("failed", true);
    }
}

void write_ended(std::string& to, const request_report::ended& ended) {
    const auto& of = ended.request;
    json_part one(to, '{');
    one.text("time", moment_text(of.start));
    one.text("method", of.method.view());
    one.optional_text("path", of.path.view());
    if (of.path.truncated()) one.boolean("path_truncated", true);
    one.number("status", of.status);
    one.literal("duration_ms", milliseconds_text(of.took));
    one.optional_text("request_id", of.id.view());
    one.optional_text("address", of.address.view());
    if (of.traced) one.text("trace_id", id_text(of.trace));
    if (!ended.spans) return;
    write_spans(one.key("spans"), of, *ended.spans);
    if (ended.spans->dropped) one.number("spans_omitted", ended.spans->dropped);
}

void write_in_flight(json_part& all, std::size_t core, const http::in_flight_request& of) {
    json_part one(all.next(), '{');
    one.number("core", core);
    one.text("state", of.state);
    one.literal("age_ms", milliseconds_text(of.age));
    one.text("method", of.method);
    one.text("route", of.route.empty() ? std::string_view("unmatched") : std::string_view(of.route));
    one.optional_text("path", of.path);
    one.optional_text("request_id", of.id);
    one.optional_text("address", of.address);
    if (of.trace) one.text("trace_id", id_text(*of.trace));
}

// Text that cannot end the line or control a terminal.
std::string safe(std::string_view text) {
    if (is_bare(text)) return std::string(text);
    std::string made(text.size() * 6 + 2, '\0');
    bounded_text to(made.data(), made.size());
    put_quoted(to, text);
    made.resize(to.size());
    return made;
}

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

std::string facts(std::string_view id, std::string_view address) {
    std::string made;
    if (!id.empty()) made += " request_id=" + safe(id);
    if (!address.empty()) made += " address=" + safe(address);
    return made;
}

void write_line(std::string& to, const request_report::ended& ended) {
    const auto& of = ended.request;
    to += "    " + padded(milliseconds_text(of.took), 10) + " ms  " +
          (of.status ? std::to_string(of.status) : std::string("---")) + "  " + moment_text(of.start) + "  " +
          safe(of.method.view()) + ' ' + safe(of.path.view()) + (of.path.truncated() ? "..." : "") +
          facts(of.id.view(), of.address.view());
    if (of.traced) to += " trace_id=" + id_text(of.trace);
    to += '\n';
    for (std::size_t i = 0; ended.spans && i < ended.spans->count; ++i) {
        const auto& span = ended.spans->spans[i];
        to += "                     " + padded(milliseconds_text(span.end - std::min(span.start, span.end)), 10) +
              " ms  " + safe(span.name.view()) + (span.failed ? "  failed" : "") + '\n';
    }
}

}  // namespace

std::string write_json(const request_report& of) {
    std::string made;
    {
        json_part all(made, '{');
        all.text("time", moment_text(of.time));
        all.number("window_s", http::request_history::window / 1000);
        all.number("in_flight_count", of.in_flight);
        all.number("tunnel_count", of.tunnels);
        {
            json_part cores(all.key("cores"), '[');
            for (const auto& core : of.cores) {
                json_part one(cores.next(), '{');
                one.boolean("answered", core.answered);
                one.number("busy_ms", core.busy);
            }
        }
        {
            json_part requests(all.key("in_flight"), '[');
            for (std::size_t i = 0; i < of.cores.size(); ++i)
                for (const auto& request : of.cores[i].in_flight) write_in_flight(requests, i, request);
        }
        json_part routes(all.key("routes"), '[');
        for (const auto& [name, lists] : of.routes) {
            json_part one(routes.next(), '{');
            one.text("route", name.first);
            one.text("method", name.second);
            for (std::size_t i = 0; i < lists.size(); ++i) {
                json_part requests(one.key(list_names[i]), '[');
                for (const auto& ended : lists[i]) write_ended(requests.next(), ended);
            }
        }
    }
    return made += '\n';
}

std::string write_text(const request_report& of) {
    std::string made = moment_text(of.time) + "\nin flight: " + std::to_string(of.in_flight) + ", of which " +
                       std::to_string(of.tunnels) + " tunnels\n";
    for (std::size_t i = 0; i < of.cores.size(); ++i) {
        if (!of.cores[i].answered)
            made += "  core " + std::to_string(i) + " does not answer; busy for " + std::to_string(of.cores[i].busy) +
                    " ms\n";
        for (const auto& x : of.cores[i].in_flight) {
            made += "    " + padded(milliseconds_text(x.age), 10) + " ms  core " + std::to_string(i) + "  " + x.state +
                    "  " + safe(x.method) + ' ' + safe(x.path.empty() ? x.route : x.path) + facts(x.id, x.address);
            if (x.trace) made += " trace_id=" + id_text(*x.trace);
            made += '\n';
        }
    }
    for (const auto& [name, lists] : of.routes) {
        made += '\n' + safe(name.second) + ' ' + safe(name.first) + '\n';
        for (std::size_t i = 0; i < lists.size(); ++i) {
            if (lists[i].empty()) continue;
            (made += "  ") += list_names[i];
            made += '\n';
            for (const auto& ended : lists[i]) write_line(made, ended);
        }
    }
    return made;
}

}  // namespace apus::server
