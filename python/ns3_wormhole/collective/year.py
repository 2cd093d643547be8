# SPDX-License-Identifier: GPL-2.0-only
"""A year of a cluster whose parts fail and are repaired: states, weighted by their total duration."""

from __future__ import annotations

import math
from typing import NamedTuple, Sequence, TYPE_CHECKING

from ..core.errors import WormholeError, translated
from ..core.loader import pandas
from .groups import Members
from .variants import EACH_CABLE, EACH_SWITCH, PAIRS, Parts
from .what_if import COLLECTIVES

if TYPE_CHECKING:
    from .fabric import Fabric

HOURS = 8766.0  # of a year


class Rate(NamedTuple):
    """Mean times to failure and to repair of parts of a kind, in hours."""

    mtbf: float = 0  #: mean time between repair and failure; 0: they don't fail
    mttr: float = 0  #: mean time to repair

    @property
    def odds(self) -> float:
        """The ratio of a part's down time to its up time."""
        return self.mttr / self.mtbf if self.mtbf else 0.0


def rates_of(cable: tuple[float, float], switch: tuple[float, float], lost: float) -> dict[str, Rate]:
    """Returns rates by kind of part. cable, switch, lost: as for year(). Raises WormholeError if nothing fails, or a
    time is invalid."""
    rates = {"cable": Rate(*map(float, cable)), "switch": Rate(*map(float, switch))}
    for kind, rate in rates.items():
        for name, value in rate._asdict().items():
            if not 0 <= value < math.inf or (rate.mtbf > 0 and value == 0):
                raise WormholeError(f"{kind}_{name}={value:g}: expected hours above 0")
    if not any(rate.mtbf for rate in rates.values()):
        raise WormholeError("nothing fails; expected an MTBF of cables or of switches")
    if not 0 <= lost < math.inf:
        raise WormholeError(f"lost={lost:g}: expected hours, 0 or more")
    return rates


@translated()
def year(fabric: Fabric, cable: tuple[float, float] = (0, 0), switch: tuple[float, float] = (0, 0),
         collectives: Sequence[str] = COLLECTIVES, members: Members = None, *, pairs: bool = False,
         lost: float = 0, jobs: int = 1, progress: bool | None = None) -> pandas.DataFrame:
    """Weights the rows of what_if() by the total duration of each state in a year of independent failures and repairs.
    cable: mean hours to failure, and to repair, of each cable between switches (0: cables don't fail); switch: the same
    for each switch; collectives, members, jobs, progress: as for what_if(); pairs: whether states with two cables down
    are also measured (other states with several parts down never are); lost: hours of work that each member loses per
    failure. Returns the table of what_if() with a column of hours, and in attrs["year"]: measured hours, failures,
    availability (the fraction of measured hours in which all members are connected), and the member-hours cut_off_hours
    and restart_hours. Raises WormholeError if nothing fails, or a time is invalid."""
    rates = rates_of(cable, switch, lost)
    parts = Parts(fabric)
    asked = [name for name, wanted in ((EACH_CABLE, rates["cable"].mtbf), (EACH_SWITCH, rates["switch"].mtbf),
                                       (PAIRS, pairs and rates["cable"].mtbf)) if wanted]
    frame = fabric.what_if(asked, collectives=collectives, members=members, jobs=jobs, progress=progress)
    # Each part is up and down by itself, so a state lasts by the product of its parts' shares.
    of_part = [rates["switch"]] * len(parts.switches) + [rates["cable"]] * len(parts.between)
    whole = math.prod(1 / (1 + rate.odds) for rate in of_part)
    gone = {str(variant): variant.gone for variant in parts.without(asked)}
    odds = {name: math.prod(rates["switch" if isinstance(part, str) else "cable"].odds for part in its)
            for name, its in gone.items()}
    frame.insert(1, "hours", [HOURS * whole * odds.get(name, 1) for name in frame.variant])
    failures = sum(HOURS / (rate.mtbf + rate.mttr) for rate in of_part if rate.mtbf)
    ranks, sizes = frame.members.iloc[0], frame.variant.map({name: len(its) for name, its in gone.items()})
    frame.attrs["year"] = {
        "hours": frame.hours.sum(), "failures": failures,
        **{f"{name}_hours": float(frame.hours[sizes == size].sum()) for name, size in (("single", 1), ("pair", 2))},
        "availability": frame.hours[frame.members == ranks].sum() / frame.hours.sum(),
        "cut_off_hours": float((frame.hours * (ranks - frame.members)).sum()),
        "restart_hours": float(failures * lost * ranks)}
    return frame


def as_text(frame: pandas.DataFrame) -> str:
    """Returns the year's result as text."""
    told = frame.attrs["year"]
    lines = [f"of {HOURS:g} hours {frame.hours.iloc[0]:.2f} with all parts, {told['single_hours']:.2f} without "
             f"one, {told['pair_hours']:.4f} without two; {HOURS - told['hours']:.4f} in states that "
             "were not measured",
             f"{told['failures']:.2f} failures; all members joined for {told['availability']:.6f} of the "
             "measured hours",
             f"member-hours lost: {told['cut_off_hours']:.2f} cut off, {told['restart_hours']:.2f} by "
             "work lost at failures"]
    for column in frame.columns[frame.columns.str.endswith("_us")]:
        factors, hours = frame[column] / frame[column].iloc[0], frame.hours
        known = factors.notna()
        if known.any():
            worst = factors.idxmax()
            lines.append(f"{column.removesuffix('_us')}: {(factors * hours)[known].sum() / hours[known].sum():.6f} "
                         f"of the whole fabric's time in the mean, at worst {factors[worst]:.2f} "
                         f"({frame.variant[worst]}, {hours[worst]:.4f} hours)")
    return "\n".join(lines)
