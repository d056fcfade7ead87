#include "core/source/records/image_identity.h"

#include "core/base/pe_layout.h"
#include "core/base/text.h"

#include <algorithm>

namespace highwater::source {
namespace {

using namespace pe;

constexpr std::size_t kMostDebugEntries = 64;
constexpr std::size_t kMostRsdsBytes = 1024;

class ImageReader {
  public:
    ImageReader(const ReadImage& read, ImageLayout layout) : read_(read), layout_(layout) {}

    /// Locates the headers; false: not an image.
    bool open() {
        const auto begin = at<std::uint32_t>(kHeaderOffsetAt);
        if (at<std::uint16_t>(0) != kDosSignature || !begin || at<std::uint32_t>(*begin) != kSignature) return false;
        const auto coff = at<CoffHeader>(std::uint64_t{*begin} + 4);
        if (!coff) return false;
        coff_ = *coff;
        optionalAt_ = std::uint64_t{*begin} + 4 + sizeof(CoffHeader);
        const auto magic = at<std::uint16_t>(optionalAt_);
        if (magic != kOptional32 && magic != kOptional64) return false;
        magic_ = *magic;
        return true;
    }

    [[nodiscard]] bool is32Bit() const { return magic_ == kOptional32; }

    [[nodiscard]] ModuleIdentity identity() const {
        ModuleIdentity identity;
        identity.timeDateStamp = coff_.timeDateStamp;
        identity.imageSize = at<std::uint32_t>(optionalAt_ + kImageBytesAt).value_or(0);
        readDebugDirectory(identity);
        return identity;
    }

  private:
    template <typename T>
    [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
        const auto bytes = read_(offset, sizeof(T));
        if (bytes.size() < sizeof(T)) return std::nullopt;
        return loadUnchecked<T>(bytes.data());
    }

    void readDebugDirectory(ModuleIdentity& identity) const {
        const auto directories = optionalAt_ + directoriesAt(magic_);
        const auto count = at<std::uint32_t>(directories - sizeof(std::uint32_t));
        const auto where = at<Directory>(directories + kDebugDirectory * sizeof(Directory));
        if (count.value_or(0) <= kDebugDirectory || !where) return;
        const auto begin = offsetOf(where->address);
        const auto entries = std::min(where->bytes / sizeof(DebugEntry), kMostDebugEntries);
        for (std::size_t i = 0; begin && i < entries; ++i) {
            const auto entry = at<DebugEntry>(*begin + i * sizeof(DebugEntry));
            if (!entry) return;
            if (entry->type == kDebugCodeView && readRsds(*entry, identity)) return;
        }
    }

    bool readRsds(const DebugEntry& entry, ModuleIdentity& identity) const {
        const auto from = layout_ == ImageLayout::File ? entry.offset : entry.address;
        ByteReader reader(read_(from, std::min<std::size_t>(entry.bytes, kMostRsdsBytes)));
        if (reader.take<std::uint32_t>() != kRsds) return false;
        const auto guid = reader.take<Guid>();
        const auto age = reader.take<std::uint32_t>();
        if (!age) return false;
        identity.pdbGuid = *guid;
        identity.pdbAge = *age;
        identity.pdbName = fileName(reader.takeNarrow());
        return !identity.pdbName.empty();
    }

    /// The offset of an image address in the data that is read.
    [[nodiscard]] std::optional<std::uint64_t> offsetOf(std::uint32_t address) const {
        if (layout_ == ImageLayout::Memory) return address;
        for (std::size_t i = 0; i < std::min<std::size_t>(coff_.sections, kMostSections); ++i) {
            const auto section = at<Section>(optionalAt_ + coff_.optionalBytes + i * sizeof(Section));
            if (!section) return std::nullopt;
            if (address >= section->address && address - section->address < section->bytes)
                return std::uint64_t{section->offset} + (address - section->address);
        }
        return std::nullopt;
    }

    const ReadImage& read_;
    ImageLayout layout_;
    CoffHeader coff_{};
    std::uint64_t optionalAt_ = 0;
    std::uint16_t magic_ = 0;
};

ReadImage readerOf(ByteSpan file) {
    return [file](std::uint64_t offset, std::size_t bytes) -> ByteSpan {
        if (offset >= file.size()) return {};
        return file.subspan(offset, std::min<std::size_t>(bytes, file.size() - offset));
    };
}

} // namespace

std::optional<ModuleIdentity> readImageIdentity(const ReadImage& read, ImageLayout layout) {
    ImageReader reader(read, layout);
    if (!reader.open()) return std::nullopt;
    return reader.identity();
}

std::optional<ModuleIdentity> readImageIdentity(ByteSpan file) {
    return readImageIdentity(readerOf(file), ImageLayout::File);
}

bool isImage32Bit(ByteSpan file) {
    const auto read = readerOf(file);
    ImageReader reader(read, ImageLayout::File);
    return reader.open() && reader.is32Bit();
}

} // namespace highwater::source
