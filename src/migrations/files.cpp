// SPDX-License-Identifier: Apache-2.0
#include "migrations/files.hpp"

#include "base/ascii.hpp"
#include "base/hex.hpp"
#include "base/utf8.hpp"
#include "crypto/digest.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <map>
#include <memory>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace apus::migrations {

namespace {

using sql::migration_error;

constexpr std::size_t largest_file = std::size_t(16) << 20U;  // larger files are mistakes, or data to be loaded by COPY
constexpr std::size_t most_files = 100'000;

[[noreturn]] void refuse(std::string message, std::string hint = {}) {
    throw migration_error(migration_error::reason::files, std::move(message), std::move(hint));
}

std::string printable(std::string_view name) {
    std::string made;
    for (const char c : name) made += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
    return base::is_utf8(made) ? made : "(name in invalid UTF-8)";
}

struct file_name {
    std::uint64_t version = 0;
    std::string_view name{};
    std::string_view engine{};  // empty: all engines
    bool up = false;
};

// NUMBER_NAME[.ENGINE].(up|down).sql
file_name parse_name(std::string_view whole) {
    constexpr std::string_view form =
        "rename it to NUMBER_NAME.up.sql or NUMBER_NAME.down.sql, as 0001_create_notes.up.sql";
    const auto invalid = [&](std::string_view why) {
        refuse("migration file `" + printable(whole) + "`: " + std::string(why), std::string(form));
    };
    file_name made;
    std::string_view rest = whole;
    if (!rest.ends_with(".sql")) invalid("name does not end in .sql");
    rest.remove_suffix(4);
    made.up = rest.ends_with(".up");
    if (!made.up && !rest.ends_with(".down")) invalid("name has neither .up nor .down");
    rest.remove_suffix(made.up ? 3 : 5);
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), made.version);
    if (error != std::errc() || made.version == 0 || made.version > INT64_MAX)
        invalid("name does not begin with a version of at least 1");
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with('_')) invalid("the version is not followed by _NAME");
    rest.remove_prefix(1);
    if (const auto dot = rest.find('.'); dot != rest.npos) {
        made.engine = rest.substr(dot + 1);
        if (made.engine != "sqlite" && made.engine != "postgres")
            invalid("unknown engine `" + printable(made.engine) + "`; known: sqlite, postgres");
        rest = rest.substr(0, dot);
    }
    const auto of_name = [](char c) { return base::is_letter(c) || base::is_digit(c) || c == '_' || c == '-'; };
    if (rest.empty() || rest.size() > 128 || !std::ranges::all_of(rest, of_name))
        invalid("the name may have up to 128 letters, digits, `_` and `-`");
    made.name = rest;
    return made;
}

std::size_t line_of(std::string_view text, std::size_t at) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

script_file prepare(std::string_view name, std::string_view text) {
    if (text.size() > largest_file)
        refuse("migration file `" + std::string(name) + "` is larger than 16 MiB", "load data by another program");
    if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    const auto at_line = [&](std::size_t at) {
        return "`" + std::string(name) + ":" + std::to_string(line_of(text, at));
    };
    if (const auto nul = text.find('\0'); nul != text.npos)
        refuse("migration file " + at_line(nul) + "` has a NUL byte", "save the file as UTF-8");
    if (!base::is_utf8(text)) {
        std::size_t at = 0;
        while (const std::size_t size = base::utf8_sequence(text, at)) at += size;
        refuse("migration file " + at_line(at) + "` is invalid UTF-8", "save the file as UTF-8");
    }
    script_file made{.name = std::string(name)};
    made.text.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') made.text += text[i];
    const std::string_view first = std::string_view(made.text).substr(0, made.text.find('\n'));
    made.in_transaction = first.substr(0, first.find_last_not_of(" \t") + 1) != no_transaction_line;
    if (made.in_transaction && first.starts_with("-- apus:"))
        refuse("migration file `" + made.name + ":1`: unknown marker `" + printable(first) + "`",
               "the only marker is `" + std::string(no_transaction_line) + "`");
    return made;
}

// The files of a version: for all engines, and for the engine in use.
struct candidates {
    struct one {
        std::string_view file{};
        std::string_view text{};
    };
    std::string_view name{}, named_by{};
    one common[2]{}, own[2]{};  // index 0: up; index 1: down
};

