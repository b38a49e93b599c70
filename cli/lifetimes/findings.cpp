// SPDX-License-Identifier: Apache-2.0
#include "cli/lifetimes/findings.hpp"

#include <algorithm>
#include <utility>

#include "cli/lifetimes/rules.hpp"

namespace apus::cli::lifetimes {

std::vector<std::string> query_of(std::string_view folder) {
    std::string pattern;
    for (const char each : folder) {
        if (std::string_view("\\^$.|?*+()[]{}").contains(each)) pattern += "\\\\";
        if (each == '"') pattern += '\\';
        pattern += each;
    }
    // Matches functions, for their code and their names, and global variables that contain lambdas.
    return {"set output dump",
            "match decl(anyOf(functionDecl(unless(isImplicit()), unless(hasAncestor(functionDecl()))), "
            "varDecl(hasGlobalStorage(), hasDescendant(lambdaExpr()), unless(hasAncestor(functionDecl())))), "
            "isExpansionInFileMatching(\"^" +
                pattern + "/\"))"};
}

std::vector<finding> findings_in(std::string_view dump) {
    const syntax_tree tree(dump);
    const program all(tree);
    std::vector<finding> found;
    for (const function& each : all.functions()) {
        check_variables(each, all, found);
        check_returns(each, all, found);
        check_calls(each, all, found);
        check_handlers(each, all, found);
    }
    std::ranges::sort(found);
    const auto rest = std::ranges::unique(found);
    found.erase(rest.begin(), rest.end());
    return found;
}

finding finding_at(const node& where, std::string what, std::string fix) {
    return {std::string(where.file), where.begin.line, where.begin.column, std::move(what), std::move(fix)};
}

std::string line_of(const node& where) { return "line " + std::to_string(where.begin.line); }

}  // namespace apus::cli::lifetimes
