// SPDX-License-Identifier: Apache-2.0
#include "telemetry/core_exports.hpp"

#include "runtime/mailbox.hpp"

#include <atomic>
#include <utility>

namespace apus::telemetry {
namespace {

constexpr exporter_words for_traces{"cannot export traces", "traces are exported again", "the receiver rejects spans"};
constexpr exporter_words for_logs{"cannot export logs", "logs are exported again", "the receiver rejects log records"};

}  // namespace

/// Wakes the core of a `log_export`. In the core's mailbox, it may outlive the `log_export`.
struct log_export::posted_wake : runtime::posted_call {
    log_export* of;
    std::atomic<bool> posted = false;

    explicit posted_wake(log_export& by) noexcept : of(&by) {
        run = [](posted_call& c) noexcept {
            auto& self = static_cast<posted_wake&>(c);
            self.posted.store(false);
            if (self.of) self.of->collect();
            else delete &self;
        };
    }
};

log_export::log_export(runtime::loop& on, const export_options& of)
    : loop_(on),
      wake_(new posted_wake(*this)),
      recorder_(of.logs, of.recording.queue, *this),
      exporter_(on, of, of.logs_url, recorder_, for_logs) {
    retry_.of = this;
    retry_.fire = [](runtime::timer& t) noexcept { static_cast<retry_timer&>(t).of->collect(); };
}

log_export::~log_export() { loop_.timers().remove(retry_); }

// If the call is in the mailbox, it deletes itself when it runs.
void log_export::retire_wake::operator()(posted_wake* w) const noexcept {
    w->of = nullptr;
    if (!w->posted.load()) delete w;
}

void log_export::wake() noexcept {
    if (!wake_->posted.exchange(true)) loop_.post(*wake_);
}

void log_export::collect() noexcept {
    constexpr std::uint64_t pause = 5;  // milliseconds
    if (!recorder_.collect()) loop_.timers().add(retry_, loop_.now() + pause);
}

core_exports::core_exports(runtime::loop& on, const export_options& of, tracing::export_losses& losses)
    : options_(of), losses_(losses), recorder_(of.recording), spans_(on, of, of.url, recorder_, for_traces) {
    if (of.logs != log::level::off) logs_.emplace(on, of);
}

core_exports::~core_exports() {
    abort();
    losses_.spans += recorder_.counts.failed - spans_failed_;
    if (!logs_) return;
    logs_->records().close();
    losses_.log_records += logs_->records().counts.failed - logs_failed_;
}

void core_exports::flush(duration longest, void (*done)(void*) noexcept, void* with) noexcept {
    done_ = done;
    done_with_ = with;
    flushing_ = logs_ ? 2 : 1;
    begin_to_end();
    const auto one_is_flushed = [](void* self) noexcept { static_cast<core_exports*>(self)->flushed(); };
    if (logs_) {
        logs_->collect();
        logs_->sender().flush(longest, one_is_flushed, this);
    }
    spans_.flush(longest, one_is_flushed, this);
}

void core_exports::flushed() noexcept {
    if (--flushing_ == 0) std::exchange(done_, nullptr)(done_with_);
}

void core_exports::begin_to_end() noexcept {
    if (std::exchange(ending_, true)) return;
    spans_failed_ = recorder_.counts.failed;
    if (logs_) logs_failed_ = logs_->records().counts.failed;
}

void core_exports::abort() noexcept {
    begin_to_end();
    spans_.abort();
    if (logs_) logs_->sender().abort();
}

}  // namespace apus::telemetry
