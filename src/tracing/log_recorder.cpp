// SPDX-License-Identifier: Apache-2.0
#include "tracing/log_recorder.hpp"

#include "tracing/otlp.hpp"
#include "tracing/recorder.hpp"
#include "tracing/trace.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>
#include <vector>

namespace apus::tracing {

/// Records of threads that are not cores, such as those of `blocking`, until a core collects them.
/// Cores never wait for the lock, since `collect` only tries to acquire it.
class log_inbox {
public:
    void open(log_recorder& r) {
        const std::lock_guard lock(mutex_);
        recorders_.push_back(&r);
        set_least();
    }
    // Returns the number of records that no recorder will export.
    std::size_t close(log_recorder& r) noexcept {
        const std::lock_guard lock(mutex_);
        if (std::erase(recorders_, &r) == 0) return 0;
        set_least();
        if (!recorders_.empty()) {
            if (!records_.empty()) recorders_.front()->waker_.wake();
            return 0;
        }
        const std::size_t left = records_.size() + std::exchange(dropped_, 0);
        records_.clear();
        bytes_ = 0;
        return left;
    }

    void add(log::level of, std::string record) {
        const std::lock_guard lock(mutex_);
        if (recorders_.empty() || of < recorders_.front()->least_) return;
        const std::size_t more = record.size() + export_queue::item_overhead;
        if (bytes_ + more > recorders_.front()->limit_) return ++dropped_, void();
        records_.push_back(std::move(record));
        bytes_ += more;
        if (records_.size() == 1) recorders_.front()->waker_.wake();
    }

    bool take(const log_recorder& by, std::vector<std::string>& to, std::uint64_t& dropped) {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (!lock) return false;
        if (recorders_.empty() || recorders_.front() != &by) return true;
        to.swap(records_);
        bytes_ = 0;
        dropped = std::exchange(dropped_, 0);
        return true;
    }

private:
    void set_least() noexcept {
        auto least = log::level::off;
        for (const auto* each : recorders_) least = std::min(least, each->least_);
        least_exported.store(least, std::memory_order_relaxed);
    }

    std::mutex mutex_;
    std::vector<log_recorder*> recorders_;
    std::vector<std::string> records_;
    std::size_t bytes_ = 0;
    std::uint64_t dropped_ = 0;
};

namespace {

// Never destroyed: threads may write records until the process ends.
log_inbox& inbox() {
    static auto* const made = new log_inbox;
    return *made;
}

std::string encode_record(log::level of, std::string_view message, std::span<const log::field> fields,
                          const trace* in) {
    attribute_list attributes(log_attributes_field);
    for (const auto& f : fields)
        if (!in || (f.key() != "trace_id" && f.key() != "span_id")) attributes.add(f);
    return encode_log({.time = recorder::now(),
                       .level = of,
                       .message = message,
                       .attributes = attributes,
                       .trace = in ? &in->id() : nullptr,
                       .span = in ? in->innermost() : span_id(),
                       .flags = in ? in->flags() : std::uint8_t{0}});
}

}  // namespace

constinit thread_local log_recorder* log_recorder::of_thread = nullptr;
constinit std::atomic<log::level> least_exported = log::level::off;

log_recorder::log_recorder(log::level least, std::size_t limit, log_waker& waker)
    : export_queue(limit), least_(least), limit_(limit), waker_(waker), before_(std::exchange(of_thread, this)) {
    inbox().open(*this);
}

log_recorder::~log_recorder() {
    close();
    if (of_thread == this) of_thread = before_;
}

void log_recorder::close() noexcept { counts.failed += inbox().close(*this); }

bool log_recorder::collect() noexcept {
    std::vector<std::string> records;
    std::uint64_t lost = 0;
    if (!inbox().take(*this, records, lost)) return false;
    drop(lost);
    for (auto& one : records) push(std::move(one));
    return true;
}

void export_record(log::level of, std::string_view message, std::span<const log::field> fields,
                   const trace* in) noexcept {
    auto* const here = log_recorder::of_thread;
    if (here && of < here->least_) return;
    try {
        std::string made = encode_record(of, message, fields, in);
        if (here) here->push(std::move(made));
        else inbox().add(of, std::move(made));
    } catch (const std::exception&) {
        if (here) here->drop(1);  // out of memory
    }
}

}  // namespace apus::tracing
