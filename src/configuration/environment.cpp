// SPDX-License-Identifier: Apache-2.0
#include "configuration/environment.hpp"

#include "base/nearest.hpp"
#include "base/utf8.hpp"
#include "configuration/file_text.hpp"

#include <algorithm>
#include <utility>

namespace apus::configuration {
namespace {

bool put_text(node& to, const setting& of, std::string_view text, const origin& at,
              std::vector<std::string>& problems) {
    if (!base::is_utf8(text)) {
        problems.push_back(at.name + " is not valid UTF-8");
        return false;
    }
    put_setting(to, of, node_of_text(of.type(), text, at));
    return true;
}

void read_credential(std::string_view folder, const setting& of, node& to, std::vector<std::string>& problems) {
    const std::string path = std::string(folder) + "/" + of.path;
    auto found = read_file(path, max_secret_size);
    if (!found) {
        problems.push_back("credential " + found.error());
    } else if (*found) {
        if (auto secret = read_secret_file(path))
            put_text(to, of, *secret, {source::credential, "credential " + of.path}, problems);
    }
}

void read_secret(variables all, const setting& of, node& to, std::vector<std::string>& problems) {
    const std::string name = of.variable + "_FILE";
    const auto path = find_variable(all, name);
    if (!path) return;
    if (find_variable(all, of.variable)) {
        problems.push_back(of.variable + " and " + name + " are both set: unset one of them");
        return;
    }
    if (auto secret = read_secret_file(std::string(*path)))
        put_text(to, of, *secret, {source::variable, name}, problems);
    else problems.push_back(name + ": " + secret.error());
}

}  // namespace

std::optional<std::string_view> find_variable(variables all, std::string_view name) {
    for (; all && *all; ++all) {
        const std::string_view entry = *all;
        if (entry.size() > name.size() && entry[name.size()] == '=' && entry.starts_with(name))
            return entry.substr(name.size() + 1);
    }
    return std::nullopt;
}

void put_setting(node& to, const setting& of, node value) {
    node* table = &to;
    std::string_view pointer = of.pointer;
    std::string name = take_reference(pointer);
    while (!pointer.empty()) {
        node* inner = table->find(name);
        if (!inner) inner = &table->put(name, {.at = value.at});
        if (inner->what != node::kind::table) return;  // `fill` reports that this value must be a table
        table = inner;
        name = take_reference(pointer);
    }
    table->put(name, std::move(value));
}

void read_environment(variables all, std::span<const setting> settings, node& to, std::vector<std::string>& problems) {
    const auto credentials = find_variable(all, "CREDENTIALS_DIRECTORY");
    for (const setting& each : settings) {
        if (each.from_files && credentials && !credentials->empty()) read_credential(*credentials, each, to, problems);
        if (each.from_files) read_secret(all, each, to, problems);
        if (const auto text = find_variable(all, each.variable))
            put_text(to, each, *text, {source::variable, each.variable}, problems);
    }
}

std::vector<std::string> misspelt_variables(variables all, std::string_view prefix, std::span<const setting> settings) {
    std::vector<std::string_view> names;
    std::vector<std::string> of_files;
    for (const setting& each : settings) names.push_back(each.variable);
    for (const setting& each : settings)
        if (each.from_files) of_files.push_back(each.variable + "_FILE");
    names.insert(names.end(), of_files.begin(), of_files.end());
    const std::string begin = std::string(prefix) + "_";
    std::vector<std::string> found;
    for (; all && *all && !prefix.empty(); ++all) {
        const std::string_view entry = *all;
        const std::string_view name = entry.substr(0, entry.find('='));
        const bool known = name == begin + "CONFIG" || std::ranges::find(names, name) != names.end();
        if (known || !name.starts_with(begin) || name.size() > 256) continue;
        if (const std::string_view near = base::nearest(name, names); !near.empty())
            found.push_back("unused variable " + std::string(name) + "; did you mean " + std::string(near) + "?");
    }
    return found;
}

}  // namespace apus::configuration
