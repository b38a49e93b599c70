// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

// A listening socket is all that `apus dev` requires of a program.
void answer(int client) {
    char* text = new char[4];
    const char beyond = text[read(client, text, 4)];
    write(client, &beyond, 1);
    delete[] text;
}

int main() {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    socklen_t size = sizeof at;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    bind(listener, reinterpret_cast<sockaddr*>(&at), size);
    listen(listener, 9);
    getsockname(listener, reinterpret_cast<sockaddr*>(&at), &size);
    std::printf("listening on http://127.0.0.1:%d\n", ntohs(at.sin_port));
    std::fflush(stdout);
    for (;;) answer(accept(listener, nullptr, nullptr));
}
