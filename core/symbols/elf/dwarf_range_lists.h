#pragma once

#include <llvm/DebugInfo/DWARF/DWARFAddressRange.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>

#include <cstdint>

namespace llvm {
class DWARFUnit;
}

namespace highwater::symbols {

/// The range lists that entries refer to. In a crafted file any number of entries may refer to one long list that is
/// empty or has no end, so the total number of bytes read is limited. One thread.
class DwarfRangeLists {
  public:
    explicit DwarfRangeLists(std::uint64_t mostBytes) : left_(mostBytes) {}

    /// For the value of DW_AT_ranges. Empty: there is none, it is damaged, or the limit is reached.
    [[nodiscard]] llvm::DWARFAddressRangesVector read(llvm::DWARFUnit& unit, const llvm::DWARFFormValue& value);
    [[nodiscard]] bool isUsedUp() const { return left_ == 0; }

  private:
    void use(std::uint64_t bytes) { left_ -= bytes < left_ ? bytes : left_; }

    std::uint64_t left_;
};

} // namespace highwater::symbols
