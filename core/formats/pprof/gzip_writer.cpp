#include "core/formats/pprof/gzip_writer.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

namespace highwater::formats {

struct GzipWriter::Stream {
    z_stream zlib{};
    std::array<char, 64 * 1024> packed{};
};

GzipWriter::GzipWriter(std::ostream& out) : out_(out), stream_(std::make_unique<Stream>()) {
    constexpr int kWindow = 15 + 16; // largest window, with a gzip header
    constexpr int kMemory = 8;
    // Fails only if memory is exhausted, because the arguments are valid.
    if (::deflateInit2(&stream_->zlib, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

GzipWriter::~GzipWriter() { ::deflateEnd(&stream_->zlib); }

void GzipWriter::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto part = bytes.substr(0, std::numeric_limits<uInt>::max());
        deflate(part, Z_NO_FLUSH);
        bytes.remove_prefix(part.size());
    }
}

void GzipWriter::finish() { deflate({}, Z_FINISH); }

void GzipWriter::deflate(std::string_view bytes, int flush) {
    auto& zlib = stream_->zlib;
    auto& packed = stream_->packed;
    zlib.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data())); // zlib only reads it
    zlib.avail_in = static_cast<uInt>(bytes.size());
    do {
        zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
        zlib.avail_out = static_cast<uInt>(packed.size());
        (void)::deflate(&zlib, flush);
        out_.write(packed.data(), static_cast<std::streamsize>(packed.size() - zlib.avail_out));
    } while (zlib.avail_out == 0);
}

} // namespace highwater::formats
