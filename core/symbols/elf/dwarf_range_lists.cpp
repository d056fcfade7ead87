#include "core/symbols/elf/dwarf_range_lists.h"

#include "core/symbols/elf/dwarf_cursor.h"
#include "core/symbols/elf/llvm_results.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include <optional>

namespace highwater::symbols {
namespace {

using namespace llvm::dwarf;

/// Reads an entry of a version 5 list; false: the last entry, or invalid.
bool skipRange(DwarfCursor& cursor, unsigned addressBytes) {
    const auto kind = cursor.number(1);
    const auto takesNumbers = kind >= DW_RLE_base_addressx && kind <= DW_RLE_offset_pair;
    const auto takesLength = kind == DW_RLE_start_length;
    if (takesNumbers) cursor.leb();
    if (takesNumbers && kind != DW_RLE_base_addressx) cursor.leb();
    if (kind == DW_RLE_base_address || kind == DW_RLE_start_end || takesLength) cursor.skip(addressBytes);
    if (kind == DW_RLE_start_end) cursor.skip(addressBytes);
    if (takesLength) cursor.leb();
    return !cursor.isBroken() && kind != DW_RLE_end_of_list && kind <= DW_RLE_start_length;
}

/// The same for lists before version 5: two addresses.
bool skipOldRange(DwarfCursor& cursor, unsigned addressBytes) {
    const auto begin = cursor.number(addressBytes);
    const auto end = cursor.number(addressBytes);
    return !cursor.isBroken() && (begin != 0 || end != 0);
}

std::optional<std::uint64_t> offsetOf(llvm::DWARFUnit& unit, const llvm::DWARFFormValue& value) {
    if (value.getForm() == DW_FORM_rnglistx)
        return unit.getRnglistOffset(static_cast<std::uint32_t>(value.getRawUValue()));
    return value.getAsSectionOffset();
}

/// Position of a list. Before version 5, the lists of split units are in the program.
struct ListPlace {
    llvm::StringRef section;
    std::uint64_t offset = 0;
};
ListPlace placeOf(llvm::DWARFUnit& unit, std::uint64_t offset) {
    const auto& object = unit.getContext().getDWARFObj();
    if (unit.getVersion() >= 5)
        return {(unit.isDWOUnit() ? object.getRnglistsDWOSection() : object.getRnglistsSection()).Data, offset};
    auto* linked = unit.getLinkedUnit();
    if (linked == nullptr) return {object.getRangesDWOSection().Data, offset};
    const auto base = unit.isDWOUnit() ? linked->getUnitDIE().getRangesBaseAttribute().value_or(0) : 0;
    return {linked->getContext().getDWARFObj().getRangesSection().Data, base + offset};
}

/// Number of bytes that LLVM would read: to the end of the list or section, or until it exceeds `most`.
std::uint64_t listBytes(llvm::DWARFUnit& unit, std::uint64_t offset, std::uint64_t most) {
    const auto place = placeOf(unit, offset);
    const bool isOld = unit.getVersion() < 5;
    const unsigned addressBytes = unit.getAddressByteSize() == 4 ? 4 : 8;
    DwarfCursor cursor(place.section, place.offset, place.section.size());
    bool hasMore = true;
    while (hasMore && cursor.offset() - place.offset <= most)
        hasMore = isOld ? skipOldRange(cursor, addressBytes) : skipRange(cursor, addressBytes);
    return cursor.offset() - place.offset + 1;
}

} // namespace

llvm::DWARFAddressRangesVector DwarfRangeLists::read(llvm::DWARFUnit& unit, const llvm::DWARFFormValue& value) {
    const auto offset = offsetOf(unit, value);
    if (!offset || isUsedUp()) return {};
    use(listBytes(unit, *offset, left_));
    if (isUsedUp()) return {};
    if (value.getForm() == DW_FORM_rnglistx) {
        return valueOf(unit.findRnglistFromIndex(static_cast<std::uint32_t>(value.getRawUValue())))
            .value_or(llvm::DWARFAddressRangesVector());
    }
    return valueOf(unit.findRnglistFromOffset(*offset)).value_or(llvm::DWARFAddressRangesVector());
}

} // namespace highwater::symbols
