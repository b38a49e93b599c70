// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/lock.hpp"

#include <algorithm>
#include <utility>

#include "cli/errors/failure.hpp"
#include "cli/manifest/dependencies.hpp"
#include "cli/manifest/document.hpp"
#include "cli/system/files.hpp"

namespace apus::cli::dependencies {

namespace {

constexpr long format = 1;

struct field {
    const char* key;
    std::string locked::* where;
};

// Keys in the order in which they are written.
constexpr field fields[] = {
    {"wanted", &locked::wanted}, {"source", &locked::source},   {"version", &locked::version},
    {"from", &locked::from},     {"package", &locked::package}, {"revision", &locked::revision},
    {"sha256", &locked::sha256}, {"license", &locked::license}, {"pkg-config", &locked::pkg_config},
    {"cmake", &locked::cmake},   {"target", &locked::target},   {"why", &locked::why},
};

// Throws E0402 for unsafe values, since users may edit a lock when they resolve merge conflicts, and values become part
// of CMake code and command lines.
void check(const manifest::table& in, const locked& one) {
    if (!manifest::is_dependency_name(one.name)) in.refuse("E0402", "name", "is not a valid name");
    if (one.source != "system" && one.source != "conan" && one.source != "git")
        in.refuse("E0402", "source", "must be `system`, `conan` or `git`");
    for (const auto& [key, where] : fields) {
        const std::string& value = one.*where;
        const bool is_text = where == &locked::why || where == &locked::license || where == &locked::wanted;
        if (!is_text && !value.empty() && !manifest::is_plain_word(value))
            in.refuse("E0402", key, "is `" + value + "`, which contains characters that are not allowed");
    }
    // The revision must be a commit, since it is the name of a folder in the cache: a branch could refer to other files
    // later.
    if (one.source == "git" && !manifest::is_commit(one.revision))
        in.refuse("E0402", "revision", "is `" + one.revision + "`, which is not a commit hash");
}

locked read_entry(manifest::table&& from) {
    locked one{.name = from.needed_text("name"), .source = {}};
    for (const field& f : fields)
        if (auto text = from.line(f.key)) one.*f.where = std::move(*text);
    one.needs = from.texts("needs").value_or(std::vector<std::string>());
    from.end();
    check(from, one);
    return one;
}

lock read_packages(std::string_view text, std::string_view name) {
    manifest::table root = manifest::document(text, name).root();
    root.integer("format", format, format);
    lock all;
    for (manifest::table& each : root.each("package")) all.push_back(read_entry(std::move(each)));
    root.end();
    std::ranges::sort(all, {}, &locked::name);
    const auto twice = std::ranges::adjacent_find(all, {}, &locked::name);
    if (twice != all.end()) root.refuse("E0402", "package", "contains `" + twice->name + "` more than once");
    return all;
}

std::string described(const locked& one) {
    return one.version + " (" + one.source + (one.from.empty() ? "" : ", " + one.from) + ")";
}

}  // namespace

lock read_lock(std::string_view text, std::string_view name) {
    try {
        return read_packages(text, name);
    } catch (const errors::failure& why) {
        throw errors::failure("E0402", why.message(),
                              "restore apus.lock from version control, or remove the file and run `apus lock`");
    }
}

lock read_lock_of(const std::filesystem::path& folder) {
    std::error_code none;
    if (!std::filesystem::exists(folder / "apus.lock", none)) return {};
    return read_lock(system::read_file(folder / "apus.lock", 16 << 20), "apus.lock");
}

std::string text_of(const lock& all) {
    std::string text =
        "# Locked dependencies of apus.toml. Written by `apus add`, `remove`, `update` and `lock`: commit this file,\n"
        "# and do not edit it.\n"
        "format = " +
        std::to_string(format) + "\n";
    for (const locked& one : all) {
        text.append("\n[[package]]\nname = ").append(manifest::toml_string(one.name)).append("\n");
        for (const auto& [key, where] : fields)
            if (!(one.*where).empty())
                text.append(key).append(" = ").append(manifest::toml_string(one.*where)).append("\n");
        for (const std::string& need : one.needs)
            text.append(&need == &one.needs.front() ? "needs = [" : ", ").append(manifest::toml_string(need));
        if (!one.needs.empty()) text += "]\n";
    }
    return text;
}

const locked* find(const lock& in, std::string_view name) {
    const auto at = std::ranges::find(in, name, &locked::name);
    return at == in.end() ? nullptr : &*at;
}

std::vector<std::string> differences(const lock& before, const lock& after) {
    std::vector<std::string> lines;
    for (const locked& one : after) {
        const locked* old = find(before, one.name);
        if (!old) lines.push_back(one.name + " " + described(one) + " added");
        else if (described(*old) != described(one))
            lines.push_back(one.name + " " + described(*old) + " -> " + described(one));
        else if (old->revision != one.revision)
            lines.push_back(one.name + " " + one.version + ": revision " + old->revision + " -> " + one.revision);
        else if (old->sha256 != one.sha256)
            lines.push_back(one.name + " " + one.version + ": sha256 " + old->sha256 + " -> " + one.sha256);
        else if (!(*old == one)) lines.push_back(one.name + " " + one.version + ": metadata has changed");
    }
    for (const locked& one : before)
        if (!find(after, one.name)) lines.push_back(one.name + " " + described(one) + " removed");
    return lines;
}

}  // namespace apus::cli::dependencies
