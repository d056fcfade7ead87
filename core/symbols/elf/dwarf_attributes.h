#pragma once

#include "core/symbols/elf/dwarf_units.h"
#include "core/symbols/elf/llvm_results.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>

#include <cstdint>
#include <string_view>

namespace highwater::symbols {

// Reads the values of an entry's attributes. Any thread.

/// Calls visit(attribute, value) for the attributes that `wanted` accepts. The caller has already checked that all
/// attributes end inside the unit.
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

[[nodiscard]] inline bool isInSupplement(llvm::dwarf::Form form) {
    using namespace llvm::dwarf;
    return form == DW_FORM_GNU_ref_alt || form == DW_FORM_ref_sup4 || form == DW_FORM_ref_sup8 ||
           form == DW_FORM_GNU_strp_alt || form == DW_FORM_strp_sup;
}

[[nodiscard]] inline std::string_view textOf(const llvm::DWARFFormValue& value, const DwarfUnits& units) {
    if (isInSupplement(value.getForm()))
        return units.supplement() == nullptr ? std::string_view() : units.supplement()->textAt(value.getRawUValue());
    if (units.texts().isUsedUp()) return {}; // LLVM searches for the end of each text
    const auto text = valueOf(value.getAsCString());
    return text && *text != nullptr ? units.texts().at(*text) : std::string_view();
}

} // namespace highwater::symbols
