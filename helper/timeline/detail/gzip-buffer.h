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

/// A stream buffer that compresses its input by gzip (RFC 1952) to another stream; the output
/// contains no time or name, and depends only on the input.
class GzipBuffer : public std::streambuf
{
  public:
    /// @throws WormholeError if the module was built without zlib
    explicit GzipBuffer(std::ostream& output);
    ~GzipBuffer() override;

    void Finish(); ///< Writes the rest, and the trailer.

  private:
    class Stream;

    int_type overflow(int_type character) override; ///< Compresses a full buffer.
    void Compress(bool isEnd);                      ///< Compresses the buffer's contents.

    std::ostream& m_output;           ///< output stream
    std::unique_ptr<Stream> m_stream; ///< zlib's state and buffers
};

} // namespace ns3

#endif /* GZIP_BUFFER_H */
