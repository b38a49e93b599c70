// SPDX-License-Identifier: Apache-2.0
#include <apus/nats.hpp>

#include "codec/nats/command.hpp"
#include "codec/nats/headers.hpp"
#include "codec/nats/subject.hpp"
#include "nats/client_parts.hpp"
#include "nats/failure.hpp"
#include "nats/request_count.hpp"
#include "runtime/loop.hpp"

#include <apus/tls.hpp>

#include <algorithm>
#include <utility>

namespace apus::nats {
namespace detail {

struct subscription_parts {
    shared_client in;
    std::string subject, queue;
    std::unique_ptr<listener> from = nullptr;  // null before the first `next`, and after an error
};

namespace {

client_parts* make_parts(std::string_view url, const client_options& o) {
    auto state = std::make_shared<shared_state>(shared_state{.to = read_url(url), .options = o, .tls = {}, .name = {}});
    if (state->to.secure)
        state->tls = client_tls(client_tls_options{
            .authorities = o.tls_authorities, .certificate = {.certificate = o.tls_certificate, .key = o.tls_key}});
    state->name = net::to_text(state->to.hosts.front());
    state->options.messages = std::max<std::size_t>(o.messages, 1);
    // So that `/metrics` has the series before the first message.
    if (runtime::loop::exists()) runtime::loop::current().instruments().of(client_counts, {state->name});
    return new client_parts{.state = std::move(state)};
}

result<outgoing> make_message(std::string_view subject, std::string_view payload, const publish_options& how) {
    if (auto good = check_subject(subject); !good) return std::unexpected(std::move(good.error()));
    if (!how.reply.empty() && !codec::nats::is_subject(how.reply)) return fail(invalid("the reply subject is invalid"));
    auto headers = to_block(how.headers);
    if (!headers) return std::unexpected(std::move(headers.error()));
    outgoing made{.wire = {}, .size = headers->size() + payload.size(), .has_headers = !headers->empty()};
    codec::nats::append_publish(made.wire, subject, how.reply, *headers, payload);
    return made;
}

task<> send(shared_client in, result<outgoing> what) {
    outgoing made = co_await std::move(what);
    session& s = in->here();
    if (s.try_publish(made)) co_return;
    call c(s, std::move(made), 0, s.after(s.options().timeout));
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
}

task<> flush(shared_client in) {
    session& s = in->here();
    call c(s, {}, 0, s.after(s.options().timeout));
    co_await c;
    if (c.failed) co_await failure(*std::move(c.failed));
}

task<message> checked_request(shared_client in, std::string subject, std::string payload, result<std::string> headers,
                              duration timeout) {
    std::string block = co_await std::move(headers);
    co_return co_await send_request(std::move(in), std::move(subject), std::move(payload), std::move(block), timeout);
}

}  // namespace

void client_owner::keep(client_parts* p) noexcept { p->users.fetch_add(1, std::memory_order_relaxed); }

void client_owner::let_go(client_parts* p) noexcept {
    if (p->users.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    const auto state = p->state;
    delete p;
    session::end_here(*state);
}

result<void> check_subject(std::string_view subject) {
    if (codec::nats::is_subject(subject)) return {};
    return fail(invalid("the subject is invalid: it must consist of tokens without spaces, joined by `.`"));
}

result<std::string> to_block(const std::vector<header>& headers) {
    std::string block;
    for (const header& one : headers) {
        if (!codec::nats::is_header(one.name, one.value)) return fail(invalid("a header is invalid"));
        codec::nats::append_header(block, one.name, one.value);
    }
    if (!block.empty()) codec::nats::end_headers(block);
    return block;
}

task<message> send_request(shared_client in, std::string subject, std::string payload, std::string headers,
                           duration timeout) {
    co_await check_subject(subject);
    session& s = in->here();
    const std::uint64_t inbox = s.next_number();
    outgoing what{.wire = {}, .size = headers.size() + payload.size(), .has_headers = !headers.empty()};
    codec::nats::append_publish(what.wire, subject, s.inbox(inbox), headers, payload);
    request_count counted(s.counts());
    call c(s, std::move(what), inbox, s.after(timeout == duration() ? s.options().timeout : timeout));
    co_await c;
    counted.ended(c.failed ? &*c.failed : nullptr);
    if (c.failed) co_await failure(*std::move(c.failed));
    co_return std::move(c.response);
}

}  // namespace detail

std::optional<std::string_view> message::header_value(std::string_view name) const noexcept {
    const auto found = std::ranges::find(headers, name, &header::name);
    return found == headers.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

client::client(std::string_view url, const client_options& o) : in_(detail::make_parts(url, o)) {}

task<> client::publish(std::string_view subject, std::string_view payload, const publish_options& how) const {
    return detail::send(in_, detail::make_message(subject, payload, how));
}

task<> client::flush() const { return detail::flush(in_); }

task<message> client::request(std::string_view subject, std::string_view payload, const request_options& how) const {
    return detail::checked_request(in_, std::string(subject), std::string(payload), detail::to_block(how.headers),
                                   how.timeout);
}

subscription client::subscribe(std::string_view subject, std::string_view queue) const {
    return subscription(apus::detail::own_parts(
        new detail::subscription_parts{.in = in_, .subject = std::string(subject), .queue = std::string(queue)}));
}

subscription::subscription(apus::detail::owned_parts<detail::subscription_parts> p) : parts_(std::move(p)) {}

task<std::optional<message>> subscription::next() {
    auto& parts = *parts_;
    if (!codec::nats::is_pattern(parts.subject) || (!parts.queue.empty() && !codec::nats::is_queue(parts.queue)))
        co_await failure(invalid("the subject or the queue of a subscription is invalid"));
    if (!parts.from) parts.from = std::make_unique<listener>(parts.in->here(), parts.subject, parts.queue);
    auto got = co_await parts.from->next().outcome();
    if (!got) {
        parts.from.reset();  // the next call subscribes again
        co_await failure(std::move(got.error()));
    }
    co_return *std::move(got);
}

}  // namespace apus::nats
