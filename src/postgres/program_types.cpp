// SPDX-License-Identifier: Apache-2.0
#include "postgres/program_types.hpp"

#include <utility>

namespace apus::postgres {
namespace {

constexpr unsigned longest_chain = 32;      // of domains over domains, and arrays of domains
constexpr std::size_t most_fields = 1'600;  // limit of the server
constexpr std::size_t most_rows = 65'536;   // of a connection; a hostile server could send more

bool is_of_program(oid type) noexcept { return static_cast<std::uint32_t>(type) >= first_user_type; }

}  // namespace

std::string program_types::unknown(const std::vector<oid>& types) const {
    std::string list;
    for (const oid type : types) {
        if (!is_of_program(type) || all_.contains(type)) continue;
        list.append(list.empty() ? "" : ",").append(std::to_string(static_cast<std::uint32_t>(type)));
    }
    return list;
}

// A row for each type, and one for each field of a composite type. Types of fields are described too.
std::string program_types::query(const std::string& unknown) {
    return "with recursive found (type, what, at, ref) as ("
           "select 0::oid, ' '::\"char\", 0, unnest(array[" +
           unknown +
           "]::oid[]) union "
           "select t.oid, t.typtype, r.at, r.ref from found f join pg_catalog.pg_type t on t.oid = f.ref "
           "cross join lateral ("
           "select 0 as at, case t.typtype when 'd' then t.typbasetype else t.typelem end as ref union all "
           "select a.attnum::int4, a.atttypid from pg_catalog.pg_attribute a "
           "where a.attrelid = t.typrelid and t.typtype = 'c' and a.attnum > 0 and not a.attisdropped) r "
           "where f.ref >= 16384) "
           "select type, what, at, ref from found where type <> 0 order by type, at";
}

bool program_types::read(std::string_view row) {
    if (row.size() != 31 || ++rows_ > most_rows) return false;
    const auto type = static_cast<oid>(load<std::uint32_t>(row.data() + 6));
    const auto number = load<std::uint32_t>(row.data() + 19);
    const auto ref = static_cast<oid>(load<std::uint32_t>(row.data() + 27));
    if (number == 0) return add(type, {.what = row[14], .base = ref}), true;
    const auto known = all_.find(type);
    if (known == all_.end() || known->second.fields.size() >= most_fields) return false;
    known->second.fields.push_back(ref);
    return true;
}

void program_types::described(const std::vector<oid>& types) {
    for (const oid type : types)
        if (is_of_program(type)) all_.try_emplace(type);
    for (const auto& [type, what] : all_)
        for (const oid field : what.fields) has_json_ = has_json_ || is_json(field) || is_array_of_json(field);
}

void program_types::add(oid type, program_type what) { all_.insert_or_assign(type, std::move(what)); }

const program_type* program_types::find(oid type) const {
    if (!is_of_program(type)) return nullptr;
    const auto found = all_.find(type);
    return found == all_.end() ? nullptr : &found->second;
}

oid program_types::without_domain(oid type) const {
    for (unsigned i = 0; i < longest_chain; ++i) {
        const program_type* const known = find(type);
        if (!known || known->what != 'd') break;
        type = known->base;
    }
    return type;
}

bool program_types::is_composite(oid type) const {
    for (unsigned i = 0; i < longest_chain; ++i) {
        const program_type* const known = find(type);
        if (!known || known->what == 'c') return known != nullptr;
        type = known->base;
    }
    return false;
}

bool program_types::is_json(oid type) const {
    const oid base = without_domain(type);
    return base == oid::json || base == oid::jsonb;
}

bool program_types::is_array_of_json(oid type) const {
    const oid base = without_domain(type);
    const program_type* const known = find(base);  // an array of a domain
    if (known) return known->what == 'b' && known->base != oid::unknown && is_json(known->base);
    const oid item = item_of_array(base);
    return item == oid::json || item == oid::jsonb;
}

oid program_types::member(oid of, std::size_t number) const {
    const program_type* const known = find(without_domain(of));
    if (!known) return oid::unknown;
    if (known->what != 'c') return known->base;
    return number < known->fields.size() ? known->fields[number] : oid::unknown;
}

}  // namespace apus::postgres
