/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GZIP_BUFFER_H
#define GZIP_BUFFER_H

#include <memory>
#include <ostream>
#include <streambuf>

namespace ns3
{

/// @ingroup wormhole
/// @brief Compresses what is written to it, by gzip (RFC 1952), and writes that to a stream; the
/// same bytes in, the same bytes out, with no time or name in them.
class GzipBuffer : public std::streambuf
{
  public:
    /// @param output where to @throws WormholeError if the module was built without zlib
    explicit GzipBuffer(std::ostream& output);
    ~GzipBuffer() override;

    void Finish(); ///< Writes what is left, and the end.

  private:
    class Stream;

    int_type overflow(int_type character) override; ///< Compresses what is in the full buffer.
    void Compress(bool isEnd);                      ///< Compresses what is in the buffer.

    std::ostream& m_output;           ///< where to
    std::unique_ptr<Stream> m_stream; ///< zlib's state, and buffers
};

} // namespace ns3

#endif /* GZIP_BUFFER_H */
