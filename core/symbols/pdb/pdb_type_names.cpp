#include "core/symbols/pdb/pdb_type_names.h"

#include "core/symbols/pdb/pdb_records.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

constexpr std::size_t kTypeStream = 2;
constexpr std::size_t kIdStream = 4;
// Linkers store an offset every 8 KB. Only in crafted files are all walks together this long: they have no offsets, or
// offsets in such an order that each walk reads everything.
constexpr std::uint64_t kAlwaysWalked = std::uint64_t{256} << 20;
constexpr std::uint64_t kTimesWalked = 16;

enum TypeKind : std::uint16_t {
    LF_CLASS = 0x1504,
    LF_STRUCTURE = 0x1505,
    LF_UNION = 0x1506,
    LF_ENUM = 0x1507,
    LF_INTERFACE = 0x1519,
    LF_FUNC_ID = 0x1601,
    LF_MFUNC_ID = 0x1602,
    LF_STRING_ID = 0x1605,
};

#pragma pack(push, 1)
struct TypesHeader {
    std::uint32_t version;
    std::uint32_t headerBytes;
    std::uint32_t firstIndex;
    std::uint32_t endIndex;
    std::uint32_t recordBytes;
    std::uint16_t hashStream;
    std::uint16_t hashAuxStream;
    std::uint32_t hashKeyBytes;
    std::uint32_t hashBuckets;
    std::uint32_t hashesAt;
    std::uint32_t hashesBytes;
    std::uint32_t entriesAt;
    std::uint32_t entriesBytes;
};
#pragma pack(pop)

/// Bytes of a number in a type record: below 0x8000 the number itself, otherwise a kind and its value. 0: unknown kind.
std::size_t numberBytes(ByteSpan bytes, std::size_t at) {
    const auto kind = loadAt<std::uint16_t>(bytes, at);
    if (!kind) return 0;
    if (*kind < 0x8000) return 2;
    if (*kind == 0x8000) return 3;                      // char
    if (*kind == 0x8001 || *kind == 0x8002) return 4;   // short
    if (*kind == 0x8003 || *kind == 0x8004) return 6;   // long
    return *kind == 0x8009 || *kind == 0x800A ? 10 : 0; // quad
}

} // namespace

PdbTypeNames::PdbTypeNames(const MsfFile& msf) : msf_(msf), types_(open(kTypeStream)), ids_(open(kIdStream)) {}

PdbTypeNames::Types PdbTypeNames::open(std::size_t stream) const {
    const auto bytes = msf_.read(stream, 0, sizeof(TypesHeader));
    const auto header = loadAt<TypesHeader>(bytes.bytes(), 0);
    if (!header) return {};
    Types types{stream, header->firstIndex, header->endIndex, header->headerBytes, header->recordBytes, {}, 0};
    types.left = kAlwaysWalked + kTimesWalked * msf_.streamBytes(stream);
    const auto entries = msf_.read(header->hashStream, header->entriesAt, header->entriesBytes);
    ByteReader reader(entries.bytes());
    while (const auto entry = reader.take<Types::Entry>())
        types.entries.push_back(*entry);
    const auto byIndex = [](const auto& a, const auto& b) { return a.index < b.index; };
    if (!std::is_sorted(types.entries.begin(), types.entries.end(), byIndex)) types.entries.clear();
    return types;
}

PdbTypeNames::Record PdbTypeNames::record(Types& types, std::uint32_t index) const {
    if (index < types.first || index >= types.end) return {};
    auto after = std::upper_bound(types.entries.begin(), types.entries.end(), index,
                                  [](std::uint32_t i, const auto& entry) { return i < entry.index; });
    const auto until = after == types.entries.end() ? types.recordBytes : after->offset;
    auto current = types.first;
    std::uint64_t from = 0;
    if (after != types.entries.begin()) {
        current = std::prev(after)->index;
        from = std::prev(after)->offset;
    }
    if (until < from || until - from > types.left) return {};
    types.left -= until - from;
    const auto part = msf_.read(types.stream, types.recordsAt + from, until - from);
    PdbRecordReader reader(part.bytes(), 0);
    for (; current <= index; ++current) {
        const auto found = reader.next();
        if (!found) return {};
        if (current == index) return {found->kind, {found->content.begin(), found->content.end()}};
    }
    return {};
}

std::string PdbTypeNames::inlineeName(std::uint32_t id) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(id); found != known_.end()) return found->second;
    return known_.emplace(id, readInlineeName(id)).first->second;
}

std::string PdbTypeNames::readInlineeName(std::uint32_t id) {
    const auto function = record(ids_, id);
    const bool isMember = function.kind == LF_MFUNC_ID;
    if (!isMember && function.kind != LF_FUNC_ID) return {};
    const auto scope = loadAt<std::uint32_t>(function.content, 0).value_or(0);
    const auto prefix = scope == 0 ? std::string() : isMember ? className(scope) : scopeName(scope);
    const std::string name(textAt(function.content, 8));
    return scope == 0 ? name : prefix + "::" + name;
}

std::string PdbTypeNames::className(std::uint32_t type) {
    const auto found = record(types_, type);
    const ByteSpan content(found.content);
    std::size_t at = 0;
    switch (found.kind) {
    case LF_CLASS:
    case LF_STRUCTURE:
    case LF_INTERFACE:
        at = 16;
        break;
    case LF_UNION:
        at = 8;
        break;
    case LF_ENUM:
        return std::string(textAt(content, 12));
    default:
        return {};
    }
    const auto bytes = numberBytes(content, at);
    return bytes == 0 ? std::string() : std::string(textAt(content, at + bytes));
}

std::string PdbTypeNames::scopeName(std::uint32_t id) {
    const auto found = record(ids_, id);
    return found.kind == LF_STRING_ID ? std::string(textAt(found.content, 4)) : std::string();
}

} // namespace highwater::symbols
