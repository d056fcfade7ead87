#include "core/symbols/elf/dwarf_entries.h"

#include "core/symbols/elf/dwarf_attributes.h"
#include "core/symbols/elf/llvm_results.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>

#include <algorithm>
#include <cstring>

namespace highwater::symbols {
namespace {

using namespace llvm::dwarf;
using Meaning = DwarfAbbreviations::Meaning;

/// Limits for damaged files; others stay far below.
constexpr std::uint64_t kAlways = 4096;
constexpr std::uint64_t kRangeBytesAlways = 64 * 1024;
constexpr std::uint64_t kRangeBytesAByte = 8; ///< per byte of a unit
constexpr std::uint64_t kFramesAnAddress = 128;

constexpr std::size_t kLongestQualified = 4096; ///< longer names stay as they are
constexpr int kLongestNameChain = 16;           ///< for specifications and abstract origins; longer chains are circular

} // namespace

struct DwarfEntries::FunctionAttributes {
    std::optional<std::uint64_t> lowPc;
    std::optional<std::uint64_t> highPc;
    bool highIsLength = false;
    std::optional<llvm::DWARFFormValue> ranges;
    std::uint32_t callFile = 0;
    std::uint32_t callLine = 0;
};

struct DwarfEntries::NameAttributes {
    std::string_view linkageName;
    std::string_view name;
    bool isExternal = false;
    std::optional<EntryPlace> origin;
    std::optional<EntryPlace> specification;
};

DwarfEntries::FunctionAttributes DwarfEntries::readFunction(const DwarfAbbreviations::Entry& abbreviation,
                                                            std::uint64_t attributesAt) const {
    FunctionAttributes found;
    const auto wanted = [](Attribute attribute) {
        return attribute == DW_AT_low_pc || attribute == DW_AT_high_pc || attribute == DW_AT_ranges ||
               attribute == DW_AT_call_file || attribute == DW_AT_call_line;
    };
    readAttributes(*unit_.unit, *abbreviation.declaration, attributesAt, wanted,
                   [&](Attribute attribute, const llvm::DWARFFormValue& value) {
                       const auto number = value.getAsUnsignedConstant();
                       if (attribute == DW_AT_low_pc) found.lowPc = value.getAsAddress();
                       if (attribute == DW_AT_ranges) found.ranges = value;
                       if (attribute == DW_AT_call_file)
                           found.callFile = static_cast<std::uint32_t>(number.value_or(0));
                       if (attribute == DW_AT_call_line)
                           found.callLine = static_cast<std::uint32_t>(number.value_or(0));
                       if (attribute != DW_AT_high_pc) return;
                       found.highPc = value.getAsAddress();
                       found.highIsLength = !found.highPc;
                       if (!found.highPc) found.highPc = number;
                   });
    return found;
}

std::vector<DwarfEntries::Range> DwarfEntries::rangesOf(const FunctionAttributes& attributes,
                                                        DwarfRangeLists& lists) const {
    if (attributes.lowPc && attributes.highPc) {
        const auto end = attributes.highIsLength ? *attributes.lowPc + *attributes.highPc : *attributes.highPc;
        return {{*attributes.lowPc, end}};
    }
    if (!attributes.ranges) return {};
    std::vector<Range> ranges;
    for (const auto& range : lists.read(*unit_.unit, *attributes.ranges))
        ranges.push_back({range.LowPC, range.HighPC});
    return ranges;
}

/// One pass over the entries of the unit. Skips subtrees without code where the compiler stored an offset to do so.
class DwarfEntries::Walk {
  public:
    Walk(const DwarfEntries& entries, std::span<const std::uint64_t> addresses)
        : entries_(entries),
          unit_(*entries.unit_.unit),
          addresses_(addresses),
          cursor_(unit_.getInfoSection().Data, unit_.getOffset() + unit_.getHeaderSize(), unit_.getNextUnitOffset()),
          lists_(kRangeBytesAlways + (unit_.getNextUnitOffset() - unit_.getOffset()) * kRangeBytesAByte),
          mostLinks_(kAlways + addresses.size() * kFramesAnAddress) {
        out.innermost.assign(addresses.size(), DwarfFrames::kNone);
    }

