/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSON_FILE_H
#define JSON_FILE_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class JsonValue;

/**
 * @ingroup wormhole
 * @brief A JSON file that has been read, and knows where in it every value stands.
 *
 * Boost PropertyTree reads the text and judges its syntax. It keeps neither types nor positions,
 * so a scan of the same text notes both for every value, in document order, which is the order of
 * a walk through the property tree. Lines are counted only when there is something to refuse.
 */
class JsonFile
{
  public:
    /// Reads a file whole. @param path the file
    /// @throws WormholeError if it can't be read, is no JSON, or an object has two equal keys
    explicit JsonFile(const std::string& path);
    ~JsonFile();

    JsonFile(const JsonFile&) = delete;            ///< values point into the file
    JsonFile& operator=(const JsonFile&) = delete; ///< values point into the file

    /// @return the outermost value; it and all others live no longer than this file
    JsonValue GetRoot() const;

    /// @param text any text @return the text as a JSON string, with its quotes
    static std::string Quote(const std::string& text);

  private:
    friend class JsonValue;
    class Document;

    std::unique_ptr<const Document> m_document; ///< what was read
};

/**
 * @ingroup wormhole
 * @brief One value of a JsonFile: read as what is wanted, or refused with its place.
 *
 * Every function that returns a value throws a WormholeError where the file holds something else:
 * one line with file, line, place in the document, the value and what would be accepted. Numbers
 * but for GetReal are whole and exact: 1.0, 1e3 and "1" are refused where 1 is accepted.
 */
class JsonValue
{
  public:
    /// @return whether it is a number
    bool IsNumber() const;

    /// @return the text of a string
    const std::string& GetString() const;

    /// @param min least value accepted @param max greatest value accepted @return a whole number
    int64_t GetInteger(int64_t min, int64_t max) const;

    /// @copydoc GetInteger
    uint64_t GetUnsigned(uint64_t min, uint64_t max) const;

    /// @param min least value accepted @param max greatest value accepted
    /// @return a number that need not be whole, the nearest one that a double holds
    double GetReal(double min, double max) const;

    /// @return the entries of an array, in the file's order
    std::vector<JsonValue> GetItems() const;

    /// @return the values of an object's members, in the file's order
    std::vector<JsonValue> GetMembers() const;

    /// @return the key of a value that GetMembers or Get returned, else an empty string
    const std::string& GetKey() const;

    /// Refuses anything but an object with the right keys. @param required keys that must be there
    /// @param optional further keys that may be there
    void CheckKeys(const std::vector<std::string>& required,
                   const std::vector<std::string>& optional = {}) const;

    /// @return whether this object has a member with that key @param key a key
    bool Has(const std::string& key) const;

    /// @return the value of the object's member with that key, which must be there @param key a key
    JsonValue Get(const std::string& key) const;

    /// @return the line that the value begins in, 1 for the first one
    std::size_t GetLine() const;

    /// @return the place of the value in the document, such as worms[2].tree.s0[1]
    std::string GetPath() const;

    /// Refuses the file because of this value. @param trouble what is wrong with the value
    /// @param accepted what would be accepted instead @throws WormholeError always
    [[noreturn]] void Refuse(const std::string& trouble, const std::string& accepted) const;

    /// Refuses the file because of the key of this value.
    /// @copydetails Refuse
    [[noreturn]] void RefuseKey(const std::string& trouble, const std::string& accepted) const;

  private:
    friend class JsonFile;

    /// @param index the value's index in document order
    JsonValue(const JsonFile::Document* document, uint32_t index);

    /// Refuses a value of another kind.
    void Expect(int kind, const std::string& accepted) const;

    /// @return whether the object has a member with that key
    bool Find(const std::string& key, uint32_t& index) const;

    /// @return the values directly inside this one
    std::vector<JsonValue> GetChildren() const;

    /// Reads a whole number of either type. @return the number
    template <typename T>
    T GetNumber(T min, T max) const;

    const JsonFile::Document* m_document; ///< the file's content
    uint32_t m_index;                     ///< index of the value in document order
};

} // namespace ns3

#endif /* JSON_FILE_H */
