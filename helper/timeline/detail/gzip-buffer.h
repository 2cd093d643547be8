/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GZIP_BUFFER_H
#define GZIP_BUFFER_H

#include "ns3/wormhole-atomic-file.h"

#include <memory>
#include <ostream>
#include <streambuf>
#include <string>

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

/// @ingroup wormhole
/// @brief An AtomicFile that is compressed if its name ends in .gz.
class GzipFile
{
  public:
    /// @param path name of the file
    /// @throws WormholeError if it can't be written, or must be compressed and there is no zlib
    explicit GzipFile(const std::string& path);

    /// @return the output stream
    std::ostream& Get()
    {
        return m_os;
    }

    /// Completes the file, and gives it its name. @throws WormholeError if not all could be written
    void Finish();

  private:
    AtomicFile m_file;                  ///< the file
    std::unique_ptr<GzipBuffer> m_gzip; ///< compressor; may be null
    std::ostream m_os;                  ///< output stream
};

} // namespace ns3

#endif /* GZIP_BUFFER_H */
