#include "core/symbols/elf/dwarf_entries.h"

#include "core/symbols/elf/llvm_results.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>

#include <algorithm>
#include <cstring>

namespace highwater::symbols {
namespace {

using namespace llvm::dwarf;
using Meaning = DwarfAbbreviations::Meaning;

/// Bounds for damaged files; others stay far below them.
constexpr std::uint64_t kAlways = 4096;
constexpr std::uint64_t kAbbreviationsAByte = 64; ///< of their section: gaps, and several sizes of forms
constexpr std::uint64_t kRangesAByte = 4;         ///< of a unit
constexpr std::uint64_t kUnreadableRanges = 64 * 1024;
constexpr std::uint64_t kFramesAnAddress = 128;

constexpr int kLongestNameChain = 16; ///< of specifications and abstract origins; longer ones are circles

/// Calls visit(attribute, value) for the attributes that `wanted` says. The caller has gone over them all: they end
/// inside of the unit.
template <typename Wanted, typename Visit>
void readAttributes(const llvm::DWARFUnit& unit, const llvm::DWARFAbbreviationDeclaration& declaration,
                    std::uint64_t at, Wanted wanted, Visit visit) {
    const auto extractor = unit.getDebugInfoExtractor();
    for (const auto& attribute : declaration.attributes()) {
        auto value = attribute.getFormValue();
        if (attribute.isImplicitConst()) {
            if (wanted(attribute.Attr)) visit(attribute.Attr, value);
        } else if (wanted(attribute.Attr)) {
            if (!value.extractValue(extractor, &at, unit.getFormParams(), &unit)) return;
            visit(attribute.Attr, value);
        } else if (!value.skipValue(extractor, &at, unit.getFormParams())) {
            return;
        }
    }
}

bool isInSupplement(Form form) {
    return form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8 ||
           form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup;
}

std::string_view textOf(const llvm::DWARFFormValue& value, const DwarfUnits& units) {
    if (isInSupplement(value.getForm()))
        return units.supplement() == nullptr ? std::string_view() : units.supplement()->textAt(value.getRawUValue());
    const auto text = valueOf(value.getAsCString());
    return text && *text != nullptr ? std::string_view(*text) : std::string_view();
}

} // namespace

DwarfUnits::DwarfUnits(llvm::DWARFContext& context, DwarfUnits* supplement)
    : context_(context), supplement_(supplement) {
    for (const auto& unit : context_.info_section_units())
        units_.push_back(unit.get());
    readRanges();
}

const DwarfUnits::Prepared* DwarfUnits::prepare(llvm::DWARFUnit& unit) {
    const std::lock_guard lock(mutex_);
    if (const auto found = prepared_.find(unit.getOffset()); found != prepared_.end()) return found->second.get();
    auto& prepared = prepared_[unit.getOffset()];
    const auto* abbreviations = abbreviationsOf(unit);
    if (abbreviations == nullptr) return nullptr;
    DwarfCursor cursor(unit.getInfoSection().Data, unit.getOffset() + unit.getHeaderSize(), unit.getNextUnitOffset());
    const auto* first = abbreviations->find(cursor.leb());
    if (cursor.isBroken() || first == nullptr || first->declaration == nullptr) return nullptr;
    for (const auto& step : first->steps)
        cursor.skip(step);
    // LLVM reads the unit's own entry, which also sets the bases of indexed forms.
    if (cursor.isBroken() || !unit.getUnitDIE()) return nullptr;
    prepared = std::make_unique<Prepared>(Prepared{&unit, *abbreviations});
    return prepared.get();
}

// In a damaged file any number of units may name the same long list, and begin one at every byte of another: what is
// read of them in all is bounded by what a file of that size can mean.
const DwarfAbbreviations* DwarfUnits::abbreviationsOf(const llvm::DWARFUnit& unit) {
    const auto& object = context_.getDWARFObj();
    if (codes_ > kAlways + object.getAbbrevSection().size() * kAbbreviationsAByte) return nullptr;
    const auto& form = unit.getFormParams();
    const auto sizes = std::uint64_t{form.Version} << 16 | std::uint64_t{form.AddrSize} << 8 | form.Format;
    const AbbreviationsKey key{unit.getAbbreviations(), sizes};
    if (const auto found = abbreviations_.find(key); found != abbreviations_.end()) return &found->second;
    const auto& made = abbreviations_.try_emplace(key, unit).first->second;
    codes_ += made.codes() + 1;
    return &made;
}

void DwarfUnits::readRanges() {
    const auto& object = context_.getDWARFObj();
    const auto most =
        kAlways + units_.size() + object.getRangesSection().Data.size() + object.getRnglistsSection().Data.size();
    std::uint64_t read = 0;
    for (auto* unit : units_) {
        if (read > most) break;
        if (unit->isTypeUnit()) continue;
        const auto* prepared = prepare(*unit);
        if (prepared == nullptr) continue;
        const auto ranges = valueOf(unit->getUnitDIE().getAddressRanges());
        read += ranges ? ranges->size() : kUnreadableRanges; // which may have been long
        if (!ranges) continue;
        for (const auto& range : *ranges) {
            if (range.LowPC != 0 && range.LowPC < range.HighPC)
                ranges_.push_back({range.LowPC, range.HighPC, prepared});
        }
    }
    std::stable_sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    // GNU ld lets every unit whose copy of an inline function it threw away claim the copy it kept, which is the first.
    const auto isSame = [](const auto& a, const auto& b) { return a.begin == b.begin; };
    ranges_.erase(std::unique(ranges_.begin(), ranges_.end(), isSame), ranges_.end());
    ranges_.shrink_to_fit();
}

const DwarfUnits::Prepared* DwarfUnits::withCodeAt(std::uint64_t address) const {
    const auto after = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                        [](std::uint64_t a, const auto& range) { return a < range.begin; });
    if (after == ranges_.begin()) return nullptr;
    const auto range = std::prev(after);
    return address < range->end ? range->unit : nullptr;
}

