#include "core/symbols/portable/portable_metadata.h"

#include <algorithm>
#include <bit>

namespace highwater::symbols {
namespace {

constexpr std::uint32_t kMetadataSignature = 0x424A5342; // "BSJB"
constexpr unsigned kDocumentTable = 0x30, kMethodTable = 0x31;
constexpr std::uint8_t kLargeGuids = 2, kLargeBlobs = 4, kExtraData = 0x40; ///< flags in the byte of heap sizes
constexpr std::size_t kMostStreams = 64;
constexpr std::size_t kMostPathBytes = 4096;
constexpr std::int64_t kLinesEnd = 0x20000000;

/// Integers in 1, 2 or 4 bytes, high byte first (ECMA-335 II.23.2).
class CompressedReader {
  public:
    explicit CompressedReader(ByteSpan bytes) : bytes_(bytes) {}

    [[nodiscard]] bool isAtEnd() const { return offset_ >= bytes_.size(); }
    [[nodiscard]] std::size_t offset() const { return offset_; }
    [[nodiscard]] std::optional<std::uint32_t> take() {
        const auto first = byte(0);
        if (!first) return std::nullopt;
        if ((*first & 0x80u) == 0) return advance(1, *first, 7);
        if ((*first & 0x40u) == 0) {
            if (!byte(1)) return std::nullopt;
            return advance(2, ((*first & 0x3Fu) << 8) | *byte(1), 14);
        }
        if ((*first & 0x20u) != 0 || !byte(3)) return std::nullopt;
        return advance(4, ((*first & 0x1Fu) << 24) | (*byte(1) << 16) | (*byte(2) << 8) | *byte(3), 29);
    }
    /// The lowest bit is the sign. The other bits of a negative number are its two's complement in that many bits.
    [[nodiscard]] std::optional<std::int64_t> takeSigned() {
        const auto value = take();
        if (!value) return std::nullopt;
        const auto half = std::int64_t{*value >> 1};
        return (*value & 1u) == 0 ? half : half - (std::int64_t{1} << (bits_ - 1));
    }

  private:
    [[nodiscard]] std::optional<std::uint32_t> byte(std::size_t i) const {
        if (bytes_.size() - offset_ <= i) return std::nullopt;
        return std::to_integer<std::uint32_t>(bytes_[offset_ + i]);
    }
    std::uint32_t advance(std::size_t bytes, std::uint32_t value, unsigned bits) {
        offset_ += bytes;
        bits_ = bits;
        return value;
    }

    ByteSpan bytes_;
    std::size_t offset_ = 0;
    unsigned bits_ = 0;
};

std::uint32_t takeIndex(ByteReader& reader, std::size_t bytes) {
    if (bytes == 4) return reader.take<std::uint32_t>().value_or(0);
    return reader.take<std::uint16_t>().value_or(0);
}

/// Iterates over the records of one method.
class SequencePointReader {
  public:
    SequencePointReader(ByteSpan blob, std::uint32_t document) : reader_(blob), document_(document) {}

    std::vector<SequencePoint> run() {
        std::vector<SequencePoint> points;
        const auto signature = reader_.take();
        if (!signature) return points;
        if (document_ == 0) document_ = reader_.take().value_or(0);
        while (!reader_.isAtEnd() && step(points)) {
        }
        return points;
    }

  private:
    /// False: the rest cannot be read.
    bool step(std::vector<SequencePoint>& points) {
        const auto ilDelta = reader_.take();
        if (!ilDelta) return false;
        if (*ilDelta == 0 && !isFirst_) {
            document_ = reader_.take().value_or(0);
            return document_ != 0;
        }
        isFirst_ = false;
        il_ += *ilDelta;
        const auto lines = reader_.take();
        if (!lines || il_ >= kLinesEnd) return false;
        const auto columns = *lines == 0 ? asSigned(reader_.take()) : reader_.takeSigned();
        if (!columns) return false;
        if (*lines == 0 && *columns == 0) return true; // hidden: without a line
        const auto lineDelta = hasLine_ ? reader_.takeSigned() : asSigned(reader_.take());
        const auto columnDelta = hasLine_ ? reader_.takeSigned() : asSigned(reader_.take());
        if (!lineDelta || !columnDelta) return false;
        hasLine_ = true;
        line_ += *lineDelta;
        if (line_ < 0 || line_ >= kLinesEnd) return false;
        points.push_back({static_cast<std::uint32_t>(il_), static_cast<std::uint32_t>(line_), document_});
        return true;
    }
    static std::optional<std::int64_t> asSigned(std::optional<std::uint32_t> value) {
        return value ? std::optional(std::int64_t{*value}) : std::nullopt;
    }

