// SPDX-License-Identifier: Apache-2.0
#include "web/invalid_input.hpp"

#include "codec/json/print.hpp"

#include <apus/schema.hpp>

#include <utility>
#include <vector>

namespace apus::web {
namespace {

struct error_entry {
    std::string detail;
    std::string_view pointer;
};

}  // namespace

response invalid_input(int status, std::string_view detail, const schema::fault_list& faults) {
    std::vector<error_entry> errors;
    errors.reserve(faults.faults.size());
    for (const schema::fault& one : faults.faults) errors.push_back({one.sentence(), one.pointer});
    std::string text;
    codec::json::print(apus::detail::schema_table<std::vector<error_entry>>, &errors, text);
    error why(status, std::string(detail));
    if (faults.more) why = error(status, why.detail() + "; further errors are not listed");
    apus::detail::put_member(why, "errors", std::move(text));
    return response(std::move(why));
}

}  // namespace apus::web
