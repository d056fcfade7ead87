#include "core/symbols/elf/dwarf_units.h"

#include "core/symbols/elf/dwarf_cursor.h"
#include "core/symbols/elf/dwarf_range_lists.h"
#include "core/symbols/elf/llvm_results.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <algorithm>
#include <cstring>

namespace highwater::symbols {
namespace {

/// Limits for damaged files; others stay far below.
constexpr std::uint64_t kUnitsAlways = 4096;
constexpr std::uint64_t kAbbreviationsAByte = 64; ///< per byte of their section: gaps, and several sizes of forms
constexpr std::uint64_t kUnitRangeBytesAlways = 64 * 1024;
constexpr std::uint64_t kRangeListsReadOver = 2;

/// Code without gaps has no list.
llvm::DWARFAddressRangesVector rangesOf(const llvm::DWARFDie& unit, DwarfRangeLists& lists) {
    std::uint64_t low = 0, high = 0, section = 0;
    if (unit.getLowAndHighPC(low, high, section)) return {{low, high}};
    const auto list = unit.find(llvm::dwarf::DW_AT_ranges);
    return list ? lists.read(*unit.getDwarfUnit(), *list) : llvm::DWARFAddressRangesVector();
}

} // namespace

DwarfUnits::DwarfUnits(llvm::DWARFContext& context, DwarfUnits* supplement)
    : DwarfUnits(context, supplement, Part::Linked) {}

DwarfUnits::DwarfUnits(llvm::DWARFContext& context, DwarfUnits* supplement, Part part)
    : context_(context), supplement_(supplement), part_(part), texts_(context.getDWARFObj().getStrSection().size()) {
    const auto units = part == Part::Split ? context_.dwo_info_section_units() : context_.info_section_units();
    for (const auto& unit : units)
        units_.push_back(unit.get());
    if (part == Part::Linked) readRanges();
}

std::unique_ptr<DwarfUnits> DwarfUnits::ofSplit(llvm::DWARFContext& context) {
    return std::unique_ptr<DwarfUnits>(new DwarfUnits(context, nullptr, Part::Split));
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

// In a damaged file any number of units may refer to the same long list of abbreviations, and a list may start at every
// byte of another one. So the total that is read is limited to the capacity of a file of that size.
const DwarfAbbreviations* DwarfUnits::abbreviationsOf(const llvm::DWARFUnit& unit) {
    const auto& object = context_.getDWARFObj();
    const auto section = part_ == Part::Split ? object.getAbbrevDWOSection() : object.getAbbrevSection();
    if (codes_ > kUnitsAlways + section.size() * kAbbreviationsAByte) return nullptr;
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
    const auto listed = object.getRangesSection().Data.size() + object.getRnglistsSection().Data.size();
    DwarfRangeLists lists(kUnitRangeBytesAlways + listed * kRangeListsReadOver);
    for (auto* unit : units_) {
        if (unit->isTypeUnit()) continue;
        const auto* prepared = prepare(*unit);
        if (prepared == nullptr) continue;
        for (const auto& range : rangesOf(unit->getUnitDIE(), lists)) {
            if (range.LowPC != 0 && range.LowPC < range.HighPC)
                ranges_.push_back({range.LowPC, range.HighPC, prepared});
        }
    }
    std::stable_sort(ranges_.begin(), ranges_.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    // With GNU ld, every unit whose copy of an inline function was discarded claims the copy that was kept, which is
    // the first one.
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

std::vector<const DwarfUnits::Prepared*> DwarfUnits::withCode() const {
    std::vector<const Prepared*> found;
    for (const auto& range : ranges_)
        found.push_back(range.unit);
    std::sort(found.begin(), found.end(),
              [](const auto* a, const auto* b) { return a->unit->getOffset() < b->unit->getOffset(); });
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

const DwarfUnits::Prepared* DwarfUnits::withSplitId(std::uint64_t id) {
    if (const auto& index = context_.getCUIndex()) {
        const auto* row = index.getFromHash(id);
        const auto* place = row != nullptr ? row->getContribution() : nullptr;
        const auto* prepared = place != nullptr ? prepareAt(place->getOffset()) : nullptr;
        return prepared != nullptr && prepared->unit->getDWOId() == id ? prepared : nullptr;
    }
    if (!hasSplitIds_) {
        hasSplitIds_ = true;
        for (auto* unit : units_) {
            const auto* prepared = unit->isTypeUnit() ? nullptr : prepare(*unit);
            if (prepared == nullptr) continue;
            if (const auto known = unit->getDWOId()) splitIds_.try_emplace(*known, prepared);
        }
    }
    const auto found = splitIds_.find(id);
    return found != splitIds_.end() ? found->second : nullptr;
}

std::string_view DwarfUnits::textAt(std::uint64_t offset) const {
    const std::string_view texts = context_.getDWARFObj().getStrSection();
    const bool hasEnd = texts.ends_with('\0') && offset < texts.size();
    return hasEnd ? texts_.at(texts.data() + offset) : std::string_view();
}

const DwarfUnits::Prepared* DwarfUnits::prepareAt(std::uint64_t entry) {
    auto after = std::upper_bound(units_.begin(), units_.end(), entry,
                                  [](std::uint64_t a, auto* unit) { return a < unit->getOffset(); });
    if (after == units_.begin()) return nullptr;
    auto* unit = *--after;
    return entry < unit->getNextUnitOffset() ? prepare(*unit) : nullptr;
}

} // namespace highwater::symbols