    void run() {
        std::size_t depth = 0;
        do {
            const auto entry = cursor_.offset();
            const auto code = cursor_.leb();
            if (code == 0) {
                if (depth == 0) return;
                --depth;
                continue;
            }
            const auto* abbreviation = entries_.unit_.abbreviations.find(code);
            if (abbreviation == nullptr || abbreviation->declaration == nullptr) return;
            if (visit(entry, *abbreviation)) ++depth;
        } while (depth > 0 && !cursor_.atEnd());
    }

    DwarfFrames out;

  private:
    /// Returns true if children follow.
    bool visit(std::uint64_t entry, const DwarfAbbreviations::Entry& abbreviation) {
        const auto attributesAt = cursor_.offset();
        const auto sibling = skipAttributes(abbreviation);
        bool isWanted = abbreviation.meaning != Meaning::Leaf;
        if (cursor_.isBroken()) return false;
        if (abbreviation.meaning == Meaning::Function || abbreviation.meaning == Meaning::Inlined) {
            const auto function = entries_.readFunction(abbreviation, attributesAt);
            isWanted = place(entry, function, abbreviation.meaning == Meaning::Inlined);
        }
        if (!abbreviation.hasChildren) return false;
        if (isWanted || sibling == 0) return true;
        cursor_.jump(sibling);
        return false;
    }

    /// The offset of the entry after the children; 0: not given.
    std::uint64_t skipAttributes(const DwarfAbbreviations::Entry& abbreviation) {
        std::uint64_t sibling = 0;
        for (int i = 0; i < static_cast<int>(abbreviation.steps.size()); ++i) {
            if (i == abbreviation.siblingStep) {
                sibling = unit_.getOffset() + cursor_.number(abbreviation.siblingBytes);
            } else {
                cursor_.skip(abbreviation.steps[static_cast<std::size_t>(i)]);
            }
        }
        return sibling;
    }

    /// Assigns the frame to the requested addresses in its code; false: there are none.
    bool place(std::uint64_t entry, const FunctionAttributes& function, bool isInlined) {
        auto frame = DwarfFrames::kNone;
        for (const auto& range : entries_.rangesOf(function, lists_)) {
            if (range.begin >= range.end || range.begin == 0) continue; // the linker discarded the function
            auto it = std::lower_bound(addresses_.begin(), addresses_.end(), range.begin);
            for (; it != addresses_.end() && *it < range.end && out.links.size() < mostLinks_; ++it) {
                if (frame == DwarfFrames::kNone) {
                    frame = static_cast<std::uint32_t>(out.frames.size());
                    out.frames.push_back({entry, range.begin, function.callFile, function.callLine, isInlined});
                }
                auto& innermost = out.innermost[static_cast<std::size_t>(it - addresses_.begin())];
                out.links.push_back({frame, isInlined ? innermost : DwarfFrames::kNone});
                innermost = static_cast<std::uint32_t>(out.links.size() - 1);
            }
        }
        return frame != DwarfFrames::kNone;
    }

