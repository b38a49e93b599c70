// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"

	"github.com/gofiber/fiber/v3"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type fortune struct {
	ID      int32
	Message string
}

func fortunes(pool *pgxpool.Pool) fiber.Handler {
	return func(c fiber.Ctx) error {
		rows, err := pool.Query(c.Context(), "SELECT id, message FROM fortune")
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[fortune])
		if err != nil {
			return err
		}
		all = append(all, fortune{0, "Additional fortune added at request time."})
		slices.SortFunc(all, func(a, b fortune) int { return strings.Compare(a.Message, b.Message) })
		c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
		WriteFortunePage(c.Response().BodyWriter(), all)
		return nil
	}
}
