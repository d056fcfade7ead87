#include "core/symbols/elf/dwarf_abbreviations.h"

#include <llvm/DebugInfo/DWARF/DWARFDebugAbbrev.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace highwater::symbols {
namespace {

using namespace llvm::dwarf;
using Meaning = DwarfAbbreviations::Meaning;

constexpr std::uint64_t kHighestCode = 1u << 20; ///< compilers count from 1; higher codes come from damaged files
/// A table with gaps may be this many times larger than its entries.
constexpr std::uint64_t kThinnest = 16;
constexpr std::uint64_t kLeastDense = 1024;

bool hasCode(const llvm::DWARFAbbreviationDeclaration& declaration) {
    return declaration.findAttributeIndex(DW_AT_low_pc) || declaration.findAttributeIndex(DW_AT_ranges);
}

Meaning meaningOf(const llvm::DWARFAbbreviationDeclaration& declaration) {
    switch (declaration.getTag()) {
    case DW_TAG_subprogram:
        return hasCode(declaration) ? Meaning::Function : Meaning::Other;
    case DW_TAG_inlined_subroutine:
        return hasCode(declaration) ? Meaning::Inlined : Meaning::Other;
    case DW_TAG_array_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_subroutine_type:
    case DW_TAG_variable:
    case DW_TAG_formal_parameter:
    case DW_TAG_call_site:
    case DW_TAG_GNU_call_site:
    case DW_TAG_imported_declaration:
    case DW_TAG_imported_module:
    case DW_TAG_GNU_template_parameter_pack:
    case DW_TAG_GNU_formal_parameter_pack:
        return Meaning::Leaf;
    default:
        return Meaning::Other;
    }
}

DwarfAbbreviations::Entry entryOf(const llvm::DWARFAbbreviationDeclaration& declaration, const llvm::DWARFUnit& unit) {
    DwarfAbbreviations::Entry entry{&declaration, meaningOf(declaration), declaration.hasChildren(), {}, -1, 0};
    bool mayJoin = false;
    for (const auto& attribute : declaration.attributes()) {
        const auto step = stepOfForm(attribute.Form, unit.getFormParams());
        const bool isSibling = attribute.Attr == DW_AT_sibling;
        const bool joins = mayJoin && !isSibling && step.kind == DwarfStep::Kind::Fixed;
        if (joins) {
            entry.steps.back().bytes += step.bytes;
        } else {
            entry.steps.push_back(step);
        }
        // Only offsets from the start of the unit can be used for this.
        const bool isUsable = attribute.Form == DW_FORM_ref4 || attribute.Form == DW_FORM_ref1 ||
                              attribute.Form == DW_FORM_ref2 || attribute.Form == DW_FORM_ref8;
        if (isSibling && isUsable) {
            entry.siblingStep = static_cast<int>(entry.steps.size()) - 1;
            entry.siblingBytes = static_cast<std::uint8_t>(step.bytes);
        }
        mayJoin = !isSibling && step.kind == DwarfStep::Kind::Fixed;
    }
    return entry;
}

} // namespace

DwarfAbbreviations::DwarfAbbreviations(const llvm::DWARFUnit& unit) {
    const auto* declarations = unit.getAbbreviations();
    if (declarations == nullptr) return;
    std::uint64_t lowest = kHighestCode;
    std::uint64_t highest = 0;
    std::uint64_t count = 0;
    for (const auto& declaration : *declarations) {
        ++count;
        if (declaration.getCode() > kHighestCode) continue;
        lowest = std::min<std::uint64_t>(lowest, declaration.getCode());
        highest = std::max<std::uint64_t>(highest, declaration.getCode());
    }
    if (highest < lowest || highest - lowest > kLeastDense + count * kThinnest) return;
    firstCode_ = lowest;
    entries_.resize(highest - lowest + 1);
    for (const auto& declaration : *declarations) {
        if (declaration.getCode() > kHighestCode) continue;
        entries_[declaration.getCode() - firstCode_] = entryOf(declaration, unit);
    }
}

} // namespace highwater::symbols
