# SPDX-License-Identifier: Apache-2.0
"""The order and duration of the measurements of a run."""
import database
import scenarios
import special

LEAST_ROUNDS, LEAST_SECONDS = 3, 0.4
FULL_MINUTES, QUICK_MINUTES = 60, 2.8
QUICK_ROUNDS, QUICK_SECONDS = 3, 0.4
SLOW_LANGUAGES = {"Python", "PHP", "JavaScript", "TypeScript"}
WARMUP_SECONDS = 0.2
WHOLE_SECONDS = {"wrk", "ab"}  # these tools accept only whole seconds
OWN_START = ("cold_start", "start_memory", "idle")


class Plan:
    """Peers, scenarios and their numbers of rounds. `cuts` lists, in sentences, what was omitted for lack of time."""

    def __init__(self, peers, chosen, rounds, seconds):
        self.peers, self.scenarios = list(peers), list(chosen)
        self.seconds = self.lesser_seconds = seconds  # `lesser_seconds` applies to scenarios without `important`
        self.rounds = {entry["name"]: rounds for entry in chosen}
        self.cuts = []

    def all_rounds(self):
        return max(self.rounds.values(), default=0)

    def takes_part(self, peer, entry):
        if entry["tool"] == "compile_time":
            return special.can_compile(peer)
        if (entry["name"] == "flags") != bool(getattr(peer, "of_flags", False)):
            return False
        return scenarios.offered(entry, peer.offers)

    def seconds_of(self, entry):
        seconds = max(self.seconds if entry["important"] else self.lesser_seconds, entry["least_seconds"])
        return max(1.0, seconds) if entry["tool"] in WHOLE_SECONDS else seconds

    def visits(self):
        """Yields (round, peer, batches) in the order of execution. A scenario comes after the scenarios that it
        needs."""
        for later in (False, True):
            part = [s for s in self.scenarios if bool(s["needs"]) == later]
            for number in range(self.all_rounds()):
                first = number % max(1, len(self.peers))
                for peer in self.peers[first:] + self.peers[:first]:
                    mine = [s for s in part if number < self.rounds[s["name"]] and self.takes_part(peer, s)]
                    if mine:
                        yield number, peer, batches(mine)

    def measurements(self):
        return sum(len(batch) for _, _, all_batches in self.visits() for batch in all_batches.values())

    def estimate(self):
        """Returns the expected duration of the plan in seconds."""
        total = 0.0
        for _, peer, all_batches in self.visits():
            for key, batch in all_batches.items():
                total += start_cost(key, peer) + sum(self.cost(entry) for entry in batch)
        return total

    def cost(self, entry):
        many = entry["connections"] * (2e-3 if entry["args"].get("tls") else 6e-5)
        fixed = {"cold_start": 0.0, "start_memory": 0.35, "idle": 1.5, "compile_time": 4.0}
        if entry["tool"] in fixed:
            return fixed[entry["tool"]]
        return self.seconds_of(entry) + 0.1 + many


def batch_key(entry):
    """Returns a key; scenarios with equal keys share one start of the server."""
    if entry["tool"] == "compile_time":
        return ("no server",)
    if entry["tool"] in OWN_START:
        return ("own start",)
    if entry["endpoint"] in database.ENDPOINTS:
        return ("load", "with a database")
    return ("load", entry["pinned"], entry["threads"], entry["routes"])


def batches(chosen):
    grouped = {}
    for entry in chosen:
        grouped.setdefault(batch_key(entry), []).append(entry)
    for entries in grouped.values():
        entries.sort(key=lambda e: OWN_START.index(e["tool"]) if e["tool"] in OWN_START else -1)
    return grouped


def start_cost(key, peer):
    if key[0] == "no server":
        return 0.0
    return (1.5 if peer.language in SLOW_LANGUAGES else 0.35) + (WARMUP_SECONDS if key[0] == "load" else 0.0)


def fit(plan, minutes, may_drop):
    """Removes measurements, the least important first, until the rest fits in the time."""
    limit = minutes * 60
    for step in (fewer_rounds_of_less_important, shorten_less_important, shorter, fewer_rounds,
                 *([fewer_peers, fewer_scenarios] if may_drop else [])):
        while plan.estimate() > limit and step(plan):
            pass
    plan.cuts = list(dict.fromkeys(plan.cuts))
    return plan


def fewer_rounds_of_less_important(plan):
    lesser = [s["name"] for s in plan.scenarios if not s["important"] and plan.rounds[s["name"]] > LEAST_ROUNDS]
    for name in lesser:
        plan.rounds[name] -= 1
    if lesser and not any("rounds only" in cut for cut in plan.cuts):
        plan.cuts.append(f"measured in {LEAST_ROUNDS} rounds only where time was short: {', '.join(lesser)}")
    return bool(lesser)


def shorten_less_important(plan):
    if plan.lesser_seconds <= LEAST_SECONDS or not any(not s["important"] for s in plan.scenarios):
        return False
    plan.lesser_seconds = max(LEAST_SECONDS, round(plan.lesser_seconds - 0.1, 2))
    note_cut(plan, "a measurement of these", f"takes {plan.lesser_seconds:g} s only")
    return True


def shorter(plan):
    if plan.seconds <= LEAST_SECONDS:
        return False
    plan.seconds = max(LEAST_SECONDS, round(plan.seconds - 0.1, 2))
    plan.lesser_seconds = min(plan.lesser_seconds, plan.seconds)
    note_cut(plan, "any other measurement", f"takes {plan.seconds:g} s only")
    return True


def note_cut(plan, what, how):
    """Adds a sentence to `cuts`. Replaces an earlier sentence on the same subject."""
    plan.cuts = [cut for cut in plan.cuts if not cut.startswith(what)] + [f"{what} {how}"]


def fewer_rounds(plan):
    rounds = plan.all_rounds()
    if rounds <= LEAST_ROUNDS:
        return False
    plan.rounds = {name: min(count, rounds - 1) for name, count in plan.rounds.items()}
    plan.cuts.append("fewer rounds than requested")
    return True


def fewer_peers(plan):
    if len(plan.peers) <= 5:
        return False
    plan.cuts.append(f"{plan.peers.pop().name} omitted for lack of time")
    return True


def fewer_scenarios(plan):
    if len(plan.scenarios) <= 4:
        return False
    gone = plan.scenarios.pop()
    plan.cuts.append(f"{gone['name']} omitted for lack of time")
    return True
