// SPDX-License-Identifier: Apache-2.0
int main() {
    int* volatile p = nullptr;
    return *p;
}
