// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/diagnosis/explanation.hpp"
#include "cli/errors/catalogue.hpp"
#include "cli/system/files.hpp"
#include "cli/text/nearest.hpp"

namespace apus::cli::commands {

namespace {

constexpr operand operands[] = {{"CODE", "the code of an error, as E0101", how_many::optional}};
constexpr option options[] = {
    {.name = "markdown", .summary = "print the whole catalogue as docs/errors.md has it"},
    {.name = "log", .value = "FILE", .summary = "explain what compilers and programs say in FILE; - is standard input"},
};
constexpr std::string_view examples[] = {"apus explain E0201", "cmake --build build 2>&1 | apus explain --log -"};

// The text is never hidden: what is known of it stands above.
int explain_log(std::string_view file, context& in) {
    const std::string text = system::read_file(file == "-" ? "/dev/stdin" : file);
    const auto known = diagnosis::explain(text);
    for (const diagnosis::explanation& each : known) in.shell.print(diagnosis::text_of(each));
    if (known.empty()) in.shell.hint("no error in this text is one that the tool knows");
    else in.shell.print("\n");
    in.shell.print(text);
    return 0;
}

std::string catalogue_as_markdown() {
    std::string text =
        "# Errors of the tool\n\n"
        "Meaning, causes and fix of each error code. `apus explain CODE` prints an entry; `apus explain --markdown`\n"
        "generates this page. [Diagnosis](diagnosis.md) explains errors of compilers and of programs.\n";
    for (const errors::entry& e : errors::catalogue())
        text.append("\n## ").append(e.code).append(": ").append(e.title).append("\n\n").append(e.text).append("\n");
    return text;
}

int run(const arguments& given, context& in) {
    std::string text;
    if (given.has("markdown")) return in.shell.print(catalogue_as_markdown()), 0;
    if (const auto file = given.value("log")) return explain_log(*file, in);
    const std::string_view code = given.operand(0);
    if (const errors::entry* found = errors::find(code)) {
        text.append(found->code).append(": ").append(found->title).append("\n\n").append(found->text).append("\n");
    } else if (!code.empty()) {
        std::vector<std::string_view> codes;
        for (const errors::entry& e : errors::catalogue()) codes.push_back(e.code);
        const std::string meant = text::did_you_mean(code, codes);
        misuse("there is no error `" + std::string(code) + "`" + (meant.empty() ? "" : "; " + meant), given.of());
    } else {
        for (const errors::entry& e : errors::catalogue())
            text.append(e.code).append("  ").append(e.title).append("\n");
    }
    in.shell.print(text);
    if (code.empty()) in.shell.hint("`apus explain E0201` says what one means, and what to do");
    return 0;
}

}  // namespace

constinit const command explain = {
    .name = "explain",
    .group = "Diagnostics",
    .summary = "explain an error code, or the errors of a build",
    .description =
        "Each error that the tool prints has a code. Without one, lists them all. With --log, reads what a\n"
        "compiler, a linker, CMake, ninja, a sanitizer or a program wrote, and says for the errors that\n"
        "it knows what happened, where, and what to do.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};

}  // namespace apus::cli::commands
