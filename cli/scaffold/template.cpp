// SPDX-License-Identifier: Apache-2.0
#include "cli/scaffold/template.hpp"

#include <algorithm>

#include "cli/errors/failure.hpp"
#include "cli/system/files.hpp"
#include "cli/system/paths.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::scaffold {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view placeholder = "starter";

std::string replaced(std::string_view text, std::string_view by) {
    std::string made;
    for (std::size_t at; (at = text.find(placeholder)) != text.npos; text.remove_prefix(at + placeholder.size()))
        made.append(text.substr(0, at)).append(by);
    return made.append(text);
}

bool is_in_quotes(std::string_view line, std::size_t at) {
    return std::ranges::count(line.substr(0, at), '"') % 2 == 1;
}

// Replaces the placeholder by the identifier in code and includes, and by the project's name in string literals.
std::string replaced_in_cpp(const std::string& text, std::string_view name, std::string_view identifier) {
    std::string made;
    for (std::string_view line : text::split(text, '\n')) {
        const std::size_t at = line.find(placeholder);
        const bool is_text = at != line.npos && !line.starts_with("#include") && is_in_quotes(line, at);
        made.append(replaced(line, is_text ? name : identifier)).append("\n");
    }
    return made;
}

// Removes the license header: files generated from a template belong to the user.
std::string without_licence(std::string text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (std::string_view(text).substr(0, end).contains("SPDX-License-Identifier"))
        text.erase(0, std::min(end + 1, text.size()));
    return text;
}

// Adds the dot to names such as `.gitignore`. Templates store these files without the dot, so that the files do not
// apply to the folder of templates.
fs::path own_name(const fs::path& path) {
    if (path == "gitignore" || path == "clang-format") return "." + path.string();
    return path;
}

}  // namespace

std::vector<new_file> files_of(std::string_view template_name, std::string_view project_name) {
    const fs::path from = system::shared_folder() / "templates" / template_name;
    std::error_code none;
    if (!fs::is_directory(from, none))
        throw errors::failure("E0208", "no such folder: `" + from.string() + "`",
                              "install Apus again, including its `share` folder");
    std::string identifier(project_name);
    std::ranges::replace(identifier, '-', '_');
    std::vector<new_file> files;
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        if (!entry.is_regular_file()) continue;
        const fs::path path = own_name(entry.path().lexically_relative(from));
        const bool is_cpp = path.extension() == ".cpp" || path.extension() == ".hpp";
        const std::string text = without_licence(system::read_file(entry.path()));
        files.push_back({replaced(path.string(), identifier),
                         is_cpp ? replaced_in_cpp(text, project_name, identifier) : replaced(text, project_name)});
    }
    std::ranges::sort(files, {}, &new_file::path);
    return files;
}

}  // namespace apus::cli::scaffold
