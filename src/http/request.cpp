// SPDX-License-Identifier: Apache-2.0
#include "http/exchange.hpp"

#include "base/ascii.hpp"
#include "codec/url/percent.hpp"

#include <algorithm>
#include <utility>

namespace apus {

apus::method request::method() const noexcept { return of_->head.verb; }
std::string_view request::method_text() const noexcept { return of_->text(of_->head.verb_text); }
std::string_view request::target() const noexcept { return of_->text(of_->head.target); }
std::string_view request::query() const noexcept { return of_->text(of_->head.query); }
std::string_view request::host() const noexcept { return of_->text(of_->head.host); }

std::string_view request::path() const noexcept {
    std::string_view raw = of_->text(of_->head.path);
    if (!of_->head.path_has_percent) return raw;
    if (of_->decoded_path.empty()) {
        of_->decoded_path.resize(raw.size());
        auto decoded = codec::url::decode_percent(raw, of_->decoded_path.data());
        // Invalid encodings are kept as sent.
        if (decoded.state != codec::outcome::done) {
            of_->decoded_path.clear();
            return raw;
        }
        of_->decoded_path.resize(decoded.value.size());
    }
    return of_->decoded_path;
}

std::string_view request::capture(unsigned index) const noexcept {
    return index < of_->capture_count ? of_->captures[index] : std::string_view();
}
unsigned request::captures() const noexcept { return of_->capture_count; }

std::string_view request::header(std::string_view name) const noexcept { return of_->field(name); }
std::size_t request::header_count() const noexcept { return of_->head.field_count; }
field_view request::header_at(std::size_t index) const noexcept {
    const auto& f = of_->head.fields[index];
    return {of_->text(f.name), of_->text(f.value)};
}

std::string_view request::remote_address() const {
    if (of_->address.empty()) of_->via->find_address(*of_);
    return of_->address;
}

std::size_t request::trailer_count() const noexcept { return of_->trailers ? of_->trailers->count : 0; }
field_view request::trailer_at(std::size_t index) const noexcept {
    const auto& section = *of_->trailers;
    const auto& f = section.fields[index];
    return {f.name.in(section.bytes.data()), f.value.in(section.bytes.data())};
}

task<std::string> request::body() {
    // maximum bytes to reserve before they arrive, so that a large Content-Length alone takes little memory
    constexpr std::uint64_t trusted = 64 * 1024;
    std::string all;
    if (of_->head.body == codec::http1::framing::sized)
        all.reserve(static_cast<std::size_t>(std::min(of_->head.content_length, trusted)));
    while (true) {
        std::string_view piece = co_await read();
        if (piece.empty()) break;
        all.append(piece);
    }
    co_return all;
}

detail::kept_value* detail::find_kept(request& req, const void* key) noexcept {
    auto* found = exchange_of(req).values;
    while (found && found->key != key) found = found->next;
    return found;
}

void detail::keep(request& req, kept_value* made) noexcept {
    auto*& first = exchange_of(req).values;
    for (auto** at = &first; *at; at = &(*at)->next) {
        if ((*at)->key != made->key) continue;
        auto* old = std::exchange(*at, (*at)->next);
        old->destroy(old);
        break;
    }
    made->next = std::exchange(first, made);
}

bool body_read::await_ready() noexcept {
    if (of_->filter) return of_->filter->next(*of_);
    if (of_->body.empty() && !of_->body_ended) of_->via->request_more_body(*of_);
    return !of_->body.empty() || of_->body_ended;
}
void body_read::await_suspend(std::coroutine_handle<> reader) noexcept {
    of_->reader = reader;
    waits_ = true;
}
std::string_view body_read::await_resume() noexcept {
    waits_ = false;
    of_->body_lent = !of_->body.empty();
    return std::exchange(of_->body, {});
}
body_read::~body_read() {
    if (waits_) of_->reader = {};
}

bool body_write::await_ready() noexcept { return of_->via->can_write(*of_); }
void body_write::await_suspend(std::coroutine_handle<> writer) noexcept {
    of_->writer = writer;
    waits_ = true;
}
body_write::~body_write() {
    if (waits_ && of_->writer) of_->writer = {};
}

body_write writer::write(std::string_view bytes) {
    if (bytes.empty()) return body_write(*to_);
    if (to_->out_filter) to_->out_filter->write(*to_, bytes);
    else to_->via->write(*to_, bytes);
    return body_write(*to_);
}

bool writer::stopping() const noexcept { return to_->via->stopping(); }

void writer::trailer(std::string_view name, std::string_view value) {
    response checked;  // checks name and value, and rejects reserved fields
    checked.header(name, value);
    to_->use_trailers().out += checked.field_lines();
}

}  // namespace apus
