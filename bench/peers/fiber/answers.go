// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v3"
)

type greeting struct {
	Message string `json:"message"`
	ID      int    `json:"id"`
	OK      bool   `json:"ok"`
}

func hello(c fiber.Ctx) error {
	return c.SendString("Hello, World!")
}

func message(c fiber.Ctx) error {
	return c.JSON(greeting{Message: "Hello, World!", ID: 42, OK: true})
}

func body(size int) fiber.Handler {
	content := bytes.Repeat([]byte("x"), size)
	return func(c fiber.Ctx) error {
		return c.Send(content)
	}
}

func upload(c fiber.Ctx) error {
	var read int64
	if stream := c.Request().BodyStream(); stream != nil {
		var err error
		if read, err = io.Copy(io.Discard, stream); err != nil {
			return fiber.NewError(fiber.StatusBadRequest, err.Error())
		}
	}
	return c.SendString(strconv.FormatInt(read, 10))
}

func pass(c fiber.Ctx) error {
	return c.Next()
}

func sum(c fiber.Ctx) error {
	numbers := []string{c.Query("a"), c.Query("b")}
	if c.Method() == fiber.MethodPost {
		numbers = append(numbers, strings.TrimSpace(string(c.Body())))
	}

	total := 0
	for _, number := range numbers {
		value, err := strconv.Atoi(number)
		if err != nil {
			return fiber.NewError(fiber.StatusBadRequest, err.Error())
		}
		total += value
	}
	return c.SendString(strconv.Itoa(total))
}
