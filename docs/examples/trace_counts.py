#!/usr/bin/env python3
"""Prints the counts of `wheelscope compare` as CSV, read from the events of a trace (docs/TRACE.md).

usage: trace_counts.py TRACE      a file (.jsonl or .jsonl.gz), or "-" for standard input

Costs and bytes per timer are not in a trace. A damaged trace gives one line and exit code 2."""
import csv, gzip, hashlib, json, sys

LINE_BYTES_MAX = 16 << 20  # of the header; an event has at most 64 KiB
COLUMNS = "lane algorithm fired cancelled rejected early early_max late late_max late_p99 findings".split()


def read(file):
    """Returns for each lane how many events it has of each kind, and how many firings of each lateness."""
    digest, lanes, seq, end = hashlib.sha256(), None, 0, None
    while line := file.readline(LINE_BYTES_MAX):
        event = json.loads(line)
        if not line.endswith(b"\n") or end:
            raise ValueError("a line is cut or too long, or follows the end line")
        if lanes is None:
            if event["wheelscope"] != 1 or event["kind"] != "trace":
                raise ValueError("not a trace of version 1")
            lanes = {lane["id"]: {"algorithm": lane["algorithm"], "late": {}} for lane in event["scenario"]["lanes"]}
        elif event["kind"] == "end":
            end = event
            continue  # the digest is that of every byte before this line
        else:
            seq += 1
            if event["seq"] != seq:
                raise ValueError(f"seq is {event['seq']}, expected {seq}")
            lane = lanes[event["lane"]]
            lane[event["kind"]] = lane.get(event["kind"], 0) + 1
            if event["kind"] == "expire":
                lane["late"][event["late"]] = lane["late"].get(event["late"], 0) + 1
        digest.update(line)
    if not end or end["events"] != seq or end["sha256"] != digest.hexdigest():
        raise ValueError("the end line is missing or wrong")
    return lanes


def row(lane_id, lane):
    late, fired, seen, p99 = lane["late"], lane.get("expire", 0), 0, 0
    for value in sorted(late, reverse=True):  # late_p99: the least that 99 of 100 firings do not exceed
        if seen * 100 > fired:
            break
        seen, p99 = seen + late[value], value
    early, after = [v for v in late if v < 0], [v for v in late if v > 0]
    return [lane_id, lane["algorithm"], fired, lane.get("cancel", 0) + lane.get("mark", 0), lane.get("reject", 0),
            sum(late[v] for v in early), -min(early, default=0), sum(late[v] for v in after), max(after, default=0),
            max(0, p99), lane.get("finding", 0)]


try:
    name = sys.argv[1]
    file = sys.stdin.buffer if name == "-" else gzip.open(name) if name.endswith(".gz") else open(name, "rb")
    csv.writer(sys.stdout, lineterminator="\n").writerows([COLUMNS] + [row(*lane) for lane in read(file).items()])
except (OSError, EOFError, ValueError, KeyError, IndexError) as error:
    print(f"trace_counts: {error}", file=sys.stderr)
    sys.exit(2)
