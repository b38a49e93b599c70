// SPDX-License-Identifier: Apache-2.0
int main() {
    int n = 1;
    auto add = [](int m) { return n + m; };
    return add(1);
}
