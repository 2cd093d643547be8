/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_PAIR_H
#define MESSAGE_PAIR_H

#include "ns3/collective.h"
#include "ns3/data-messages.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup wormhole
 * @brief A group of two that exchanges messages of data, and does nothing collective.
 *
 * In a round, rank 0 sends a window of messages, and rank 1 answers the last one. Without SetRound
 * whoever enters leaves at once.
 */
class MessagePair : public Collective, public DataMessages::Client
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Does a round, and runs the simulator until nothing is left to do.
     * @param bytes of a message
     * @param window number of messages
     * @param answer bytes of the answer
     * @return from the first send until the answer has been taken
     * @throws WormholeError if it is not
     */
    Time Exchange(uint32_t bytes, uint32_t window, uint32_t answer);

    /**
     * Says what is done in a round that both enter; they leave when the answer has been taken.
     * @param bytes of a message
     * @param window number of messages
     * @param answer bytes of the answer
     */
    void SetRound(uint32_t bytes, uint32_t window, uint32_t answer);

    bool GetsResult(uint32_t rank) const override;
    bool HasLongMessages() const override;
    void ReceiveAt(uint32_t host, Ptr<const Worm> worm) override;
    void RegisterChanged(uint32_t fabricSwitch, CollectiveMessage::Type type) override;
    void TakeData(uint32_t to, uint32_t from, uint32_t bytes, Time latency) override;
    void TakeLastAcknowledgement(uint32_t rank) override;
    void BeQuiet() override;

  protected:
    void DoDispose() override;

  private:
    void DoCreate() override;
    void DoEnter(uint32_t rank, uint64_t value) override;
    void DoRelease() override;

    /// Sends a window of messages. @param bytes of a message @param window number of messages
    /// @param answer bytes of the answer
    void Send(uint32_t bytes, uint32_t window, uint32_t answer);

    Ptr<DataMessages> m_data; ///< the messages
    uint32_t m_left{0};       ///< messages of the window that have not been taken
    uint32_t m_answer{0};     ///< bytes of the answer
    bool m_isAnswered{false}; ///< whether the answer has been taken
    Time m_end;               ///< when it was
    uint32_t m_bytes{0};      ///< of a message of rounds
    uint32_t m_window{0};     ///< messages of a round; 0: there are no rounds
};

} // namespace ns3

#endif /* MESSAGE_PAIR_H */
