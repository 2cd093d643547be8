// SPDX-License-Identifier: GPL-2.0-only

#ifndef DATA_CONTENTS_H
#define DATA_CONTENTS_H

#include "ns3/schedule-blocks.h"
#include "ns3/wormhole-collective.h"
#include "ns3/wormhole-error.h"
#include "ns3/wormhole-linked-schedules.h"

#include <unordered_map>

namespace ns3
{

/// The bytes of all members' blocks during a data collective: a message carries what its sender
/// holds when it sends.
///
/// Rounds may overlap; a member's blocks are those of its own round. What a member is given, sends
/// and receives is shared, not copied: only combining creates new bytes. So the time of a round is
/// proportional to its number of blocks, and the memory to the distinct bytes.
///
/// A member that holds no blocks is in a round without contents, and sends no contents.
class DataContents
{
  public:
    /// A block's bytes, from an offset on.
    struct Block
    {
        SharedBytes bytes;
        uint64_t offset{0}; ///< start of the block

        uint8_t* GetBegin() const
        {
            return bytes->data() + offset;
        }
    };

    /// @param schedules members' schedules, which must outlive this
    DataContents(const LinkedSchedules& schedules, DataType type, DataOperation operation)
        : m_schedules(&schedules),
          m_type(type),
          m_operation(operation),
          m_contents(schedules.GetNMembers())
    {
    }

    void Clear(uint32_t rank)
    {
        m_contents[rank].clear();
    }

    void Set(uint32_t rank, uint32_t block, Block content)
    {
        m_contents[rank][block] = std::move(content);
    }

    /// @return a member's block; null if it has none
    const Block* Find(uint32_t rank, uint32_t block) const
    {
        const auto found = m_contents[rank].find(block);
        return found == m_contents[rank].end() ? nullptr : &found->second;
    }

    /// Collects the contents of a message.
    /// @return number of these contents, which the message carries
    uint64_t PickUp(uint32_t rank, const LinkedSchedules::Step& step, uint32_t receivers)
    {
        if (m_contents[rank].empty())
        {
            return 0;
        }
        auto& parcel = m_parcels[++m_nParcels];
        parcel.receivers = receivers;
        for (const auto block : m_schedules->ListBlocks(step))
        {
            const auto found = Find(rank, block);
            if (!found && GetBytes(block) > 0)
            {
                throw WormholeError("a schedule has rank " + std::to_string(rank) + " send block " +
                                    std::to_string(block) + ", which it does not have");
            }
            parcel.blocks.push_back(found ? *found : Block());
        }
        return m_nParcels;
    }

    /// Performs a receive.
    void PutDown(uint32_t rank, const LinkedSchedules::Step& step, uint64_t number)
    {
        const auto found = m_parcels.find(number);
        if (found == m_parcels.end()) // sent in a round without contents
        {
            return;
        }
        auto& parcel = found->second;
        auto next = parcel.blocks.begin();
        for (const auto block : m_schedules->ListBlocks(step))
        {
            Apply(rank, block, *next++, step);
        }
        if (--parcel.receivers == 0)
        {
            m_parcels.erase(found);
        }
    }

    /// Copies or combines within a member's memory.
    void DoLocally(uint32_t rank, const LinkedSchedules::Step& step)
    {
        if (m_contents[rank].empty())
        {
            return;
        }
        const auto blocks = m_schedules->ListBlocks(step); // targets, and as many sources
        const auto half = blocks.size() / 2;
        for (std::size_t i = 0; i < half; ++i)
        {
            if (const auto source = blocks[half + i]; GetBytes(source) > 0)
            {
                Apply(rank, blocks[i], Block(m_contents[rank].at(source)), step);
            }
        }
    }

    /// Passes the data of a CALL to the inner collective.
    void GiveToInner(uint32_t rank,
                     const LinkedSchedules::Step& step,
                     Collective& inner,
                     uint32_t innerRank)
    {
        if (m_contents[rank].empty())
        {
            return;
        }
        std::vector<uint8_t> bytes;
        uint64_t length = 0;
        for (const auto block : FindBlocks(step, inner.GetParts(), inner.GetInputParts(innerRank)))
        {
            Append(bytes, rank, block);
            // In an all-to-all a leader does not know what others have for themselves.
            length += GetBytes(block);
            bytes.resize(length);
        }
        inner.SetInput(innerRank, bytes);
    }

    /// Takes over a member's result of the inner collective.
    void TakeFromInner(uint32_t rank,
                       const LinkedSchedules::Step& step,
                       const Collective& inner,
                       uint32_t innerRank)
    {
        const auto bytes = std::make_shared<SharedBytes::element_type>(inner.GetOutput(innerRank));
        if (bytes->empty())
        {
            return;
        }
        uint64_t offset = 0;
        for (const auto block : FindBlocks(step, inner.GetParts(), inner.GetOutputParts(innerRank)))
        {
            Set(rank, block, {bytes, offset});
            offset += GetBytes(block);
        }
    }

