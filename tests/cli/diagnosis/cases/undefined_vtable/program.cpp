// SPDX-License-Identifier: Apache-2.0
struct shape {
    virtual ~shape() {}
    virtual int area() const;
};

int main() {
    shape one;
    return 0;
}
