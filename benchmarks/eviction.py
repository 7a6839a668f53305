#!/usr/bin/env python3
"""Hit rates of eviction policies, from which that of the memory tier was chosen.

Draws keys by Zipf's law, and by the same law with scans in between: runs of keys that never come again.
Usage: python3 benchmarks/eviction.py [DRAWS]
"""

import bisect
import itertools
import random
import sys
from collections import Counter, OrderedDict, deque


class LRU:
    """Evicts what was used longest ago."""

    def __init__(self, size):
        self.size = size
        self.entries = OrderedDict()

    def get(self, key):
        if key in self.entries:
            self.entries.move_to_end(key)
            return True
        if len(self.entries) >= self.size:
            self.entries.popitem(last=False)
        self.entries[key] = None
        return False


class Sieve:
    """One queue and a hand: a hit marks, the hand takes marks away and evicts what has none."""

    def __init__(self, size):
        self.size = size
        self.marks = {}
        self.older = {}  # towards the tail
        self.newer = {}  # towards the head
        self.head = self.tail = self.hand = None

    def get(self, key):
        if key in self.marks:
            self.marks[key] = True
            return True
        if len(self.marks) >= self.size:
            self.evict()
        self.marks[key] = False
        self.older[key], self.newer[key] = self.head, None
        if self.head is not None:
            self.newer[self.head] = key
        self.head = key
        if self.tail is None:
            self.tail = key
        return False

    def evict(self):
        key = self.hand if self.hand is not None else self.tail
        while self.marks[key]:
            self.marks[key] = False
            key = self.newer[key] if self.newer[key] is not None else self.tail
        older, newer = self.older.pop(key), self.newer.pop(key)
        del self.marks[key]
        self.hand = newer
        if newer is not None:
            self.older[newer] = older
        else:
            self.head = older
        if older is not None:
            self.newer[older] = newer
        else:
            self.tail = newer


class S3FIFO:
    """A small queue on probation, a main queue, and a list of keys that were evicted from the small one."""

    def __init__(self, size):
        self.small_size = max(size // 10, 1)
        self.size = size
        self.small, self.main = deque(), deque()
        self.marks = {}
        self.ghosts = OrderedDict()

    def get(self, key):
        if key in self.marks:
            self.marks[key] = min(self.marks[key] + 1, 3)
            return True
        while len(self.marks) >= self.size:
            self.evict()
        self.marks[key] = 0
        if key in self.ghosts:
            del self.ghosts[key]
            self.main.append(key)
        else:
            self.small.append(key)
        return False

    def evict(self):
        if len(self.small) >= self.small_size or not self.main:
            key = self.small.popleft()
            if self.marks[key] > 1:
                self.marks[key] = 0
                self.main.append(key)
                return
            del self.marks[key]
            self.ghosts[key] = None
            if len(self.ghosts) > self.size - self.small_size:
                self.ghosts.popitem(last=False)
            return
        key = self.main.popleft()
        if self.marks[key] > 0:
            self.marks[key] -= 1
            self.main.append(key)
        else:
            del self.marks[key]


class WTinyLFU:
    """A window of 1 %, a segmented LRU behind it, and counts (exact here, halved at times) that decide who enters."""

    def __init__(self, size):
        self.window_size = max(size // 100, 1)
        self.main_size = size - self.window_size
        self.protected_size = self.main_size * 8 // 10
        self.window, self.probation, self.protected = OrderedDict(), OrderedDict(), OrderedDict()
        self.counts = Counter()
        self.draws, self.period = 0, size * 10

    def get(self, key):
        self.count(key)
        if key in self.window:
            self.window.move_to_end(key)
        elif key in self.protected:
            self.protected.move_to_end(key)
        elif key in self.probation:
            del self.probation[key]
            self.protected[key] = None
            if len(self.protected) > self.protected_size:
                self.probation[self.protected.popitem(last=False)[0]] = None
        else:
            self.insert(key)
            return False
        return True

    def count(self, key):
        self.counts[key] = min(self.counts[key] + 1, 15)
        self.draws += 1
        if self.draws >= self.period:
            self.draws = 0
            self.counts = Counter({k: n // 2 for k, n in self.counts.items() if n > 1})

    def insert(self, key):
        self.window[key] = None
        if len(self.window) <= self.window_size:
            return
        candidate = self.window.popitem(last=False)[0]
        if len(self.probation) + len(self.protected) < self.main_size:
            self.probation[candidate] = None
            return
        victims = self.probation or self.protected
        victim = next(iter(victims))
        if self.counts[candidate] > self.counts[victim]:
            del victims[victim]
            self.probation[candidate] = None


def zipf(keys, exponent, draws, seed):
    weights = list(itertools.accumulate(1 / (rank**exponent) for rank in range(1, keys + 1)))
    source = random.Random(seed)
    return [bisect.bisect_left(weights, source.random() * weights[-1]) for _ in range(draws)]


def with_scans(trace, every, length):
    fresh = itertools.count(10**9)
    for start in range(0, len(trace), every):
        yield from ((key, True) for key in trace[start : start + every])
        yield from ((next(fresh), False) for _ in range(length))


def hit_rate(policy, trace):
    """The share of hits among the draws; keys of scans are not counted."""
    hits = counted = 0
    for key, counts in trace:
        hit = policy.get(key)
        hits += hit and counts
        counted += counts
    return 100 * hits / counted


def main():
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    keys = 50_000
    policies = [LRU, Sieve, S3FIFO, WTinyLFU]
    print("share" + " " * 12 + "trace" + " " * 18 + "".join(f"{p.__name__:>10}" for p in policies))
    for share in (0.01, 0.1):
        size = int(keys * share)
        for exponent in (0.9, 1.0):
            draw = zipf(keys, exponent, draws, 7)
            traces = {
                f"Zipf {exponent}": [(key, True) for key in draw],
                f"Zipf {exponent}, scans": list(with_scans(draw, size * 4, size * 2)),
            }
            for name, trace in traces.items():
                rates = "".join(f"{hit_rate(policy(size), trace):9.1f}%" for policy in policies)
                print(f"{share:>4.0%} of the keys  {name:<22}{rates}")


main()
