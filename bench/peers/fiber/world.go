// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/gofiber/fiber/v3"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	worldByID    = "SELECT id, randomnumber FROM world WHERE id = $1"
	changeWorlds = `UPDATE world SET randomnumber = new.number FROM unnest($1::int[], $2::int[]) AS new (id, number)
WHERE world.id = new.id`
)

type world struct {
	ID           int32 `json:"id"`
	RandomNumber int32 `json:"randomNumber"`
}

func randomID() int32 {
	return rand.Int32N(10000) + 1
}

func countOf(c fiber.Ctx) int {
	return max(1, min(500, fiber.Query(c, "queries", 1)))
}

func findOne(pool *pgxpool.Pool) fiber.Handler {
	return func(c fiber.Ctx) error {
		var found world
		err := pool.QueryRow(c.Context(), worldByID, randomID()).Scan(&found.ID, &found.RandomNumber)
		if err != nil {
			return err
		}
		return c.JSON(found)
	}
}

// findAll sends a statement for each id at once.
func findAll(ctx context.Context, on *pgxpool.Conn, ids []int32) ([]world, error) {
	batch := &pgx.Batch{}
	for _, id := range ids {
		batch.Queue(worldByID, id)
	}
	results := on.SendBatch(ctx, batch)
	defer results.Close()
	found := make([]world, len(ids))
	for i := range found {
		if err := results.QueryRow().Scan(&found[i].ID, &found[i].RandomNumber); err != nil {
			return nil, err
		}
	}
	return found, results.Close()
}

func findSeveral(pool *pgxpool.Pool) fiber.Handler {
	return func(c fiber.Ctx) error {
		ids := make([]int32, countOf(c))
		for i := range ids {
			ids[i] = randomID()
		}
		on, err := pool.Acquire(c.Context())
		if err != nil {
			return err
		}
		defer on.Release()
		found, err := findAll(c.Context(), on, ids)
		if err != nil {
			return err
		}
		return c.JSON(found)
	}
}

// differentIDs are sorted: rows are locked in this order, so that concurrent updates cannot deadlock.
func differentIDs(count int) []int32 {
	ids := make([]int32, 0, count)
	for len(ids) < count {
		if id := randomID(); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func changeSeveral(pool *pgxpool.Pool) fiber.Handler {
	return func(c fiber.Ctx) error {
		ids := differentIDs(countOf(c))
		on, err := pool.Acquire(c.Context())
		if err != nil {
			return err
		}
		defer on.Release()
		found, err := findAll(c.Context(), on, ids)
		if err != nil {
			return err
		}
		numbers := make([]int32, len(found))
		for i := range found {
			found[i].RandomNumber = randomID()
			numbers[i] = found[i].RandomNumber
		}
		if _, err := on.Exec(c.Context(), changeWorlds, ids, numbers); err != nil {
			return err
		}
		return c.JSON(found)
	}
}
