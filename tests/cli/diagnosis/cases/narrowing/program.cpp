// SPDX-License-Identifier: Apache-2.0
int main() {
    double d = 1.5;
    int list[] = {d};
    return list[0];
}
