// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace apus::test {

/// A pipe, and the bytes read from it.
class collected_output {
public:
    collected_output() {
        if (pipe2(ends_, O_CLOEXEC) != 0) ends_[0] = ends_[1] = -1;
    }
    collected_output(const collected_output&) = delete;
    collected_output& operator=(const collected_output&) = delete;
    ~collected_output() {
        close_input();
        if (reader_.joinable()) reader_.join();
        close(ends_[0]);
    }

    int input() const noexcept { return ends_[1]; }
    void close_input() noexcept {
        if (ends_[1] >= 0) close(ends_[1]);
        ends_[1] = -1;
    }

    /// Reads on a separate thread until the input is closed.
    void read_on() {
        reader_ = std::thread([this] {
            char bytes[4096];
            for (ssize_t n; (n = ::read(ends_[0], bytes, sizeof bytes)) > 0;)
                text_.append(bytes, static_cast<std::size_t>(n));
        });
    }

    /// Closes the input, and returns all bytes that were read.
    const std::string& all() {
        close_input();
        if (!reader_.joinable()) read_on();
        reader_.join();
        return text_;
    }

private:
    int ends_[2];
    std::thread reader_;
    std::string text_;
};

inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
        lines.emplace_back(text.substr(0, end));
    if (!text.empty()) lines.emplace_back("without end: " + std::string(text));
    return lines;
}

/// Returns the number after `key` in a line, or -1.
inline std::int64_t number_after(std::string_view line, std::string_view key) {
    const auto at = line.find(key);
    return at == line.npos ? -1 : std::stoll(std::string(line.substr(at + key.size())));
}

}  // namespace apus::test
