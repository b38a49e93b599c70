// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace load {

/// Range of statuses that count as success.
struct statuses {
    int first = 200, last = 200;

    bool hold(int status) const { return status >= first && status <= last; }
};

/// A request, and properties of the expected response.
struct request_shape {
    std::string method = "GET";
    std::string path = "/bench";
    std::vector<std::string> headers;  ///< "name: value"
    std::string body;
    bool has_body = false;
    statuses wanted;
    std::optional<std::uint64_t> answer_bytes;  ///< Expected size of the response body.
};

/// I/O interface of the sockets.
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
    double rate = 0;  ///< Requests per second over all connections; 0: as fast as responses arrive.
    unsigned pipeline = 1;
    unsigned per_connection = 0;  ///< Requests per connection; 0: unlimited.
    bool close = false;
    bool chunked = false;
    bool websocket = false;
    bool broadcast = false;
    bool idle = false;
    bool marks = false;
    std::optional<io> wanted_way;  ///< Empty: io_uring if available.
    io way = io::uring;            ///< The I/O interface in use.
    std::size_t message_bytes = 20;
    std::vector<request_shape> requests;  ///< At least one; connections rotate through them.
};

/// Parses the command line. Ends the program with status 2 and a message if it is invalid.
options read_command_line(int count, char** words);

[[noreturn]] void refuse(const std::string& sentence);

/// Parses a --mix file. Ends the program with status 2 if the file is invalid.
std::vector<request_shape> read_mix(const std::string& file);

/// Returns the content of a file. Ends the program with status 2 if the file cannot be read.
std::string content_of(const std::string& file);

/// Returns the non-empty lines of a text file.
std::vector<std::string> lines_of(const std::string& file);

}  // namespace load
