// SPDX-License-Identifier: Apache-2.0
#include <string>

int length(const std::string& text) { return text.size(); }
