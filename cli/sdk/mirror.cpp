// SPDX-License-Identifier: Apache-2.0
#include "cli/sdk/mirror.hpp"

#include <algorithm>
#include <cstdint>

#include "cli/errors/failure.hpp"
#include "cli/packaging/engine.hpp"
#include "cli/sdk/package.hpp"
#include "cli/system/files.hpp"
#include "cli/system/process.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::sdk {

namespace {

namespace fs = std::filesystem;
using errors::failure;

// Limits for downloads, so that a mirror cannot fill the disk.
constexpr std::uintmax_t max_index_bytes = 16 << 20, max_package_bytes = std::uintmax_t{4} << 30,
                         max_signature_bytes = 64 << 10;

bool is_url(std::string_view mirror) {
    return std::ranges::any_of(text::split("http://|https://|file://"),
                               [&](std::string_view scheme) { return mirror.starts_with(scheme); });
}

struct answer {
    bool got;
    std::string why{};  // error message of curl
};

answer get_by_curl(const std::string& url, const fs::path& to, std::uintmax_t most) {
    const std::string bytes = std::to_string(most);
    // Never follows redirects from https to http. The download fails only after 30 s at less than 1 byte/s, so that
    // slow connections work.
    const std::string schemes = url.starts_with("https://") ? "=https" : "=http,https";
    // clang-format off
    std::vector<std::string> words{
        "curl", "--fail", "--silent", "--show-error", "--globoff", "--location", "--proto-redir", schemes,
        "--max-filesize", bytes, "--connect-timeout", "20", "--speed-time", "30", "--output", to.string(), "--", url
    };
    // clang-format on
    // curl of Debian 12 enforces --max-filesize only if the size is known in advance. RLIMIT_FSIZE limits the size in
    // all other cases.
    if (system::has_program("prlimit") && system::has_program("curl"))
        words.insert(words.begin(), {"prlimit", "--core=0", "--fsize=" + bytes});
    const auto said = system::run({.words = words});
    if (said.ok()) return {.got = true};
    std::error_code none;
    if (fs::file_size(to, none) == most && !none)
        return {.got = false, .why = ": the response has more than " + bytes + " bytes"};
    return {.got = false, .why = ": " + said.error.substr(0, said.error.find('\n'))};
}

answer get(const std::string& mirror, const std::string& file, const fs::path& to, std::uintmax_t most) {
    if (is_url(mirror)) return get_by_curl(mirror + "/" + file, to, most);
    std::error_code none;
    if (!fs::is_regular_file(fs::path(mirror) / file, none)) return {.got = false};
    system::write_file(to, system::read_file(fs::path(mirror) / file, most));
    return {.got = true};
}

}  // namespace

std::vector<mirror_entry> index_of(const std::string& mirror) {
    const system::staged_folder work(fs::temp_directory_path() / "apus-index");
    const fs::path index = work.path() / "index.toml";
    if (const answer said = get(mirror, "index.toml", index, max_index_bytes); !said.got)
        throw failure("E0504", "no index.toml at `" + mirror + "`, or the mirror cannot be reached" + said.why,
                      "a mirror is a folder or a URL with index.toml; see docs/sdk.md");
    std::vector<mirror_entry> all = read_index(system::read_file(index, max_index_bytes), mirror + "/index.toml");
    std::erase_if(all, [](const mirror_entry& each) { return !matches_architecture(each.file); });
    for (const mirror_entry& each : all)
        if (each.file != package_of(each.name))
            throw failure("E0505",
                          "`" + mirror + "` lists `" + each.file + "` as the SDK " + each.name +
                              ", but the package of this SDK is `" + package_of(each.name) + "`",
                          "do not install it; contact the administrator of the mirror");
    return all;
}

fs::path fetch(const std::string& mirror, const mirror_entry& what, const fs::path& folder) {
    const fs::path package = folder / what.file;
    if (const answer said = get(mirror, what.file, package, max_package_bytes); !said.got)
        throw failure("E0504", "`" + mirror + "` cannot be reached, or does not have `" + what.file +
                                   "`, which its index lists" + said.why);
    if (const std::string sum = packaging::sha256_of(package); sum != what.sha256)
        throw failure(
            "E0505",
            "`" + what.file + "` of `" + mirror + "` does not match the index: the SHA-256 of the file is " + sum,
            "do not install it; use another mirror");
    system::write_file(fs::path(package.string() + ".sha256"), what.sha256 + "  " + what.file + "\n");
    for (const char* signature : {".sig", ".minisig"})
        get(mirror, what.file + signature, package.string() + signature, max_signature_bytes);
    return package;
}

}  // namespace apus::cli::sdk
