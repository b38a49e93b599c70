// SPDX-License-Identifier: Apache-2.0
int main() {
    const int n = 1;
    n = 2;
    return n;
}