std::string_view DwarfUnits::textAt(std::uint64_t offset) const {
    const std::string_view texts = context_.getDWARFObj().getStrSection();
    const auto end = offset < texts.size() ? texts.find('\0', offset) : std::string_view::npos;
    return end == std::string_view::npos ? std::string_view() : texts.substr(offset, end - offset);
}

const DwarfUnits::Prepared* DwarfUnits::prepareAt(std::uint64_t entry) {
    auto after = std::upper_bound(units_.begin(), units_.end(), entry,
                                  [](std::uint64_t a, auto* unit) { return a < unit->getOffset(); });
    if (after == units_.begin()) return nullptr;
    auto* unit = *--after;
    return entry < unit->getNextUnitOffset() ? prepare(*unit) : nullptr;
}

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

std::vector<DwarfEntries::Range> DwarfEntries::rangesOf(const FunctionAttributes& attributes) const {
    if (attributes.lowPc && attributes.highPc) {
        const auto end = attributes.highIsLength ? *attributes.lowPc + *attributes.highPc : *attributes.highPc;
        return {{*attributes.lowPc, end}};
    }
    if (!attributes.ranges) return {};
    const auto& value = *attributes.ranges;
    std::optional<llvm::DWARFAddressRangesVector> list;
    if (value.getForm() == DW_FORM_rnglistx) {
        list = valueOf(unit_.unit->findRnglistFromIndex(static_cast<std::uint32_t>(value.getRawUValue())));
    } else if (const auto offset = value.getAsSectionOffset()) {
        list = valueOf(unit_.unit->findRnglistFromOffset(*offset));
    }
    std::vector<Range> ranges;
    if (!list) return ranges;
    for (const auto& range : *list)
        ranges.push_back({range.LowPC, range.HighPC});
    return ranges;
}

/// One pass over the entries of the unit. Subtrees without code are jumped over where the compiler left the offset
/// to do so.
class DwarfEntries::Walk {
  public:
    Walk(const DwarfEntries& entries, std::span<const std::uint64_t> addresses)
        : entries_(entries),
          unit_(*entries.unit_.unit),
          addresses_(addresses),
          cursor_(unit_.getInfoSection().Data, unit_.getOffset() + unit_.getHeaderSize(), unit_.getNextUnitOffset()),
          mostRanges_(kAlways + (unit_.getNextUnitOffset() - unit_.getOffset()) * kRangesAByte),
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
    /// True: the children follow.
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

    /// The offset of the entry after the children, 0 when not said.
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

    /// Gives the frame to the questions inside its code; false: there are none.
    bool place(std::uint64_t entry, const FunctionAttributes& function, bool isInlined) {
        auto frame = DwarfFrames::kNone;
        if (ranges_ > mostRanges_) return false;
        const auto ranges = entries_.rangesOf(function);
        ranges_ += ranges.size();
        for (const auto& range : ranges) {
            if (range.begin >= range.end || range.begin == 0) continue; // the linker threw the function away
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
    std::uint64_t ranges_ = 0; ///< read so far
    std::uint64_t mostRanges_;
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
               attribute == DW_AT_abstract_origin || attribute == DW_AT_specification;
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
                       else
                           found.linkageName = textOf(value, *place.units);
                   });
    return found;
}

std::string_view DwarfEntries::functionName(std::uint64_t entry) {
    if (const auto known = names_.find(entry); known != names_.end()) return known->second;
    std::string_view name;
    std::optional<EntryPlace> next = EntryPlace{&units_, entry};
    for (int i = 0; i < kLongestNameChain && next; ++i) {
        const auto names = readNames(*next);
        if (!names.linkageName.empty()) {
            name = names.linkageName;
            break;
        }
        if (name.empty()) name = names.name;
        next = names.origin ? names.origin : names.specification;
    }
    names_[entry] = name;
    return name;
}

} // namespace highwater::symbols