    const DwarfEntries& entries_;
    llvm::DWARFUnit& unit_;
    std::span<const std::uint64_t> addresses_;
    DwarfCursor cursor_;
    DwarfRangeLists lists_;
    std::uint64_t mostLinks_;
};

DwarfFrames DwarfEntries::framesAt(std::span<const std::uint64_t> sortedAddresses) {
    Walk walk(*this, sortedAddresses);
    walk.run();
    return std::move(walk.out);
}

DwarfEntries::NameAttributes DwarfEntries::readNames(EntryPlace place) const {
    NameAttributes found;
    const auto entry = place.offset;
    const auto isHere =
        place.units == &units_ && entry >= unit_.unit->getOffset() && entry < unit_.unit->getNextUnitOffset();
    const auto* unit = isHere ? &unit_ : place.units->prepareAt(entry);
    if (unit == nullptr) return found;
    DwarfCursor cursor(unit->unit->getInfoSection().Data, entry, unit->unit->getNextUnitOffset());
    const auto* abbreviation = unit->abbreviations.find(cursor.leb());
    if (cursor.isBroken() || abbreviation == nullptr || abbreviation->declaration == nullptr) return found;
    const auto attributesAt = cursor.offset();
    for (const auto& step : abbreviation->steps)
        cursor.skip(step);
    if (cursor.isBroken()) return found;
    const auto wanted = [](Attribute attribute) {
        return attribute == DW_AT_linkage_name || attribute == DW_AT_MIPS_linkage_name || attribute == DW_AT_name ||
               attribute == DW_AT_abstract_origin || attribute == DW_AT_specification || attribute == DW_AT_external;
    };
    const auto reference = [&](const llvm::DWARFFormValue& value) -> std::optional<EntryPlace> {
        if (isInSupplement(value.getForm())) {
            if (place.units->supplement() == nullptr) return std::nullopt;
            return EntryPlace{place.units->supplement(), value.getRawUValue()};
        }
        if (const auto relative = value.getAsRelativeReference())
            return EntryPlace{place.units, unit->unit->getOffset() + *relative};
        if (const auto offset = value.getAsDebugInfoReference()) return EntryPlace{place.units, *offset};
        return std::nullopt;
    };
    readAttributes(*unit->unit, *abbreviation->declaration, attributesAt, wanted,
                   [&](Attribute attribute, const llvm::DWARFFormValue& value) {
                       if (attribute == DW_AT_name)
                           found.name = textOf(value, *place.units);
                       else if (attribute == DW_AT_abstract_origin)
                           found.origin = reference(value);
                       else if (attribute == DW_AT_specification)
                           found.specification = reference(value);
                       else if (attribute == DW_AT_external)
                           found.isExternal = value.getRawUValue() != 0;
                       else
                           found.linkageName = textOf(value, *place.units);
                   });
    return found;
}

std::string_view DwarfEntries::functionName(std::uint64_t entry, StringIds& texts) {
    if (const auto known = names_.find(entry); known != names_.end()) return known->second;
    std::string_view name;
    bool isLinkageName = false;
    bool isExternal = false;
    std::optional<EntryPlace> next = EntryPlace{&units_, entry};
    auto last = *next;
    for (int i = 0; i < kLongestNameChain && next && !isLinkageName; ++i) {
        last = *next;
        const auto names = readNames(last);
        isExternal = isExternal || names.isExternal;
        isLinkageName = !names.linkageName.empty();
        if (isLinkageName)
            name = names.linkageName;
        else if (name.empty())
            name = names.name;
        next = names.origin ? names.origin : names.specification;
    }
    if (!isLinkageName && !name.empty()) name = qualified(name, last, isExternal, texts);
    names_[entry] = name;
    return name;
}

/// The function's name as the linker would write it. Functions that are local to a file, such as those in unnamed
/// namespaces and lambdas, have no linker name. Namespaces and classes are those of the declaration.
std::string_view DwarfEntries::qualified(std::string_view name, EntryPlace declaration, bool isExternal,
                                         StringIds& texts) const {
    const auto* unit = declaration.units->prepareAt(declaration.offset);
    if (unit == nullptr) return name;
    const auto scope = scopes_.of(*declaration.units, *unit).around(declaration.offset);
    const bool isPlain = isExternal && !scope.isClass; // extern "C": the name is complete
    if (scope.prefix.empty() || isPlain || name.size() > kLongestQualified) return name;
    return texts.texts()[texts.idOf(scope.prefix + std::string(name))];
}

} // namespace highwater::symbols
