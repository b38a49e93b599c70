// SPDX-License-Identifier: Apache-2.0
int sign(int n) {
    if (n < 0) return -1;
}