    CompressedReader reader_;
    std::uint32_t document_;
    std::int64_t il_ = 0;
    std::int64_t line_ = 0;
    bool isFirst_ = true;
    bool hasLine_ = false;
};

} // namespace

bool PortableMetadata::isPortable(ByteSpan file) {
    return file.size() >= 4 && loadUnchecked<std::uint32_t>(file.data()) == kMetadataSignature;
}

Result<PortableMetadata> PortableMetadata::open(ByteSpan file) {
    PortableMetadata metadata;
    if (!isPortable(file) || !metadata.readStreams(file))
        return Error{ErrorKind::Damaged, "The file is a damaged portable PDB or not a PDB: it has no identity."};
    if (!metadata.readTables())
        return Error{ErrorKind::Damaged, "The portable PDB is damaged: its method table cannot be read."};
    return metadata;
}

// u32 signature, 2 x u16 version, u32, u32 length of a text, the text, u16 flags, u16 streams; then for each stream u32
// offset, u32 bytes, a name that is padded to a multiple of 4
bool PortableMetadata::readStreams(ByteSpan file) {
    ByteReader reader(file);
    const auto textBytes = reader.skip(12) ? reader.take<std::uint32_t>() : std::nullopt;
    if (!textBytes || !reader.skip(*textBytes) || !reader.skip(2)) return false;
    const auto streams = reader.take<std::uint16_t>().value_or(0);
    for (std::size_t i = 0; i < std::min<std::size_t>(streams, kMostStreams); ++i) {
        const auto offset = reader.take<std::uint32_t>();
        const auto bytes = reader.take<std::uint32_t>();
        if (!bytes) return false;
        const auto begin = reader.offset();
        const auto name = reader.takeNarrow();
        if (!reader.skip((4 - (reader.offset() - begin) % 4) % 4)) return false;
        if (*offset > file.size() || *bytes > file.size() - *offset) continue;
        const auto content = file.subspan(*offset, *bytes);
        if (name == "#Pdb") pdb_ = content;
        if (name == "#~") tables_ = content;
        if (name == "#Blob") blobs_ = content;
    }
    const auto guid = ByteReader(pdb_).take<Guid>();
    if (guid) guid_ = *guid;
    return guid && !tables_.empty();
}

// u32, 2 x u8 version, u8 heap sizes, u8, u64 present tables, u64 sorted tables, u32 rows of each; then the rows.
// Tables of debug information have the highest numbers, so in a file that is only a PDB they come first.
bool PortableMetadata::readTables() {
    ByteReader reader(tables_);
    const auto sizes = reader.skip(6) ? reader.take<std::uint8_t>() : std::nullopt;
    const auto present = sizes && reader.skip(1) ? reader.take<std::uint64_t>() : std::nullopt;
    if (!present || !reader.skip(8)) return false;
    if ((*present & ((std::uint64_t{1} << kDocumentTable) - 1)) != 0) return false; // a module's own metadata
    for (unsigned table = kDocumentTable; table < 64; ++table) {
        if ((*present >> table & 1u) == 0) continue;
        const auto rows = reader.take<std::uint32_t>();
        if (!rows) return false;
        if (table == kDocumentTable) documents_.rows = *rows;
        if (table == kMethodTable) methods_.rows = *rows;
    }
    if ((*sizes & kExtraData) != 0 && !reader.skip(4)) return false;
    blobIndexBytes_ = (*sizes & kLargeBlobs) != 0 ? 4 : 2;
    documentIndexBytes_ = documents_.rows > 0xFFFF ? 4 : 2;
    const std::size_t guidIndexBytes = (*sizes & kLargeGuids) != 0 ? 4 : 2;
    documents_.rowBytes = 2 * blobIndexBytes_ + 2 * guidIndexBytes;
    methods_.rowBytes = documentIndexBytes_ + blobIndexBytes_;
    for (auto* table : {&documents_, &methods_}) { // a truncated table has its existing rows
        const auto bytes = std::min<std::uint64_t>(std::uint64_t{table->rows} * table->rowBytes, reader.remaining());
        table->bytes = reader.takeBytes(static_cast<std::size_t>(bytes)).value_or(ByteSpan());
        table->rows = static_cast<std::uint32_t>(bytes / table->rowBytes);
    }
    return true;
}

ByteSpan PortableMetadata::row(const Table& table, std::uint32_t number) const {
    if (number == 0 || number > table.rows) return {};
    return table.bytes.subspan((number - std::size_t{1}) * table.rowBytes, table.rowBytes);
}

/// A length, and that many bytes.
ByteSpan PortableMetadata::blob(std::uint64_t index) const {
    if (index == 0 || index >= blobs_.size()) return {};
    const auto rest = blobs_.subspan(static_cast<std::size_t>(index));
    CompressedReader reader(rest);
    const auto bytes = reader.take();
    if (!bytes || *bytes > rest.size() - reader.offset()) return {};
    return rest.subspan(reader.offset(), *bytes);
}

std::vector<SequencePoint> PortableMetadata::sequencePoints(std::uint32_t method, std::uint64_t& most) const {
    const auto bytes = row(methods_, method);
    ByteReader reader(bytes);
    const auto document = takeIndex(reader, documentIndexBytes_);
    const auto points = blob(takeIndex(reader, blobIndexBytes_));
    if (bytes.empty() || points.empty() || points.size() > most) return {};
    most -= points.size();
    return SequencePointReader(points, document).run();
}

/// A separator, and the blobs that it separates.
std::string PortableMetadata::document(std::uint32_t number) const {
    ByteReader reader(row(documents_, number));
    const auto name = blob(takeIndex(reader, blobIndexBytes_));
    if (name.empty()) return {};
    // The separator is UTF-8; its first byte gives the length, and 0 means none.
    const auto first = std::to_integer<unsigned char>(name[0]);
    const auto separatorBytes = first < 0x80 ? std::size_t{1} : static_cast<std::size_t>(std::countl_one(first));
    if (separatorBytes > 4 || separatorBytes > name.size()) return {};
    const auto* text = reinterpret_cast<const char*>(name.data());
    const std::string_view separator(text, first == 0 ? 0 : separatorBytes);
    std::string path;
    CompressedReader parts(name.subspan(separatorBytes));
    for (bool isFirst = true; path.size() < kMostPathBytes; isFirst = false) {
        const auto index = parts.take();
        if (!index) break;
        if (!isFirst) path += separator;
        const auto part = blob(*index);
        path.append(reinterpret_cast<const char*>(part.data()), std::min(part.size(), kMostPathBytes));
    }
    return path;
}

} // namespace highwater::symbols
