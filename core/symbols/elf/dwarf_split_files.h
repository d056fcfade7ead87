#pragma once

#include "core/base/seeded_hash.h"
#include "core/symbols/elf/dwarf_units.h"
#include "core/symbols/elf/elf_linked_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <tsl/robin_map.h>

namespace highwater::symbols {

/// The other parts of a program that was compiled with -gsplit-dwarf: each unit names a .dwo file with the entries of
/// its functions and inlined calls. All .dwo files may be in a package beside the program, FILE.dwp. Searches only
/// where LinkedFiles permits, opens a file when one of its units is requested, and accepts only parts with the id of
/// the unit. Any thread.
class DwarfSplitFiles {
  public:
    /// `links` and the program's `context` must outlive the object.
    DwarfSplitFiles(const ElfLinks& links, llvm::DWARFContext& context) : links_(links), context_(context) {}

    struct Part {
        DwarfUnits* units = nullptr;
        const DwarfUnits::Prepared* unit = nullptr;
    };
    /// The other part of a unit, valid as long as this object; nullopt: the unit has none, or it is not available.
    [[nodiscard]] std::optional<Part> of(const DwarfUnits::Prepared& skeleton);
    /// Which of the program's first .dwo files are not available, as a sentence without its full stop; "": none.
    [[nodiscard]] std::string remark(const DwarfUnits& units);

  private:
    /// The .dwo file of a unit.
    struct Name {
        std::uint64_t id = 0;
        std::string path; ///< absolute, or relative to `folder`
        std::string folder;
    };
    /// nullopt: the unit has none.
    [[nodiscard]] static std::optional<Name> nameOf(llvm::DWARFUnit& unit);
    struct File {
        ElfLinkedFile file;
        std::unique_ptr<DwarfUnits> units;
        std::map<const DwarfUnits::Prepared*, const DwarfUnits::Prepared*> skeletons; ///< by the other part
    };
    /// nullptr: not available. Each file is opened once.
    [[nodiscard]] File* open(const std::filesystem::path& wanted);
    [[nodiscard]] std::optional<Part> partIn(const std::filesystem::path& wanted, const Name& name,
                                             const DwarfUnits::Prepared& skeleton);
    [[nodiscard]] std::optional<Part> find(const DwarfUnits::Prepared& skeleton);
    void join(llvm::DWARFUnit& skeleton, llvm::DWARFUnit& part) const;

    const ElfLinks& links_;
    llvm::DWARFContext& context_;
    std::mutex mutex_;
    std::map<std::filesystem::path, std::unique_ptr<File>> files_; ///< by the requested place
    std::uint64_t expandedBytes_ = 0;                              ///< total size of decompressed sections
    tsl::robin_map<const DwarfUnits::Prepared*, std::optional<Part>, SeededHash> parts_;
};

} // namespace highwater::symbols
