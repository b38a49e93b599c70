// SPDX-License-Identifier: Apache-2.0
const int& least() {
    int n = 1;
    return n;
}
