// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

const char* apus_says(void);

int main(void) { return puts(apus_says()) < 0; }
