// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/module.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/ascii.hpp"
#include "cli/manifest/document.hpp"
#include "cli/system/files.hpp"
#include "cli/text/nearest.hpp"
#include "cli/text/reserved_names.hpp"

namespace apus::cli::modules {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> folders_in(const fs::path& root) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& each : fs::directory_iterator(root / "modules", error))
        if (each.is_directory(error) && !each.path().filename().string().starts_with('.'))
            found.push_back(each.path().filename());
    std::ranges::sort(found);
    return found;
}

bool has_description(const fs::path& root, const fs::path& name) {
    std::error_code none;
    return fs::is_regular_file(root / "modules" / name / "module.toml", none);
}

void check_names(const manifest::table& from, std::string_view key, const std::vector<std::string>& names,
                 const std::string& own) {
    for (const std::string& each : names) {
        std::string why;
        if (!is_module_name(each, why))
            from.refuse("E0206", key, std::string("contains `").append(each).append("`, which ").append(why));
        if (each == own) from.refuse("E0206", key, "lists the module itself");
        if (std::ranges::count(names, each) > 1) from.refuse("E0206", key, "contains `" + each + "` more than once");
    }
}

}  // namespace

app_module read_description(std::string_view text, const fs::path& name) {
    app_module made{.name = name.string(), .folder = fs::path("modules") / name};
    const manifest::document whole(text, made.file().string());
    manifest::table from = whole.root();
    std::string why;
    if (const std::string written = from.needed_text("name"); written != made.name)
        from.refuse("E0206", "name", "is `" + written + "`, but the folder is `" + made.name + "`");
    if (!is_module_name(made.name, why)) from.refuse("E0206", "name", why);
    made.summary = from.text("summary").value_or("");
    if (const auto prefix = from.text("prefix")) {
        if (!is_prefix(*prefix, why)) from.refuse("E0206", "prefix", why);
        made.prefix = *prefix;
    }
    made.needs = from.texts("needs").value_or(std::vector<std::string>());
    made.exports = from.texts("exports").value_or(std::vector<std::string>());
    check_names(from, "needs", made.needs, made.name);
    for (const std::string& each : made.exports)
        if (std::ranges::find(made.needs, each) == made.needs.end())
            from.refuse("E0206", "exports", "contains `" + each + "`, which is missing in `needs`");
    made.prefix_line = from.line_of("prefix"), made.needs_line = from.line_of("needs"),
    made.exports_line = from.line_of("exports");
    from.end();
    return made;
}

std::vector<app_module> read_all(const fs::path& root) {
    std::vector<app_module> all;
    for (const fs::path& name : folders_in(root))
        if (has_description(root, name))
            all.push_back(read_description(system::read_file(root / "modules" / name / "module.toml", 1 << 20), name));
    return all;
}

std::vector<fs::path> folders_without_description(const fs::path& root) {
    std::vector<fs::path> found;
    for (const fs::path& name : folders_in(root))
        if (!has_description(root, name)) found.push_back("modules" / name);
    return found;
}

const app_module* find(const std::vector<app_module>& all, std::string_view name) {
    const auto at = std::ranges::find(all, name, &app_module::name);
    return at == all.end() ? nullptr : &*at;
}

bool is_module_name(std::string_view name, std::string& why) {
    const auto word = [](char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c) || c == '_'; };
    why.clear();
    if (name.empty() || name[0] < 'a' || name[0] > 'z') why = "must begin with a lower-case letter";
    else if (name.size() > 64) why = "is longer than 64 characters";
    else if (!std::ranges::all_of(name, word)) why = "may contain only lower-case letters, digits and `_`";
    else if (name.contains("__") || name.ends_with('_')) why = "must not contain `__` or end with `_`";
    else if (text::is_reserved_name(name)) why = "is a reserved word of C++ or Apus";
    return why.empty();
}

bool is_prefix(std::string_view prefix, std::string& why) {
    why.clear();
    if (!prefix.starts_with('/')) why = "must begin with `/`";
    else if (prefix.ends_with('/')) why = "must not end with `/`";
    else if (prefix.contains("//")) why = "has an empty segment";
    else if (!std::ranges::all_of(prefix, [](char c) { return base::is(c, base::path_byte); }))
        why = "may contain only letters, digits, `/` and `-._~`";
    return why.empty();
}

std::string closest_module(const std::vector<app_module>& all, std::string_view name) {
    std::vector<std::string_view> names;
    names.reserve(all.size());
    for (const app_module& each : all) names.push_back(each.name);
    return text::did_you_mean(name, names);
}

}  // namespace apus::cli::modules
