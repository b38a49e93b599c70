// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/full_screen.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string>

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace apus::cli::terminal {

namespace {

constexpr std::string_view alternate_screen = "\033[?1049h\033[?25l", normal_screen = "\033[?25h\033[?1049l",
                           home = "\033[H", rest_of_line = "\033[K\r\n", rest_of_screen = "\033[K\033[J";

void write_all(std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(STDOUT_FILENO, text.data(), text.size());
        if (n < 0 && errno != EINTR) return;  // the terminal is gone; reading a key reports it too
        if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
    }
}

void interrupt(int) {}  // SIGWINCH only interrupts `poll`

}  // namespace

bool full_screen::is_supported() noexcept {
    const char* term = std::getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term && std::string_view(term) != "dumb";
}

full_screen::full_screen() {
    tcgetattr(STDIN_FILENO, &before_);
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    struct sigaction resized{};
    resized.sa_handler = interrupt;
    sigaction(SIGWINCH, &resized, nullptr);
    write_all(alternate_screen);
}

full_screen::~full_screen() {
    write_all(normal_screen);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

full_screen::size full_screen::current_size() const noexcept {
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col || !size.ws_row) return {80, 24};
    return {size.ws_col, size.ws_row};
}

void full_screen::show(std::string_view text) {
    std::string all(home);
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        all.append(line).append(text.empty() ? rest_of_screen : rest_of_line);
    }
    write_all(all);
}

char full_screen::wait_for_key(std::chrono::steady_clock::time_point deadline) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::ceil<milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    if (poll(&input, 1, static_cast<int>(std::max<long>(left, 0))) <= 0) return 0;
    char bytes[64];
    const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
    if (n == 0 || (n < 0 && errno != EINTR)) return 'q';
    return n < 1 || bytes[0] == '\033' ? '\0' : bytes[n - 1];
}

}  // namespace apus::cli::terminal