migration pick(std::uint64_t version, const candidates& from, std::string_view engine) {
    const auto choose = [&](int which) { return from.own[which].file.empty() ? from.common[which] : from.own[which]; };
    const auto up = choose(0), down = choose(1);
    if (up.file.empty())
        refuse("migration " + std::to_string(version) + " (`" + std::string(from.named_by) + "`) has no .up.sql for " +
                   std::string(engine),
               "add the file; it may be empty if " + std::string(engine) + " needs no change");
    migration made{.version = version, .name = std::string(from.name), .up = prepare(up.file, up.text)};
    if (!down.file.empty()) made.down = prepare(down.file, down.text);
    made.checksum = base::hex(crypto::sha256(made.up.text));
    return made;
}

std::string read_text(int folder, const std::string& name) {
    const std::string shown = printable(name);
    // O_NONBLOCK: without it, opening a FIFO would wait for a writer.
    const int fd = openat(folder, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) refuse("cannot read migration file `" + shown + "`: " + std::generic_category().message(errno));
    const std::unique_ptr<const int, void (*)(const int*)> closed(&fd, [](const int* it) { close(*it); });
    struct stat facts{};
    if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode))
        refuse("`" + shown + "` in the migrations folder is not a regular file", "remove it");
    std::string text;
    char piece[65536];
    for (;;) {
        const ssize_t got = ::read(fd, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse("cannot read migration file `" + shown + "`: " + std::generic_category().message(errno));
        if (got == 0) return text;
        text.append(piece, static_cast<std::size_t>(got));
        if (text.size() > largest_file) refuse("migration file `" + shown + "` is larger than 16 MiB");
    }
}

}  // namespace

std::vector<migration> arrange(std::span<const sql::migration_file> files, std::string_view engine) {
    std::map<std::uint64_t, candidates> all;
    for (const auto& file : files) {
        const file_name parsed = parse_name(file.name);
        candidates& to = all[parsed.version];
        if (to.named_by.empty()) to.name = parsed.name, to.named_by = file.name;
        if (to.name != parsed.name)
            refuse("two migrations have version " + std::to_string(parsed.version) + ": `" + std::string(to.named_by) +
                       "` and `" + std::string(file.name) + "`",
                   "give the later one the next free version");
        if (!parsed.engine.empty() && parsed.engine != engine) continue;
        auto& place = (parsed.engine.empty() ? to.common : to.own)[parsed.up ? 0 : 1];
        if (!place.file.empty())  // for example 1_a.up.sql and 0001_a.up.sql
            refuse("two files are the same migration: `" + std::string(place.file) + "` and `" +
                       std::string(file.name) + "`",
                   "remove one of them");
        place = {.file = file.name, .text = file.text};
    }
    std::vector<migration> made;
    for (const auto& [version, found] : all) {
        if (!made.empty() && version != made.back().version + 1)
            refuse("migration " + std::to_string(made.back().version + 1) + " is missing: `" + made.back().up.name +
                       "` is followed by `" + std::string(found.named_by) + "`",
                   "rename this file and the following ones, or add the missing migration");
        made.push_back(pick(version, found, engine));
    }
    return made;
}

std::vector<read_file> read_folder(const std::string& folder) {
    DIR* const opened = opendir(folder.c_str());
    if (!opened)
        refuse("cannot read the migrations folder `" + folder + "`: " + std::generic_category().message(errno),
               "`apus db new NAME` creates the folder and the first migration");
    const std::unique_ptr<DIR, void (*)(DIR*)> closed(opened, [](DIR* it) { closedir(it); });
    std::vector<read_file> made;
    while (const dirent* each = readdir(opened)) {
        const std::string_view name = each->d_name;
        if (name.starts_with('.') || name.ends_with(".md") || name == "seed.sql") continue;
        if (made.size() == most_files) refuse("the migrations folder `" + folder + "` has over 100,000 files");
        (void)parse_name(name);  // before reading: also rejects folders and devices
        made.push_back({std::string(name), read_text(dirfd(opened), std::string(name))});
    }
    std::ranges::sort(made, {}, &read_file::name);
    return made;
}

}  // namespace apus::migrations
