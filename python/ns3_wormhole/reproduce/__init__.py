# SPDX-License-Identifier: GPL-2.0-only
"""Repeats the papers' studies with the example programs, on all cores.

The results folder then holds:

  *.csv            one file per study, as the programs write it
  plots/*.png,svg  the papers' figures, and ratios; latency and throughput over load
  fabrics/*.svg    fabrics that are studied, with a barrier tree on them
  summary.md       every published value beside the model's and the simulated one
  report.html      the same on one page with the plots, below a table of verdicts
  inputs.json      what each of these was made from; what has not changed is not made again

A module per paper (btin, trees, rdma, sync, smp), and one of all (sensitivity), has its studies,
its comparison with the published values and the captions of its plots. Claims of its text are in
modules of their own (claims, btin_claims, sync_conclusions and the like). Modules that take long to
import are imported where they are used.
"""
