// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <arpa/inet.h>
#include <getopt.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>

#include "usage.hpp"

namespace load {
namespace {

enum word : int {
    host = 256,
    port,
    connections,
    threads,
    seconds,
    warmup,
    timeout,
    path,
    paths_file,
    method,
    header,
    body,
    body_bytes,
    body_file,
    chunked,
    mix,
    pipeline,
    per_connection,
    close_each,
    rate,
    websocket,
    broadcast,
    message_bytes,
    idle,
    marks,
    expect_bytes,
    expect_status,
    io_way,
    help
};

constexpr option long_options[] = {
    {"host", required_argument, nullptr, host},
    {"port", required_argument, nullptr, port},
    {"connections", required_argument, nullptr, connections},
    {"threads", required_argument, nullptr, threads},
    {"seconds", required_argument, nullptr, seconds},
    {"warmup", required_argument, nullptr, warmup},
    {"timeout", required_argument, nullptr, timeout},
    {"path", required_argument, nullptr, path},
    {"paths-file", required_argument, nullptr, paths_file},
    {"method", required_argument, nullptr, method},
    {"header", required_argument, nullptr, header},
    {"body", required_argument, nullptr, body},
    {"body-bytes", required_argument, nullptr, body_bytes},
    {"body-file", required_argument, nullptr, body_file},
    {"chunked", no_argument, nullptr, chunked},
    {"mix", required_argument, nullptr, mix},
    {"pipeline", required_argument, nullptr, pipeline},
    {"requests-per-connection", required_argument, nullptr, per_connection},
    {"close", no_argument, nullptr, close_each},
    {"rate", required_argument, nullptr, rate},
    {"websocket", no_argument, nullptr, websocket},
    {"broadcast", no_argument, nullptr, broadcast},
    {"message-bytes", required_argument, nullptr, message_bytes},
    {"idle", no_argument, nullptr, idle},
    {"marks", no_argument, nullptr, marks},
    {"expect-bytes", required_argument, nullptr, expect_bytes},
    {"expect-status", required_argument, nullptr, expect_status},
    {"io", required_argument, nullptr, io_way},
    {"help", no_argument, nullptr, help},
    {nullptr, 0, nullptr, 0},
};

template <class Number>
Number number(const char* name, Number least, Number most) {
    Number value{};
    const char* end = optarg + std::strlen(optarg);
    const auto read = std::from_chars(optarg, end, value);
    if (read.ec != std::errc() || read.ptr != end || !(value >= least) || !(value <= most))
        refuse(std::string("--") + name + " must be a number from " + std::to_string(least) + " to " +
               std::to_string(most) + ", not `" + optarg + "`");
    return value;
}

// Options that describe requests. They become requests when all options are parsed.
struct request_words {
    request_shape each;
    std::vector<std::string> paths;
    std::string mix_file;
    bool any = false;
};

statuses status_word(const char* name) {
    if (optarg == std::string_view("2xx")) return {200, 299};
    const int one = number(name, 200, 599);
    return {one, one};
}

io way_word() {
    const std::string_view word = optarg;
    if (word != "uring" && word != "epoll") refuse("--io must be `uring` or `epoll`, not `" + std::string(word) + "`");
    return word == "uring" ? io::uring : io::epoll;
}

bool read_request_word(int which, const char* name, request_words& words, options& o) {
    switch (which) {
        case path: words.paths.emplace_back(optarg); break;
        case paths_file:
            for (auto& line : lines_of(optarg)) words.paths.push_back(line);
            if (words.paths.empty()) refuse(std::string(optarg) + " contains no paths");
            break;
        case method: words.each.method = optarg; break;
        case header: words.each.headers.emplace_back(optarg); break;
        case body:
            words.each.body = optarg;
            words.each.has_body = true;
            break;
        case body_bytes:
            words.each.body.assign(number<std::size_t>(name, 0, 1UL << 30), '\0');
            words.each.has_body = true;
            break;
        case body_file:
            words.each.body = content_of(optarg);
            words.each.has_body = true;
            break;
        case chunked: o.chunked = true; break;
        case mix: words.mix_file = optarg; return true;
        case expect_bytes: words.each.answer_bytes = number<std::uint64_t>(name, 0, 1ULL << 40); break;
        case expect_status: words.each.wanted = status_word(name); break;
        default: return false;
    }
    words.any = true;
    return true;
}

void read_word(int which, const char* name, options& o) {
    switch (which) {
        case host: o.host = optarg; break;
        case port: o.port = number(name, 1U, 65535U); break;
        case connections: o.connections = number(name, 1U, 1'000'000U); break;
        case threads: o.threads = number(name, 1U, 1024U); break;
        case seconds: o.seconds = number(name, 0.001, 1e6); break;
        case warmup: o.warmup = number(name, 0.0, 1e6); break;
        case timeout: o.timeout = number(name, 0.001, 60.0); break;
        case pipeline: o.pipeline = number(name, 1U, 4096U); break;
        case per_connection: o.per_connection = number(name, 1U, 1'000'000'000U); break;
        case close_each: o.close = true; break;
        case rate: o.rate = number(name, 0.001, 1e8); break;
        case websocket: o.websocket = true; break;
        case broadcast: o.broadcast = true; break;
        case message_bytes: o.message_bytes = number<std::size_t>(name, 0, 1UL << 26); break;
        case idle: o.idle = true; break;
        case marks: o.marks = true; break;
        case io_way: o.wanted_way = way_word(); break;
        case help: std::fputs(usage, stdout); std::exit(0);
        default: refuse("invalid options; `load --help` lists the options");
    }
}

void settle_requests(request_words& words, options& o) {
    if (!words.mix_file.empty()) {
        if (words.any) refuse("--mix cannot be combined with other options that describe requests");
        if (o.pipeline > 1) refuse("--mix sends one request at a time: omit --pipeline");
        o.requests = read_mix(words.mix_file);
        return;
    }
    if (o.chunked && !words.each.has_body) refuse("--chunked requires --body, --body-bytes or --body-file");
    if (words.paths.empty()) words.paths.push_back(words.each.path);
    for (auto& each : words.paths) {
        words.each.path = each;
        o.requests.push_back(words.each);
    }
}

void settle(options& o) {
    if (o.port == 0) refuse("missing --port");
    o.address.sin_family = AF_INET;
    o.address.sin_port = htons(std::uint16_t(o.port));
    if (::inet_pton(AF_INET, o.host.c_str(), &o.address.sin_addr) != 1)
        refuse("--host must be an IPv4 address, not `" + o.host + "`");
    if (o.seconds <= 0 && !o.idle) refuse("missing --seconds");
    if (o.threads > o.connections) refuse("--threads exceeds --connections: each thread needs a connection");
    if (o.close && (o.pipeline > 1 || o.per_connection > 0))
        refuse("--close sends one request per connection: omit --pipeline and --requests-per-connection");
    if (o.close) o.per_connection = 1;
    o.websocket = o.websocket || o.broadcast;
    if (o.websocket && (o.per_connection > 0 || o.chunked))
        refuse("--websocket and --broadcast cannot be combined with --close, --requests-per-connection or --chunked");
    if (o.broadcast && (o.threads > 1 || o.rate > 0)) refuse("--broadcast requires one thread, and no --rate");
}

}  // namespace

void refuse(const std::string& sentence) {
    std::fprintf(stderr, "load: %s.\n", sentence.c_str());
    std::exit(2);
}

std::string content_of(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(in), {}};
    if (!in) refuse("cannot read " + file);
    return content;
}

std::vector<std::string> lines_of(const std::string& file) {
    std::istringstream in(content_of(file));
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        if (!line.empty()) lines.push_back(line);
    return lines;
}

options read_command_line(int count, char** words) {
    options o;
    request_words requests;
    int which = 0, position = 0;
    while ((which = ::getopt_long(count, words, "", long_options, &position)) != -1) {
        const char* name = long_options[position].name;
        if (!read_request_word(which, name, requests, o)) read_word(which, name, o);
    }
    if (optind < count) refuse(std::string("unexpected `") + words[optind] + "`; `load --help` lists the options");
    settle_requests(requests, o);
    settle(o);
    return o;
}

}  // namespace load
