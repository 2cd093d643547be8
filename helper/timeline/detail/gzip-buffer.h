// SPDX-License-Identifier: GPL-2.0-only

#ifndef GZIP_BUFFER_H
#define GZIP_BUFFER_H

#include "ns3/wormhole-atomic-file.h"

#include <memory>
#include <ostream>
#include <string>

namespace ns3
{

class GzipBuffer;

/// @ingroup wormhole
/// @brief An AtomicFile that is compressed by gzip (RFC 1952) if its name ends in .gz; then its
/// data contain no time or name, and depend only on what is written.
class GzipFile
{
  public:
    /// @throws WormholeError if it can't be written, or must be compressed and there is no zlib
    explicit GzipFile(const std::string& path);
    ~GzipFile();

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
