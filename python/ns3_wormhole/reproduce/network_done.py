# SPDX-License-Identifier: GPL-2.0-only
"""Network-Done of Hyder and Wood (1996) with messages under way: results of the study."""

from ..core.errors import WormholeError
from .comparison import Row, Section

HEADING = "Network-Done with messages under way"
INTRO = """\
The tables account for Network-Done by one sum, or by the time of one more message. In this study, processes on 32 hosts
of a folded Clos network compute for 350 us (about a quantum of WWT-Appbt), send messages of 20 bytes to each other
meanwhile, and then meet, with the costs of the study's trees. The paper does not say how many messages WWT sends.
Messages are counted per process and quantum. Times are in us: from the last entry to the last leave; until all messages
are received (the least possible time); and of a whole round. Acknowledgements also take time in the round before the
last entry. *Accounting*: the time that the tables have for the same method. Rounds that differ by less than 2 %, the
effect of another seed, count as equal.
"""
COLUMNS = ("method", "messages", "entry to leave", "all received", "sums", "busy rounds", "round", "accounting")

# Situations: names of results, what they are, and options.
SITUATIONS = {
    "network-done": ("messages are taken between computations",),
    "network-done-interrupt": ("messages interrupt computations", "--progressBy=interrupt")}
MAIN = "network-done"
TIE = 0.02  # of a round: another seed changes as much

ACKS = "network-done[Method=acks|Inner=butterfly]"
SUMS = "network-done[Reduction=butterfly|Inner=butterfly]"
SUMS_ALONE = "network-done[Reduction=butterfly|Inner=none]"
NAMES = {ACKS: "acknowledgements, barrier by software",
         "network-done[Method=acks|Inner=hw-1]": "acknowledgements, barrier by HW-1",
         SUMS: "sums and barrier by software",
         SUMS_ALONE: "sums by software",
         "network-done[Reduction=hw-all|Inner=none]": "sums by HW-All"}


def winners(rows, sums=SUMS) -> dict[float, str]:
    """Returns the method with the shorter round, by number of messages, from the least number above 0 on. rows: the
    study's rows; sums: the method that acknowledgements are compared with"""
    rounds = {(row["method"], float(row["messages"])): float(row["step_us"]) for row in rows}
    numbers = sorted(number for method, number in rounds if method == ACKS and number > 0)
    if not numbers:
        raise WormholeError(f"no study of Network-Done has {ACKS} with messages")
    factors = {number: rounds[sums, number] / rounds[ACKS, number] for number in numbers}
    return {number: "neither" if abs(factor - 1) < TIE else "acknowledgements" if factor > 1 else "reductions"
            for number, factor in factors.items()}


def order(rows, sums) -> str:
    """Returns in words for which numbers of messages each of two methods is faster."""
    by = winners(rows, sums)
    return "; ".join(f"{name} with " + ", ".join(f"{number:g}" for number, winner in by.items() if winner == name)
                     for name in dict.fromkeys(by.values()))


def section(situations) -> Section:
    """Returns a section: Network-Done over messages. situations: rows by name"""
    found = Section(HEADING, COLUMNS, [Row((
        NAMES.get(row["method"], row["method"]), f"{float(row['messages']):g}",
        f"{float(row['latency_us']):.1f}", f"{float(row['quiet_us']):.1f}",
        f"{float(row['sums']):.2f}", f"{float(row['busy_percent']):.0f} %",
        f"{float(row['step_us']):.1f}", f"{float(row['accounting_us']):.1f}"))
        for row in situations[MAIN]], intro=INTRO)
    for name, rows in situations.items():
        what = SITUATIONS[name][0]
        found.notes += [
            f"In software, if {what} and a barrier follows in any case, such as WWT's AND, the method "
            f"with the shorter round is, by number of messages: {order(rows, SUMS)}.",
            f"The same if a sum of 0 is the barrier: {order(rows, SUMS_ALONE)}."]
    return found
