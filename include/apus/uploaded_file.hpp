// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that clients send with forms. How a form takes them is in form.hpp.

#include <apus/detail/schema_of.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus {

namespace forms {
struct file_parts;
}

/// What `save_to` does about a file that is there already.
enum class existing_file : std::uint8_t {
    keep,    ///< It stays, and saving fails with 409.
    replace  ///< The new one takes its place, at once and as a whole.
};

/// A file that came with a form, as a field of the form's struct (by itself, in a std::optional or in
/// a std::vector). A small one is in memory; one over `form_limits::memory` is in a temporary file
/// that has no name, so nothing is left of it when this goes, whatever the program does.
///
/// Belongs to the core whose handler got it. One that nobody has sent is empty in all its parts.
class uploaded_file {
public:
    uploaded_file() noexcept = default;
    uploaded_file(uploaded_file&& other) noexcept : parts_(std::exchange(other.parts_, nullptr)) {}
    uploaded_file& operator=(uploaded_file&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~uploaded_file() {
        if (parts_) drop();
    }

    /// The file's name as the client says it: anything, also "../../etc/passwd", line ends, HTML, or
    /// nothing. Never a path to use; see `base_name`. UTF-8 without NUL.
    std::string_view client_name() const noexcept;

    /// What stands behind the last slash or backslash of `client_name`, without control characters:
    /// a name for a file in a folder, and never a way out of it. "file" where nothing is left, or
    /// "." or "..". Two clients may say the same name, and one may say ".htaccess" or "x.php".
    std::string base_name() const;

    /// As the client says it, with its parameters; empty if it said none. Look at the contents
    /// before you believe it, and never send it back to browsers as it is.
    std::string_view media_type() const noexcept;

    std::uint64_t size() const noexcept;  ///< In bytes.
    bool in_memory() const noexcept;      ///< Whether `bytes` may be called.

    /// All of a file that is in memory, valid as long as this. Of another it throws `std::logic_error`.
    std::string_view bytes() const;

    /// At most so many bytes from an offset on; fewer at the end of the file, and none behind it.
    /// Waits for the disk on another thread, if the file is not in memory. 500 if it cannot be read.
    task<std::string> read(std::uint64_t from, std::size_t most) const;

    /// Makes this a file of the file system that others may read as the process's umask allows. It
    /// appears at once and as a whole, or not at all; what is in a temporary file of the same file
    /// system is not copied. Waits for the disk on another thread. A relative path starts at the
    /// process's folder; the folder must be there.
    ///
    /// Fails with 409 if there is a file and `then` keeps it, with 507 without room, and else with
    /// 500; no error names the path. This stays as it is, and may be saved again.
    task<> save_to(std::string path, existing_file then = existing_file::keep) const;

private:
    friend struct forms::file_parts;
    void drop() noexcept;

    forms::file_parts* parts_ = nullptr;
};

template <>
struct detail::schema_of<uploaded_file> {
    static constexpr schema::type table() { return {.what = schema::kind::file}; }
};

}  // namespace apus
