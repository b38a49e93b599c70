// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>

namespace apus::test {

/// Returns `size` bytes that differ by position.
inline std::string numbers(std::size_t size) {
    std::string out;
    while (out.size() < size) out += std::to_string(out.size()) + '\n';
    out.resize(size);
    return out;
}

/// A folder for one test, removed at the end of the test.
class temporary_folder {
public:
    temporary_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "apus-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() { std::filesystem::remove_all(path_); }

    std::string path(std::string_view name = {}) const {
        return name.empty() ? path_ : path_ + '/' + std::string(name);
    }

    /// Writes a file atomically by renaming, and creates missing folders.
    void write(std::string_view name, std::string_view bytes) const {
        const std::filesystem::path to = path(name);
        std::filesystem::create_directories(to.parent_path());
        const std::string made = to.string() + ".new";
        std::ofstream(made, std::ios::binary) << bytes;
        std::filesystem::rename(made, to);
    }

    /// Sets the modification time, in seconds since 1970-01-01.
    void date(std::string_view name, std::int64_t seconds) const {
        const timespec times[2] = {{seconds, 0}, {seconds, 0}};
        if (utimensat(AT_FDCWD, path(name).c_str(), times, 0) != 0) throw std::runtime_error("no time set");
    }

    void link(std::string_view name, std::string_view to) const { std::filesystem::create_symlink(to, path(name)); }

private:
    std::string path_;
};

}  // namespace apus::test
