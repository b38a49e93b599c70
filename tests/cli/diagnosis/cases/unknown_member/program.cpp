// SPDX-License-Identifier: Apache-2.0
#include <string>

std::size_t length(const std::string& text) { return text.lenght(); }
