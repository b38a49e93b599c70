// SPDX-License-Identifier: Apache-2.0

// Common code of the two servers on http-parser: creates the bytes of responses in the parser's callbacks.
#pragma once

#include <http_parser.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    one_mib = 1 << 20,
    path_limit = 128,
    head_limit = 256,
};

struct exchange {
    http_parser parser;
    void* connection;       // connection of the event library
    unsigned long received; // bytes of body
    size_t path_size;
    char path[path_limit];
};

struct reply {
    char head[head_limit];
    size_t head_size;
    char number[24]; // body of the response to an upload
    const char* body;
    size_t body_size;
    bool keeps_alive;
};

// Called once for each complete request.
typedef void (*reply_function)(void* connection, const struct reply* reply);

static char long_body[one_mib];
static reply_function give_reply;

static void prepare_replies(reply_function function) {
    give_reply = function;
    memset(long_body, 'x', sizeof long_body);
}

// Returns the time in the format of the Date field, updated once per second.
static const char* date_now(void) {
    static _Thread_local time_t printed;
    static _Thread_local char text[32];
    time_t now = time(NULL);
    if (now != printed) {
        struct tm parts;
        gmtime_r(&now, &parts);
        strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts);
        printed = now;
    }
    return text;
}

static int on_message_begin(http_parser* parser) {
    struct exchange* of = parser->data;
    of->path_size = 0;
    of->received = 0;
    return 0;
}

static int on_url(http_parser* parser, const char* at, size_t size) {
    struct exchange* of = parser->data;
    if (size > path_limit - of->path_size) return 1;
    memcpy(of->path + of->path_size, at, size);
    of->path_size += size;
    return 0;
}

static int on_body(http_parser* parser, const char* at, size_t size) {
    (void)at;
    ((struct exchange*)parser->data)->received += size;
    return 0;
}

static bool asks(const struct exchange* of, unsigned method, const char* path) {
    return of->parser.method == method && of->path_size == strlen(path) && memcmp(of->path, path, of->path_size) == 0;
}

static const char* choose(const struct exchange* of, struct reply* reply) {
    reply->body = long_body;
    if (asks(of, HTTP_GET, "/bench")) {
        reply->body = "Hello, World!";
        reply->body_size = 13;
    } else if (asks(of, HTTP_GET, "/body/64k")) {
        reply->body_size = 64 << 10;
    } else if (asks(of, HTTP_GET, "/body/1m")) {
        reply->body_size = one_mib;
    } else if (asks(of, HTTP_POST, "/upload")) {
        reply->body = reply->number;
        reply->body_size = (size_t)snprintf(reply->number, sizeof reply->number, "%lu", of->received);
    } else {
        reply->body = "Not Found";
        reply->body_size = 9;
        return "404 Not Found";
    }
    return "200 OK";
}

static int on_message_complete(http_parser* parser) {
    struct exchange* of = parser->data;
    struct reply reply;
    const char* status = choose(of, &reply);
    reply.keeps_alive = http_should_keep_alive(parser);
    bool old = parser->http_major == 1 && parser->http_minor == 0;
    const char* ending = !reply.keeps_alive ? "Connection: close\r\n" : old ? "Connection: keep-alive\r\n"
                                                                            : "";
    reply.head_size = (size_t)snprintf(reply.head, sizeof reply.head,
                                       "HTTP/1.1 %s\r\nDate: %s\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n%s\r\n",
                                       status, date_now(), reply.body_size, ending);
    give_reply(of->connection, &reply);
    return 0;
}

static void start_exchange(struct exchange* of, void* connection) {
    http_parser_init(&of->parser, HTTP_REQUEST);
    of->parser.data = of;
    of->connection = connection;
}

// Parses requests. Returns false if the connection must be closed: the input is not HTTP, or switches to another
// protocol.
static bool read_requests(struct exchange* of, const char* bytes, size_t size) {
    static const http_parser_settings settings = {
        .on_message_begin = on_message_begin,
        .on_url = on_url,
        .on_body = on_body,
        .on_message_complete = on_message_complete,
    };
    return http_parser_execute(&of->parser, &settings, bytes, size) == size && !of->parser.upgrade;
}
