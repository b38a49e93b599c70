// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/git_source.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_text_bytes = 4 << 20;

// Returns the text of a file; empty if it is larger than 4 MiB or not a regular file. Repositories are untrusted: a
// file may be a link to /dev/zero.
std::string text_in(const fs::path& file) {
    std::error_code none;
    if (!fs::is_regular_file(file, none) || fs::file_size(file, none) > max_text_bytes) return {};
    return system::read_file(file, max_text_bytes);
}

std::string license_in(const fs::path& folder) {
    for (const char* name :
         {"LICENSE", "LICENSE.txt", "LICENSE.md", "LICENSE_1_0.txt", "COPYING", "COPYING.txt", "LICENCE"})
        if (const std::string text = text_in(folder / name); !text.empty()) return license_of_text(text);
    return {};
}

// Disables the attribute `export-subst`, which can insert the current branches and tags into archives. Archives of a
// commit would then differ.
constexpr std::string_view attributes = "* -export-subst\n";

// Returns the version in a tag: 1.2.0 for "v1.2.0". For a branch or commit, returns 0.0.0 with the commit:
// "0.0.0-1a2b3c4d5e6f".
std::string version_of(const std::string& rev, const std::string& commit) {
    const std::string_view tag = std::string_view(rev).substr(rev.starts_with('v') ? 1 : 0);
    const bool version = !tag.empty() && base::is_digit(tag[0]) && tag.find('.') != tag.npos;
    return version ? std::string(tag) : "0.0.0-" + commit.substr(0, 12);
}

}  // namespace

std::string license_of_text(std::string_view text) {
    std::string words;
    for (const std::string_view line : lines_of(text))
        for (const std::string_view word : words_of(line)) words.append(word).append(" ");
    // The order matters: some license texts contain the phrases of licenses further down in this table.
    constexpr std::pair<std::string_view, std::string_view> marks[] = {
        {"Apache License Version 2.0", "Apache-2.0"},
        {"Boost Software License - Version 1.0", "BSL-1.0"},
        {"Mozilla Public License Version 2.0", "MPL-2.0"},
        {"Mozilla Public License, version 2.0", "MPL-2.0"},
        {"GNU AFFERO GENERAL PUBLIC LICENSE Version 3", "AGPL-3.0-only"},
        {"GNU LESSER GENERAL PUBLIC LICENSE Version 3", "LGPL-3.0-only"},
        {"GNU LESSER GENERAL PUBLIC LICENSE Version 2.1", "LGPL-2.1-only"},
        {"GNU GENERAL PUBLIC LICENSE Version 3", "GPL-3.0-only"},
        {"GNU GENERAL PUBLIC LICENSE Version 2", "GPL-2.0-only"},
        {"Permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"},
        {"Permission to use, copy, modify, and/or distribute this software", "ISC"},
        {"Neither the name of", "BSD-3-Clause"},
        {"Redistribution and use in source and binary forms", "BSD-2-Clause"},
        {"Altered source versions must be plainly marked as such", "Zlib"},
        {"This is free and unencumbered software released into the public domain", "Unlicense"},
    };
    for (const auto& [mark, name] : marks)
        if (words.find(mark) != words.npos) return std::string(name);
    return {};
}

std::string target_of(std::string_view cmake_lists, std::string_view name) {
    std::string plain;
    for (const std::string_view line : lines_of(cmake_lists)) {
        std::string spaced(line.substr(0, line.find('#')));
        std::ranges::replace_if(spaced, [](char c) { return c == '(' || c == ')'; }, ' ');
        const auto words = words_of(spaced);
        if (words.size() < 2 || words[0] != "add_library" || !manifest::is_plain_word(words[1])) continue;
        if (words.size() > 2 && words[2] == "ALIAS") return std::string(words[1]);
        if (plain.empty() || words[1] == name) plain = words[1];
    }
    return plain;
}

std::string git_source::git(std::vector<std::string> words, std::string_view act) const {
    words.insert(words.begin(), "git");
    return run_.need(std::move(words), act);
}

