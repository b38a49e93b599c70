// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/errors/catalogue.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"CODE", "the code of an error, as E0101", how_many::optional}};
constexpr std::string_view examples[] = {"apus explain E0201"};

int run(const arguments& given, context& in) {
    std::string text;
    const std::string_view code = given.operand(0);
    if (const errors::entry* found = errors::find(code)) {
        text.append(found->code).append(": ").append(found->title).append("\n\n").append(found->text).append("\n");
    } else if (!code.empty()) {
        std::vector<std::string_view> codes;
        for (const errors::entry& e : errors::catalogue()) codes.push_back(e.code);
        misuse("there is no error `" + std::string(code) + "`; " + text::did_you_mean(code, codes), given.of());
    } else {
        for (const errors::entry& e : errors::catalogue()) text.append(e.code).append("  ").append(e.title).append("\n");
    }
    in.shell.print(text);
    return 0;
}

}  // namespace

constinit const command explain = {
    .name = "explain",
    .group = "Diagnostics",
    .summary = "say more about an error of this tool",
    .description = "Each error that the tool prints has a code. Without one, lists them all.",
    .operands = operands,
    .options = {},
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
