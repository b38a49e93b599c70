// SPDX-License-Identifier: Apache-2.0
#include "testing/postgres_server.hpp"

#include "testing/child_process.hpp"
#include "testing/memory_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace apus::testing {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;
constexpr auto longest_step = std::chrono::seconds(30);

// Returns 0 if the last part of the path is not a number.
int number_of(const fs::path& path) {
    const std::string text = path.filename();
    int number = 0;
    const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
    return why == std::errc() && end == text.data() + text.size() ? number : 0;
}

std::string program(const char* name) {
    if (const char* set = std::getenv("APUS_POSTGRES_BIN")) return std::string(set) + "/" + name;
    std::vector<int> versions;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator("/usr/lib/postgresql", missing))
        versions.push_back(number_of(entry.path()));
    if (versions.empty())
        throw std::runtime_error(
            "the PostgreSQL server is not installed: apt-get install postgresql, or set APUS_POSTGRES_BIN");
    return "/usr/lib/postgresql/" + std::to_string(std::ranges::max(versions)) + "/bin/" + name;
}

/// Returns the user that runs the server, which refuses to run as root.
identity server_user() {
    if (::geteuid() != 0) return {::geteuid(), ::getegid()};
    for (const char* name : {"postgres", "nobody"})
        if (const passwd* p = ::getpwnam(name)) return {p->pw_uid, p->pw_gid};
    throw std::runtime_error("no user to run PostgreSQL as: postgres and nobody are unknown");
}

std::string text_of(const std::string& path) {
    std::ifstream in(path);
    std::ostringstream all;
    all << in.rdbuf();
    return std::move(all).str();
}

std::string make_folder(std::uint64_t room) {
    std::string path = make_memory_folder("apus-postgres", room);
    const identity user = server_user();
    if (::chown(path.c_str(), user.user, user.group) != 0)
        throw std::system_error(errno, std::generic_category(), path);
    return path;
}

/// Returns a port that is free at the moment.
unsigned free_port() {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    if (::bind(fd, reinterpret_cast<sockaddr*>(&at), size) != 0 ||
        ::getsockname(fd, reinterpret_cast<sockaddr*>(&at), &size) != 0)
        throw std::system_error(errno, std::generic_category(), "bind");
    ::close(fd);
    return ntohs(at.sin_port);
}

std::string finished(const std::vector<std::string>& command, const std::string& log) {
    child_process child(command, server_user(), log);
    if (!child.wait(longest_step)) throw std::runtime_error(command[0] + " takes too long");
    if (child.status() != 0) throw std::runtime_error(command[0] + " failed: " + text_of(log));
    return text_of(log);
}

/// Locks a file until the end of the scope.
class file_lock {
public:
    explicit file_lock(const std::string& path)
        : fd_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600)) {
        if (fd_ < 0 || ::flock(fd_, LOCK_EX) != 0) throw std::system_error(errno, std::generic_category(), path);
    }
    file_lock(const file_lock&) = delete;
    file_lock& operator=(const file_lock&) = delete;
    ~file_lock() { ::close(fd_); }

private:
    int fd_;
};

/// Returns a data directory as created by initdb.
/// initdb takes a second, so it runs once on each machine, and its directory is copied.
std::string initialized_directory() {
    const std::string initdb = program("initdb");
    std::string version = fs::path(initdb).parent_path().parent_path().filename();
    const std::string path =
        fs::temp_directory_path() / ("apus-postgres-" + version + "-" + std::to_string(::geteuid()));
    ::mkdir(path.c_str(), 0700);
    struct stat found{};
    const bool ours = ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == ::geteuid() &&
                      (found.st_mode & 022) == 0;
    if (!ours) throw std::runtime_error(path + " belongs to another user or can be written by others: remove it");
    const file_lock lock(path + "/lock");
    ::chmod(path.c_str(), 0711);  // the server's user reads the content
    if (!fs::exists(path + "/data/global/pg_control")) {
        const std::string made = make_folder(UINT64_MAX);  // on the disk, like the path it is renamed to
        finished({initdb, "-D", made + "/data", "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8",
                  "--no-sync", "--no-instructions", "--wal-segsize=1"},
                 made + "/log");
        fs::remove_all(path + "/data");
        fs::rename(made + "/data", path + "/data");
        fs::remove_all(made);
    }
    return path + "/data";
}

}  // namespace

postgres_server::postgres_server(const postgres_options& options)
    : options_(options), folder_(make_folder(std::uint64_t(2) << 30U)) {
    initialize();
    start();
}

