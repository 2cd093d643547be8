/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rdma-study-form.h"

#include "rdma-plots.h"

#include "ns3/address-exchange.h"
#include "ns3/fabric-options.h"
#include "ns3/traffic-options.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// What --help says of the program.
const std::string USAGE =
    "Compares barriers by pairwise exchange: by remote writes (rdma), where tasks of a node "
    "meet by flags in shared memory and one of them exchanges, and by messages "
    "(send-receive), where all tasks exchange.\n"
    "\n"
    "Examples:\n"
    "  rdma-barrier\n"
    "      2 to 64 nodes of one task and two, costs of cluster 1 of Gupta et al. (2002)\n"
    "  rdma-barrier --nodes=2,3,8,16 --tasksPerNode=1,2 --csv=barriers.csv\n"
    "  rdma-barrier --preset=cluster-2 --nodes=8,16 --plots=plots "
    "--published=data/rdma-published.csv\n"
    "      another cluster, with plots and the paper's figures drawn in\n"
    "  rdma-barrier --nodes=2,8,32 --withinHost=flags,memory --interfacePercent=0,50,80\n"
    "      tasks of a node that wait for each other at its interface\n"
    "  rdma-barrier --rdmaSend=2us --rdmaReceive=3us --flag=200ns --topology=torus:4x4\n"
    "      one's own costs and fabric\n"
    "  rdma-barrier --nodes=8,16 --load=0.2 --pattern=hotspot --barriers=200\n"
    "      beside other traffic, with the time that 99 % of the barriers do not exceed\n"
    "\n"
    "A message or write between two hosts of one switch takes its send time and its receive "
    "time; longer ways on the fabric, and worms that wait for each other, come on top.";

} // namespace

RdmaStudyForm::RdmaStudyForm()
    : RowStudyForm({"rdma-barrier",
                    "rdma",
                    "Compares barriers by remote writes with barriers by messages.",
                    USAGE,
                    "a row for each transport, number of tasks and number of nodes"})
{
    auto& p = m_parameters;
    AddWord({"preset",
             "cluster-2",
             "",
             "A cluster of the paper, whose costs hold where no other option sets them",
             "cluster-1"},
            RdmaStudy::GetPresets(),
            [this, &p](const std::string& preset) {
                m_preset = preset;
                p.costs = RdmaStudy::GetPreset(preset);
            })
        .use = StudyParameter::BOTH;
    AddWholes({"nodes", "2,3,8,16", "", "Numbers of nodes; 2 to 64 without it", ""},
              1,
              10000,
              Into(p.nodes));
    AddWholes({"tasksPerNode", "1,2", "", "Numbers of tasks on each node", "1,2"},
              1,
              1000,
              Into(p.tasksPerNode));
    AddWords({"transports", "rdma", "", "What to compare", "rdma,send-receive"},
             RdmaStudyRow::GetTransports(),
             Into(p.transports));
    const auto addCost = [&](const Row& row, Time& cost) {
        AddTime(row, [this, &cost](Time time) {
            cost = time;
            m_isOwn = true; // it is no cluster of the paper then
        });
    };
    addCost({"rdmaSend", "5us", "", "How long a remote write keeps its sender busy", ""},
            p.costs.rdmaSend);
    addCost({"rdmaReceive", "5us", "", "From then until the target has seen it", ""},
            p.costs.rdmaReceive);
    addCost({"messageSend", "7us", "", "How long a message keeps its sender busy", ""},
            p.costs.messageSend);
    addCost({"messageReceive", "7us", "", "From then until the receiver has it", ""},
            p.costs.messageReceive);
    addCost({"flag",
             "500ns",
             "",
             "For a task to set a flag in memory that its node shares, and to see one",
             ""},
            p.costs.flag);
    AddWords(
        {"withinHost",
         "flags,memory",
         "",
         "How tasks of a node exchange messages, by send-receive: by flags, messages in memory "
         "without the interface, or through the interface and back; by rdma it is flags",
         "flags"},
        RdmaStudyRow::GetWithinHost(),
        Into(p.withinHost));
    AddWholes({"interfacePercent",
               "0,50",
               "",
               "Percent of send and receive times in which a message occupies its node's "
               "interface, which serves one at a time",
               "0"},
              0,
              100,
              Into(p.interfacePercents));
    AddWord({"exchange",
             "direct",
             "",
             "How nodes exchange addresses of buffers, by messages, when a group is made for "
             "remote writes",
             "none"},
            AddressExchange::GetNames(),
            Into(p.exchange));
    AddTime({"registration", "10us", "", "For a node to register its buffer before that", "0us"},
            Into(p.registration));
    AddWhole({"barriers", "20", "", "Barriers to average over, one after the other", "20"},
             1,
             1000000,
             Into(p.barriers));
    AddOwnAttributes({"HostSoftware::StartUp",
                      "HostSoftware::ReceiveOverhead",
                      "HostSoftware::PollTime",
                      "HostSoftware::FlagTime",
                      "HostSoftware::TransferTime",
                      "HostSoftware::InterfaceSendTime",
                      "HostSoftware::InterfaceReceiveTime"});
    AddHosts("");
    AddTraffic();
    AddFile({"published", "FILE", "", "Published figures to draw in, CSV", ""},
            [this](const std::string& file) { m_published = PublishedBarrier::Read(file); })
        .use = StudyParameter::PLOT;
    AddCondition({"linkDelay", "switchDelay"},
                 "several switches: what a message takes over one is part of its time",
                 [](const OptionValues& values) { return FabricOptions::Has(values); });
    AddCondition({"flag", "withinHost"}, "several tasks on a node", [&p](const OptionValues&) {
        return std::any_of(p.tasksPerNode.begin(), p.tasksPerNode.end(), [](auto n) {
            return n > 1;
        });
    });
}