  protected:
    void Append(std::vector<uint8_t>& bytes, uint32_t rank, uint32_t block) const
    {
        const auto held = Find(rank, block);
        if (held && held->bytes)
        {
            const auto begin = held->GetBegin();
            bytes.insert(bytes.end(), begin, begin + GetBytes(block));
        }
    }

    uint64_t GetBytes(uint32_t block) const
    {
        return m_schedules->GetLayout().GetBytes(block);
    }

  private:
    /// @return the step's blocks that form the given parts of the inner collective's data
    std::vector<uint32_t> FindBlocks(const LinkedSchedules::Step& step,
                                     const std::vector<uint64_t>& lengths,
                                     const std::vector<uint64_t>& parts) const
    {
        std::vector<bool> isWanted(lengths.size(), false);
        for (const auto part : parts)
        {
            isWanted[part] = true;
        }
        std::vector<uint32_t> blocks;
        std::size_t part = 0;
        uint64_t left = lengths[0];
        for (const auto block : m_schedules->ListBlocks(step))
        {
            const auto bytes = GetBytes(block);
            while (left == 0 && bytes > 0)
            {
                left = lengths[++part];
            }
            if (bytes > 0 && isWanted[part])
            {
                blocks.push_back(block);
            }
            left -= bytes;
        }
        return blocks;
    }

    /// The contents of a message in flight.
    struct Parcel
    {
        std::vector<Block> blocks;
        uint32_t receivers;
    };

    void Apply(uint32_t rank,
               uint32_t block,
               const Block& content,
               const LinkedSchedules::Step& step)
    {
        auto& held = m_contents[rank][block];
        const auto bytes = GetBytes(block);
        if (step.kind != ScheduleStep::COMBINE && step.kind != ScheduleStep::MERGE)
        {
            held = content;
        }
        else if (bytes > 0)
        {
            if (!held.bytes || !content.bytes)
            {
                throw WormholeError("a schedule has rank " + std::to_string(rank) +
                                    " combine block " + std::to_string(block) +
                                    ", which it does not have");
            }
            held = step.isLeft ? Combine(content, held, bytes)
                               : Combine(std::move(held), content, bytes);
        }
    }

    /// @param left the left operand, whose storage holds the result if no other block uses it
    Block Combine(Block left, const Block& right, uint64_t bytes) const
    {
        if (left.bytes.use_count() > 1 || left.bytes->size() != bytes)
        {
            const auto begin = left.GetBegin();
            left = {std::make_shared<SharedBytes::element_type>(begin, begin + bytes), 0};
        }
        DataValues::Combine(m_operation, m_type, left.GetBegin(), right.GetBegin(), bytes);
        return left;
    }

    const LinkedSchedules* m_schedules;
    DataType m_type;
    DataOperation m_operation;
    std::vector<std::unordered_map<uint32_t, Block>> m_contents; ///< by rank and block
    std::unordered_map<uint64_t, Parcel> m_parcels;              ///< in flight, by number
    uint64_t m_nParcels{0};
};

/// The inputs and outputs of members: parts of the kind's sequence, as blocks of its schedules.
class GroupContents : public DataContents
{
  public:
    /// @param group the group, which must outlive this
    GroupContents(const Collective& group, const LinkedSchedules& schedules)
        : DataContents(schedules, group.GetDataType(), group.GetDataOperation()),
          m_group(&group)
    {
        const auto& layout = schedules.GetLayout();
        uint32_t block = 0;
        uint64_t end = 0;
        for (const auto bytes : group.GetParts())
        {
            end += bytes;
            m_blocks.push_back({block, 0});
            for (; block < layout.GetNData() &&
                   layout.GetOffset(block) + layout.GetBytes(block) <= end;
                 ++block)
            {
                ++m_blocks.back().count;
            }
        }
    }

    /// Starts a member's round. @param input its data; null: none
    void Load(uint32_t rank, const SharedBytes& input)
    {
        Clear(rank);
        if (!input)
        {
            return;
        }
        uint64_t offset = 0;
        for (const auto part : m_group->GetInputParts(rank))
        {
            for (const auto block : ListBlocks(m_blocks[part]))
            {
                Set(rank, block, {input, offset});
                offset += GetBytes(block);
            }
        }
    }

    /// @return the bytes of a member's output parts
    std::vector<uint8_t> Read(uint32_t rank) const
    {
        std::vector<uint8_t> bytes;
        for (const auto part : m_group->GetOutputParts(rank))
        {
            for (const auto block : ListBlocks(m_blocks[part]))
            {
                Append(bytes, rank, block);
            }
        }
        return bytes;
    }

  private:
    const Collective* m_group;
    std::vector<BlockRange> m_blocks; ///< by part
};

} // namespace ns3

#endif /* DATA_CONTENTS_H */
