#include "core/symbols/pdb/pdb_layout.h"

#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>
#include <array>

namespace highwater::symbols {
namespace {

constexpr std::size_t kInfoStream = 1;
constexpr std::size_t kDbiStream = 3;
constexpr std::uint32_t kContributionsV1 = 0xEFFE0000u + 19970605u;
constexpr std::uint32_t kContributionsV2 = 0xEFFE0000u + 20140516u;
constexpr std::size_t kMostSections = 1000; ///< Windows loads no image with more than 96
constexpr std::uint16_t kStreamOfNone = 0xFFFF;
constexpr std::uint16_t kMachineX86 = 0x14C;
constexpr std::uint16_t kMachineArm = 0x1C4;

#pragma pack(push, 1)
struct DbiHeader {
    std::int32_t signature;
    std::uint32_t version;
    std::uint32_t age;
    std::uint16_t globalsStream;
    std::uint16_t build;
    std::uint16_t publicsStream;
    std::uint16_t toolVersion;
    std::uint16_t symbolRecordStream;
    std::uint16_t toolBuild;
    std::uint32_t moduleBytes;
    std::uint32_t contributionBytes;
    std::uint32_t sectionMapBytes;
    std::uint32_t sourceBytes;
    std::uint32_t typeServerBytes;
    std::uint32_t typeServerIndex;
    std::uint32_t debugHeaderBytes;
    std::uint32_t editContinueBytes;
    std::uint16_t flags;
    std::uint16_t machine;
    std::uint32_t padding;
};
struct ModuleHeader {
    std::uint32_t opened;
    std::array<std::byte, 28> firstContribution;
    std::uint16_t flags;
    std::uint16_t stream;
    std::uint32_t symbolBytes;
    std::uint32_t oldLineBytes;
    std::uint32_t lineBytes;
    std::uint16_t sourceFiles;
    std::uint16_t padding;
    std::uint32_t unused;
    std::uint32_t sourceName;
    std::uint32_t pdbPath;
};
struct Contribution {
    std::uint16_t segment;
    std::uint16_t padding1;
    std::uint32_t offset;
    std::uint32_t bytes;
    std::uint32_t characteristics;
    std::uint16_t module;
    std::uint16_t padding2;
    std::uint32_t dataChecksum;
    std::uint32_t relocationChecksum;
};
struct CoffSection {
    std::array<char, 8> name;
    std::uint32_t virtualBytes;
    std::uint32_t virtualAddress;
    std::array<std::byte, 24> rest;
};
#pragma pack(pop)
static_assert(sizeof(DbiHeader) == 64 && sizeof(ModuleHeader) == 64);
static_assert(sizeof(Contribution) == 28 && sizeof(CoffSection) == 40);

/// The optional debug header is a list of stream numbers in this order.
enum DebugStream : std::size_t { MovedToLinked = 3, Sections = 5, SectionsBeforeMove = 10 };

std::uint16_t debugStream(ByteSpan header, DebugStream which) {
    const auto at = std::size_t{which} * 2;
    return at + 2 <= header.size() ? loadUnchecked<std::uint16_t>(header.data() + at) : std::uint16_t{0xFFFF};
}

std::optional<std::string_view> takeText(ByteReader& reader, ByteSpan all) {
    const auto text = textAt(all, reader.offset());
    if (!reader.skip(text.size() + 1)) return std::nullopt;
    return text;
}

} // namespace

Result<PdbLayout> PdbLayout::read(const MsfFile& msf) {
    PdbLayout layout;
    const auto information = msf.read(kInfoStream);
    ByteReader reader(information.bytes());
    if (!reader.skip(12)) return Error{ErrorKind::Damaged, "The PDB is damaged: it has no identity."};
    const auto guid = reader.take<Guid>();
    if (!guid) return Error{ErrorKind::Damaged, "The PDB is damaged: it has no identity."};
    layout.identity_.pdbGuid = *guid;
    layout.readNamedStreams(reader);

    const auto dbi = msf.read(kDbiStream);
    ByteReader parts(dbi.bytes());
    const auto header = parts.take<DbiHeader>();
    if (!header || header->signature != -1)
        return Error{ErrorKind::Unsupported, "The PDB has no debug information (types only, or too old)."};
    layout.identity_.pdbAge = header->age;
    layout.symbolRecordStream_ = header->symbolRecordStream;
    layout.is32Bit_ = header->machine == kMachineX86 || header->machine == kMachineArm;
    const auto modules = parts.takeBytes(header->moduleBytes);
    const auto contributions = parts.takeBytes(header->contributionBytes);
    const auto hasRest = parts.skip(header->sectionMapBytes) && parts.skip(header->sourceBytes) &&
                         parts.skip(header->typeServerBytes) && parts.skip(header->editContinueBytes);
    const auto debugHeader = hasRest ? parts.takeBytes(header->debugHeaderBytes) : std::nullopt;
    if (modules) layout.readModules(*modules);
    if (debugHeader) layout.readSections(msf, *debugHeader);
    if (contributions) layout.readContributions(*contributions);
    return layout;
}

/// A hash table from offsets of names to stream numbers. Only "/names" is used.
void PdbLayout::readNamedStreams(ByteReader reader) {
    const auto textBytes = reader.take<std::uint32_t>();
    if (!textBytes) return;
    const auto texts = reader.takeBytes(*textBytes);
    const auto count = reader.take<std::uint32_t>();
    if (!texts || !count || !reader.skip(4)) return;
    for (int bitmap = 0; bitmap < 2; ++bitmap) { // buckets in use, buckets deleted: the entries follow densely
        const auto words = reader.take<std::uint32_t>();
        if (!words || !reader.skip(std::size_t{*words} * 4)) return;
    }
    constexpr std::string_view kNames("/names\0", 7);
    for (std::uint32_t i = 0; i < *count; ++i) {
        const auto name = reader.take<std::uint32_t>();
        const auto stream = reader.take<std::uint32_t>();
        if (!name || !stream) return;
        if (*name > texts->size() || texts->size() - *name < kNames.size()) continue;
        if (std::memcmp(texts->data() + *name, kNames.data(), kNames.size()) == 0) namesStream_ = *stream;
    }
}

void PdbLayout::readModules(ByteSpan part) {
    ByteReader reader(part);
    std::vector<bool> isTaken(kStreamOfNone);
    while (const auto header = reader.take<ModuleHeader>()) {
        const auto name = takeText(reader, part);
        if (!name || !takeText(reader, part)) return;
        (void)reader.skip(std::min<std::size_t>((4 - reader.offset() % 4) % 4, reader.remaining()));
        // Each stream belongs to one module. Otherwise a small file could claim any size.
        const bool isOthers = header->stream != kStreamOfNone && isTaken[header->stream];
        if (header->stream != kStreamOfNone) isTaken[header->stream] = true;
        modules_.push_back({isOthers ? kStreamOfNone : std::uint16_t{header->stream}, header->symbolBytes,
                            header->oldLineBytes, header->lineBytes, std::string(*name)});
    }
}

void PdbLayout::readSections(const MsfFile& msf, ByteSpan debugHeader) {
    const auto moved = msf.read(debugStream(debugHeader, MovedToLinked));
    ByteReader moves(moved.bytes());
    while (const auto move = moves.take<Moved>())
        moves_.push_back(*move);
    std::stable_sort(moves_.begin(), moves_.end(), [](const auto& a, const auto& b) { return a.from < b.from; });

    auto sections = msf.read(debugStream(debugHeader, SectionsBeforeMove));
    if (moves_.empty() || sections.bytes().empty()) sections = msf.read(debugStream(debugHeader, Sections));
    ByteReader reader(sections.bytes());
    while (const auto section = reader.take<CoffSection>()) {
        if (sections_.size() == kMostSections) break; // they are searched linearly
        sections_.push_back({section->virtualAddress, Rva{section->virtualAddress} + section->virtualBytes});
    }
}

void PdbLayout::readContributions(ByteSpan part) {
    ByteReader reader(part);
    const auto version = reader.take<std::uint32_t>();
    if (version != kContributionsV1 && version != kContributionsV2) return;
    while (const auto entry = reader.take<Contribution>()) {
        if (version == kContributionsV2 && !reader.skip(4)) return;
        const auto begin = toRva(entry->segment, entry->offset);
        if (begin && entry->bytes != 0) contributions_.push_back({*begin, *begin + entry->bytes, entry->module});
    }
    std::stable_sort(contributions_.begin(), contributions_.end(),
                     [](const auto& a, const auto& b) { return a.begin < b.begin; });
}

std::optional<Rva> PdbLayout::toRva(std::uint16_t segment, std::uint32_t offset) const {
    if (segment == 0 || segment > sections_.size()) return std::nullopt;
    return sections_[segment - 1u].begin + offset;
}

std::uint16_t PdbLayout::segmentOf(Rva linked) const {
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        if (linked >= sections_[i].begin && linked < sections_[i].end) return static_cast<std::uint16_t>(i + 1);
    }
    return 0;
}

std::optional<Rva> PdbLayout::toLinked(Rva mapped) const {
    if (moves_.empty()) return mapped;
    auto after =
        std::upper_bound(moves_.begin(), moves_.end(), mapped, [](Rva a, const Moved& move) { return a < move.from; });
    if (after == moves_.begin()) return std::nullopt;
    --after;
    if (after->to == 0) return std::nullopt;
    return after->to + (mapped - after->from);
}

const PdbContribution* PdbLayout::contributionAt(Rva linked) const {
    auto after = std::upper_bound(contributions_.begin(), contributions_.end(), linked,
                                  [](Rva a, const auto& contribution) { return a < contribution.begin; });
    if (after == contributions_.begin()) return nullptr;
    --after;
    return linked < after->end ? &*after : nullptr;
}

} // namespace highwater::symbols
