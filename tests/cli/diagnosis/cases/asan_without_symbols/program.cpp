// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

std::string_view greeting() {
    std::string text = "a greeting that is too long to be kept inside of the string";
    return std::string_view(text.data(), text.size());
}

int main() { return greeting()[0]; }
