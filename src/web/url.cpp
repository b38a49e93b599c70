// SPDX-License-Identifier: Apache-2.0
#include <apus/url.hpp>

#include "base/percent.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace apus::detail {
namespace {

class url_writer {
public:
    void literal(char c) {
        if (in_path_ && (c == '/' || c == '?' || c == '#')) end_segment();
        if (c == '?' || c == '#') in_path_ = false;
        out_ += c;
        if (c == '/') segment_ = out_.size();
    }

    void origin(std::string_view url) {
        if (!(url.starts_with("http://") || url.starts_with("https://")) || url.find_first_of("?#") != url.npos)
            throw std::invalid_argument("make_url: a URL must begin with http:// or https://, without '?' and '#'");
        out_ = url.substr(0, url.size() - url.ends_with('/'));
    }

    void value(const url_value& from, bool rest) {
        if (from.is_query()) return whole_query(from.text(), rest);
        has_value_ = true;
        base::append_percent_encoded(out_, from.text(), base::is_unreserved);
    }

    /// The rest of the path: slashes separate its segments, of which the first must not be empty.
    void segments(std::string_view rest) {
        const std::string_view first = rest.substr(0, rest.find('/'));
        for (std::string_view left = rest;;) {
            const auto slash = std::min(left.find('/'), left.size());
            check(left.substr(0, slash), left.data() == first.data());
            base::append_percent_encoded(out_, left.substr(0, slash), base::is_unreserved);
            if (slash == left.size()) return;
            out_ += '/';
            left.remove_prefix(slash + 1);
        }
    }

    bool in_path() const noexcept { return in_path_; }

    std::string finish() && {
        if (in_path_) end_segment();
        return std::move(out_);
    }

private:
    static void check(std::string_view segment, bool must_not_be_empty) {
        if ((must_not_be_empty && segment.empty()) || segment == "." || segment == "..")
            throw std::invalid_argument("make_url: a segment of the path would be \"" + std::string(segment) + "\"");
    }

    void end_segment() {
        if (has_value_) check(std::string_view(out_).substr(segment_), true);
        has_value_ = false;
    }

    void whole_query(std::string_view encoded, bool rest) {
        if (in_path_ || !rest) throw std::invalid_argument("make_url: apus::query needs a placeholder like ?{...}");
        if (encoded.empty()) out_.pop_back();  // the '?' or '&' before it
        else out_ += encoded;
    }

    std::string out_;
    std::size_t segment_ = 0;  // where the last segment of the path begins
    bool in_path_ = true;
    bool has_value_ = false;  // the last segment contains a value
};

}  // namespace

std::string fill_url(std::string_view pattern, std::initializer_list<url_value> values) {
    url_writer out;
    const auto* next = values.begin();
    for (std::size_t at = 0; at < pattern.size(); ++at) {
        if (pattern[at] != '{') {
            out.literal(pattern[at]);
            continue;
        }
        const std::size_t end = pattern.find('}', at);
        const bool rest = pattern.substr(at, end - at).ends_with("...");
        if (at == 0) out.origin(next->text());
        else if (rest && out.in_path() && !next->is_query()) out.segments(next->text());
        else out.value(*next, rest);
        ++next;
        at = end;
    }
    return std::move(out).finish();
}

}  // namespace apus::detail
