#include "core/symbols/pe/pe_image.h"

#include "core/base/pe_layout.h"
#include "core/base/text.h"
#include "core/symbols/answers/shared_names.h"
#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>

namespace highwater::symbols {
using namespace pe;

bool PeImage::isPe(ByteSpan file) { return file.size() >= 2 && file[0] == std::byte{'M'} && file[1] == std::byte{'Z'}; }

Result<PeImage> PeImage::open(ByteSpan file) {
    PeImage image;
    image.file_ = file;
    if (!isPe(file) || !image.readHeaders())
        return Error{ErrorKind::Unsupported, "The file is not a Windows program or library."};
    image.readDebugDirectory();
    return image;
}

bool PeImage::readHeaders() {
    const auto at = loadAt<std::uint32_t>(file_, kHeaderOffsetAt);
    if (!at || loadAt<std::uint32_t>(file_, *at) != kSignature) return false;
    const auto coff = loadAt<CoffHeader>(file_, std::size_t{*at} + 4);
    const auto optionalAt = std::size_t{*at} + 4 + sizeof(CoffHeader);
    const auto magic = loadAt<std::uint16_t>(file_, optionalAt);
    if (!coff || (magic != kOptional32 && magic != kOptional64)) return false;
    machine_ = coff->machine;
    timeDateStamp_ = coff->timeDateStamp;
    imageBytes_ = loadAt<std::uint32_t>(file_, optionalAt + kImageBytesAt).value_or(0);
    const auto directories = optionalAt + directoriesAt(*magic);
    const auto count = loadAt<std::uint32_t>(file_, directories - sizeof(std::uint32_t)).value_or(0);
    for (std::size_t i = 0; i < std::min<std::size_t>(count, kMostDirectories); ++i)
        directories_.push_back(loadAt<Directory>(file_, directories + i * sizeof(Directory)).value_or(Directory{}));
    for (std::size_t i = 0; i < std::min<std::size_t>(coff->sections, kMostSections); ++i) {
        const auto section = loadAt<Section>(file_, optionalAt + coff->optionalBytes + i * sizeof(Section));
        if (section) sections_.push_back(*section);
    }
    return true;
}

Directory PeImage::directory(std::size_t which) const {
    return which < directories_.size() ? directories_[which] : Directory{};
}

ByteSpan PeImage::bytesAt(std::uint32_t address) const {
    for (const auto& section : sections_) {
        if (address < section.address || address - section.address >= section.bytes) continue;
        const auto offset = std::size_t{section.offset} + (address - section.address);
        if (offset >= file_.size()) return {};
        const auto bytes = section.bytes - (address - section.address);
        return file_.subspan(offset, std::min<std::size_t>(bytes, file_.size() - offset));
    }
    return {};
}

void PeImage::readDebugDirectory() {
    const auto where = directory(kDebugDirectory);
    const auto bytes = bytesAt(where.address);
    ByteReader reader(bytes.first(std::min<std::size_t>(bytes.size(), where.bytes)));
    while (const auto entry = reader.take<DebugEntry>()) {
        if (entry->offset > file_.size()) continue;
        const auto content =
            file_.subspan(entry->offset, std::min<std::size_t>(entry->bytes, file_.size() - entry->offset));
        if (entry->type == kDebugEmbedded && embeddedPdb_.empty()) embeddedPdb_ = content;
        if (entry->type != kDebugCodeView || identity_.hasPdb() || loadAt<std::uint32_t>(content, 0) != kRsds) continue;
        const auto guid = loadAt<Guid>(content, 4);
        const auto age = loadAt<std::uint32_t>(content, 20);
        if (!age) continue;
        identity_ = {*guid, *age, {}};
        pdbName_ = fileName(textAt(content, 24));
    }
}

std::vector<PeImage::Export> PeImage::exports() const {
    const auto where = directory(kExportDirectory);
    const auto table = loadAt<ExportTable>(bytesAt(where.address), 0);
    std::vector<Export> found;
    if (!table) return found;
    const auto functions = bytesAt(table->functionTable);
    const auto names = bytesAt(table->nameTable);
    const auto ordinals = bytesAt(table->ordinalTable);
    SharedNames texts(file_.size());
    for (std::size_t i = 0; i < table->names; ++i) {
        const auto name = loadAt<std::uint32_t>(names, i * 4);
        const auto ordinal = loadAt<std::uint16_t>(ordinals, i * 2);
        if (!name || !ordinal) break;
        const auto function = loadAt<std::uint32_t>(functions, std::size_t{*ordinal} * 4);
        if (!function || *function == 0) continue;
        const bool isForwarder = *function >= where.address && *function - where.address < where.bytes;
        const auto bytes = bytesAt(*name);
        const auto text = texts.at({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, 0);
        if (!isForwarder && !text.empty()) found.push_back({*function, text});
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    return found;
}

std::vector<Rva> PeImage::functionBegins() const {
    const std::size_t entryBytes = machine_ == kMachineX64 ? 12 : machine_ == kMachineArm64 ? 8 : 0;
    const auto where = directory(kExceptionDirectory);
    const auto bytes = bytesAt(where.address);
    std::vector<Rva> begins;
    if (entryBytes == 0) return begins;
    for (std::size_t at = 0; at + entryBytes <= std::min<std::size_t>(bytes.size(), where.bytes); at += entryBytes)
        begins.push_back(loadUnchecked<std::uint32_t>(bytes.data() + at));
    std::sort(begins.begin(), begins.end());
    return begins;
}

} // namespace highwater::symbols
