// SPDX-License-Identifier: GPL-2.0-only

#ifndef WORMHOLE_COST_BY_LENGTH_H
#define WORMHOLE_COST_BY_LENGTH_H

#include "ns3/attribute-accessor-helper.h"
#include "ns3/nstime.h"
#include "ns3/ptr.h"
#include "ns3/simple-ref-count.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/// @ingroup wormhole @brief A message's cost: one time for all lengths, or a table by length.
///
/// Between entries the cost is linear. Below the first length it is the first entry's time; above
/// the last, it follows the line through the last two entries. Two entries of one length form a
/// step: from this length on, the second applies; if no entry follows it, the cost stays constant.
class CostByLength
{
  public:
    /// A length and its time.
    struct Entry
    {
        uint64_t bytes; ///< the length
        Time time;      ///< its cost
    };

    /// Costs that are the same for all lengths. @param time the time
    CostByLength(Time time = Time(0))
        : m_time(time)
    {
    }

    /// Reads a time, or a table such as "0:1us,4KiB:3us,1MiB:90us".
    /// @param text times as for ExactTime::Parse; lengths up to 1 TiB, each at least the one
    ///        before, in bytes or with a unit (B, kB, MB, GB, KiB, MiB or GiB)
    /// @return the costs
    /// @throws WormholeError if the text is invalid, has a length thrice, or ends in falling costs
    static CostByLength Parse(const std::string& text);

    std::string Print() const; ///< @return a text from which Parse restores these costs

    /// @return cost of a message, rounded to ns-3's unit of time, half up
    /// @param bytes its length @throws WormholeError if the cost exceeds TimeLimit::LATEST
    Time At(uint64_t bytes) const
    {
        return IsTable() ? Interpolate(bytes) : m_time;
    }

    /// @return whether costs are given by a table; one entry makes no table, but a single time
    bool IsTable() const
    {
        return bool(m_table);
    }

    /// @return whether there is no table, and messages of all lengths cost nothing
    bool IsZero() const
    {
        return !IsTable() && m_time.IsZero();
    }

  private:
    /// A table, shared by copies of a cost, so that a CostByLength takes little memory.
    struct Table : public SimpleRefCount<Table>
    {
        std::vector<Entry> entries; ///< at least two
    };

    Time Interpolate(uint64_t bytes) const;

    Time m_time;              ///< cost of all lengths, without a table
    Ptr<const Table> m_table; ///< the table, or null
};

/// @ingroup wormhole @brief An attribute's value that holds costs; it also accepts a TimeValue.
class CostByLengthValue : public AttributeValue
{
  public:
    CostByLengthValue() = default; ///< No costs.

    /// @param costs the costs
    CostByLengthValue(const CostByLength& costs)
        : m_costs(costs)
    {
    }

    /// @return the costs
    const CostByLength& Get() const
    {
        return m_costs;
    }

    /// @param costs the costs
    void Set(const CostByLength& costs)
    {
        m_costs = costs;
    }

    Ptr<AttributeValue> Copy() const override
    {
        return Create<CostByLengthValue>(*this);
    }

    std::string SerializeToString(Ptr<const AttributeChecker>) const override
    {
        return m_costs.Print();
    }

    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker>) override
    {
        m_costs = CostByLength::Parse(value);
        return true;
    }

    /// Copies costs between values. @param from,to each a CostByLengthValue or a TimeValue (which
    /// can't hold a table) @return whether the copy was possible
    static bool Assign(const AttributeValue& from, AttributeValue& to);

  private:
    CostByLength m_costs;
};

/// @ingroup wormhole
/// @return a checker for costs, which refuses the times that ExactTime::MakeChecker refuses
Ptr<const AttributeChecker> MakeCostByLengthChecker();

/// @ingroup wormhole
/// @tparam T class with the attribute @param costs member for its value @return the accessor
template <typename T>
Ptr<const AttributeAccessor>
MakeCostByLengthAccessor(CostByLength T::* costs)
{
    class Accessor : public AccessorHelper<T, AttributeValue>
    {
      public:
        explicit Accessor(CostByLength T::* member)
            : m_member(member)
        {
        }

        bool HasGetter() const override
        {
            return true;
        }

        bool HasSetter() const override
        {
            return true;
        }

      private:
        bool DoSet(T* owner, const AttributeValue* value) const override
        {
            CostByLengthValue costs;
            const bool isSet = CostByLengthValue::Assign(*value, costs);
            if (isSet)
            {
                owner->*m_member = costs.Get();
            }
            return isSet;
        }

        bool DoGet(const T* owner, AttributeValue* value) const override
        {
            return CostByLengthValue::Assign(CostByLengthValue(owner->*m_member), *value);
        }

        CostByLength T::* m_member;
    };

    return Create<Accessor>(costs);
}

} // namespace ns3

#endif /* WORMHOLE_COST_BY_LENGTH_H */
