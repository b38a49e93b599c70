// SPDX-License-Identifier: Apache-2.0
#include "web/refused_input.hpp"

#include "codec/json/print.hpp"
#include "http/problem.hpp"

#include <apus/schema.hpp>

namespace apus::web {
namespace {

struct error_entry {
    std::string detail;
    std::string_view pointer;
};

struct document {
    int status;
    std::string_view title;
    std::string detail;
    std::vector<error_entry> errors;
};

}  // namespace

response refused_input(int status, std::string_view detail, const schema::fault_list& faults) {
    document made{status, http::reason_phrase(status), std::string(detail), {}};
    if (faults.more) made.detail += "; there are more errors than are listed";
    for (const schema::fault& one : faults.faults) made.errors.push_back({one.sentence(), one.pointer});
    std::string text;
    codec::json::print(apus::detail::schema_table<document>, &made, text);
    text += '\n';
    response res(status);
    res.body(std::move(text), "application/problem+json");
    return res;
}

}  // namespace apus::web
