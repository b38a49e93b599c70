// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "codec/json/parse.hpp"
#include "schema/expectation.hpp"

#include <apus/json_value.hpp>

namespace apus::codec::json {

/// Parses a document according to a schema table.
/// Records valid JSON of another type as a violation, and continues. Functions return false for invalid JSON.
class reader : public syntax {
public:
    using syntax::syntax;

    bool value(const schema::type& t, void* to, const place& here) {
        if (t.user) return ruled(t, to, here);
        if (t.what == schema::kind::object) return object(t, to, here);
        return t.what == schema::kind::list ? list(t, to, here) : plain(t, to, here);
    }

private:
    bool plain(const schema::type& t, void* to, const place& here);
    bool represented(const schema::type& t, void* to, const place& here);
    bool secret(const schema::type& t, void* to, const place& here);
    /// Reads the value of a field, which may have a custom message.
    bool value_of(const schema::field& f, void* to, const place& here) {
        return f.message.empty() ? value(*f.of, to, here) : value_with_message(f, to, here);
    }
    bool value_with_message(const schema::field& f, void* to, const place& here);
    [[gnu::always_inline]] bool plain_text(const schema::type& t, void* to, const place& here) {
        const char* begin = at_;
        std::string_view text;
        if (!syntax::text(text, here)) return false;
        const bool any_text = t.least == 0 && t.greatest == UINT64_MAX && !t.text;
        if (any_text || schema::text_fits(t, text)) static_cast<std::string*>(to)->assign(text);
        else unfit(t, begin, here);
        return true;
    }
    bool ruled(const schema::type& t, void* to, const place& here);
    bool short_integer(std::uint64_t& magnitude, bool& negative) noexcept;
    bool flag(const schema::type& t, void* to, const place& here);
    bool integer(const schema::type& t, void* to, const place& here);
    bool number_value(const schema::type& t, void* to, const place& here);
    bool text_value(const schema::type& t, void* to, const place& here);
    bool time(const schema::type& t, void* to, const place& here);
    bool enumeration(const schema::type& t, void* to, const place& here);
    bool list(const schema::type& t, void* to, const place& here);
    const char* list_item(const schema::type& t, void* to, const char* at, const place& item);
    bool map(const schema::type& t, void* to, const place& here);
    bool optional(const schema::type& t, void* to, const place& here);
    bool variant(const schema::type& t, void* to, const place& here);
    bool object(const schema::type& t, void* to, const place& here, bool tagged = false);

    bool member(const schema::type& t, char* to, const place& here, bool tagged, std::uint64_t& seen, unsigned& guess);
    bool fast_members(const schema::type& t, char* to, const place& here, std::uint64_t& seen, unsigned& next_one,
                      bool& another);
    bool find_field(const schema::type& t, unsigned& guess, std::string_view& name, const place& here);
    bool search_field(const schema::type& t, unsigned& guess, std::string_view& name, const place& here);
    bool null_member(const schema::type& t, const schema::field& f, bool& is_null, const place& here);
    bool member_value(const schema::type& t, const schema::field& f, char* to, const place& here);
    bool other_member(const schema::type& t, std::string_view name, const place& here, bool tagged);
    void note_missing(const schema::type& t, std::uint64_t missing, const place& here);
    void ask_check(const schema::type& t, const void* object, const place& here);
    bool find_tag(const schema::type& t, const schema::alternative*& found, std::string& other, const place& here);

    bool any(json_value& to, const place& here);
    bool any_list(json_value& to, const place& here);
    bool any_object(json_value& to, const place& here);
    bool any_number(json_value& to, const place& here);

    /// Keeps only the first `kept` violations.
    void drop_faults(std::size_t kept) { out_->list.faults.resize(kept); }

    /// Skips a value of another type and records a violation.
    bool misfit(const schema::type& t, const place& here);
    /// Records a violation: the text from `begin` to the current position is not valid for the type.
    void unfit(const schema::type& t, const char* begin, const place& here);
    void fault(const place& here, std::string found, std::string expected) {
        out_->list.add({here.pointer(), std::move(found), std::move(expected)});
    }

    std::size_t gap_ = 0;  // predicted number of spaces between a colon and the value: 0 or 1
};

}  // namespace apus::codec::json
