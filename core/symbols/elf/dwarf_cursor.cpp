#include "core/symbols/elf/dwarf_cursor.h"

#include <vector>

namespace highwater::symbols {

using namespace llvm::dwarf;

DwarfStep stepOfForm(Form form, const FormParams& parameters) {
    using Kind = DwarfStep::Kind;
    if (form == DW_FORM_implicit_const) return {Kind::Fixed, 0};
    if (const auto bytes = getFixedFormByteSize(form, parameters)) return {Kind::Fixed, *bytes};
    switch (form) {
    case DW_FORM_sdata:
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        return {Kind::Leb, 0};
    case DW_FORM_string:
        return {Kind::Text, 0};
    case DW_FORM_block1:
        return {Kind::Block1, 0};
    case DW_FORM_block2:
        return {Kind::Block2, 0};
    case DW_FORM_block4:
        return {Kind::Block4, 0};
    case DW_FORM_block:
    case DW_FORM_exprloc:
        return {Kind::BlockLeb, 0};
    default:
        return {Kind::Unknown, 0};
    }
}

namespace {

/// Skips a list of folders or files in version 5: the forms of its columns, then its rows.
bool skipTable(DwarfCursor& cursor, const FormParams& parameters) {
    constexpr std::uint64_t kMostColumns = 16, kMostRows = 256 * 1024; // far above those of real files
    std::vector<DwarfStep> columns;
    const auto count = cursor.number(1);
    if (count > kMostColumns) return false;
    for (std::uint64_t i = 0; i < count && !cursor.isBroken(); ++i) {
        cursor.leb(); // meaning of the column
        columns.push_back(stepOfForm(static_cast<Form>(cursor.leb()), parameters));
    }
    const auto rows = cursor.leb();
    if (rows > kMostRows) return false;
    for (std::uint64_t row = 0; row < rows && !cursor.isBroken(); ++row) {
        const auto before = cursor.offset();
        for (const auto& column : columns)
            cursor.skip(column);
        if (cursor.offset() == before) return false; // rows without bytes: the count is damaged
    }
    return !cursor.isBroken();
}

} // namespace

bool isLineHeaderSound(llvm::StringRef section, std::uint64_t offset) {
    DwarfCursor cursor(section, offset, section.size());
    FormParams parameters{};
    auto length = cursor.number(4);
    parameters.Format = length == DW_LENGTH_DWARF64 ? DWARF64 : DWARF32;
    if (parameters.Format == DWARF64) length = cursor.number(8);
    if (cursor.isBroken() || length > section.size() - cursor.offset()) return false;
    parameters.Version = static_cast<std::uint16_t>(cursor.number(2));
    if (parameters.Version < 5) return !cursor.isBroken(); // texts only, which LLVM reads with checks
    parameters.AddrSize = static_cast<std::uint8_t>(cursor.number(1));
    cursor.skip(1u + (parameters.Format == DWARF64 ? 8u : 4u) + 5u);
    const auto opcodeBase = cursor.number(1);
    cursor.skip(opcodeBase == 0 ? 0 : opcodeBase - 1);
    return skipTable(cursor, parameters) && skipTable(cursor, parameters);
}

bool isUnitIndexSound(llvm::StringRef section) {
    constexpr std::uint64_t kMostColumns = 16, kSignatureBytes = 8, kNumberBytes = 4;
    DwarfCursor cursor(section, 0, section.size());
    const auto version = cursor.number(2);
    const auto padding = cursor.number(2);
    const auto columns = cursor.number(kNumberBytes), units = cursor.number(kNumberBytes);
    const auto buckets = cursor.number(kNumberBytes);
    if (cursor.isBroken() || (version != 2 && version != 5) || padding != 0 || columns > kMostColumns) return false;
    // At least one bucket must be empty, and the step between buckets must reach all of them. Otherwise a search would
    // not end.
    if (units >= buckets || (buckets & (buckets - 1)) != 0) return false;
    const auto rows = buckets * (kSignatureBytes + kNumberBytes);
    if (rows + (2 * units + 1) * columns * kNumberBytes > section.size() - cursor.offset()) return false;
    cursor.skip(buckets * kSignatureBytes);
    std::vector<bool> isNamed(units);
    std::uint64_t named = 0;
    for (std::uint64_t bucket = 0; bucket < buckets; ++bucket) {
        const auto row = cursor.number(kNumberBytes);
        if (row == 0) continue;
        if (row > units || isNamed[row - 1]) return false;
        isNamed[row - 1] = true;
        ++named;
    }
    return named == units;
}

} // namespace highwater::symbols
