# SPDX-License-Identifier: GPL-2.0-only
"""Repeats the papers' studies with the example programs, on all cores.

The results folder then holds:

  *.csv            one file per study, as its program writes it
  plots/*.png,svg  the papers' figures, and ratios; latency and throughput over load
  fabrics/*.svg    the studied fabrics, with a barrier tree on them summary.md       every published value beside the
  modelled and the simulated value report.html      the same on one page with the plots, below a table of verdicts
  inputs.json      what each result was made from; unchanged results are not made again

  For each paper (btin, trees, rdma, sync, smp), and for all together (sensitivity), a module has the studies, the
  comparison with the published values and the captions of the plots. Claims of the papers' texts are in separate
  modules (claims, btin_claims, sync_conclusions and others). Modules that take long to import are imported where they
  are used.
"""
