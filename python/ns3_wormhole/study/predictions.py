# SPDX-License-Identifier: GPL-2.0-only
"""Real machines: costs are fitted to some measurements, and predict other measurements."""

from __future__ import annotations

from typing import Mapping, Sequence

from ..collective.fabric import Fabric, asked_fabric
from ..core.errors import translated
from ..core.loader import pandas
from .calibrate import calibrate
from .osu import MEASURED


@translated()
def predictions(*, fabric: Fabric | str | None = None, topology: str = "", routing: str = "",
                tables: Sequence[str] = (), predict: Sequence[str] = (),
                fit: Sequence[str] | None = None, placement: str | None = None, attributes: Mapping[str, object] | None = None,
                machine: str | None = None, barrier: str | None = None, jitter: str | None = None,
                progress: bool | None = None) -> pandas.DataFrame:
    """Fits hosts' costs to some of a real machine's tables, and predicts the rest. Ends the simulation.

    Args:
        fabric: the fabric, or its file
        topology: topology family, such as "clos:ports=16"
        routing: routing engine in place of the fabric's own routes
        tables: files of measurements to fit, as for calibrate
        predict: files of measurements to predict; CSV may have columns "algorithm" and "statistic"
        fit: names of parameters, as for calibrate
        placement: where members and pairs are, see Fabric.group; None: the first hosts
        attributes: values of attributes that are not fitted, by name
        machine: base machine, by its name or file
        barrier: barrier (such as butterfly) before each predicted call; members begin the call when
            they leave the barrier; None: all begin at once
        jitter: mean of an exponential delay of each send in predicted calls; calls are then simulated
            11 times, and the median is used; None: no delay
        progress: whether to show a bar; None: on a terminal, after two seconds

    Returns:
        a row for each measurement: use ("fitted" or "predicted"), file, benchmark, algorithm,
        members, bytes, measured, simulated (us; for bw, MB/s), deviation (ratio)

    Raises:
        WormholeError: as calibrate()
    """
    found = calibrate(asked_fabric(fabric, topology, routing), tables, fit, predict=predict, placement=placement,
                      attributes=attributes, machine=machine, barrier=barrier, jitter=jitter, progress=progress)
    frames = [frame.rename(columns={use: "simulated", "size": "bytes"}).assign(use=use)
              for use, frame in (("fitted", found.residuals), ("predicted", found.predictions))
              if len(frame)]
    table = pandas.concat(frames, ignore_index=True)
    if "algorithm" not in table:
        table["algorithm"] = ""
    table["algorithm"] = table.algorithm.fillna("").where(
        table.algorithm.fillna("") != "", [MEASURED[each].algorithm for each in table.benchmark])
    table["file"] = table.file.map(lambda path: path.rsplit("/", 1)[-1])
    table = table[["use", "file", "benchmark", "algorithm", "members", "bytes", "measured", "simulated", "deviation"]]
    table.attrs.update(attributes=found.attributes, notes=found.notes)
    return table
