// SPDX-License-Identifier: Apache-2.0
int main() {
    int* last = nullptr;
    for (int i = 0; i < 3; ++i) {
        int n = i;
        last = &n;
    }
    return *last;
}
