// SPDX-License-Identifier: Apache-2.0
#include <apus/client.hpp>

#include "outbound/client_span.hpp"
#include "outbound/counted_request.hpp"
#include "outbound/send_request.hpp"

#include <utility>

namespace apus {

using outbound::pool;
using outbound::pool_hold;

client_head::client_head(client_head&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
client_head& client_head::operator=(client_head&& other) noexcept {
    std::swap(of_, other.of_);
    return *this;
}
client_head::~client_head() { delete of_; }

int client_head::status() const noexcept { return of_->head.status; }
std::string_view client_head::reason() const noexcept { return of_->text(of_->head.reason); }
std::string_view client_head::header(std::string_view name) const noexcept { return of_->field(name); }
std::size_t client_head::header_count() const noexcept { return of_->head.field_count; }
field_view client_head::header_at(std::size_t index) const noexcept {
    const auto& f = of_->head.fields[index];
    return {of_->text(f.name), of_->text(f.value)};
}
std::string_view client_head::url() const noexcept { return of_->url; }

const std::string& client_response::body() const& noexcept { return of_->body; }
std::string client_response::body() && noexcept { return std::move(of_->body); }

client_stream::client_stream(client_stream&& other) noexcept
    : client_head(static_cast<client_head&&>(other)), by_(std::exchange(other.by_, nullptr)) {}
client_stream& client_stream::operator=(client_stream&& other) noexcept {
    std::swap(by_, other.by_);
    client_head::operator=(std::move(other));
    return *this;
}
client_stream::~client_stream() { delete by_; }

task<std::string_view> client_stream::read() { return by_->read(); }
task<std::string> client_stream::rest() { return by_->rest(); }

client::client(const client_options& options) : pool_(new pool(options)) { pool_->hold(); }
client::client(const client& other) noexcept : pool_(other.pool_) {
    if (pool_) pool_->hold();
}
client::~client() {
    if (pool_) pool_->release();
}

void client::allow_by(detail::permit f) { pool_->allowed = std::move(f); }

namespace {

std::uint64_t due_of(pool& p, const detail::asked& req) {
    const duration whole = req.whole > duration() ? req.whole : p.options.whole;
    return p.loop().due_in(whole);
}

}  // namespace

task<client_response> client::take_whole(pool_hold p, client_request req) {
    outbound::counted_request counted(*p);
    outbound::client_span traced(req.asked());
    const auto end = [&](const auto& how) {
        counted.end(how);
        traced.end(how);
    };
    auto begun = co_await outbound::send_request(*p, req.asked(), due_of(*p, req.asked())).outcome();
    if (!begun) end(begun.error());
    auto x = co_await std::move(begun);
    auto body = co_await x->rest().outcome();
    if (!body) end(body.error());
    end(x->response->head.status);
    x->response->body = co_await std::move(body);
    co_return client_response(x->response.release());
}

task<client_stream> client::take_head(pool_hold p, client_request req) {
    outbound::counted_request counted(*p);
    outbound::client_span traced(req.asked());
    const auto end = [&](const auto& how) {
        counted.end(how);
        traced.end(how);
    };
    auto begun = co_await outbound::send_request(*p, req.asked(), due_of(*p, req.asked())).outcome();
    if (!begun) end(begun.error());
    auto x = co_await std::move(begun);
    end(x->response->head.status);
    x->forget_deadline();
    auto* head = x->response.release();
    co_return client_stream(head, x.release());
}

task<client_response> client::send(client_request req) const { return take_whole(pool_hold(*pool_), std::move(req)); }
task<client_stream> client::open(client_request req) const { return take_head(pool_hold(*pool_), std::move(req)); }

task<client_response> client::get(std::string_view url) const { return send(client_request("GET", url)); }

task<client_response> client::post(std::string_view url, std::string body, std::string_view media_type) const {
    client_request req("POST", url);
    req.body(std::move(body), media_type);
    return send(std::move(req));
}

}  // namespace apus
