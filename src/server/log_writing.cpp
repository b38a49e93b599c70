// SPDX-License-Identifier: Apache-2.0
#include "server/log_sink.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <new>
#include <string_view>
#include <utility>

// The part of `log_sink` that runs on its writer thread.

namespace apus::server {
namespace {

// Delay after a write. Records of this period are written together, and their threads need not wake the writer.
constexpr int poll_milliseconds = 10;

constexpr char truncated_line_end = '\n';

std::uint64_t lines_in(const iovec& piece) {
    const auto* bytes = static_cast<const char*>(piece.iov_base);
    return static_cast<std::uint64_t>(std::count(bytes, bytes + piece.iov_len, '\n'));
}

}  // namespace

void log_sink::run() noexcept {
    bool wrote = false;
    while (!stops_.load()) {
        if (!collect()) {
            await_wakeup(poll_milliseconds);
            continue;
        }
        const bool any = !batch_.empty();
        if (any) write_batch();
        answer_flush();
        if (!any) rest(wrote);
        wrote = any;
    }
}

void log_sink::rest(bool wrote_something) noexcept {
    if (wrote_something) {
        state_.store(writer_state::polling, std::memory_order_seq_cst);
        await_wakeup(poll_milliseconds);
    } else {
        state_.store(writer_state::sleeping, std::memory_order_seq_cst);
        if (is_idle()) await_wakeup(-1);
    }
    state_.store(writer_state::running, std::memory_order_seq_cst);
}

// The last check before sleeping; see log_ring::push.
bool log_sink::is_idle() noexcept {
    std::lock_guard lock(mutex_);
    const auto is_quiet = [](auto& ring) { return ring->empty() && !ring->dropped(); };
    return std::all_of(rings_.begin(), rings_.end(), is_quiet) && no_ring_.load() == 0 && flush_asked_ == flush_done_ &&
           !stops_.load();
}

// Adds the unread pieces of all rings to the batch. Returns false if memory is exhausted; the records then stay in the
// rings. An exception here would end the process before another thread, also out of memory, writes its crash record.
bool log_sink::collect() noexcept {
    try {
        std::lock_guard lock(mutex_);
        const std::size_t rings = rings_.size();
        writing_.reserve(rings);
        batch_.reserve(2 * rings + 2);  // up to two pieces per ring, after a line end and a line about dropped records
        owners_.reserve(2 * rings + 2);
        flush_seen_ = flush_asked_;
        std::erase_if(rings_, [](auto& ring) { return ring->closed() && ring->empty() && !ring->dropped(); });
        writing_ = rings_;
    } catch (const std::bad_alloc&) {
        return false;
    }
    batch_.clear();
    owners_.clear();
    next_ = 0;
    for (auto& ring : writing_) {
        iovec pieces[2];
        const int count = ring->waiting(pieces);
        batch_.insert(batch_.end(), pieces, pieces + count);
        owners_.insert(owners_.end(), static_cast<std::size_t>(count), ring.get());
    }
    report_drops();
    if (!batch_.empty() && last_byte_ != '\n') put_first(const_cast<char*>(&truncated_line_end), 1);
    return true;
}

void log_sink::put_first(char* bytes, std::size_t size) {
    batch_.insert(batch_.begin(), iovec{bytes, size});
    owners_.insert(owners_.begin(), nullptr);
}

// Moves the drops of the rings to `total_`. The lock prevents that `dropped_in_total` misses drops meanwhile.
std::uint64_t log_sink::take_drops() {
    const std::lock_guard lock(mutex_);
    std::uint64_t more = no_ring_.exchange(0);
    for (auto& ring : writing_) more += ring->drops();
    total_ += more;
    return more;
}

void log_sink::report_drops() {
    dropped_ += take_drops();
    // After a failed write, only the next record is a reason to try again.
    if (dropped_ == 0 || (fails_ && batch_.empty())) return;
    announced_ = std::exchange(dropped_, 0);

    char message[64] = "log: dropped ";
    char* const end = std::to_chars(message + std::strlen(message), message + 40, announced_).ptr;
    const std::string_view what = announced_ == 1 ? " record" : " records";
    std::memcpy(end, what.data(), what.size());  // followed by the zeros of `message`
    const log::field count("dropped", announced_);
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    const log_record record{.unix_milliseconds = std::int64_t{t.tv_sec} * 1000 + t.tv_nsec / 1'000'000,
                            .level = log::level::warn,
                            .message = message,
                            .thread = "apus-log",
                            .fields = {&count, 1}};
    put_first(note_, write_log_line(record, options_.format, note_));
}

void log_sink::write_batch() noexcept {
    while (next_ < batch_.size()) {
        if (stops_.load()) return drop_batch();
        if (!output_.ready(wakeup_)) {
            await_wakeup(0);  // clears the eventfd, which `flush` or the destructor has signaled
            continue;
        }
        const long n = output_.write(&batch_[next_], static_cast<int>(batch_.size() - next_));
        if (n < 0) return drop_batch();
        written(static_cast<std::size_t>(n));
    }
    announced_ = 0;
    fails_ = false;
}

// Releases ring space after each write, not after the whole batch, so that few records are dropped if the output is
// slow.
void log_sink::written(std::size_t bytes) noexcept {
    while (bytes != 0) {
        iovec& piece = batch_[next_];
        const std::size_t part = std::min(bytes, piece.iov_len);
        last_byte_ = static_cast<char*>(piece.iov_base)[part - 1];
        if (owners_[next_]) owners_[next_]->take(part);
        piece.iov_base = static_cast<char*>(piece.iov_base) + part;
        piece.iov_len -= part;
        bytes -= part;
        if (piece.iov_len == 0) ++next_;
    }
}

// A partly written line counts as dropped.
void log_sink::drop_batch() noexcept {
    fails_ = true;
    dropped_ += std::exchange(announced_, 0);
    for (; next_ < batch_.size(); ++next_) {
        if (!owners_[next_]) continue;
        const std::uint64_t lines = lines_in(batch_[next_]);
        dropped_ += lines;
        total_ += lines;
        owners_[next_]->take(batch_[next_].iov_len);
    }
}

void log_sink::answer_flush() noexcept {
    std::lock_guard lock(mutex_);
    if (flush_done_ == flush_seen_) return;
    flush_done_ = flush_seen_;
    flushed_.notify_all();
}

}  // namespace apus::server
