// SPDX-License-Identifier: Apache-2.0
#include <apus/detail/chain.hpp>
#include <apus/detail/query_values.hpp>

#include "base/ascii.hpp"
#include "codec/url/query.hpp"
#include "http/exchange.hpp"
#include "web/refused_input.hpp"

namespace apus::detail {
namespace {

bool read(std::string_view text, const schema::type& t, void* value, const char* misfit, response& out) {
    codec::url::query_report found;
    codec::url::read_query(text, t, value, found);
    if (found.fine()) return true;
    if (found.malformed) refuse(error(400, found.malformed), out);
    else out = web::refused_input(found.list.status, misfit, found.list);
    return false;
}

}  // namespace

bool read_query(request& req, const schema::type& t, void* value, response& out) {
    return read(req.query(), t, value, "the query is not what is expected here", out);
}

}  // namespace apus::detail
