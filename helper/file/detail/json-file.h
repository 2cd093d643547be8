// SPDX-License-Identifier: GPL-2.0-only

#ifndef JSON_FILE_H
#define JSON_FILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{

class JsonValue;

/// A JSON file that was read, with the position of every value.
///
/// Boost PropertyTree parses the text and checks its syntax. It keeps neither types nor positions,
/// so a scan of the same text records both for every value, in document order, which is the order
/// of a walk through the property tree. Lines are counted only when a value is refused.
class JsonFile
{
  public:
    /// Reads a whole file.
    /// @throws WormholeError if it can't be read, is not JSON, or an object has a key twice
    explicit JsonFile(const std::string& path);
    ~JsonFile();

    JsonValue GetRoot() const;

    /// @return the text as a JSON string, with its quotes
    static std::string Quote(const std::string& text);

  private:
    friend class JsonValue;
    class Document;

    std::unique_ptr<const Document> m_document; ///< the contents
};

/// One value of a JsonFile, converted on access, or refused with its position.
///
/// Every function that returns a value throws a WormholeError if the file holds something else: one
/// line with file, line, path in the document, the value and what is expected. Except in GetReal,
/// numbers are whole and exact: 1.0, 1e3 and "1" are refused where 1 is expected.
class JsonValue
{
  public:
    bool IsNumber() const;

    const std::string& GetString() const;

    /// @return a name, which is printable @param trouble what is wrong with any other string
    const std::string& GetName(const std::string& trouble) const;

    int64_t GetInteger(int64_t min, int64_t max) const;

    uint64_t GetUnsigned(uint64_t min, uint64_t max) const;

    /// @return a number, not necessarily whole: the nearest double
    double GetReal(double min, double max) const;

    std::vector<JsonValue> GetItems() const;

    std::vector<JsonValue> GetMembers() const;

    /// @return the key of a value that GetMembers or Get returned, else empty
    const std::string& GetKey() const;

    void CheckKeys(const std::vector<std::string>& required,
                   const std::vector<std::string>& optional = {}) const;

    bool Has(const std::string& key) const
    {
        return Find(key).has_value();
    }

    /// @return the value of the object's member with that key, which must be there
    JsonValue Get(const std::string& key) const;

    std::size_t GetLine() const;

    /// @return the path of the value in the document, such as worms[2].tree.s0[1]
    std::string GetPath() const;

    /// Refuses the file because of this value. @param trouble what is wrong with the value
    /// @param accepted what is expected instead @throws WormholeError always
    [[noreturn]] void Refuse(const std::string& trouble, const std::string& accepted) const;

    void RefuseIf(bool isWrong, std::string_view trouble, std::string_view accepted) const
    {
        if (isWrong)
        {
            Refuse(std::string(trouble), std::string(accepted));
        }
    }

    /// Refuses the file because of the key of this value.
    /// @copydetails Refuse
    [[noreturn]] void RefuseKey(const std::string& trouble, const std::string& accepted) const;

  private:
    friend class JsonFile;

    JsonValue(const JsonFile::Document* document, uint32_t index)
        : m_document(document),
          m_index(index)
    {
    }

    void Expect(int kind, const std::string& accepted) const;

    std::optional<uint32_t> Find(const std::string& key) const;

    std::vector<JsonValue> GetChildren() const;

    template <typename T>
    T GetNumber(T min, T max) const;

    const JsonFile::Document* m_document; ///< the file's contents
    uint32_t m_index;                     ///< index of the value in document order
};

} // namespace ns3

#endif /* JSON_FILE_H */
