// SPDX-License-Identifier: Apache-2.0
#include "../libuv-http-parser/threads.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdbool.h>
#include <string.h>

enum {
    one_mib = 1 << 20,
    upload_limit = 33 * one_mib,
};

static char long_body[one_mib];
static int routes;

static void reply(struct evhttp_request* request, struct evbuffer* body) {
    evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "text/plain");
    evhttp_send_reply(request, HTTP_OK, "OK", body);
    evbuffer_free(body);
}

static void say_hello(struct evhttp_request* request, void* unused) {
    (void)unused;
    struct evbuffer* body = evbuffer_new();
    evbuffer_add_printf(body, "Hello, World!");
    reply(request, body);
}

static void send_long(struct evhttp_request* request, size_t size) {
    struct evbuffer* body = evbuffer_new();
    evbuffer_add_reference(body, long_body, size, NULL, NULL);
    reply(request, body);
}

static void send_64k(struct evhttp_request* request, void* unused) {
    (void)unused;
    send_long(request, 64 << 10);
}

static void send_1m(struct evhttp_request* request, void* unused) {
    (void)unused;
    send_long(request, one_mib);
}

static void count_upload(struct evhttp_request* request, void* unused) {
    (void)unused;
    struct evbuffer* body = evbuffer_new();
    evbuffer_add_printf(body, "%zu", evbuffer_get_length(evhttp_request_get_input_buffer(request)));
    reply(request, body);
}

// Handles paths with a parameter, since evhttp routes only complete paths, and passes all other paths to this function.
static void find_parameter(struct evhttp_request* request, void* unused) {
    (void)unused;
    int area;
    int thing;
    int end = 0;
    const char* path = evhttp_request_get_uri(request);
    sscanf(path, "/area%d/thing%d/%n", &area, &thing, &end);
    bool known = end && thing % 2 == 1 && thing > 0 && thing < routes && area == thing % 100;
    if (known && path[end] && !strchr(path + end, '/')) say_hello(request, NULL);
    else evhttp_send_error(request, HTTP_NOTFOUND, NULL);
}

static void add_routes(struct evhttp* http) {
    evhttp_set_cb(http, "/bench", say_hello, NULL);
    evhttp_set_cb(http, "/body/64k", send_64k, NULL);
    evhttp_set_cb(http, "/body/1m", send_1m, NULL);
    evhttp_set_cb(http, "/upload", count_upload, NULL);
    for (int i = 0; i < routes; i += 2) {
        char path[64];
        snprintf(path, sizeof path, "/area%d/thing%d", i % 100, i);
        evhttp_set_cb(http, path, say_hello, NULL);
    }
    evhttp_set_gencb(http, find_parameter, NULL);
}

static void* serve(void* address) {
    struct event_base* base = event_base_new();
    struct evhttp* http = evhttp_new(base);
    evhttp_set_max_body_size(http, upload_limit);
    add_routes(http);
    unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE | LEV_OPT_REUSEABLE_PORT;
    struct evconnlistener* listener = evconnlistener_new_bind(base, NULL, NULL, flags, 4096, address, sizeof(struct sockaddr_in));
    if (!listener) return cannot_listen(strerror(errno));
    evhttp_bind_listener(http, listener);
    event_base_dispatch(base);
    return NULL;
}

int main(int count, char** arguments) {
    const char* wanted = getenv("ROUTES");
    if (wanted) routes = atoi(wanted);
    memset(long_body, 'x', sizeof long_body);
    return serve_on_threads(count, arguments, serve);
}
