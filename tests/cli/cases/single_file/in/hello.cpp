// SPDX-License-Identifier: Apache-2.0
// apus: dependencies = zlib
// apus: flags = -DCOUNT=3
#include "words.hpp"

#include <zlib.h>

#include <cstdio>

int main(int argc, char** argv) {
    std::printf("%s %s, %d\n", "hello", argc > 1 ? argv[1] : words, zlibVersion() ? COUNT : 0);
}
