/*
 * Copyright (c) 2026 The wormhole authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gzip-buffer.h"

#include "ns3/wormhole-error.h"

#ifdef WORMHOLE_HAS_ZLIB
#include <array>
#include <zlib.h>
#endif

namespace ns3
{

#ifdef WORMHOLE_HAS_ZLIB

/// zlib's state, and buffers.
class GzipBuffer::Stream
{
  public:
    std::array<char, 1 << 16> in{};  ///< what is not compressed yet
    std::array<char, 1 << 16> out{}; ///< what is
    z_stream zlib{};                 ///< state
};

GzipBuffer::GzipBuffer(std::ostream& output)
    : m_output(output),
      m_stream(std::make_unique<Stream>())
{
    constexpr int GZIP = 16 + MAX_WBITS; // with gzip's header and end
    constexpr int MEMORY = 8;            // zlib's default
    if (deflateInit2(&m_stream->zlib,
                     Z_DEFAULT_COMPRESSION,
                     Z_DEFLATED,
                     GZIP,
                     MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
    {
        throw WormholeError("zlib can't begin: the machine has too little memory");
    }
    setp(m_stream->in.data(), m_stream->in.data() + m_stream->in.size());
}

GzipBuffer::~GzipBuffer()
{
    deflateEnd(&m_stream->zlib);
}

void
GzipBuffer::Compress(bool isEnd)
{
    auto& zlib = m_stream->zlib;
    zlib.next_in = reinterpret_cast<Bytef*>(pbase());
    zlib.avail_in = static_cast<uInt>(pptr() - pbase());
    do
    {
        zlib.next_out = reinterpret_cast<Bytef*>(m_stream->out.data());
        zlib.avail_out = static_cast<uInt>(m_stream->out.size());
        deflate(&zlib, isEnd ? Z_FINISH : Z_NO_FLUSH);
        m_output.write(m_stream->out.data(),
                       static_cast<std::streamsize>(m_stream->out.size() - zlib.avail_out));
    } while (zlib.avail_out == 0);
    setp(m_stream->in.data(), m_stream->in.data() + m_stream->in.size());
}

#else

/// Nothing: there is no zlib.
class GzipBuffer::Stream
{
};

GzipBuffer::GzipBuffer(std::ostream& output)
    : m_output(output)
{
    throw WormholeError("nothing is compressed here: this module was built without zlib; expected "
                        "names that do not end in .gz");
}

GzipBuffer::~GzipBuffer() = default;

void
GzipBuffer::Compress(bool)
{
}

#endif

GzipBuffer::int_type
GzipBuffer::overflow(int_type character)
{
    Compress(false);
    return traits_type::eq_int_type(character, traits_type::eof())
               ? traits_type::not_eof(character)
               : sputc(traits_type::to_char_type(character));
}

void
GzipBuffer::Finish()
{
    Compress(true);
}

GzipFile::GzipFile(const std::string& path)
    : m_file(path),
      m_os(m_file.Get().rdbuf())
{
    const std::string suffix = ".gz";
    if (path.size() > suffix.size() &&
        path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0)
    {
        m_gzip = std::make_unique<GzipBuffer>(m_file.Get());
        m_os.rdbuf(m_gzip.get());
    }
}

void
GzipFile::Finish()
{
    if (m_gzip)
    {
        m_gzip->Finish();
    }
    if (!m_os)
    {
        m_file.Get().setstate(std::ios::badbit);
    }
    m_file.Finish();
}

} // namespace ns3
