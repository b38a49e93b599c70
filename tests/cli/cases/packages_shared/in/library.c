// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

const char* apus_says(void) { return zlibVersion()[0] ? "of the shared library" : ""; }
