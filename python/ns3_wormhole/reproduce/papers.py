# SPDX-License-Identifier: GPL-2.0-only
"""The parts of the report: the papers whose studies are repeated, and studies on all of them."""

import dataclasses
import importlib

from ..core.errors import nearest, WormholeError


@dataclasses.dataclass(frozen=True)
class Paper:
    """How a paper is named on the command line; its module has the same name."""

    name: str
    author: str
    number: str
    about: str

    @property
    def module(self):
        """The module with the paper's studies, imported when it is used."""
        return importlib.import_module(f".{self.name}", __package__)


PAPERS = {name: Paper(name, author, f"{number:03}", about) for number, (name, author, about) in
          enumerate([
              ("btin", "moh", "barriers in switches, and traffic on irregular fabrics"),
              ("trees", "cordsen", "trees of processes"),
              ("rdma", "gupta", "barriers by remote writes"),
              ("sync", "hyder", "synchronisation hardware"),
              ("smp", "sun", "broadcasts on clusters of SMPs"),
              ("sensitivity", "range", "how far the papers' conclusions hold"),
              ("lengths", "data", "which algorithm at which length"),
              ("routing", "routes", "which routes carry more"),
              ("hardware", "machines", "predictions beside real machines"),
              ("outages", "failures", "collectives through failure and repair")], 1)}


#: What is made if nothing is named: the five papers, and real machines.
FIRST = ("btin", "trees", "rdma", "sync", "smp", "hardware")


def listed() -> str:
    """Returns a line per paper: name, author, number and subject."""
    return "\n".join(f"  {each.name:<7} {each.author:<8} {each.number}  {each.about}" for each in PAPERS.values())


def find(word: str) -> Paper:
    """Returns a paper, given its name, author or number. Raises WormholeError if there is none."""
    known = {key: each for each in PAPERS.values() for key in (each.name, each.author, each.number)}
    found = known.get(word.lower()) or known.get(word.zfill(3))
    if found is None:
        words = [key for key in known if not key.isdigit()]
        raise WormholeError(f"there is no paper '{word}'; expected {', '.join(PAPERS)}, their "
                            f"authors and 001 to {len(PAPERS):03}{nearest(word.lower(), words)}")
    return found
