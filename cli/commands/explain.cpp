// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/arguments.hpp"
#include "cli/commands/table.hpp"
#include "cli/diagnosis/explanation.hpp"
#include "cli/errors/catalogue.hpp"
#include "cli/system/files.hpp"
#include "cli/text/nearest.hpp"
#include "cli/text/layout.hpp"

namespace apus::cli::commands {

namespace explain_detail {

constexpr operand operands[] = {{"CODE", "an error code, such as E0101", operand_count::optional}};
constexpr option options[] = {
    {.name = "markdown", .summary = "print all explanations as Markdown (docs/errors.md)"},
    {.name = "log", .value = "FILE", .summary = "explain the compiler and program errors in FILE; - is standard input"},
};
constexpr std::string_view examples[] = {"apus explain E0201", "cmake --build build 2>&1 | apus explain --log -"};

// Prints the explanations of a log, then the log itself.
int explain_log(std::string_view file, context& in) {
    const std::string text = system::read_file(file == "-" ? "/dev/stdin" : file);
    const auto known = diagnosis::explain(text);
    for (const diagnosis::explanation& each : known) in.shell.print(diagnosis::text_of(each));
    if (known.empty()) in.shell.hint("the text contains no known error");
    else in.shell.print("\n");
    in.shell.print(text);
    return 0;
}

// Returns meaning, causes, fix and example, each in its own paragraph. `mark` surrounds the labels.
std::string explanation_of(const errors::entry& e, std::string_view mark) {
    std::string text = text::wrapped(e.meaning, 0) + "\n";
    const std::pair<std::string_view, std::string_view> parts[] = {
        {"Causes", e.causes}, {"Fix", e.fix}, {"Example", e.example}};
    for (const auto& [label, part] : parts) {
        const std::string whole = std::string(mark).append(label).append(":").append(mark).append(" ").append(part);
        text.append("\n").append(text::wrapped(whole, 0)).append("\n");
    }
    return text;
}

std::string catalogue_as_markdown() {
    std::string text =
        "# Errors of the tool\n\n"
        "Meaning, causes and fix of each error code. `apus explain CODE` prints an entry; `apus explain --markdown`\n"
        "generates this page. [Diagnosis](diagnosis.md) explains errors of compilers and of programs.\n";
    for (const errors::entry& e : errors::catalogue())
        text.append("\n## " + std::string(e.code) + ": " + std::string(e.title) + "\n\n" + explanation_of(e, "**"));
    return text;
}

int run(const arguments& given, context& in) {
    std::string text;
    if (given.has("markdown")) return in.shell.print(catalogue_as_markdown()), 0;
    if (const auto file = given.value("log")) return explain_log(*file, in);
    const std::string_view code = given.operand(0);
    if (const errors::entry* found = errors::find(code)) {
        text.append(found->code).append(": ").append(found->title).append("\n\n").append(explanation_of(*found, ""));
    } else if (!code.empty()) {
        std::vector<std::string_view> codes;
        for (const errors::entry& e : errors::catalogue()) codes.push_back(e.code);
        const std::string meant = text::did_you_mean(code, codes);
        misuse("unknown error code `" + std::string(code) + "`" + (meant.empty() ? "" : "; " + meant), given.of());
    } else {
        for (const errors::entry& e : errors::catalogue())
            text.append(e.code).append("  ").append(e.title).append("\n");
    }
    in.shell.print(text);
    if (code.empty()) in.shell.hint("`apus explain E0201` explains an error and its fix");
    return 0;
}

}  // namespace explain_detail

constinit const command explain = {
    .name = "explain",
    .group = "Diagnostics",
    .summary = "explain an error code, or the errors of a build",
    .description =
        "Each error that the tool prints has a code. Without a code, lists all codes. With --log, reads the\n"
        "output of a compiler, a linker, CMake, ninja, a sanitizer or a program, and explains each known\n"
        "error: cause, source position and fix.",
    .operands = explain_detail::operands,
    .options = explain_detail::options,
    .examples = explain_detail::examples,
    .run = explain_detail::run,
};

}  // namespace apus::cli::commands
