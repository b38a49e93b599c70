// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/archive.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "cli/errors/failure.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/packaging/formats.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::packaging {

namespace {

constexpr std::size_t block = 512;

// Header of an entry: IEEE Std 1003.1, pax, "ustar Interchange Format".
struct head {
    char name[100], mode[8], user[8], group[8], size[12], time[12], sum[8], type, target[100], magic[8], names[64],
        devices[16], prefix[155], rest[12];
};
static_assert(sizeof(head) == block);

class writer {
public:
    explicit writer(const fs::path& path)
        : path_(path), fd_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644)) {
        if (fd_ < 0) fail();
    }
    ~writer() { close(fd_); }
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;

    void add(const std::string& path, const entry& of, std::int64_t epoch) {
        if (path.size() > sizeof head::name) put('L', "././@LongLink", {.mode = 0644}, path + '\0', 0);
        if (of.what == entry::kind::link && of.content.size() > sizeof head::target)
            put('K', "././@LongLink", {.mode = 0644}, of.content + '\0', 0);
        const char types[] = {'0', '5', '2'};
        put(types[static_cast<int>(of.what)], path, of, of.what == entry::kind::file ? content_of(of) : "", epoch);
    }

    void end() {
        write_all(std::string(2 * block, '\0'));
        if (fsync(fd_) != 0) fail();
    }

private:
    template <std::size_t N>
    static void octal(char (&field)[N], std::uint64_t value) {
        for (std::size_t i = N - 1; i-- > 0; value >>= 3) field[i] = static_cast<char>('0' + (value & 7));
    }

    template <std::size_t N>
    static void text(char (&field)[N], std::string_view value) {
        std::memcpy(field, value.data(), std::min(N, value.size()));
    }

    void put(char type, std::string_view name, const entry& of, const std::string& content, std::int64_t epoch) {
        head h{};
        text(h.name, name);
        octal(h.mode, of.mode);
        octal(h.user, of.owner);
        octal(h.group, of.owner);
        octal(h.size, content.size());
        octal(h.time, static_cast<std::uint64_t>(epoch));
        h.type = type;
        if (type == '2') text(h.target, of.content);
        std::memcpy(h.magic, "ustar  ", 8);  // GNU format, which supports entries with long names
        std::memset(h.sum, ' ', sizeof h.sum);
        unsigned sum = 0;
        for (std::size_t i = 0; i < block; ++i) sum += reinterpret_cast<const unsigned char*>(&h)[i];
        char digits[7] = {};
        octal(digits, sum);
        std::memcpy(h.sum, digits, sizeof digits);
        write_all({reinterpret_cast<const char*>(&h), block});
        write_all(content);
        write_all(std::string((block - content.size() % block) % block, '\0'));
    }

    void write_all(std::string_view bytes) {
        while (!bytes.empty()) {
            system::throw_if_interrupted();
            const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail();
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }

    [[noreturn]] void fail() const { throw errors::system_failure("cannot write `" + path_.string() + "`", errno); }

    fs::path path_;
    int fd_;
};

}  // namespace

void write_tar(const fs::path& archive, const tree& of, std::string_view prefix, std::int64_t epoch) {
    writer to(archive);
    if (!prefix.empty()) to.add(std::string(prefix), {.what = entry::kind::folder, .mode = 0755}, epoch);
    for (const auto& [path, each] : of.entries())
        to.add(std::string(prefix) + path + (each.what == entry::kind::folder ? "/" : ""), each, epoch);
    to.end();
}

fs::path gzip_file(const fs::path& file) {
    run_engine({.words = {"gzip", "-9", "-n", "-f", "--", file.string()}});
    return file.string() + ".gz";
}

fs::path make_tar(const product& of, const tree& staged, const fs::path& work) {
    const std::string name = of.name + "-" + of.version + "-linux-" + std::string(of.machine->name);
    const fs::path file = work / "artefacts" / (name + ".tar");
    write_tar(file, staged, name + "/", of.epoch);
    return gzip_file(file);
}

}  // namespace apus::cli::packaging
