// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/json/parse.hpp"

#include <apus/json_value.hpp>

namespace apus::codec::json {

/// Walks a type's table along a document. What is JSON but not of the type becomes a fault, and
/// the walk goes on; each function gives false when the text is no JSON.
class reader : public syntax {
public:
    using syntax::syntax;

    bool value(const schema::type& t, void* to, const place& here);

private:
    bool flag(const schema::type& t, void* to, const place& here);
    bool integer(const schema::type& t, void* to, const place& here);
    bool number_value(const schema::type& t, void* to, const place& here);
    bool text_value(const schema::type& t, void* to, const place& here);
    bool time(const schema::type& t, void* to, const place& here);
    bool enumeration(const schema::type& t, void* to, const place& here);
    bool list(const schema::type& t, void* to, const place& here);
    bool map(const schema::type& t, void* to, const place& here);
    bool optional(const schema::type& t, void* to, const place& here);
    bool variant(const schema::type& t, void* to, const place& here);
    bool object(const schema::type& t, void* to, const place& here, bool tagged = false);

    bool member(const schema::type& t, char* to, const place& here, bool tagged, std::uint64_t& seen, unsigned& guess);
    bool find_field(const schema::type& t, unsigned& guess, std::string_view& name, const place& here);
    bool other_member(const schema::type& t, std::string_view name, const place& here, bool tagged);
    void finish_object(const schema::type& t, const char* object, std::uint64_t seen, std::size_t faults_before, const place& here);
    bool find_tag(const schema::type& t, const schema::alternative*& found, const place& here);

    bool any(json_value& to, const place& here);
    bool any_list(json_value& to, const place& here);
    bool any_object(json_value& to, const place& here);
    bool any_number(json_value& to, const place& here);

    /// Passes over a value that is not of the type, and notes that.
    bool misfit(const schema::type& t, const place& here);
    /// Notes that the text from `begin` to here is not of the type.
    void unfit(const schema::type& t, const char* begin, const place& here);
    void fault(const place& here, std::string found, std::string expected) { out_->list.add({here.pointer(), std::move(found), std::move(expected)}); }
};

}  // namespace apus::codec::json
