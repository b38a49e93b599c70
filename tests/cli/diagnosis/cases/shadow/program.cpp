// SPDX-License-Identifier: Apache-2.0
int n = 0;

int main() {
    int i = 1;
    {
        int i = 2;
        return i;
    }
}
