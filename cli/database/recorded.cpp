// SPDX-License-Identifier: Apache-2.0
#include "cli/database/recorded.hpp"

#include <algorithm>

#include <apus/json.hpp>

#include "cli/errors/failure.hpp"

namespace apus::cli::database {

recorded_statements read_recorded(std::string_view json, std::string_view file) {
    auto read = from_json<recorded_statements>(json);
    if (!read || (read->engine != "sqlite" && read->engine != "postgres"))
        throw errors::failure("E0908", "`" + std::string(file) + "` is invalid",
                              "`apus db check --record` writes the "
                              "file");
    std::ranges::sort(read->statements, {}, &recorded_statement::text);
    return *std::move(read);
}

std::string text_of(const recorded_statements& all) {
    std::string text =
        "{\"engine\":" + to_json(all.engine) + ",\"migrations\":" + to_json(all.migrations) + ",\"statements\":[\n";
    for (const recorded_statement& each : all.statements)
        text.append(&each == &all.statements.front() ? "" : ",\n").append(to_json(each));
    return text + "\n]}\n";
}

}  // namespace apus::cli::database
