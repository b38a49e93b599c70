// SPDX-License-Identifier: Apache-2.0
// Parses --mix files, with the subset of JSON that they need.
#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "options.hpp"

namespace load {
namespace {

class mix_line {
public:
    mix_line(std::string_view text, std::string where) : rest_(text), where_(std::move(where)) {}

    request_shape read() {
        request_shape shape;
        bool has_path = false;
        expect('{');
        while (!take('}')) {
            const auto key = string();
            expect(':');
            if (key == "method") shape.method = string();
            else if (key == "path") {
                shape.path = string();
                has_path = true;
            } else if (key == "headers") shape.headers = strings();
            else if (key == "body") {
                shape.body = string();
                shape.has_body = true;
            } else if (key == "status") shape.wanted.first = shape.wanted.last = int(number());
            else if (key == "bytes") shape.answer_bytes = number();
            else wrong("`" + key + "` is an unknown key: use method, path, headers, body, status or bytes");
            if (!take(',')) {
                expect('}');
                break;
            }
        }
        if (!has_path) wrong("missing `path`");
        return shape;
    }

private:
    [[noreturn]] void wrong(const std::string& what) const { refuse(where_ + ": " + what); }

    bool take(char c) {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }

    void expect(char c) {
        if (!take(c)) wrong(std::string("missing `") + c + "` before `" + std::string(rest_.substr(0, 20)) + "`");
    }

    std::uint64_t number() {
        take(' ');
        std::uint64_t value = 0;
        const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (read.ec != std::errc()) wrong("expected a whole number");
        rest_.remove_prefix(std::size_t(read.ptr - rest_.data()));
        return value;
    }

    std::vector<std::string> strings() {
        std::vector<std::string> all;
        expect('[');
        if (take(']')) return all;
        do all.push_back(string());
        while (take(','));
        expect(']');
        return all;
    }

    std::string string() {
        expect('"');
        std::string text;
        while (!rest_.starts_with('"')) {
            if (rest_.empty()) wrong("unterminated string");
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '\\') text += escaped();
            else text += c;
        }
        rest_.remove_prefix(1);
        return text;
    }

    char escaped() {
        constexpr std::string_view written = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const auto which = rest_.empty() ? written.npos : written.find(rest_.front());
        if (which == written.npos) wrong("invalid escape: use \\\" \\\\ \\/ \\b \\f \\n \\r or \\t");
        rest_.remove_prefix(1);
        return meant[which];
    }

    std::string_view rest_;
    std::string where_;
};

}  // namespace

std::vector<request_shape> read_mix(const std::string& file) {
    std::vector<request_shape> shapes;
    for (const auto& line : lines_of(file))
        shapes.push_back(mix_line(line, file + ", request " + std::to_string(shapes.size() + 1)).read());
    if (shapes.empty()) refuse(file + " contains no requests");
    return shapes;
}

}  // namespace load
