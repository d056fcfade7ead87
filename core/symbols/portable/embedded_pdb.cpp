#include "core/symbols/portable/embedded_pdb.h"

#include "core/symbols/pe/pe_image.h"
#include "core/symbols/portable/portable_pdb_file.h"

#include <vector>
#include <zlib.h>

namespace highwater::symbols {
namespace {

constexpr std::uint32_t kEmbeddedSignature = 0x4244504D; // "MPDB"
constexpr std::size_t kMostUnpackedBytes = std::size_t{256} << 20;
constexpr std::size_t kMostTimes = 1032; ///< maximum ratio of deflate

std::optional<std::vector<std::byte>> inflated(ByteSpan packed, std::size_t bytes) {
    if (bytes > kMostUnpackedBytes || bytes / kMostTimes > packed.size()) return std::nullopt;
    std::vector<std::byte> out(bytes);
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data())); // zlib only reads it
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(bytes);
    const int code = inflate(&stream, Z_FINISH);
    const bool isWhole = code == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return isWhole ? std::optional(std::move(out)) : std::nullopt;
}

} // namespace

// u32 signature, u32 unpacked size, deflated bytes
std::optional<Result<std::unique_ptr<SymbolFile>>> openEmbeddedPdb(ByteSpan file) {
    const auto image = PeImage::open(file);
    if (!image.hasValue()) return std::nullopt;
    const auto content = image.value().embeddedPdb();
    ByteReader reader(content);
    if (reader.take<std::uint32_t>() != kEmbeddedSignature) return std::nullopt;
    const auto bytes = reader.take<std::uint32_t>();
    auto unpacked = bytes ? inflated(content.subspan(reader.offset()), *bytes) : std::nullopt;
    if (!unpacked) return Error{ErrorKind::Damaged, "The embedded PDB is damaged and cannot be unpacked."};
    const auto owner = std::make_shared<const std::vector<std::byte>>(std::move(*unpacked));
    return PortablePdbFile::open(*owner, owner);
}

} // namespace highwater::symbols
