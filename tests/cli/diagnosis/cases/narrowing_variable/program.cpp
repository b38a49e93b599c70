// SPDX-License-Identifier: Apache-2.0
unsigned char small(int n) {
    unsigned char c{n};
    return c;
}
