// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

// Runs one event loop per thread: `serve` creates a loop, listens at the address, and does not return.
static int serve_on_threads(int count, char** arguments, void* (*serve)(void* address)) {
    if (count != 3) {
        fprintf(stderr, "usage: %s PORT THREADS\n", arguments[0]);
        return 2;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET,
        .sin_port = htons((in_port_t)atoi(arguments[1])),
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
    };
    signal(SIGPIPE, SIG_IGN);
    for (int i = 1; i < atoi(arguments[2]); ++i) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, &address)) {
            fprintf(stderr, "A thread could not be started.\n");
            return 1;
        }
    }
    serve(&address);
    return 1;
}

static inline void* cannot_listen(const char* why) {
    fprintf(stderr, "The port cannot be listened at: %s\n", why);
    exit(1);
}
