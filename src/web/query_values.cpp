// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/chain.hpp>
#include <apus/detail/query_values.hpp>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "codec/json/print.hpp"
#include "codec/url/query.hpp"
#include "http/exchange.hpp"
#include "schema/represented.hpp"
#include "web/invalid_input.hpp"

namespace apus::detail {
namespace {

bool read(std::string_view text, const schema::type& t, void* value, const char* misfit, response& out) {
    codec::url::query_report found;
    codec::url::read_query(text, t, value, found);
    if (found.fine()) return true;
    if (found.malformed) refuse(error(400, found.malformed), out);
    else out = web::invalid_input(found.list.status, misfit, found.list);
    return false;
}

class query_printer {
public:
    void value(const schema::field& f, const schema::type& t, const void* from) {
        using schema::kind;
        switch (t.what) {
            case kind::secret: return;
            case kind::optional:
                if (const void* held = t.optional->get(from)) value(f, *t.element, held);
                return;
            case kind::represented:
                return schema::use_representation(t, from, [&](const void* as) { value(f, *t.element, as); });
            case kind::list: return list(f, t, from);
            case kind::text: return pair(f.name, *static_cast<const std::string*>(from));
            default: return pair(f.name, unquoted(t, from));
        }
    }

    std::string finish() && { return std::move(out_); }

private:
    void list(const schema::field& f, const schema::type& t, const void* from) {
        const std::size_t size = t.list->size(from);
        const char* at = static_cast<const char*>(t.list->data(from));
        for (std::size_t i = 0; i < size; ++i, at += t.list->stride) value(f, *t.element, at);
    }

    // Prints a value as JSON, and removes the quotation marks around times and names of enumerators. These texts
    // contain no escapes.
    std::string unquoted(const schema::type& t, const void* from) {
        std::string text;
        codec::json::print(t, from, text);
        return text.starts_with('"') ? text.substr(1, text.size() - 2) : text;
    }

    void pair(std::string_view name, std::string_view text) {
        if (!out_.empty()) out_ += '&';
        base::append_percent_encoded(out_, name, base::is_unreserved);
        out_ += '=';
        base::append_percent_encoded(out_, text, base::is_unreserved);
    }

    std::string out_;
};

}  // namespace

std::string encode_query(const schema::type& t, const void* value) {
    query_printer out;
    for (unsigned i = 0; i < t.field_count; ++i)
        out.value(t.fields[i], *t.fields[i].of, static_cast<const char*>(value) + t.fields[i].offset);
    return std::move(out).finish();
}

bool read_query(request& req, const schema::type& t, void* value, response& out) {
    return read(req.query(), t, value, "the query does not match the expected fields", out);
}

}  // namespace apus::detail
