// SPDX-License-Identifier: Apache-2.0
#include "server/program_start.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include <climits>
#include <csignal>
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace apus::server {
namespace {

std::string read_link(const char* path) {
    char text[PATH_MAX];
    const ssize_t n = readlink(path, text, sizeof text);
    return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : std::string();
}

bool same_file(const char* one, const char* other) {
    struct stat a, b;
    return stat(one, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Returns the path at which a shell would find the program, or an empty text.
std::string find_program(const std::string& word, const std::string& folder) {
    if (word.empty()) return {};
    if (word.contains('/')) return word.starts_with('/') ? word : folder + "/" + word;
    const char* const path = std::getenv("PATH");
    for (std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin"; !rest.empty();) {
        const std::size_t end = rest.find(':');
        const std::string one = std::string(rest.substr(0, end)) + "/" + word;
        if (access(one.c_str(), X_OK) == 0) return one;
        rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
    return {};
}

std::vector<std::string> environment_for(std::span<const passed_socket> sockets, const std::string& notify) {
    const std::string count = std::to_string(sockets.size());
    std::string names;
    for (const auto& s : sockets) names.append(names.empty() ? "" : ":").append(s.name);
    std::vector<std::string> all;
    for (char** v = environ; *v; ++v) {
        const std::string_view one = *v, name = one.substr(0, one.find('='));
        if (name == "LISTEN_PID" || name == "LISTEN_FDS" || name == "LISTEN_FDNAMES" || name == "WATCHDOG_PID" ||
            name == "APUS_RESTART" || (name == "NOTIFY_SOCKET" && !notify.empty()))
            continue;
        all.emplace_back(one);
    }
    all.push_back("LISTEN_FDS=" + count);
    all.push_back("LISTEN_FDNAMES=" + names);
    all.push_back("APUS_RESTART=" + std::to_string(first_inherited + static_cast<int>(sockets.size())));
    if (!notify.empty()) all.push_back("NOTIFY_SOCKET=" + notify);
    return all;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
    std::vector<char*> all;
    all.reserve(words.size() + 1);
    for (const auto& w : words) all.push_back(const_cast<char*>(w.c_str()));
    all.push_back(nullptr);
    return all;
}

// Duplicates of descriptors, with numbers above the numbers in the new process, so that dup2(2) in the new process does
// not overwrite a descriptor that is duplicated later.
class copies {
public:
    copies(std::span<const passed_socket> sockets, int channel) {
        const int above = first_inherited + static_cast<int>(sockets.size()) + 1;
        for (const auto& s : sockets) fds_.push_back(fcntl(s.fd, F_DUPFD_CLOEXEC, above));
        fds_.push_back(fcntl(channel, F_DUPFD_CLOEXEC, above));
    }
    copies(const copies&) = delete;
    copies& operator=(const copies&) = delete;
    ~copies() {
        for (const int fd : fds_)
            if (fd >= 0) close(fd);
    }
    bool complete() const {
        for (const int fd : fds_)
            if (fd < 0) return false;
        return true;
    }
    const std::vector<int>& all() const { return fds_; }

private:
    std::vector<int> fds_;
};

// Owns the file actions and attributes of a posix_spawn(3).
struct spawning {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    spawning() { posix_spawn_file_actions_init(&actions), posix_spawnattr_init(&attributes); }
    spawning(const spawning&) = delete;
    spawning& operator=(const spawning&) = delete;
    ~spawning() { posix_spawn_file_actions_destroy(&actions), posix_spawnattr_destroy(&attributes); }
};

// Steps of a new process up to execve(2): only system calls.
struct preparations {
    const std::vector<int>& descriptors;
    const char* folder;
    const sigset_t& mask;
    const char* path;
    char* const* arguments;
    char* const* environment;

    void run() const noexcept {
        const auto count = static_cast<int>(descriptors.size());
        for (int i = 0; i < count; ++i) dup2(descriptors[static_cast<std::size_t>(i)], first_inherited + i);
        close_range(static_cast<unsigned>(first_inherited + count), ~0U, CLOSE_RANGE_CLOEXEC);
        if (chdir(folder) != 0) return;
        signal(SIGPIPE, SIG_DFL);
        setpgid(0, 0);
        sigprocmask(SIG_SETMASK, &mask, nullptr);
        execve(path, arguments, environment);
    }
};

// Waits until the new process has called execve(2). Returns the errno if the call failed, otherwise 0.
int read_error(int pipe) noexcept {
    int error = 0;
    ssize_t n = 0;
    do n = read(pipe, &error, sizeof error);
    while (n < 0 && errno == EINTR);
    return n == sizeof error ? error : 0;
}

}  // namespace

program_start::program_start() : file_(read_link("/proc/self/exe")) {
    std::ifstream in("/proc/self/cmdline", std::ios::binary);
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    for (std::size_t at = 0; at < all.size(); at += words_.back().size() + 1) words_.emplace_back(all.c_str() + at);
    folder_ = read_link("/proc/self/cwd");
    if (!words_.empty()) by_first_word_ = same_file(find_program(words_[0], folder_).c_str(), "/proc/self/exe");
}

std::expected<std::string, std::string> program_start::find() const {
    if (words_.empty() || file_.empty()) return std::unexpected("/proc/self cannot be read");
    std::string path = by_first_word_ ? find_program(words_[0], folder_) : file_;
    if (path.empty()) return std::unexpected(words_[0] + " is not in PATH");
    return path;
}

// Uses posix_spawn(3), since fork(2) would stop the cores while it copies the page tables.
std::expected<pid_t, std::string> program_start::start(std::span<const passed_socket> sockets, int channel,
                                                       const sigset_t& mask, const std::string& notify) const {
    const auto path = find();
    if (!path) return std::unexpected(path.error());
    const copies from(sockets, channel);
    if (!from.complete()) return std::unexpected("too few descriptors: " + std::string(std::strerror(errno)));
    const auto environment = environment_for(sockets, notify);

    spawning how;
    for (std::size_t i = 0; i < from.all().size(); ++i)
        posix_spawn_file_actions_adddup2(&how.actions, from.all()[i], first_inherited + static_cast<int>(i));
    posix_spawn_file_actions_addclosefrom_np(&how.actions, first_inherited + static_cast<int>(from.all().size()));
    posix_spawn_file_actions_addchdir_np(&how.actions, folder_.c_str());
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);  // this process ignores SIGPIPE, and an ignored signal stays ignored after execve(2)
    posix_spawnattr_setsigdefault(&how.attributes, &defaults);
    posix_spawnattr_setsigmask(&how.attributes, &mask);
    posix_spawnattr_setpgroup(&how.attributes, 0);
    posix_spawnattr_setflags(&how.attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);

    pid_t pid = -1;
    const int error = posix_spawn(&pid, path->c_str(), &how.actions, &how.attributes, pointers(words_).data(),
                                  pointers(environment).data());
    if (error) return std::unexpected(*path + " cannot be started: " + std::strerror(error));
    return pid;
}

program_start::sibling program_start::start_sibling(std::span<const passed_socket> sockets, int channel,
                                                    const sigset_t& mask, const std::string& notify) const {
    const auto path = find();
    if (!path) return {.failure = path.error()};
    const copies from(sockets, channel);
    int result[2];
    if (!from.complete() || pipe2(result, O_CLOEXEC) != 0)
        return {.failure = "too few descriptors: " + std::string(std::strerror(errno))};
    const int report = fcntl(result[1], F_DUPFD_CLOEXEC, first_inherited + static_cast<int>(from.all().size()));
    close(result[1]);
    const auto environment = environment_for(sockets, notify);
    const auto arguments = pointers(words_), variables = pointers(environment);
    const preparations prepare{from.all(), folder_.c_str(), mask, path->c_str(), arguments.data(), variables.data()};
    const auto pid = static_cast<pid_t>(syscall(SYS_clone, CLONE_PARENT | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
    if (pid == 0) {
        prepare.run();
        const int error = errno;
        [[maybe_unused]] const auto written = write(report, &error, sizeof error);
        _exit(127);
    }
    const int not_created = pid < 0 ? errno : 0;
    close(report);
    const int failed = not_created ? not_created : read_error(result[0]);
    close(result[0]);
    if (failed) return {pid, *path + " cannot be started: " + std::strerror(failed)};
    return {.pid = pid};
}

}  // namespace apus::server
