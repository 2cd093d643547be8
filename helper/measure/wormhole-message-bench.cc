// SPDX-License-Identifier: GPL-2.0-only

#include "wormhole-message-bench.h"

#include "loaded-bench.h"

#include "ns3/data-messages.h"
#include "ns3/new-type.h"
#include "ns3/simulator.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-exact-time.h"
#include "ns3/wormhole-host-message.h"

#include <string>

namespace ns3
{

/// @ingroup wormhole
/// @brief A group of two that exchanges messages of data, and does nothing collective.
///
/// In a round, rank 0 sends a window of messages, and rank 1 answers the last one. Without SetRound
/// whoever enters leaves at once.
class MessagePair : public Collective, public DataMessages::Client
{
  public:
    static TypeId GetTypeId()
    {
        static TypeId tid = NewType::Of<MessagePair, Collective>("ns3::MessagePair");
        return tid;
    }

    /// Does a round, and runs the simulator until nothing is left to do. @return from the first
    /// send until the answer has been taken
    Time Exchange(uint32_t bytes, uint32_t window, uint32_t answer)
    {
        const auto begin = Simulator::Now();
        Send(bytes, window, answer);
        Simulator::Run();
        if (!m_isAnswered)
        {
            throw WormholeError("a message of " + std::to_string(bytes) + " bytes from " +
                                GetDomain().GetHostName(GetHost(0)) + " to " +
                                GetDomain().GetHostName(GetHost(1)) +
                                " does not come back: " + GetDomain().ExplainMissing());
        }
        return m_end - begin;
    }

    /// Says what is done in a round that both enter; they leave when the answer has been taken.
    void SetRound(uint32_t bytes, uint32_t window, uint32_t answer)
    {
        m_bytes = bytes;
        m_window = window;
        m_answer = answer;
    }

    bool GetsResult(uint32_t) const override
    {
        return false;
    }

    bool HasLongMessages() const override
    {
        return true;
    }

    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override
    {
        m_data->Receive(host, static_cast<const HostMessageWorm&>(*worm).GetMessage());
    }

    void ReceiveData(uint32_t to, uint32_t, uint32_t, Time) override
    {
        if (to == 0)
        {
            m_isAnswered = true;
            m_end = Simulator::Now();
            if (m_window > 0)
            {
                Leave(1, 0);
                Leave(0, 0);
            }
        }
        else if (--m_left == 0)
        {
            m_data->Send(1, 0, m_answer);
        }
    }

    void ReceiveLastAcknowledgement(uint32_t) override
    {
    }

    void NotifyQuiet() override
    {
    }

  protected:
    void DoDispose() override
    {
        if (m_data)
        {
            m_data->Stop();
        }
        Collective::DoDispose();
        m_data = nullptr;
    }

  private:
    void DoCreate() override
    {
        m_data = ns3::Create<DataMessages>(
            *this,
            *this,
            DataMessages::Setting{HostSoftware::Transport::SEND_RECEIVE, false, false, 1});
        NotifyReady();
    }

    void DoEnter(uint32_t rank, uint64_t) override
    {
        if (m_window == 0)
        {
            Leave(rank, 0);
        }
        else if (rank == 1) // the last to come
        {
            Send(m_bytes, m_window, m_answer);
        }
    }

    void DoRelease() override
    {
        NotifyReleased();
    }

    void Send(uint32_t bytes, uint32_t window, uint32_t answer)
    {
        m_left = window;
        m_answer = answer;
        m_isAnswered = false;
        for (uint32_t i = 0; i < window; ++i)
        {
            m_data->Send(0, 1, bytes);
        }
    }

    Ptr<DataMessages> m_data; ///< the messages
    uint32_t m_left{0};       ///< messages of the window that have not been taken
    uint32_t m_answer{0};     ///< bytes of the answer
    bool m_isAnswered{false}; ///< whether the answer has been taken
    Time m_end;               ///< when it was
    uint32_t m_bytes{0};      ///< of a message of rounds
    uint32_t m_window{0};     ///< messages of a round; 0: there are no rounds
};

NS_OBJECT_ENSURE_REGISTERED(MessagePair);

namespace
{

void
CheckRange(const std::string& what, uint64_t number, uint64_t max)
{
    WormholeError::ThrowIf(number == 0 || number > max,
                           std::to_string(number) + " " + what + ": expected 1 to " +
                               std::to_string(max));
}

} // namespace

MessageBench::MessageBench(Ptr<CollectiveDomain> domain, uint32_t first, uint32_t second)
    : m_pair(CreateObject<MessagePair>())
{
    if (!domain->IsIdeal())
    {
        domain->GetFabric()->Start();
    }
    m_pair->Create(domain, {first, second});
}

MessageBench::~MessageBench()
{
    m_pair->Dispose();
}

void
MessageBench::Check(uint64_t bytes, uint32_t window, uint32_t rounds)
{
    CheckRange("bytes of a message", bytes, DataMessages::MAX_BYTES);
    CheckRange("messages of a window", window, MAX_WINDOW);
    CheckRange("rounds", rounds, MAX_ROUNDS);
}

std::vector<Time>
MessageBench::MeasureUnderTraffic(uint64_t bytes,
                                  uint32_t window,
                                  uint64_t answer,
                                  uint32_t rounds,
                                  const BackgroundTraffic::Parameters& traffic)
{
    Check(bytes, window, rounds);
    const auto size = static_cast<uint32_t>(bytes);
    const auto back = static_cast<uint32_t>(answer);
    const auto unloaded = m_pair->Exchange(size, window, back);
    m_pair->SetRound(size, window, back);
    const auto times = LoadedBench(m_pair, unloaded, traffic).Cross(rounds);
    m_pair->SetRound(0, 0, 0);
    return times;
}

Time
MessageBench::Measure(uint64_t bytes, uint32_t window, uint64_t answer, uint32_t rounds)
{
    Check(bytes, window, rounds);
    const auto round = [&] {
        return m_pair->Exchange(static_cast<uint32_t>(bytes),
                                window,
                                static_cast<uint32_t>(answer));
    };
    auto last = round();
    for (uint32_t i = 1; i < MAX_WARM_UP; ++i)
    {
        const auto before = last;
        last = round();
        if (last == before)
        {
            break;
        }
    }
    Time sum;
    for (uint32_t i = 0; i < rounds; ++i)
    {
        sum = TimeLimit::Add(sum, round());
    }
    return sum;
}

} // namespace ns3
