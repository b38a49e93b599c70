// SPDX-License-Identifier: Apache-2.0
#include "cli/packaging/product.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <optional>

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/process.hpp"

namespace apus::cli::packaging {

namespace {

constexpr architecture machines[] = {
    {62, "x86_64", "amd64", "x86_64-linux-gnu"},
    {183, "aarch64", "arm64", "aarch64-linux-gnu"},
};

constexpr std::int64_t dos_epoch = 315'532'800;  // the earliest time that every format supports

constexpr std::int64_t max_tar_number = (std::int64_t{1} << 33) - 1;

std::optional<std::int64_t> seconds(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole =
        error == std::errc() && end == text.data() + text.size() && value >= 0 && value <= max_tar_number;
    return whole ? std::optional(value) : std::nullopt;
}

std::int64_t time_of(const std::filesystem::path& folder) {
    if (const char* said = std::getenv("SOURCE_DATE_EPOCH")) {
        const auto at = seconds(said);
        if (!at)
            throw errors::usage("E0102", "SOURCE_DATE_EPOCH is `" + std::string(said) +
                                             "`; it must be a number of seconds since 1970, up to " +
                                             std::to_string(max_tar_number));
        return *at;
    }
    if (!system::has_program("git")) return dos_epoch;
    const auto last = system::run({.words = {"git", "log", "-1", "--format=%ct"}, .folder = folder});
    return last.ok() ? seconds(std::string_view(last.out).substr(0, last.out.find('\n'))).value_or(dos_epoch)
                     : dos_epoch;
}

std::string package_name(const std::string& project) {
    std::string name;
    for (const char c : project) name += c == '_' ? '-' : base::lowered(c);
    while (name.ends_with('-')) name.pop_back();
    return name.size() < 2 ? name + "-app" : name;
}

std::string package_version(const manifest::manifest& of) {
    std::string version = of.project.version;
    const auto fits = [](char c) {
        return base::is_letter(c) || base::is_digit(c) || c == '.' || c == '+' || c == '~' || c == '-';
    };
    if (version.empty() || !base::is_digit(version[0]) || !std::ranges::all_of(version, fits))
        throw errors::failure("E0206", of.file.filename().string() + ": `project.version` is `" + version +
                                           "`; the version of a package must begin with a digit and contain only "
                                           "letters, digits, `.`, `+` and `-`");
    std::ranges::replace(version, '-', '~');
    return version;
}

}  // namespace

const architecture& architecture_of(const std::filesystem::path& program) {
    unsigned char head[20] = {};
    const int fd = open(program.c_str(), O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof head);
    if (fd >= 0) close(fd);
    const bool elf = n == sizeof head && std::string_view(reinterpret_cast<char*>(head), 4) == "\177ELF" &&
                     head[4] == 2 && head[5] == 1;
    const unsigned machine = head[18] | static_cast<unsigned>(head[19]) << 8;
    for (const architecture& each : machines)
        if (elf && each.elf == machine) return each;
    if (fd < 0)
        throw errors::failure("E0702", "no program `" + program.string() + "`",
                              "give an existing program with `--binary FILE`, or omit the option to build the program");
    throw errors::failure("E0702", "`" + program.string() + "` is not a Linux program for x86_64 or aarch64");
}

const architecture& architecture_named(std::string_view name) {
    utsname own{};
    if (name.empty() && uname(&own) == 0) name = own.machine;
    for (const architecture& each : machines)
        if (each.name == name) return each;
    throw errors::failure("E0702", "unsupported target architecture `" + std::string(name) + "`",
                          "`--target` must be `x86_64` or `aarch64`");
}

product describe(const manifest::manifest& of) {
    const manifest::package_table& said = of.package;
    product made{.of = of,
                 .name = said.name,
                 .version = package_version(of),
                 .program = of.project.name,
                 .user = said.user,
                 .maintainer = said.maintainer,
                 .summary = said.summary,
                 .description = said.description};
    if (made.name.empty()) made.name = package_name(made.program);
    if (made.user.empty()) made.user = made.name.substr(0, 31);
    if (made.summary.empty()) made.summary = of.project.description.substr(0, of.project.description.find('\n'));
    if (made.summary.empty()) made.summary = "server " + made.program;
    if (made.description.empty()) made.description = "HTTP server on port " + std::to_string(said.port) + ".";
    for (const std::string& author : of.project.authors)
        if (made.maintainer.empty() && author.find(" <") != author.npos && author.contains('@') &&
            author.ends_with('>'))
            made.maintainer = author;
    made.epoch = time_of(of.folder);
    std::error_code none;
    if (said.folders) made.folders = *said.folders;
    else
        for (const char* usual : {"pages", "public"})
            if (std::filesystem::is_directory(of.folder / usual, none)) made.folders.emplace_back(usual);
    return made;
}

std::string working_folder(const product& of) { return (of.folders.empty() ? "/var/lib/" : "/usr/share/") + of.name; }

std::string date(std::int64_t epoch, const char* format) {
    const std::time_t at = epoch;
    std::tm parts{};
    gmtime_r(&at, &parts);
    char text[64];
    return {text, std::strftime(text, sizeof text, format, &parts)};
}

}  // namespace apus::cli::packaging
