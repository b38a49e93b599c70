// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace load {

/// Of which one has to be the answer's.
struct statuses {
    int first = 200, last = 200;

    bool hold(int status) const { return status >= first && status <= last; }
};

/// What one request is made of, and what its answer has to be.
struct request_shape {
    std::string method = "GET";
    std::string path = "/bench";
    std::vector<std::string> headers;  ///< "name: value"
    std::string body;
    bool has_body = false;
    statuses wanted;
    std::optional<std::uint64_t> answer_bytes;  ///< Of the answer's body.
};

/// How sockets are worked.
enum class io : std::uint8_t {
    uring,
    epoll
};

struct options {
    std::string host = "127.0.0.1";
    sockaddr_in address{};
    unsigned port = 0;
    unsigned connections = 1;
    unsigned threads = 1;
    double seconds = 0;
    double warmup = 0;
    double timeout = 10;
    double rate = 0;  ///< Requests a second over all connections; 0: as fast as the answers come.
    unsigned pipeline = 1;
    unsigned per_connection = 0;  ///< Requests; 0: no end.
    bool close = false;
    bool chunked = false;
    bool websocket = false;
    bool broadcast = false;
    bool idle = false;
    bool marks = false;
    std::optional<io> wanted_way;  ///< None: io_uring where it works.
    io way = io::uring;            ///< What is used.
    std::size_t message_bytes = 20;
    std::vector<request_shape> requests;  ///< At least one; connections rotate through them.
};

/// Ends the program with status 2 and a sentence where the command line makes no sense.
options read_command_line(int count, char** words);

[[noreturn]] void refuse(const std::string& sentence);

/// The lines of a file of --mix. Refuses what is no such file.
std::vector<request_shape> read_mix(const std::string& file);

/// All of a file. Refuses what cannot be read.
std::string content_of(const std::string& file);

/// The lines of a text file that are not empty.
std::vector<std::string> lines_of(const std::string& file);

}  // namespace load