void
RdmaStudyForm::Finish(const OptionValues& values)
{
    if (values.Has("registration") && m_parameters.exchange == AddressExchange::NONE)
    {
        values.RefuseAlone("registration", "exchange", "direct or dissemination");
    }
    auto& nodes = m_parameters.nodes;
    for (uint32_t n = 2; !values.Has("nodes") && n <= 64; ++n)
    {
        nodes.push_back(n);
    }
    auto& hosts = m_parameters.hosts;
    hosts = StudyHosts::Read(values);
    const auto topology = hosts.GetTopology();
    const auto traffic = TrafficOptions::Read(values, topology ? &topology->graph : nullptr);
    hosts.SetTraffic(traffic);
    values.Check("nodes", [&] {
        m_parameters.hosts.CheckNumber(*std::max_element(nodes.begin(), nodes.end()));
    });
    for (const auto& transport : m_parameters.transports)
    {
        const auto isRdma = transport == "rdma";
        const std::string name = isRdma ? "rdmaReceive" : "messageReceive";
        const auto r = isRdma ? m_parameters.costs.rdmaReceive : m_parameters.costs.messageReceive;
        values.Check(values.Has(name) ? name : "preset",
                     [&] { m_parameters.hosts.CheckReceiving(r); });
        values.Check("interfacePercent", [&] {
            for (const auto percent : m_parameters.interfacePercents)
            {
                m_parameters.hosts.CheckReceiving(r, RdmaStudy::GetPart(r, percent));
            }
        });
    }
}

void
RdmaStudyForm::Measure(const Progress& progress)
{
    m_rows = RdmaStudy(m_parameters).Run(progress);
}

std::vector<std::string>
RdmaStudyForm::WritePlots(const std::string& folder, const std::string& prefix) const
{
    return RdmaPlots(m_rows, m_isOwn ? "" : m_preset, m_published).Write(folder, prefix);
}

} // namespace ns3
