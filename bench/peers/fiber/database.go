// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"log"
	"os"
	"strconv"

	"github.com/gofiber/fiber/v3"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const itemsByPrice = `SELECT id, name, category, price, quantity, active, tags, rating_score, rating_count
FROM items WHERE price BETWEEN $1 AND $2 LIMIT $3`

// openPool returns nil if no database is configured.
func openPool() *pgxpool.Pool {
	url := os.Getenv("DATABASE_URL")
	if url == "" {
		return nil
	}
	config, err := pgxpool.ParseConfig(url)
	if err != nil {
		log.Fatalf("DATABASE_URL is no address of a PostgreSQL server: %v", err)
	}
	if most, err := strconv.Atoi(os.Getenv("DATABASE_MAX_CONN")); err == nil && most > 0 {
		config.MaxConns = int32(most)
	}
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		log.Fatalf("no pool of connections to PostgreSQL: %v", err)
	}
	return pool
}

func readRow(row pgx.CollectableRow) (item, error) {
	var it item
	err := row.Scan(&it.ID, &it.Name, &it.Category, &it.Price, &it.Quantity, &it.Active, &it.Tags,
		&it.Rating.Score, &it.Rating.Count)
	return it, err
}

func queryItems(pool *pgxpool.Pool) fiber.Handler {
	return func(c fiber.Ctx) error {
		limit := max(1, min(50, fiber.Query(c, "limit", 50)))
		rows, err := pool.Query(c.Context(), itemsByPrice, fiber.Query(c, "min", 10), fiber.Query(c, "max", 50), limit)
		if err != nil {
			return err
		}
		items, err := pgx.CollectRows(rows, readRow)
		if err != nil {
			return err
		}
		return c.JSON(itemList[item]{items, len(items)})
	}
}
