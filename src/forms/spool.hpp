// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "forms/file_parts.hpp"

#include <apus/task.hpp>

#include <string>
#include <string_view>

namespace apus::forms {

/// Stores the data of one file: in memory, or above a threshold in an unnamed temporary file.
/// Other threads write the temporary file.
class spool {
public:
    /// `folder` must outlive this object.
    /// If it is empty, the folder is $TMPDIR, or /var/tmp if TMPDIR is not set.
    spool(std::size_t memory, std::string_view folder) noexcept : memory_(memory), folder_(folder) {}

    void append(std::string_view bytes) {
        buffer_ += bytes;
        size_ += bytes.size();
    }
    std::uint64_t size() const noexcept { return size_; }

    /// Whether `write` must be awaited before the next `append`.
    bool full() const noexcept { return buffer_.size() > (file_ ? piece : memory_); }

    /// Whether `write` must be awaited before `take`.
    bool unwritten() const noexcept { return file_ && !buffer_.empty(); }

    /// Writes buffered data to the temporary file, creating it if needed.
    /// Fails with 507 if the disk is full, otherwise with 500. May be cancelled.
    task<> write();

    /// Returns the data after all of it has been appended and written. Clears the spool.
    file_data take() noexcept;

private:
    // larger than the pieces of a body, so that fewer writes are passed to other threads
    static constexpr std::size_t piece = 256 * 1024;

    std::size_t memory_;
    std::string_view folder_;
    std::string buffer_;
    std::uint64_t size_ = 0;
    runtime::file_ref file_;
};

}  // namespace apus::forms
