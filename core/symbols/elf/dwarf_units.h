#pragma once

#include "core/base/seeded_hash.h"
#include "core/symbols/answers/shared_names.h"
#include "core/symbols/elf/dwarf_abbreviations.h"

#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <tsl/robin_map.h>
#include <utility>
#include <vector>

namespace highwater::symbols {

/// The units of .debug_info, prepared for reading by several threads. LLVM reads a unit's own description and the forms
/// of attributes. The entries are read here, because LLVM would keep all of them in memory. Any thread.
class DwarfUnits {
  public:
    /// `supplement`: the units that dwz moved to another file; nullptr: there are none, or they are not available.
    explicit DwarfUnits(llvm::DWARFContext& context, DwarfUnits* supplement = nullptr);
    /// For a .dwo file or a .dwp package (ElfContents::splitDwarf()), whose units withCodeAt() does not find.
    [[nodiscard]] static std::unique_ptr<DwarfUnits> ofSplit(llvm::DWARFContext& context);

    struct Prepared {
        llvm::DWARFUnit* unit = nullptr;
        const DwarfAbbreviations& abbreviations;
    };
    /// The unit that claims the code at an address; nullptr: none.
    [[nodiscard]] const Prepared* withCodeAt(std::uint64_t address) const;
    /// All units that withCodeAt() can find, by offset.
    [[nodiscard]] std::vector<const Prepared*> withCode() const;
    /// For a .dwo file or package: the unit with this id; nullptr: none, or it cannot be read.
    [[nodiscard]] const Prepared* withSplitId(std::uint64_t id);
    /// The unit that contains an offset of .debug_info.
    [[nodiscard]] const Prepared* prepareAt(std::uint64_t entry);
    [[nodiscard]] DwarfUnits* supplement() const { return supplement_; }
    /// The limit for long texts, shared by all units.
    [[nodiscard]] LongTexts& texts() const { return texts_; }
    /// A text of .debug_str; "" if the offset is outside.
    [[nodiscard]] std::string_view textAt(std::uint64_t offset) const;

  private:
    enum class Part : std::uint8_t { Linked, Split };
    DwarfUnits(llvm::DWARFContext& context, DwarfUnits* supplement, Part part);

    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
        const Prepared* unit = nullptr;
    };
    /// nullptr: the unit cannot be read.
    [[nodiscard]] const Prepared* prepare(llvm::DWARFUnit& unit);
    /// Shared by units with the same abbreviations; nullptr: there are more than a file of this size can have.
    [[nodiscard]] const DwarfAbbreviations* abbreviationsOf(const llvm::DWARFUnit& unit);
    void readRanges();

    llvm::DWARFContext& context_;
    DwarfUnits* supplement_;
    Part part_;
    mutable LongTexts texts_;
    std::mutex mutex_; ///< LLVM reads abbreviations and unit descriptions lazily and is not thread-safe
    std::vector<llvm::DWARFUnit*> units_; ///< by offset
    tsl::robin_map<std::uint64_t, std::unique_ptr<Prepared>, SeededHash> prepared_;
    using AbbreviationsKey = std::pair<const void*, std::uint64_t>; ///< LLVM's declarations, and the sizes of forms
    std::map<AbbreviationsKey, DwarfAbbreviations> abbreviations_;
    std::uint64_t codes_ = 0;   ///< total of all abbreviations
    std::vector<Range> ranges_; ///< sorted by start
    bool hasSplitIds_ = false;
    tsl::robin_map<std::uint64_t, const Prepared*, SeededHash> splitIds_; ///< for a file without an index
};

} // namespace highwater::symbols
