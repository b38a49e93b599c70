// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <apus/test.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apus::test {

/// A client that stores cookies, like a browser with one host.
class browser {
public:
    explicit browser(app a) : to_(std::move(a)) {}

    response get(std::string_view target) { return send("GET", target, {}); }
    response send(std::string_view verb, std::string_view target, std::string_view fields, std::string_view body = {}) {
        std::string text =
            std::string(verb) + " " + std::string(target) + " HTTP/1.1\r\nhost: app.example\r\n" + std::string(fields);
        if (verb != "GET") text += "content-length: " + std::to_string(body.size()) + "\r\n";
        if (!cookies.empty()) {
            std::string line;
            for (const auto& [name, value] : cookies)
                line.append(line.empty() ? "cookie: " : "; ").append(name).append("=").append(value);
            text += line + "\r\n";
        }
        response a = to_.send_raw((text + "\r\n").append(body));
        set = a.header("set-cookie");
        if (!set.empty()) take(set);
        return a;
    }

    std::map<std::string, std::string> cookies;
    std::string set;  ///< The Set-Cookie field of the last response, or empty.

private:
    void take(std::string_view line) {
        const auto pair = line.substr(0, line.find(';'));
        const std::string name(pair.substr(0, pair.find('=')));
        if (line.contains("Max-Age=0")) cookies.erase(name);
        else cookies[name] = pair.substr(pair.find('=') + 1);
    }

    client to_;
};

}  // namespace apus::test
