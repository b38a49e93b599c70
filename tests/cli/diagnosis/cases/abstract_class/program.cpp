// SPDX-License-Identifier: Apache-2.0
struct shape {
    virtual ~shape() = default;
    virtual int area() const = 0;
};

shape s;