postgres_server::~postgres_server() {
    try {
        if (pid_ > 0) kill();
    } catch (const std::exception&) {
        pid_ = 0;  // a destructor cannot report this
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

postgres_server& postgres_server::shared() {
    static postgres_server it;
    return it;
}

void postgres_server::initialize() {
    finished({"/bin/cp", "-a", initialized_directory(), folder_ + "/data"}, folder_ + "/log");
    const std::string hba = folder_ + "/data/pg_hba.conf", rest = text_of(hba);
    std::ofstream(hba) << options_.hba << rest;
}

void postgres_server::start() {
    port_ = port_ ? port_ : free_port();
    std::vector<std::string> command = {program("postgres"),  "-D", folder_ + "/data", "-k", folder_, "-p",
                                        std::to_string(port_)};
    std::vector<std::string> settings = {options_.tcp ? "listen_addresses=127.0.0.1" : "listen_addresses=",
                                         "fsync=off",
                                         "full_page_writes=off",
                                         "autovacuum=off",
                                         "shared_buffers=16MB",
                                         "max_connections=100",
                                         "dynamic_shared_memory_type=mmap",
                                         "restart_after_crash=off",
                                         "log_min_messages=warning"};
    settings.insert(settings.end(), options_.settings.begin(), options_.settings.end());
    for (const auto& s : settings) {
        command.emplace_back("-c");
        command.push_back(s);
    }
    child_process child(command, server_user(), folder_ + "/log");
    pid_ = child.release();
    wait_until_ready();
}

void postgres_server::wait_until_ready() {
    const auto deadline = clock::now() + longest_step;
    for (;;) {
        const std::string state = text_of(folder_ + "/data/postmaster.pid");  // the last line is "ready   "
        if (state.starts_with(std::to_string(pid_) + "\n") && state.contains("\nready")) return;
        if (::waitpid(pid_, nullptr, WNOHANG) == pid_) {
            pid_ = -1;
            throw std::runtime_error("PostgreSQL ended: " + text_of(folder_ + "/log"));
        }
        if (clock::now() > deadline)
            throw std::runtime_error("PostgreSQL does not start: " + text_of(folder_ + "/log"));
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

std::string postgres_server::socket_path() const { return folder_ + "/.s.PGSQL." + std::to_string(port_); }

std::string postgres_server::url(std::string_view database) const {
    std::string host;
    for (const char c : folder_) host += c == '/' ? "%2F" : std::string(1, c);
    return "postgres://postgres@" + host + ":" + std::to_string(port_) + "/" + std::string(database);
}

std::string postgres_server::make_database(std::string_view of) {
    const std::string name = "test" + std::to_string(++databases_);
    run("create database " + name + " template " + std::string(of) + " strategy file_copy");
    return url(name);
}

std::string postgres_server::run(std::string_view sql, std::string_view database) const {
    std::string log = folder_ + "/psql-XXXXXX";
    const int fd = ::mkstemp(log.data());
    const identity user = server_user();
    if (fd < 0 || ::fchown(fd, user.user, user.group) != 0)
        throw std::system_error(errno, std::generic_category(), log);
    ::close(fd);
    std::string out =
        finished({program("psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder_, "-p",
                  std::to_string(port_), "-U", "postgres", "-d", std::string(database), "-c", std::string(sql)},
                 log);
    fs::remove(log);
    while (out.ends_with('\n')) out.pop_back();
    return out;
}

// Returns all processes of the server. Children of the postmaster lead their own process groups.
std::vector<pid_t> postgres_server::processes() const {
    std::vector<pid_t> all;
    if (pid_ > 0) all.push_back(pid_);
    for (const auto& entry : fs::directory_iterator("/proc")) {
        std::ifstream in(entry.path() / "stat");
        std::string text;
        std::getline(in, text);
        const auto name_end = text.rfind(") ");
        if (name_end == text.npos) continue;
        std::istringstream rest(text.substr(name_end + 2));
        char state = 0;
        pid_t parent = 0;
        rest >> state >> parent;
        if (parent == pid_) all.push_back(number_of(entry.path()));
    }
    return all;
}

namespace {

// Whether a process is running. An orphan that has ended stays a zombie until it is reaped.
bool runs(pid_t p) {
    const std::string stat = text_of("/proc/" + std::to_string(p) + "/stat");
    const auto name_end = stat.rfind(") ");
    return name_end != stat.npos && stat[name_end + 2] != 'Z' && stat[name_end + 2] != 'X';
}

// Removes the shared memory that a killed server leaves, since the system has room for 4,096 such segments.
// Line 7 of postmaster.pid names it by key and identifier.
void remove_shared_memory(const std::string& data) {
    std::ifstream in(data + "/postmaster.pid");
    std::string line;
    for (int number = 1; number <= 7; ++number) std::getline(in, line);
    std::istringstream fields(line);
    unsigned long key = 0;
    int identifier = -1;
    if (fields >> key >> identifier) ::shmctl(identifier, IPC_RMID, nullptr);
}

}  // namespace

void postgres_server::kill() {
    const auto all = processes();
    for (const pid_t p : all) ::kill(p, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    // The next server refuses to start before all of these processes have ended.
    const auto deadline = clock::now() + longest_step;
    for (const pid_t p : all)
        while (p != pid_ && runs(p) && clock::now() < deadline)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    remove_shared_memory(folder_ + "/data");
    pid_ = -1;
}

void postgres_server::stop() {
    ::kill(pid_, SIGINT);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
}

void postgres_server::suspend() {
    for (const pid_t p : processes()) ::kill(p, SIGSTOP);
}

void postgres_server::resume() {
    for (const pid_t p : processes()) ::kill(p, SIGCONT);
}

}  // namespace apus::testing
