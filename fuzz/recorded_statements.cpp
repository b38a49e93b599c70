// SPDX-License-Identifier: Apache-2.0
// The files of `apus db check`. The first byte selects the statements of a program, or the recorded descriptions.
#include "cli/database/recorded.hpp"
#include "cli/database/statements.hpp"
#include "cli/errors/failure.hpp"

#include <apus/json.hpp>

#include "property.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

using namespace apus::cli;
using apus::fuzz::must;

void read_recorded(std::string_view text) {
    const database::recorded_statements read = database::read_recorded(text, "statements.json");
    const std::string written = database::text_of(read);
    must(database::text_of(database::read_recorded(written, "statements.json")) == written,
         "a written file, parsed again, is the same");
}

// Compares each statement of a program with a description that is derived from the statement.
void read_program(std::string_view text) {
    const auto read = database::read_statements(text);
    for (const database::program_statement& each : read.statements) {
        apus::sql::described_statement is;
        for (const auto& field : each.fields) is.columns.push_back({.name = field.name, .type = each.text});
        for (const auto& value : each.parameters) is.parameters.push_back(value.type);
        for (const char* engine : {"sqlite", "postgres"})
            for (const std::string& finding : database::mismatches(each, is, engine))
                must(!finding.empty(), "a finding is not empty");
        must(!database::sql_of(each).empty() || each.text.empty(), "a statement with a text has SQL");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    try {
        if (data[0] % 2 == 0) read_recorded(text);
        else read_program(text);
    } catch (const errors::failure& why) {
        must(why.code() == "E0907" || why.code() == "E0908", "an invalid file is rejected with E0907 or E0908");
    }
    return 0;
}
