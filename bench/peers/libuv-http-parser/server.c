// SPDX-License-Identifier: Apache-2.0
#include "replies.h"
#include "threads.h"

#include <sys/socket.h>
#include <uv.h>

enum {
    input_size = 64 << 10,
    copied_limit = 4 << 10, // longer bodies are sent without copying
    first_capacity = 512,
};

// The responses to all requests of one read, sent together.
struct output {
    uv_write_t request;
    size_t size;
    size_t capacity;
    char bytes[];
};

struct connection {
    uv_tcp_t stream;
    struct exchange exchange;
    struct output* output;
    bool ending;
};

static void on_closed(uv_handle_t* handle) {
    struct connection* of = handle->data;
    free(of->output);
    free(of);
}

static void end(struct connection* of) {
    if (!uv_is_closing((uv_handle_t*)&of->stream)) uv_close((uv_handle_t*)&of->stream, on_closed);
}

static void on_written(uv_write_t* request, int status) {
    struct connection* of = request->handle->data;
    free(request->data);
    if (status < 0 || (of->ending && of->stream.write_queue_size == 0)) end(of);
}

static void flush(struct connection* of, const char* body, size_t body_size) {
    struct output* output = of->output;
    if (!output) return;
    of->output = NULL;
    output->request.data = output;
    uv_buf_t parts[2] = {uv_buf_init(output->bytes, (unsigned)output->size), uv_buf_init((char*)body, (unsigned)body_size)};
    if (uv_write(&output->request, (uv_stream_t*)&of->stream, parts, body_size ? 2 : 1, on_written)) {
        free(output);
        end(of);
    }
}

static void append(struct connection* of, const char* bytes, size_t size) {
    struct output* output = of->output;
    size_t used = output ? output->size : 0;
    if (!output || output->capacity - used < size) {
        size_t capacity = output ? output->capacity * 2 : first_capacity;
        while (capacity < used + size) capacity *= 2;
        output = realloc(output, sizeof *output + capacity);
        if (!output) abort();
        output->capacity = capacity;
        of->output = output;
    }
    memcpy(output->bytes + used, bytes, size);
    output->size = used + size;
}

static void on_reply(void* connection, const struct reply* reply) {
    struct connection* of = connection;
    if (of->ending) return;
    of->ending = !reply->keeps_alive;
    append(of, reply->head, reply->head_size);
    if (reply->body_size > copied_limit) flush(of, reply->body, reply->body_size);
    else append(of, reply->body, reply->body_size);
}

static void on_allocate(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    static _Thread_local char input[input_size];
    (void)handle;
    (void)suggested;
    *buffer = uv_buf_init(input, sizeof input);
}

static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
    struct connection* of = stream->data;
    if (size < 0 || (size > 0 && !read_requests(&of->exchange, buffer->base, (size_t)size))) {
        end(of);
        return;
    }
    flush(of, NULL, 0);
    if (of->ending) uv_read_stop(stream);
}

static void on_connection(uv_stream_t* listener, int status) {
    if (status < 0) return;
    struct connection* of = calloc(1, sizeof *of);
    if (!of) return;
    uv_tcp_init(listener->loop, &of->stream);
    of->stream.data = of;
    start_exchange(&of->exchange, of);
    if (uv_accept(listener, (uv_stream_t*)&of->stream)) {
        end(of);
        return;
    }
    uv_tcp_nodelay(&of->stream, 1);
    uv_read_start((uv_stream_t*)&of->stream, on_allocate, on_read);
}

static void* serve(void* address) {
    uv_loop_t loop;
    uv_tcp_t listener;
    uv_os_fd_t socket;
    int on = 1;
    uv_loop_init(&loop);
    uv_tcp_init_ex(&loop, &listener, AF_INET);
    uv_fileno((uv_handle_t*)&listener, &socket);
    setsockopt(socket, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    int error = uv_tcp_bind(&listener, address, 0);
    if (!error) error = uv_listen((uv_stream_t*)&listener, 4096, on_connection);
    if (error) return cannot_listen(uv_strerror(error));
    uv_run(&loop, UV_RUN_DEFAULT);
    return NULL;
}

int main(int count, char** arguments) {
    prepare_replies(on_reply);
    return serve_on_threads(count, arguments, serve);
}
