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

/// The other parts of a program that was compiled with -gsplit-dwarf: each of its units names a .dwo file that has the
/// entries of its functions and inlined calls; all of them may be in a package beside it, FILE.dwp. Looks only where
/// LinkedFiles permits, opens a file when one of its units is asked for, and takes only parts whose id is the unit's.
/// Any thread.
class DwarfSplitFiles {
  public:
    /// `links` and `context`, which is the program's, must outlive it.
    DwarfSplitFiles(const ElfLinks& links, llvm::DWARFContext& context) : links_(links), context_(context) {}

    struct Part {
        DwarfUnits* units = nullptr;
        const DwarfUnits::Prepared* unit = nullptr;
    };
    /// The other part of a unit, which lives as long as this; nullopt: the unit has none, or it is not at hand.
    [[nodiscard]] std::optional<Part> of(const DwarfUnits::Prepared& skeleton);
    /// Which of the first .dwo files of the program's units are not at hand, as a sentence without its end; "": none.
    [[nodiscard]] std::string remark(const DwarfUnits& units);

  private:
    /// What a unit says of its .dwo file.
    struct Name {
        std::uint64_t id = 0;
        std::string path; ///< absolute, or from `folder`
        std::string folder;
    };
    /// nullopt: it has none.
    [[nodiscard]] static std::optional<Name> nameOf(llvm::DWARFUnit& unit);
    struct File {
        ElfLinkedFile file;
        std::unique_ptr<DwarfUnits> units;
        std::map<const DwarfUnits::Prepared*, const DwarfUnits::Prepared*> skeletons; ///< by the other part
    };
    /// nullptr: not at hand, or no such file. Each is opened once.
    [[nodiscard]] File* open(const std::filesystem::path& wanted);
    [[nodiscard]] std::optional<Part> partIn(const std::filesystem::path& wanted, const Name& name,
                                             const DwarfUnits::Prepared& skeleton);
    [[nodiscard]] std::optional<Part> find(const DwarfUnits::Prepared& skeleton);
    void join(llvm::DWARFUnit& skeleton, llvm::DWARFUnit& part) const;

    const ElfLinks& links_;
    llvm::DWARFContext& context_;
    std::mutex mutex_;
    std::map<std::filesystem::path, std::unique_ptr<File>> files_; ///< by the place that was wanted
    std::uint64_t expandedBytes_ = 0;                              ///< of compressed sections, in all of them
    tsl::robin_map<const DwarfUnits::Prepared*, std::optional<Part>, SeededHash> parts_;
};

} // namespace highwater::symbols
