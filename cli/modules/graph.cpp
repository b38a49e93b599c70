// SPDX-License-Identifier: Apache-2.0
#include "cli/modules/graph.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/json_string.hpp"
#include "cli/modules/project_sources.hpp"
#include "cli/text/lists.hpp"

namespace apus::cli::modules {

namespace {

void json_key(std::string& text, std::string_view key) {
    text.append(text.ends_with('{') ? "\"" : ",\"").append(key).append("\":");
}

void json_member(std::string& text, std::string_view key, std::string_view value) {
    json_key(text, key);
    base::append_json_string(text, value);
}

void json_list(std::string& text, std::string_view key, const std::vector<std::string>& values) {
    json_key(text, key);
    text += '[';
    for (const std::string& value : values) {
        if (!text.ends_with('[')) text += ',';
        base::append_json_string(text, value);
    }
    text += ']';
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files) {
    std::vector<std::string> names;
    names.reserve(files.size());
    for (const auto& file : files) names.push_back(file.string());
    return names;
}

class layering {
public:
    explicit layering(const std::vector<app_module>& all)
        : all_(all), layers_(all.size()), states_(all.size(), state::unseen) {
        for (std::size_t i = 0; i < all.size(); ++i) visit(i);
    }
    std::vector<std::size_t> take() { return std::move(layers_); }

private:
    enum class state : unsigned char {
        unseen,
        open,
        done
    };

    void visit(std::size_t i) {
        if (states_[i] != state::unseen) return;
        states_[i] = state::open;
        for (const std::string& need : all_[i].needs) {
            const app_module* below = find(all_, need);
            if (!below) continue;
            const auto j = static_cast<std::size_t>(below - all_.data());
            visit(j);
            if (states_[j] == state::done) layers_[i] = std::max(layers_[i], layers_[j] + 1);
        }
        states_[i] = state::done;
    }

    const std::vector<app_module>& all_;
    std::vector<std::size_t> layers_;
    std::vector<state> states_;
};

}  // namespace

std::string as_text(const std::vector<app_module>& all) {
    std::string text;
    for (const app_module& each : all)
        text += each.name + (each.needs.empty() ? "" : " -> ") + text::joined(each.needs, ", ") + "\n";
    return text;
}

std::string as_dot(const std::vector<app_module>& all) {
    std::string text = "digraph modules {\n    node [shape=box]\n";
    for (const app_module& each : all) {
        text += "    \"" + each.name + "\"\n";
        for (const std::string& need : each.needs) text += "    \"" + each.name + "\" -> \"" + need + "\"\n";
    }
    return text + "}\n";
}

std::string as_json(const std::filesystem::path& root, const std::vector<app_module>& all) {
    std::string text = "[";
    for (const app_module& each : all) {
        text += text.size() > 1 ? ",\n {" : "{";
        json_member(text, "name", each.name);
        json_member(text, "summary", each.summary);
        json_member(text, "prefix", each.prefix);
        json_member(text, "folder", each.folder.string());
        json_list(text, "needs", each.needs);
        json_list(text, "exports", each.exports);
        json_list(text, "migrations", names_of(files_below(root, each.folder / "migrations", "|.sql|")));
        json_list(text, "tests", names_of(files_below(root, each.folder / "tests", "|.cpp|")));
        text += "}";
    }
    return text + "]\n";
}

std::vector<std::size_t> layers_of(const std::vector<app_module>& all) { return layering(all).take(); }

}  // namespace apus::cli::modules
