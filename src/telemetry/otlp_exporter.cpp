// SPDX-License-Identifier: Apache-2.0
#include "telemetry/otlp_exporter.hpp"

#include "codec/fields/retry_after.hpp"
#include "tracing/otlp.hpp"
#include "tracing/proper_text.hpp"

#include <apus/log.hpp>
#include <apus/sleep.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace apus::telemetry {
namespace {

client_options client_of(const export_options& options) {
    client_options made;
    made.name = "telemetry";
    made.tls = options.tls;
    made.connect = made.head = made.between_bytes = made.whole = options.timeout;
    made.connections = made.connections_per_origin = 1;
    made.waiting = 1;
    constexpr std::uint64_t longest_answer = 64 * 1024;
    made.body = longest_answer;
    made.decompress = false;
    made.redirects = 0;
    return made;
}

}  // namespace

otlp_exporter::otlp_exporter(runtime::loop& on, const export_options& of, const std::string& url,
                             tracing::export_queue& from, const exporter_words& words)
    : loop_(on),
      options_(of),
      url_(url),
      queue_(from),
      words_(words),
      random_(tracing::random::seed()),
      http_(client_of(of)) {
    wake_.of = flush_end_.of = ended_.of = settle_.of = this;
    wake_.fire = [](runtime::timer& t) noexcept { static_cast<alarm&>(t).of->start(); };
    flush_end_.fire = [](runtime::timer& t) noexcept { static_cast<alarm&>(t).of->abort(); };
    settle_.run = [](runtime::deferred& d) noexcept { static_cast<settling&>(d).of->settle(); };
    // The coroutine frame of the task is still in use, so the task is destroyed after the current event.
    ended_.run = [](detail::completion* c) noexcept {
        otlp_exporter& self = *static_cast<ending*>(c)->of;
        if (!self.starting_) self.loop_.later(self.settle_);
    };
    queue_.listener = this;
}

otlp_exporter::~otlp_exporter() {
    flushed_ = nullptr;
    abort();
    queue_.listener = nullptr;
}

// Called for each item. Plans an export, unless an export is in flight or is already planned for an earlier time.
void otlp_exporter::item_queued() noexcept {
    if (sending_ || aborted_) return;
    const bool full = queue_.waiting() >= options_.batch || flush_due_;
    const std::int64_t wait = full ? 0 : options_.interval.milliseconds();
    const std::uint64_t due = loop_.now() + static_cast<std::uint64_t>(wait);
    if (!wake_.waits() || due < wake_.due) loop_.timers().add(wake_, due);
}

void otlp_exporter::start() noexcept {
    if (sending_ || aborted_ || queue_.waiting() == 0) return;
    try {
        sending_ = send_all().release();
    } catch (const std::exception&) {
        return;  // out of memory: the next item tries again
    }
    sending_.promise().done = &ended_;
    starting_ = true;
    sending_.resume();
    starting_ = false;
    if (sending_.promise().outcome.has_value()) settle();
}

void otlp_exporter::settle() noexcept {
    stop_sending();
    if (queue_.waiting()) item_queued();
    else if (flush_due_) finish_flush();
}

void otlp_exporter::stop_sending() noexcept {
    loop_.forget(settle_);
    if (sending_) std::exchange(sending_, {}).destroy();
    if (in_flight_) queue_.counts.failed += std::exchange(in_flight_, 0);
}

void otlp_exporter::flush(duration longest, void (*done)(void*) noexcept, void* with) noexcept {
    flushed_ = done;
    flushed_with_ = with;
    // If a failed export waits for its repetition, the flush does not try again.
    const bool idle = !sending_ && queue_.waiting() == 0;
    if (aborted_ || idle || pausing_ || longest <= duration()) return abort();
    flush_due_ = loop_.due_in(longest);
    loop_.timers().add(flush_end_, flush_due_);
    if (!sending_) start();
}

