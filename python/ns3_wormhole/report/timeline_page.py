# SPDX-License-Identifier: GPL-2.0-only
"""Timelines as self-contained web pages, which need no network and no other file."""

import gzip
import json
import os
import pathlib
import zlib

from ..core.errors import WormholeError
from ..core.texts import replaced

_TEMPLATES = pathlib.Path(__file__).parent / "templates"
_PS = 1e6  # in a microsecond, the unit of the format
_LAST = 2**63 / _PS  # time that a simulation reaches, us
_BLOCK = 1 << 20  # bytes that are unpacked at a time
LIMIT = 200_000_000  # bytes of a timeline, unpacked: what Python needs 3 GB for at the most
_LEAST = 20  # bytes for each object and array in it; events have about 100


def read_events(path: str | os.PathLike, limit: int = LIMIT) -> list[dict]:
    """Returns the events of a file in Chrome's trace event format. path: JSON, an object with traceEvents or an array,
    possibly compressed by gzip; limit: maximum size of the uncompressed file, bytes. Raises WormholeError if the file
    can't be read, has another content, or is too large."""
    try:
        text = _unpacked(path, limit)
        if text.count(b"{") + text.count(b"[") > limit // _LEAST:
            raise WormholeError(f"{path}: holds more than {limit // _LEAST:,} objects and arrays; "
                                f"{_told(limit)}")
        found = json.loads(text, parse_constant=_refuse)
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, RecursionError) as error:
        raise WormholeError(f"{path}: {error}; expected trace event JSON, as --timeline writes it, "
                            "or that by gzip") from None
    except OSError as error:
        raise WormholeError(f"{path} can't be read: {error.strerror}") from None
    events = found.get("traceEvents") if isinstance(found, dict) else found
    if not isinstance(events, list) or not all(isinstance(each, dict) and isinstance(each.get("ph"), str)
                                               for each in events):
        raise WormholeError(f"{path}: there are no traceEvents; expected trace event JSON, as "
                            "--timeline writes it")
    return events


