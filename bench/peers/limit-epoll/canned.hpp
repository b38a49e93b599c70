// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ctime>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace limit {

enum class kind : std::uint8_t {
    none,
    text,
    text_kept,  // for an HTTP/1.0 client with keep-alive, such as ab -k
    text_last,  // for a client that requested a close, such as wrk, which otherwise counts an error
    json,
    body_64k,
    body_1m,
    upload,
};

/// Copies of one response, so that one write answers several pipelined requests.
struct canned {
    std::string bytes;
    std::size_t one = 0;  ///< Length of one response in `bytes`.
};

/// All responses of one thread; `refresh` updates their Date fields.
/// The length of a response never changes, so a refresh is safe while the kernel reads the response.
class answers {
public:
    answers() {
        add(kind::text, "text/plain", "Hello, World!", 64);
        add(kind::text_kept, "text/plain\r\nConnection: keep-alive", "Hello, World!", 64);
        add(kind::text_last, "text/plain\r\nConnection: close", "Hello, World!", 1);
        add(kind::json, "application/json", R"({"message":"Hello, World!","id":42,"ok":true})", 64);
        add(kind::body_64k, "text/plain", std::string(64 << 10, 'x'), 1);
        add(kind::body_1m, "text/plain", std::string(1 << 20, 'x'), 1);
        refresh();
    }

    const canned& of(kind asked) const { return all_[std::size_t(asked)]; }

    void refresh() {
        std::timespec now;
        clock_gettime(CLOCK_REALTIME_COARSE, &now);
        if (now.tv_sec == second_) return;
        second_ = now.tv_sec;
        std::tm parts;
        gmtime_r(&now.tv_sec, &parts);
        std::strftime(date_, sizeof date_, "%a, %d %b %Y %H:%M:%S GMT", &parts);
        for (auto& each : all_) {
            for (std::size_t at = 0; at < each.bytes.size(); at += each.one) {
                std::memcpy(each.bytes.data() + at + date_at.size(), date_, sizeof date_ - 1);
            }
        }
    }

    /// Returns the response to an upload of `size` bytes.
    std::string uploaded(std::uint64_t size) const { return print("text/plain", std::to_string(size)); }

private:
    static constexpr std::string_view date_at = "HTTP/1.1 200 OK\r\nServer: limit\r\nDate: ";

    std::string print(std::string_view type, std::string_view body) const {
        std::string head(date_at);
        head.append(date_, sizeof date_ - 1).append("\r\nContent-Type: ").append(type);
        head.append("\r\nContent-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
        return head.append(body);
    }

    void add(kind asked, std::string_view type, std::string_view body, int times) {
        auto one = print(type, body);
        auto& into = all_[std::size_t(asked)];
        into.one = one.size();
        while (times-- > 0) into.bytes += one;
    }

    char date_[30] = "Thu, 01 Jan 1970 00:00:00 GMT";
    std::time_t second_ = 0;
    canned all_[std::size_t(kind::upload) + 1];
};

}  // namespace limit
