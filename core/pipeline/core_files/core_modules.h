#pragma once

#include "core/base/units.h"
#include "core/files/mapped_file.h"
#include "core/pipeline/core_files/core_notes.h"
#include "core/references/process_memory.h"
#include "core/symbols/elf/elf_variables.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// The layout of the program or library that begins at this address, from its headers in memory. Nothing is known
/// (dataEnd) if they are not readable.
[[nodiscard]] symbols::ElfVariables layoutAt(Address begin, const references::ReadMemory& read);

/// Reads the variables of programs and libraries in a core file from the files of this machine, if these are the same
/// ones: they have the same build-id, or, without one, the same first page. Otherwise there are no names, because the
/// file is of another version or of another machine. Only accesses files on local drives (symbols::trustedPath()). One
/// thread.
class CoreModules {
  public:
    /// `read`: the memory of the process.
    explicit CoreModules(references::ReadMemory read) : read_(std::move(read)) {}

    /// The module of this file whose lowest address is `begin`.
    [[nodiscard]] symbols::ElfVariables variablesOf(const std::string& file, Address begin);
    /// Copies memory that was not changed, and so may not be in the core file, from the file that the process had
    /// mapped there, if variablesOf() has found that it is the same. `files`: of the process, by address. Returns the
    /// copied bytes. Any thread, while no other function is called.
    [[nodiscard]] std::size_t readMapped(std::span<const CoreMappedFile> files, Address from,
                                         std::span<std::byte> to) const;
    [[nodiscard]] bool isSame(const std::string& file) const { return same_.contains(file); }
    /// Sentences: for which of the files there are no names, and why.
    [[nodiscard]] std::vector<std::string> remarks() const;

  private:
    [[nodiscard]] bool hasSamePage(const std::filesystem::path& file, Address begin) const;

    references::ReadMemory read_;
    std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> same_; ///< by name
    std::vector<std::string> missing_, others_, unknown_; ///< names of files without names
};

} // namespace highwater::pipeline