def _unpacked(path, limit):
    """Returns a file's uncompressed content, and never keeps more than limit bytes in memory."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise WormholeError(f"{path}: is no regular file; expected a timeline")
    with open(path, "rb") as raw:
        is_packed = raw.read(2) == b"\x1f\x8b"
        raw.seek(0)
        text, file = bytearray(), gzip.GzipFile(fileobj=raw) if is_packed else raw
        while block := file.read(_BLOCK):
            text += block
            if len(text) > limit:
                unpacks = "unpacks to" if is_packed else "holds"
                raise WormholeError(f"{path}: {unpacks} more than {limit:,} bytes; {_told(limit)}")
    return text


def _told(limit):
    return (f"expected {limit // 1_000_000} MB, or what --limit=MB (bytes in Python) names; "
            "--timeline-from, --timeline-until and --timeline-hosts make timelines shorter")


def _refuse(word):
    raise ValueError(f"{word} is no number of JSON")


def to_html(path: str | os.PathLike, title: str | None = None, limit: int = LIMIT) -> str:
    """Returns a page that shows a timeline. path: a file that --timeline or Fabric.timeline wrote; title: title of the
    page; None: the file's name; limit: maximum size of the uncompressed file, bytes. Raises WormholeError if it is not
    such a file."""
    import jinja2
    try:
        packed = _pack(read_events(path, limit))
        # Within a script nothing may look like its end.
        data = json.dumps(packed, separators=(",", ":"), ensure_ascii=False, allow_nan=False).replace("<", "\\u003c")
        data.encode("utf-8")
    except UnicodeEncodeError as error:
        raise WormholeError(f"{path}: {data[error.start]!r} in a text is no character; expected "
                            "trace event JSON, as --timeline writes it") from None
    except (KeyError, TypeError, AttributeError, ValueError, RecursionError) as error:
        raise WormholeError(f"{path}: an event lacks or has a wrong {error}; expected trace event "
                            "JSON, as --timeline writes it") from None
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(_TEMPLATES), autoescape=True,
                                     keep_trailing_newline=True)
    parts = {part: jinja2.utils.markupsafe.Markup((_TEMPLATES / name).read_text(encoding="utf-8"))
             for part, name in (("style", "timeline.css"), ("script", "timeline.js"))}
    return environment.get_template("timeline.html").render(
        title=replaced(title or os.path.basename(path)), data=jinja2.utils.markupsafe.Markup(data), **parts)


class _Numbers(dict):
    """Numbers things in the order in which they occur."""

    def __missing__(self, thing) -> int:
        return self.setdefault(thing, len(self))


def _ps(microseconds) -> int:
    if isinstance(microseconds, bool) or not isinstance(microseconds, (int, float)) \
            or not abs(microseconds) <= _LAST:
        raise ValueError(f"time {str(microseconds)[:40]!r}")
    return round(float(microseconds) * _PS)


def _pack(events) -> dict:
    """Returns the page's data: tracks, divided into lanes in which slices don't overlap, as columns."""
    groups, threads, orders = {}, {}, {}
    slices, counts, arrows = {}, {}, {}
    for event in events:
        phase, group = event["ph"], event.get("pid", 0)
        track = (group, event.get("tid", 0))
        if phase == "M":
            kept = {"process_name": (groups, group, "name"), "thread_name": (threads, track, "name"),
                    "process_sort_index": (orders, group, "sort_index"),
                    "thread_sort_index": (orders, track, "sort_index")}.get(event["name"])
            if kept is not None:
                kept[0][kept[1]] = event["args"][kept[2]]
        elif phase == "X":
            slices.setdefault(track, []).append(event)
        elif phase == "C":
            counts.setdefault((group, event["name"]), []).append(event)
        elif phase in ("s", "f"):
            arrows.setdefault((event.get("cat"), event["id"]), {})[phase] = (track, _ps(event["ts"]))
    names, categories, shapes, numbers = _Numbers(), _Numbers(), _Numbers(), {}
    # Switches with registers come first, and within them the registers.
    with_registers = {track for track in slices if any(each.get("cat") == "register" for each in slices[track])}
    first_groups = {group for group, _ in with_registers}
    order = sorted({track[0] for track in slices} | {group for group, _ in counts},
                   key=lambda group: (group not in first_groups, orders.get(group, 0), group))
    tracks, packed_groups = [], []
    for place, group in enumerate(order):
        own = sorted((track for track in slices if track[0] == group),
                     key=lambda track: (track not in with_registers, orders.get(track, 0), track))
        first = len(tracks)
        for track in own:
            numbers[track] = len(tracks)
            tracks.append({"group": place, "name": str(threads.get(track, track[1])),
                           "lanes": _lanes(slices[track], names, categories, shapes)})
        for name in sorted(name for of, name in counts if of == group):
            numbers[group, name, "count"] = len(tracks)
            tracks.append({"group": place, "name": name, "lanes": [], "count": _steps(counts[group, name])})
        packed_groups.append({"name": str(groups.get(group, group)), "tracks": list(range(first, len(tracks)))})
    whole = [(*each["s"], *each["f"]) for each in arrows.values() if len(each) == 2]
    joined = sorted((begin, numbers[a], end, numbers[b]) for a, begin, b, end in whole if a in numbers and b in numbers)
    ends = [end for track in tracks for lane in track["lanes"] for end in lane["ends"]]
    ends += [time for track in tracks if "count" in track for time in track["count"]["times"]]
    window = _busiest(tracks, categories)
    rounds = [begin for track in tracks for lane in track["lanes"] for begin, category
              in zip(lane["begins"], lane["categories"])
              if category == categories.get("collective") and window[0] <= begin <= window[1]]
    return {"end": max(ends, default=1) or 1, "open": window, "origin": min(rounds, default=0),
            "hasRound": bool(rounds), "groups": packed_groups, "tracks": tracks, "names": list(names),
            "categories": list(categories), "shapes": list(shapes),
            "arrows": {"times": [each[0] for each in joined], "from": [each[1] for each in joined],
                       "ends": [each[2] for each in joined], "to": [each[3] for each in joined],
                       "longest": max((end - begin for begin, _, end, _ in joined), default=0)}}


def _busiest(tracks, categories) -> tuple[int, int]:
    """Returns the period that the page shows at first. It covers all slices except the slices of whole simulations,
    most of which a window would cut off. If gaps longer than all activity divide this period, the part with rounds and
    the most slices is returned."""
    simulation, collective = categories.get("simulation"), categories.get("collective")
    slices = sorted((begin, end, category == collective) for track in tracks
                    for lane in track["lanes"] for begin, end, category
                    in zip(lane["begins"], lane["ends"], lane["categories"])
                    if category != simulation)
    if not slices:
        return 0, max((lane["ends"][-1] for track in tracks for lane in track["lanes"]), default=1) or 1
    busy, until = 0, slices[0][0]
    for begin, end, _ in slices:
        busy += max(end - max(begin, until), 0)
        until = max(until, end)
    parts = []  # of each its begin, its end, whether it has rounds, and how many slices
    for begin, end, is_round in slices:
        if not parts or begin - parts[-1][1] > busy:
            parts.append([begin, end, False, 0])
        part = parts[-1]
        part[1:] = max(part[1], end), part[2] or is_round, part[3] + 1
    begin, end, _, _ = max(parts, key=lambda part: part[2:])
    margin = max(end - begin, 1000) // 50
    return max(begin - margin, 0), end + margin


def _lanes(events, names, categories, shapes) -> list[dict]:
    """Returns slices in lanes: a slice that overlaps others gets a further lane."""
    lanes: list[dict] = []
    def end(event):
        return _ps(event["ts"]) + _ps(event.get("args", {}).get("dur_us", event["dur"]))
    timed = sorted(((_ps(each["ts"]), end(each), each) for each in events),
                   key=lambda each: (each[0], each[1] > each[0], -each[1]))
    for begin, end, event in timed:
        lane = next((lane for lane in lanes if lane["ends"][-1] <= begin), None)
        if lane is None:
            lane = {"begins": [], "ends": [], "names": [], "categories": [], "args": []}
            lanes.append(lane)
        args = event.get("args", {})
        for column, value in zip(lane.values(), (
                begin, end, names[str(event["name"])], categories[str(event.get("cat", ""))],
                [shapes[tuple(args)], *args.values()])):
            column.append(value)
    return lanes


def _steps(events) -> dict:
    timed = sorted((_ps(each["ts"]), next(iter(each["args"].values()), 0)) for each in events)
    return {"times": [time for time, _ in timed], "values": [value for _, value in timed],
            "most": max(max(value for _, value in timed), 1)}
