// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/cache.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/leftovers.hpp"
#include "cli/system/paths.hpp"
#include "cli/system/signals.hpp"

namespace apus::cli::dependencies {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t usual_cap = std::uintmax_t{5} << 30;

void add(std::vector<cache_entry>& all, const std::string& kind, const fs::path& path) {
    std::error_code gone;
    all.push_back({kind, path, system::disk_usage(path), fs::last_write_time(path, gone)});
}

}  // namespace

std::vector<cache_entry> cache_entries() {
    std::vector<cache_entry> all;
    std::error_code error;
    for (const auto& kind : fs::directory_iterator(system::cache_folder(), error)) {
        if (!kind.is_directory(error)) continue;
        const std::string name = kind.path().filename().string();
        // Conan manages the contents of this folder, so the whole folder is one entry.
        if (name == "conan") {
            add(all, name, kind.path());
            continue;
        }
        system::clear_leftovers(kind.path());
        for (const auto& entry : fs::directory_iterator(kind.path(), error))
            if (!entry.path().filename().string().starts_with('.')) add(all, name, entry.path());
    }
    std::ranges::sort(all, [](const cache_entry& a, const cache_entry& b) {
        return a.used != b.used ? a.used < b.used : a.path < b.path;
    });
    return all;
}

std::uintmax_t evict_cache(std::uintmax_t most, terminal::shell& shell) {
    std::uintmax_t total = 0, freed = 0;
    const auto all = cache_entries();
    for (const cache_entry& each : all) total += each.bytes;
    for (const cache_entry& each : all) {
        if (total - freed <= most) break;
        system::throw_if_interrupted();
        system::remove_tree(each.path);
        freed += each.bytes;
        shell.detail("Removed", each.path.string());
    }
    return freed;
}

void trim_cache(terminal::shell& shell) {
    const char* told = std::getenv("APUS_CACHE_SIZE");
    const std::uintmax_t freed = evict_cache(told && *told ? parse_size(told) : usual_cap, shell);
    if (freed) shell.event("Freed", size_text(freed) + " of the cache, which exceeded its size limit");
}

std::uintmax_t parse_size(std::string_view size) {
    double number = 0;
    const auto [end, error] = std::from_chars(size.data(), size.data() + size.size(), number);
    std::string_view unit = size.substr(static_cast<std::size_t>(end - size.data()));
    if (unit.starts_with(' ')) unit.remove_prefix(1);
    const auto power = std::string_view("BKMGT").find(unit.empty() ? 'B' : unit[0]);
    const bool known =
        unit.empty() || unit == "B" || unit.substr(1).empty() || unit.substr(1) == "B" || unit.substr(1) == "iB";
    if (error != std::errc() || !known || power == std::string_view::npos || !std::isfinite(number) || number < 0 ||
        number > 1e6)
        throw errors::usage("E0102", "`" + std::string(size) + "` is not a valid size; examples: `500M`, `5G`");
    return static_cast<std::uintmax_t>(std::ldexp(number, static_cast<int>(power) * 10));
}

std::string size_text(std::uintmax_t bytes) {
    constexpr std::string_view units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    auto value = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; value >= 1024 && unit < 4; ++unit) value /= 1024;
    const auto tenths = static_cast<std::uintmax_t>(std::llround(value * 10));
    std::string text = std::to_string(tenths / 10);
    if (unit && tenths < 1000) text.append(".").append(std::to_string(tenths % 10));
    return text + " " + std::string(units[unit]);
}

}  // namespace apus::cli::dependencies