void otlp_exporter::finish_flush() noexcept {
    loop_.timers().remove(flush_end_);
    if (auto* const done = std::exchange(flushed_, nullptr)) done(flushed_with_);
}

void otlp_exporter::abort() noexcept {
    aborted_ = true;
    loop_.timers().remove(wake_);
    stop_sending();
    queue_.close();
    finish_flush();
}

task<> otlp_exporter::send_all() {
    do {
        auto batch = queue_.take(options_.batch, batch_bytes);
        in_flight_ = batch.size();
        co_await send_batch(std::move(batch));
    } while (queue_.waiting() && (flush_due_ || queue_.waiting() >= options_.batch));
}

task<> otlp_exporter::send_batch(std::vector<std::string> items) {
    const std::string body = tracing::encode_export(options_.resource, APUS_VERSION, items);
    std::vector<std::string>().swap(items);
    for (unsigned attempt = 1;; ++attempt) {
        const outcome got = co_await send_once(body, attempt);
        if (got.is == verdict::rejected) queue_.counts.failed += std::exchange(in_flight_, 0);
        if (got.is != verdict::repeat) co_return;
        pausing_ = true;
        co_await sleep_for(got.pause);
        pausing_ = false;
    }
}

task<otlp_exporter::outcome> otlp_exporter::send_once(const std::string& body, unsigned attempt) {
    client_request req("POST", url_);
    for (const auto& [name, text] : options_.headers) req.header(name, text);
    req.body(body, "application/x-protobuf");
    req.asked().untraced = true;  // otherwise each export would create a span
    const auto answer = co_await http_.send(std::move(req)).outcome();
    if (answer) {
        const outcome got = judge(answer->status(), answer->header("retry-after"), answer->reason(), attempt);
        if (got.is == verdict::accepted) accept(answer->body());
        co_return got;
    }
    const int status = answer.error().status();
    co_return judge(status >= 502 ? 503 : 500, {}, answer.error().detail(), attempt);
}

// Counts the items of an export with a successful response, which may reject some of them.
void otlp_exporter::accept(std::string_view response) {
    const auto partial = tracing::decode_partial_success(response);
    const std::uint64_t sent = std::exchange(in_flight_, 0), rejected = std::min<std::uint64_t>(partial.rejected, sent);
    queue_.counts.exported += sent - rejected;
    queue_.counts.failed += rejected;
    constexpr std::size_t longest = 1000;
    const bool complains = rejected != 0 || !partial.message.empty();
    if (complains && !rejecting_)
        log::warn(words_.rejecting, {"endpoint", url_}, {"rejected", rejected},
                  {"reason", tracing::proper_text(partial.message.substr(0, longest)).view()});
    rejecting_ = complains;
}

otlp_exporter::outcome otlp_exporter::judge(int status, std::string_view retry_after, std::string_view why,
                                            unsigned attempt) {
    constexpr std::int64_t longest_pause = 60;  // seconds
    if (status >= 200 && status < 300) {
        if (std::exchange(failing_, false)) log::info(words_.succeeding, {"endpoint", url_});
        return {verdict::accepted, {}};
    }
    if (!std::exchange(failing_, true))
        log::warn(words_.failing, {"endpoint", url_}, {"status", status}, {"reason", why});
    const bool transient = status == 429 || status == 502 || status == 503 || status == 504;
    if (!transient || attempt == max_attempts || flush_due_) return {verdict::rejected, {}};
    if (const auto asked = codec::fields::read_retry_after(retry_after, loop_.io().clock().unix_seconds()))
        return {verdict::repeat, seconds(std::min(*asked, longest_pause))};
    const std::int64_t pause = std::int64_t{1000} << (attempt - 1);
    // Subtracts up to a quarter at random, so that cores and processes do not repeat their exports at the same time.
    const std::int64_t less = pause / 4 * static_cast<std::int64_t>(random_.next() >> 56U) / 256;
    return {verdict::repeat, milliseconds(pause - less)};
}

}  // namespace apus::telemetry
