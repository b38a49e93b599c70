// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"slices"

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

func countOf(r *http.Request) int {
	return max(1, min(500, number(r, "queries", 1)))
}

// answering returns a handler that sends the result of find, or status 500.
func answering(find func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		found, err := find(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		sendJSON(w, found)
	}
}

func findOne(pool *pgxpool.Pool) http.HandlerFunc {
	return answering(func(r *http.Request) (any, error) {
		var found world
		err := pool.QueryRow(r.Context(), worldByID, randomID()).Scan(&found.ID, &found.RandomNumber)
		return found, err
	})
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

func findSeveral(pool *pgxpool.Pool) http.HandlerFunc {
	return answering(func(r *http.Request) (any, error) {
		ids := make([]int32, countOf(r))
		for i := range ids {
			ids[i] = randomID()
		}
		on, err := pool.Acquire(r.Context())
		if err != nil {
			return nil, err
		}
		defer on.Release()
		return findAll(r.Context(), on, ids)
	})
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

func changeSeveral(pool *pgxpool.Pool) http.HandlerFunc {
	return answering(func(r *http.Request) (any, error) {
		ids := differentIDs(countOf(r))
		on, err := pool.Acquire(r.Context())
		if err != nil {
			return nil, err
		}
		defer on.Release()
		found, err := findAll(r.Context(), on, ids)
		if err != nil {
			return nil, err
		}
		numbers := make([]int32, len(found))
		for i := range found {
			found[i].RandomNumber = randomID()
			numbers[i] = found[i].RandomNumber
		}
		_, err = on.Exec(r.Context(), changeWorlds, ids, numbers)
		return found, err
	})
}
