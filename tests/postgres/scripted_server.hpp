// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace apus::test {

/// Returns a message of PostgreSQL's protocol. `length`, if given, replaces the correct length.
inline std::string message(char type, std::string_view body, std::int64_t length = -1) {
    const auto n = static_cast<std::uint32_t>(length < 0 ? static_cast<std::int64_t>(body.size()) + 4 : length);
    std::string made(1, type);
    for (int shift = 24; shift >= 0; shift -= 8) made += static_cast<char>(n >> shift);
    return made.append(body);
}
inline std::string number2(unsigned n) { return {static_cast<char>(n >> 8), static_cast<char>(n)}; }
inline std::string number4(unsigned n) { return number2(n >> 16) + number2(n & 0xffff); }

/// Returns the messages of a server that accepts a client.
inline std::string welcome() {
    return message('R', number4(0)) + message('S', std::string("client_encoding\0UTF8\0", 21)) +
           message('K', number4(7) + number4(7)) + message('Z', "I");
}

/// Returns the response to preparing a statement without parameters and with one column.
/// Ends with the synchronization point.
inline std::string one_column() {
    return message('T', number2(1) + std::string("n\0", 2) + number4(0) + number2(0) + number4(23) + number2(4) +
                            number4(0xffffffff) + number2(1));
}
inline std::string prepared_answer() {
    return message('1', "") + message('t', number2(0)) + one_column() + message('Z', "I");
}

/// Sends each client the scripted texts, whatever the client sends.
/// Sends the first text after the start of the connection, and one after each synchronization point. Then sends nothing
/// more, or closes. Reads cancel requests and closes them.
class scripted_server {
public:
    struct options {
        std::vector<std::string> says;
        bool closes = false;    ///< Close the connection after the last text.
        std::size_t piece = 0;  ///< Bytes sent at a time; 0: all at once.
    };
    explicit scripted_server(options o) : options_(std::move(o)) {
        std::string folder = std::filesystem::temp_directory_path() / "apus-scripted-XXXXXX";
        if (!::mkdtemp(folder.data())) throw std::runtime_error("mkdtemp");
        folder_ = folder;
        sockaddr_un at{};
        at.sun_family = AF_UNIX;
        (folder + "/.s.PGSQL.5432").copy(at.sun_path, sizeof at.sun_path - 1);
        listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (::bind(listener_, reinterpret_cast<sockaddr*>(&at), sizeof at) != 0 || ::listen(listener_, 64) != 0)
            throw std::runtime_error("listen");
        thread_ = std::thread([this] { run(); });
    }
    scripted_server(const scripted_server&) = delete;
    scripted_server& operator=(const scripted_server&) = delete;
    ~scripted_server() {
        stops_ = true;
        thread_.join();
        for (const client& c : clients_) ::close(c.fd);
        ::close(listener_);
        std::filesystem::remove_all(folder_);
    }

    std::string url() const {
        std::string host;
        for (const char c : folder_) host += c == '/' ? "%2F" : std::string(1, c);
        return "postgres://u@" + host + "/db";
    }

private:
    struct client {
        int fd;
        bool started = false;
        std::size_t said = 0;
        std::string got = {}, to_send = {};
    };

    void run() {
        while (!stops_) {
            std::vector<pollfd> all{{listener_, POLLIN, 0}};
            bool sends = false;
            for (const client& c : clients_) {
                sends |= !c.to_send.empty();
                all.push_back({c.fd, POLLIN, 0});
            }
            ::poll(all.data(), all.size(), sends ? 0 : 5);
            if (all[0].revents) clients_.push_back({.fd = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)});
            std::erase_if(clients_, [&](client& c) {
                if (serve(c)) return false;
                ::close(c.fd);
                return true;
            });
        }
    }

    bool serve(client& c) {
        char bytes[4096];
        const ssize_t n = ::recv(c.fd, bytes, sizeof bytes, MSG_DONTWAIT);
        if (n == 0) return false;
        if (n > 0) c.got.append(bytes, static_cast<std::size_t>(n));
        while (const std::size_t size = next_message(c)) {
            const bool asks = !c.started || c.got[0] == 'S' || c.got[0] == 'Q';
            if (!c.started && c.got.substr(4, 2) == "\x04\xd2") return false;
            c.started = true;
            c.got.erase(0, size);
            if (asks && c.said < options_.says.size()) c.to_send += options_.says[c.said++];
        }
        const std::size_t piece = options_.piece ? std::min(options_.piece, c.to_send.size()) : c.to_send.size();
        const ssize_t sent = ::send(c.fd, c.to_send.data(), piece, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) c.to_send.erase(0, static_cast<std::size_t>(sent));
        if (sent < 0 && errno != EAGAIN) return false;
        return !options_.closes || c.said < options_.says.size() || !c.to_send.empty();
    }

    static std::size_t next_message(const client& c) {
        const std::size_t type = c.started ? 1 : 0;
        if (c.got.size() < type + 4) return 0;
        std::size_t size = 0;
        for (std::size_t i = 0; i < 4; ++i) size = size << 8U | static_cast<unsigned char>(c.got[type + i]);
        return c.got.size() >= size + type ? size + type : 0;
    }

    options options_;
    std::string folder_;
    int listener_ = -1;
    std::vector<client> clients_;
    std::atomic<bool> stops_ = false;
    std::thread thread_;
};

}  // namespace apus::test
