// SPDX-License-Identifier: GPL-2.0-only

#include "gzip-buffer.h"

#include "ns3/wormhole-error.h"

#include <streambuf>

#ifdef WORMHOLE_HAS_ZLIB
#include <array>
#include <zlib.h>
#endif

namespace ns3
{

#ifdef WORMHOLE_HAS_ZLIB

class GzipBuffer : public std::streambuf
{
  public:
    explicit GzipBuffer(std::ostream& output)
        : m_output(output)
    {
        constexpr int GZIP = 16 + MAX_WBITS; // with gzip's header and end
        constexpr int MEMORY = 8;            // zlib's default
        if (deflateInit2(&m_zlib,
                         Z_DEFAULT_COMPRESSION,
                         Z_DEFLATED,
                         GZIP,
                         MEMORY,
                         Z_DEFAULT_STRATEGY) != Z_OK)
        {
            throw WormholeError("zlib can't begin: the machine has too little memory");
        }
        setp(m_in.data(), m_in.data() + m_in.size());
    }

    ~GzipBuffer() override
    {
        deflateEnd(&m_zlib);
    }

    void Finish()
    {
        Compress(true);
    }

  private:
    int_type overflow(int_type character) override
    {
        Compress(false);
        return traits_type::eq_int_type(character, traits_type::eof())
                   ? traits_type::not_eof(character)
                   : sputc(traits_type::to_char_type(character));
    }

    void Compress(bool isEnd)
    {
        m_zlib.next_in = reinterpret_cast<Bytef*>(pbase());
        m_zlib.avail_in = static_cast<uInt>(pptr() - pbase());
        do
        {
            m_zlib.next_out = reinterpret_cast<Bytef*>(m_out.data());
            m_zlib.avail_out = static_cast<uInt>(m_out.size());
            deflate(&m_zlib, isEnd ? Z_FINISH : Z_NO_FLUSH);
            m_output.write(m_out.data(),
                           static_cast<std::streamsize>(m_out.size() - m_zlib.avail_out));
        } while (m_zlib.avail_out == 0);
        setp(m_in.data(), m_in.data() + m_in.size());
    }

    std::ostream& m_output;            ///< output stream
    std::array<char, 1 << 16> m_in{};  ///< what is not compressed yet
    std::array<char, 1 << 16> m_out{}; ///< what is
    z_stream m_zlib{};                 ///< zlib's state
};

#else

/// There is no zlib.
class GzipBuffer : public std::streambuf
{
  public:
    explicit GzipBuffer(std::ostream&)
    {
        throw WormholeError("nothing is compressed here: this module was built without zlib; "
                            "expected names that do not end in .gz");
    }

    void Finish()
    {
    }
};

#endif

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

GzipFile::~GzipFile() = default;

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
