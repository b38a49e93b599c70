// SPDX-License-Identifier: Apache-2.0
#include "configuration/reading.hpp"

#include "codec/json/parse.hpp"
#include "configuration/absent.hpp"
#include "configuration/file_text.hpp"
#include "configuration/sentences.hpp"
#include "configuration/toml_file.hpp"

#include <apus/secret.hpp>

#include <cerrno>
#include <cstring>

namespace apus::configuration {
namespace {

node read_toml_of(const sources& from, std::vector<std::string>& problems) {
    if (from.file.empty()) return {};
    auto text = read_file(from.file, max_file_size);
    if (!text) {
        problems.push_back(std::move(text).error());
    } else if (!*text) {
        if (from.must_exist) problems.push_back(from.file + ": " + std::strerror(ENOENT));
    } else if (auto read = read_toml(**text, from.file)) {
        return *std::move(read);
    } else {
        problems.push_back(std::move(read).error());
    }
    return {};
}

}  // namespace

node read_sources(const sources& from, std::span<const setting> settings, std::vector<std::string>& problems) {
    node tree = read_toml_of(from, problems);
    read_environment(from.environment, settings, tree, problems);
    if (from.command_line) put_arguments(*from.command_line, tree, problems);
    return tree;
}

void fill(const schema::type& object, void* value, node tree, std::string_view path, std::span<const setting> settings,
          std::string_view file, std::vector<std::string>& problems) {
    complete(tree, object, value);
    std::string json;
    append_json(json, tree);
    codec::json::report found;
    codec::json::parse(json, object, value, found);
    detail::wipe(json.data(), json.capacity());
    const sentence_context about{object, tree, path, settings, file};
    for (const schema::fault& each : found.list.faults) problems.push_back(sentence(each, about));
    if (found.list.more) problems.push_back("there are more errors");
}

}  // namespace apus::configuration
