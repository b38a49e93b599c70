// SPDX-License-Identifier: Apache-2.0
#pragma once

// Files that clients send in forms. Forms: form.hpp.

#include <apus/detail/schema_of.hpp>
#include <apus/task.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace apus {

namespace forms {
struct file_parts;
}

/// Behavior of `save_to` if the file exists.
enum class existing_file : std::uint8_t {
    keep,    ///< The existing file is kept, and saving fails with 409.
    replace  ///< The new file replaces the existing file atomically.
};

/// An uploaded file, as a field of a form's struct (alone, in a std::optional or in a std::vector).
/// A small file is in memory; a file over `form_limits::memory` is in an unnamed temporary file, which the kernel
/// deletes with this object, even after a crash.
///
/// Belongs to the core of the handler. All members are empty if the client sent no file.
class uploaded_file {
public:
    uploaded_file() noexcept = default;
    uploaded_file(uploaded_file&& other) noexcept : parts_(other.parts_) { other.parts_ = nullptr; }
    uploaded_file& operator=(uploaded_file&& other) noexcept {
        std::swap(parts_, other.parts_);
        return *this;
    }
    ~uploaded_file() {
        if (parts_) drop();
    }

    /// Returns the file name that the client sent.
    /// It may be any UTF-8 without NUL, such as "../../etc/passwd", line breaks, HTML, or empty. Never use it as a
    /// path; see `base_name`.
    std::string_view client_name() const noexcept;

    /// Returns the part of `client_name` after the last slash or backslash, without control characters.
    /// If that part is empty, "." or "..", returns "file". The result is a safe file name: it does not contain a path.
    /// Names are not unique, and clients may send names like ".htaccess" or "x.php".
    std::string base_name() const;

    /// Returns the media type that the client sent, with parameters, or empty.
    /// It may be wrong: check the contents before you rely on it, and never send it back to browsers unchecked.
    std::string_view media_type() const noexcept;

    std::uint64_t size() const noexcept;  ///< Size in bytes.
    bool in_memory() const noexcept;      ///< Whether `bytes` may be called.

    /// Returns the bytes of a file in memory, valid as long as this object.
    /// Other files: throws `std::logic_error`.
    std::string_view bytes() const;

    /// Reads up to `most` bytes from offset `from`.
    /// Returns fewer bytes near the end of the file, and an empty string at the end. If the file is not in memory,
    /// another thread reads the disk. Read failure: error 500.
    task<std::string> read(std::uint64_t from, std::size_t most) const;

    /// Saves the file under a path, with permissions by the process's umask.
    /// The file appears atomically, and only if saving succeeds. Data of a temporary file on the same file system is
    /// not copied. Another thread writes the disk. A relative path is relative to the process's working directory. The
    /// folder must exist.
    ///
    /// Fails with 409 if the file exists and `then` is `keep`, with 507 if the disk is full, otherwise with 500. Errors
    /// do not contain the path. This object is not changed, and may be saved again.
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
