// SPDX-License-Identifier: Apache-2.0
int main() {
    int spare = 1;
    return 0;
}
