// SPDX-License-Identifier: Apache-2.0
#include "../libuv-http-parser/replies.h"
#include "../libuv-http-parser/threads.h"

#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/tcp.h>

enum {
    copied_limit = 4 << 10, // longer bodies are sent without copying
};

struct connection {
    struct bufferevent* stream;
    struct exchange exchange;
    bool ending;
};

static void end(struct connection* of) {
    bufferevent_free(of->stream);
    free(of);
}

static void on_reply(void* connection, const struct reply* reply) {
    struct connection* of = connection;
    if (of->ending) return;
    of->ending = !reply->keeps_alive;
    struct evbuffer* output = bufferevent_get_output(of->stream);
    evbuffer_add(output, reply->head, reply->head_size);
    if (reply->body_size > copied_limit) evbuffer_add_reference(output, reply->body, reply->body_size, NULL, NULL);
    else evbuffer_add(output, reply->body, reply->body_size);
}

static void on_written(struct bufferevent* stream, void* connection) {
    struct connection* of = connection;
    if (of->ending && evbuffer_get_length(bufferevent_get_output(stream)) == 0) end(of);
}

static void on_read(struct bufferevent* stream, void* connection) {
    struct connection* of = connection;
    struct evbuffer* input = bufferevent_get_input(stream);
    size_t size;
    while ((size = evbuffer_get_contiguous_space(input)) > 0) {
        if (!read_requests(&of->exchange, (const char*)evbuffer_pullup(input, (ev_ssize_t)size), size)) {
            end(of);
            return;
        }
        evbuffer_drain(input, size);
    }
    if (of->ending) bufferevent_disable(stream, EV_READ);
}

static void on_event(struct bufferevent* stream, short what, void* connection) {
    (void)stream;
    if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) end(connection);
}

static void on_connection(struct evconnlistener* listener, evutil_socket_t socket, struct sockaddr* from, int size, void* unused) {
    (void)from;
    (void)size;
    (void)unused;
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct connection* of = calloc(1, sizeof *of);
    if (!of) {
        evutil_closesocket(socket);
        return;
    }
    of->stream = bufferevent_socket_new(evconnlistener_get_base(listener), socket, BEV_OPT_CLOSE_ON_FREE);
    start_exchange(&of->exchange, of);
    bufferevent_setcb(of->stream, on_read, on_written, on_event, of);
    bufferevent_enable(of->stream, EV_READ | EV_WRITE);
}

static void* serve(void* address) {
    struct event_base* base = event_base_new();
    unsigned flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE | LEV_OPT_REUSEABLE_PORT;
    if (!evconnlistener_new_bind(base, on_connection, NULL, flags, 4096, address, sizeof(struct sockaddr_in))) {
        return cannot_listen(strerror(errno));
    }
    event_base_dispatch(base);
    return NULL;
}

int main(int count, char** arguments) {
    prepare_replies(on_reply);
    return serve_on_threads(count, arguments, serve);
}