std::string git_source::commit_of(const std::string& url, const std::string& rev) const {
    if (manifest::is_commit(rev)) return rev;
    if (offline_)
        throw errors::failure("E0405",
                              "`" + rev + "` of " + url +
                                  " may refer to another commit now, which --offline "
                                  "cannot check",
                              "set `rev` to a commit, or run without --offline");
    const std::string refs = git({"ls-remote", "--", url}, "list the references of " + url);
    std::string found;
    for (const std::string_view line : lines_of(refs)) {
        const auto words = words_of(line);
        if (words.size() != 2) continue;
        // The hash of an annotated tag is not a commit. This line has the commit of the tag.
        if (words[1] == "refs/tags/" + rev + "^{}") return std::string(words[0]);
        if (words[1] == "refs/tags/" + rev || (found.empty() && words[1] == "refs/heads/" + rev)) found = words[0];
    }
    if (!found.empty()) return found;
    std::string tags;
    for (const std::string_view line : lines_of(refs))
        if (const auto at = line.find("refs/tags/"); at != line.npos && !line.ends_with("^{}"))
            tags.append(tags.empty() ? "" : ", ").append(line.substr(at + 10));
    throw errors::failure("E0401", url + " has no commit, tag or branch `" + rev + "`",
                          tags.empty() ? "the repository has no tags" : "available tags: " + tags);
}

git_source::files git_source::fetch(const std::string& url, const std::string& commit) const {
    const fs::path place = system::cache_folder() / "git" / commit;
    std::error_code none;
    if (!fs::exists(place / "sha256", none)) {
        if (offline_)
            throw errors::failure(
                "E0405",
                "commit " + commit + " of " + url + " is not in the cache and cannot be fetched with --offline",
                "run once without --offline");
        run_.shell().event("Fetching", url + " at " + commit.substr(0, 12));
        system::make_folder(place.parent_path());
        system::staged_folder made(place);
        const std::string scratch = (made.path() / "repository").string(),
                          archive = (made.path() / "files.tar").string();
        git({"clone", "--quiet", "--bare", "--", url, scratch}, "fetch " + url);
        system::write_file(fs::path(scratch) / "info/attributes", attributes);
        // Ignores the user's git settings for archives and line endings.
        run_.need({.words = {"git", "--git-dir", scratch, "archive", "--format=tar", "--output", archive, commit},
                   .environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"},
                                   {"GIT_CONFIG_NOSYSTEM", "1"},
                                   {"GIT_ATTR_NOSYSTEM", "1"}}},
                  "find commit " + commit + " of " + url);
        system::make_folder(made.path() / "files");
        run_.need({"tar", "-C", (made.path() / "files").string(), "-xf", archive}, "unpack " + url);
        const std::string sum = run_.need({"sha256sum", "--zero", archive}, "compute a hash");
        system::replace_file(made.path() / "sha256", sum.substr(0, 64) + "\n");
        system::remove_tree(scratch);
        system::remove_tree(archive);
        system::sync_disk_of(made.path());  // so that a power failure cannot lose the files but keep the hash
        made.commit();
    }
    // Marks the entry as used; the cache evicts the least recently used entries first.
    fs::last_write_time(place, fs::file_time_type::clock::now(), none);
    return {place / "files", system::read_file(place / "sha256").substr(0, 64)};
}

locked git_source::take(const manifest::dependency& wanted) const {
    const std::string commit = commit_of(wanted.git, wanted.rev);
    const files got = fetch(wanted.git, commit);
    if (text_in(got.folder / "CMakeLists.txt").empty())
        throw errors::failure("E0401",
                              wanted.git + " has no CMakeLists.txt at " + wanted.rev + ", so it cannot be built",
                              "copy the sources into the project, or write a recipe: docs/dependencies.md");
    locked one{.name = wanted.name,
               .wanted = manifest::written(wanted),
               .source = "git",
               .version = version_of(wanted.rev, commit),
               .from = wanted.git,
               .revision = commit,
               .sha256 = got.sha256,
               .license = wanted.license,
               .target = wanted.target};
    if (one.license.empty()) one.license = license_in(got.folder);
    for (const char* file : {"CMakeLists.txt", "src/CMakeLists.txt"})
        if (one.target.empty()) one.target = target_of(text_in(got.folder / file), wanted.name);
    if (one.target.empty())
        throw errors::failure("E0401", "the CMakeLists.txt of " + wanted.git + " has no unambiguous library target",
                              "set the target: `target = \"...\"` in apus.toml");
    one.why = "apus.toml names the repository";
    return one;
}

fs::path git_source::checkout(const locked& one) const {
    const files got = fetch(one.from, one.revision);
    if (got.sha256 != one.sha256)
        throw errors::failure(
            "E0404",
            "the files of " + one.name + " at commit " + one.revision.substr(0, 12) + " have hash " + got.sha256 +
                ", but apus.lock has " + one.sha256,
            "if apus.lock is correct, remove `" + got.folder.parent_path().string() + "` to fetch the files again");
    return got.folder;
}

}  // namespace apus::cli::dependencies
