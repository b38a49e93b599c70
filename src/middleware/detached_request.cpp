// SPDX-License-Identifier: Apache-2.0
#include "middleware/detached_request.hpp"

#include "base/ascii.hpp"

#include <algorithm>
#include <functional>
#include <utility>

namespace apus::middleware {
namespace {

// Returns the size of a request head up to the end of its last slice. The size of the received head is not stored.
std::size_t end_of(const codec::http1::request_head& head) noexcept {
    std::size_t end = 0;
    const auto reach = [&end](codec::http1::slice s) { end = std::max<std::size_t>(end, std::size_t{s.at} + s.size); };
    for (auto s : {head.verb_text, head.target, head.path, head.query, head.host}) reach(s);
    for (unsigned i = 0; i < head.field_count; ++i) reach(head.fields[i].name), reach(head.fields[i].value);
    return end;
}

// Responses to conditional requests depend on the client's copy, so they cannot be reused for other clients.
bool is_condition(std::string_view name) noexcept {
    return base::same_word(name, "if-none-match") || base::same_word(name, "if-modified-since") ||
           base::same_word(name, "if-match") || base::same_word(name, "if-unmodified-since") ||
           base::same_word(name, "if-range");
}

void copy_head(const http::exchange& from, codec::http1::request_head& to) {
    static_cast<codec::http1::head_facts&>(to) = from.head;
    to.field_count = 0;
    for (unsigned i = 0; i < from.head.field_count; ++i)
        if (!is_condition(from.text(from.head.fields[i].name))) to.fields[to.field_count++] = from.head.fields[i];
}

}  // namespace

detached_request::detached_request(request& of, listener& told) : told_(told) {
    const auto& from = detail::exchange_of(of);
    run = [](runtime::deferred& d) noexcept {
        auto& self = static_cast<detached_request&>(d);
        self.told_.ended(self);
    };
    deadline_.of = this;
    deadline_.fire = [](runtime::timer& t) noexcept {
        auto& self = *static_cast<ending&>(t).of;
        self.told_.ended(self);
    };
    head_.assign(from.bytes, end_of(from.head));
    x_.address = of.remote_address();
    copy_head(from, x_.head);
    x_.bytes = head_.data();
    x_.via = this;
    x_.plan = from.plan;
    x_.body_ended = true;
    x_.capture_count = from.capture_count;
    x_.decoded_captures = from.decoded_captures;
    const std::less_equal<const char*> before;
    const auto moved = [&](std::string_view text, const char* old, std::size_t size, const char* now) {
        const bool inside = before(old, text.data()) && before(text.data() + text.size(), old + size);
        return inside ? std::string_view(now + (text.data() - old), text.size()) : std::string_view();
    };
    for (unsigned i = 0; i < from.capture_count; ++i) {
        x_.captures[i] = moved(from.captures[i], from.bytes, head_.size(), head_.data());
        if (!x_.captures[i].data())
            x_.captures[i] = moved(from.captures[i], from.decoded_captures.data(), from.decoded_captures.size(),
                                   x_.decoded_captures.data());
    }
}

detached_request::~detached_request() {
    x_.cancel();
    if (deadline_.waits()) runtime::loop::current().timers().remove(deadline_);
    if (waits()) runtime::loop::current().forget(*this);
}

void detached_request::begin(task<response> work) {
    // in milliseconds: the default of limits::handler, which does not apply to a request without a client
    constexpr std::uint64_t longest = 30'000;
    auto& loop = runtime::loop::current();
    loop.timers().add(deadline_, loop.now() + longest);
    if (x_.start(std::move(work))) loop.later(*this);
}

void detached_request::finished(http::exchange&) noexcept { runtime::loop::current().later(*this); }

}  // namespace apus::middleware
