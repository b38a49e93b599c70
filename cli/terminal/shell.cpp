// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/shell.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace apus::cli::terminal {

namespace {

constexpr std::string_view green = "\033[1;32m", yellow = "\033[1;33m", red = "\033[1;31m", cyan = "\033[1;36m",
                           plain = "\033[0m";
constexpr std::size_t column = 12;  // column at which the first word of an event ends

bool shows_colors(colors wanted) {
    if (wanted != colors::automatic) return wanted == colors::always;
    const char* no_color = std::getenv("NO_COLOR");
    const char* term = std::getenv("TERM");
    return isatty(STDERR_FILENO) && (!no_color || !*no_color) && term && std::string_view(term) != "dumb";
}

// Returns errno, or 0. A closed pipe is not an error.
int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno == EPIPE ? 0 : errno;
        text.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
}

// Escapes control characters as \x1b: messages contain file names and file contents, which must not send control
// sequences to the terminal.
std::string without_control(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string made;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7f)
            made.append("\\x").append(1, digits[byte >> 4]).append(1, digits[byte & 15]);
        else made += c;
    }
    return made;
}

}  // namespace

shell::shell(colors wanted, verbosity level) : colored_(shows_colors(wanted)), level_(level) {}

void shell::line(std::string_view color, std::string_view head, std::string_view text) {
    std::string whole;
    if (colored_) whole += color;
    whole += head;
    if (colored_) whole += plain;
    whole.append(" ").append(without_control(text)).append("\n");
    write_all(STDERR_FILENO, whole);
}

void shell::event(std::string_view done, std::string_view object) {
    if (level_ == verbosity::quiet) return;
    line(green, std::string(done.size() < column ? column - done.size() : 0, ' ').append(done), object);
}

void shell::detail(std::string_view done, std::string_view object) {
    if (level_ == verbosity::verbose) event(done, object);
}

void shell::warning(std::string_view text) { line(yellow, "warning:", text); }

void shell::hint(std::string_view text) {
    if (level_ != verbosity::quiet) line(cyan, "hint:", text);
}

void shell::error(const errors::failure& why) {
    line(red, "error[" + std::string(why.code()) + "]:", why.message());
    if (!why.hint().empty()) line(cyan, "hint:", why.hint());
}

void shell::print(std::string_view text) {
    if (const int why = write_all(STDOUT_FILENO, text))
        throw errors::system_failure("cannot write to standard output", why);
}

void shell::copy_output(std::string_view text) { write_all(STDOUT_FILENO, text); }

void shell::copy_error(std::string_view text) { write_all(STDERR_FILENO, text); }

}  // namespace apus::cli::terminal
