// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forms/file_parts.hpp"

#include <apus/task.hpp>

#include <string>
#include <string_view>

namespace apus::forms {

/// Takes the data of one file as it comes: into memory, and what is over a threshold into a temporary
/// file without a name, written on other threads.
class spool {
public:
    /// `folder` outlives it; empty: $TMPDIR, or else /var/tmp.
    spool(std::size_t memory, std::string_view folder) noexcept : memory_(memory), folder_(folder) {}

    void append(std::string_view bytes) {
        buffer_ += bytes;
        size_ += bytes.size();
    }
    std::uint64_t size() const noexcept { return size_; }

    /// Whether `write` must be awaited before more is appended.
    bool full() const noexcept { return buffer_.size() > (file_ ? piece : memory_); }

    /// Whether it must be awaited before `take`.
    bool unwritten() const noexcept { return file_ && !buffer_.empty(); }

    /// Writes what is in memory to the temporary file, which is made if need be. Fails with 507 where
    /// there is no room, and else with 500. Cancelling it is safe.
    task<> write();

    /// The data, when all of it has been appended and written. Empties the spool.
    file_data take() noexcept;

private:
    static constexpr std::size_t piece = 256 * 1024;  // fewer trips to other threads than for each piece of the body

    std::size_t memory_;
    std::string_view folder_;
    std::string buffer_;
    std::uint64_t size_ = 0;
    runtime::file_ref file_;
};

}  // namespace apus::forms
