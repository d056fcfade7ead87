#pragma once

#include "core/event/copied_thread.h"
#include "core/event/resident_sample.h"
#include "core/references/references.h"
#include "core/symbols/elf/elf_variables.h"

#include <map>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// Finds the variables in the memory of processes, by the symbol tables of their modules. Keeps what it has read, for
/// the next picture. One thread.
class PictureVariables {
  public:
    struct Found {
        std::vector<references::Variable> variables;
        std::vector<references::ModuleData> modules; ///< by address
        ByteCount threadLocalBytes = 0; ///< of the program; 0: not known
    };
    /// Those in the writable data of modules, and, for each thread, the thread-local ones of the program. The program
    /// is the file of the first mapping.
    [[nodiscard]] Found find(const ResidentSample& mappings, const std::vector<CopiedThread>& threads);

  private:
    const symbols::ElfVariables& variablesOf(const std::string& file);

    std::map<std::string, symbols::ElfVariables> read_; ///< by file
};

} // namespace highwater::pipeline
