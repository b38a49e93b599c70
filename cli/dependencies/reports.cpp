// SPDX-License-Identifier: Apache-2.0
#include "cli/dependencies/reports.hpp"

#include <algorithm>

#include "cli/dependencies/version.hpp"
#include "cli/errors/failure.hpp"

namespace apus::cli::dependencies {

namespace {

class tree_writer {
public:
    explicit tree_writer(const lock& all) : all_(all) {}

    void add(const locked& one, const std::string& before, const char* branch, const char* below) {
        const bool again = std::ranges::find(shown_, &one) != shown_.end() && !one.needs.empty();
        text_.append(before)
            .append(branch)
            .append(one.name)
            .append(" ")
            .append(one.version)
            .append(" (")
            .append(one.source)
            .append(")")
            .append(again ? " ...\n" : "\n");
        if (again) return;
        shown_.push_back(&one);
        for (const std::string& need : one.needs) {
            const locked* next = find(all_, need);
            const bool last = &need == &one.needs.back();
            if (next) add(*next, before + below, last ? "`-- " : "|-- ", last ? "    " : "|   ");
        }
    }

    std::string take() { return std::move(text_); }

private:
    const lock& all_;
    std::vector<const locked*> shown_;
    std::string text_;
};

// Returns a JSON array with one object per line.
std::string json_list(const std::vector<std::string>& objects) {
    std::string text = "[";
    for (const std::string& each : objects) text.append(&each == &objects.front() ? "\n  " : ",\n  ").append(each);
    return text + (objects.empty() ? "]\n" : "\n]\n");
}

}  // namespace

std::string json_string(std::string_view text) {
    // The TOML strings that the tool writes are also valid JSON strings.
    return manifest::toml_string(text);
}

std::string tree_of(const lock& all, const std::string& name) {
    tree_writer writer(all);
    if (!name.empty()) {
        const locked* one = find(all, name);
        if (!one)
            throw errors::failure("E0406", "apus.lock has no package `" + name + "`", "`apus tree` lists the packages");
        writer.add(*one, "", "", "");
        return writer.take();
    }
    for (const locked& one : all)
        if (one.direct()) writer.add(one, "", "", "");
    return writer.take();
}

std::string json_of(const lock& all) {
    std::vector<std::string> objects;
    for (const locked& one : all) {
        std::string object = "{\"name\": " + json_string(one.name) + ", \"version\": " + json_string(one.version) +
                             ", \"source\": " + json_string(one.source) + ", \"license\": " + json_string(one.license) +
                             ", \"direct\": " + (one.direct() ? "true" : "false") + ", \"needs\": [";
        for (const std::string& need : one.needs)
            object.append(&need == &one.needs.front() ? "" : ", ").append(json_string(need));
        objects.push_back(object + "]}");
    }
    return json_list(objects);
}

std::vector<later> outdated(const manifest::manifest& project, modes how, terminal::shell& shell) {
    resolver sources(project, how, shell);
    std::vector<later> found;
    for (const locked& one : read_lock_of(project.folder)) {
        if (!one.direct()) continue;
        std::string latest = sources.latest(one);
        if (compare_versions(latest, one.version) > 0) found.push_back({one, std::move(latest)});
    }
    return found;
}

std::string text_of(const std::vector<later>& found, bool json) {
    std::vector<std::string> objects;
    std::string text;
    for (const later& each : found) {
        const locked& one = each.package;
        objects.push_back("{\"name\": " + json_string(one.name) + ", \"version\": " + json_string(one.version) +
                          ", \"latest\": " + json_string(each.latest) + ", \"wanted\": " + json_string(one.wanted) +
                          ", \"source\": " + json_string(one.source) + "}");
        text.append(one.name)
            .append(" ")
            .append(one.version)
            .append(" -> ")
            .append(each.latest)
            .append(" (")
            .append(one.source)
            .append("; apus.toml requires ")
            .append(one.wanted)
            .append(")\n");
    }
    return json ? json_list(objects) : text;
}

std::string text_of(const std::vector<cache_entry>& content, bool json) {
    std::vector<std::string> objects;
    std::string text;
    std::uintmax_t total = 0;
    for (const cache_entry& each : content) {
        total += each.bytes;
        objects.push_back("{\"kind\": " + json_string(each.kind) + ", \"path\": " + json_string(each.path.string()) +
                          ", \"bytes\": " + std::to_string(each.bytes) + "}");
        text.append(each.kind)
            .append("  ")
            .append(each.path.filename().string())
            .append("  ")
            .append(size_text(each.bytes))
            .append("\n");
    }
    return json ? json_list(objects) : text + "total  " + size_text(total) + "\n";
}

}  // namespace apus::cli::dependencies
