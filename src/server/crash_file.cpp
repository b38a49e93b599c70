// SPDX-License-Identifier: Apache-2.0
#include "server/crash_file.hpp"

#include "codec/crash/report.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <iterator>
#include <string>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace apus::server {

number_text::number_text(std::uint64_t value, int base) noexcept
    : size_(static_cast<std::size_t>(std::to_chars(digits_, std::end(digits_), value, base).ptr - digits_)) {}

crash_file::crash_file(int folder, std::string_view program_name, std::uint64_t unix_seconds) noexcept {
    if (folder < 0) return;
    const number_text time(unix_seconds), process(static_cast<std::uint64_t>(getpid()));
    char name[256];
    char* end = name;
    const auto append = [&](std::string_view part) { end = std::ranges::copy(part, end).out; };
    for (const std::string_view part : {program_name.substr(0, 128), std::string_view("-"), time.view(),
                                        std::string_view("-"), process.view(), std::string_view(".crash")})
        append(part);
    *end = '\0';
    fd_ = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    write_all(codec::crash::first_line);
    write_all("\n");
}

crash_file::~crash_file() {
    if (fd_ < 0) return;
    add(codec::crash::last_line, {});
    close(fd_);
}

// A line is written by one call, so that a crash in the next step leaves whole lines.
void crash_file::add(std::string_view key, std::initializer_list<std::string_view> fields) noexcept {
    char line[codec::crash::max_line + 1];
    std::size_t size = codec::crash::escape(key, line);
    for (const auto field : fields) {
        if (size + 1 >= codec::crash::max_line) break;
        line[size++] = '\t';
        size += codec::crash::escape(field, std::span(line).first(codec::crash::max_line).subspan(size));
    }
    line[size++] = '\n';
    write_all({line, size});
}

void crash_file::write_all(std::string_view bytes) noexcept {
    while (fd_ >= 0 && !bytes.empty()) {
        const ssize_t n = write(fd_, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;  // the disk is full
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

namespace {

// Whether the end of a file name is the time and the process of a report: digits, `-`, digits, `.crash`.
bool is_time_and_process(std::string_view rest) noexcept {
    const auto skip_number = [&rest] {
        const auto end = std::min(rest.find_first_not_of("0123456789"), rest.size());
        rest.remove_prefix(end);
        return end != 0;
    };
    if (!skip_number() || !rest.starts_with('-')) return false;
    rest.remove_prefix(1);
    return skip_number() && rest == ".crash";
}

}  // namespace

void remove_old_reports(int folder, std::string_view program_name) {
    constexpr std::size_t most = 50;
    const int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR* const list = copy >= 0 ? fdopendir(copy) : nullptr;
    if (!list) return;
    std::vector<std::string> names;
    const std::string prefix = std::string(program_name) + "-";
    while (const dirent* const entry = readdir(list)) {
        const std::string_view name = entry->d_name;
        if (name.starts_with(prefix) && is_time_and_process(name.substr(prefix.size()))) names.emplace_back(name);
    }
    closedir(list);
    std::ranges::sort(names);  // by the time, which has ten digits until the year 2286
    for (std::size_t i = 0; i + most < names.size(); ++i) unlinkat(folder, names[i].c_str(), 0);
}

}  // namespace apus::server
