// SPDX-License-Identifier: Apache-2.0
#include <apus/json.hpp>

#include "codec/json/parse.hpp"
#include "codec/json/print.hpp"

namespace apus::detail {

void print_json(const schema::type& t, const void* value, std::string& to) { codec::json::print(t, value, to); }
void print_json_with_secrets(const schema::type& t, const void* value, std::string& to) {
    codec::json::print(t, value, to, codec::json::secrets::shown);
}

bool parse_json(std::string_view text, const schema::type& t, void* value, error& why) {
    return parse_json(text, t, value, why, json_options());
}

bool parse_json(std::string_view text, const schema::type& t, void* value, error& why, const json_options& how) {
    codec::json::report out{.ignores_unknown = how.ignore_unknown_fields, .null_keeps = how.null_keeps_initial_value};
    codec::json::parse(text, t, value, out);
    if (out.fine()) return true;
    std::string all;
    for (const schema::fault& one : out.list.faults) {
        if (!all.empty()) all += "; ";
        if (!one.pointer.empty()) (all += one.pointer) += ": ";
        all += one.sentence();
    }
    if (out.list.more) all += "; and more";
    const int found = out.malformed ? 400 : out.list.status;
    why = error(how.status ? how.status : found, std::move(all));
    return false;
}

}  // namespace apus::detail
