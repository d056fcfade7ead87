#pragma once

#include "core/event/copied_thread.h"
#include "core/event/resident_sample.h"
#include "core/references/references.h"
#include "core/references/thread_library.h"
#include "core/source/contract/process_copy.h"
#include "core/symbols/elf/elf_variables.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace highwater::pipeline {

/// Finds the variables and the tables of classes in the memory of processes, by the symbol tables of their modules.
/// Keeps what it has read, for the next picture. One thread.
class PictureVariables {
  public:
    /// Reads the variables of a module, whose lowest address is given, from its file.
    using Read = std::function<symbols::ElfVariables(const std::string& file, Address begin)>;
    /// From the files of running processes, or as `read` does it for others.
    PictureVariables()
        : PictureVariables([](const std::string& file, Address) { return symbols::variablesOf(file); }) {}
    explicit PictureVariables(Read read) : readFile_(std::move(read)) {}

    struct Found {
        std::vector<references::Variable> variables;
        std::vector<references::ModuleData> modules; ///< by address
        std::vector<references::VirtualTable> virtualTables;
        ByteCount threadLocalBytes = 0; ///< of the program; 0: not known
        std::vector<references::ThreadLocalBlock> threadLocals;
        std::vector<references::EndedStack> endedStacks;
        bool isOfWindows = false;
    };
    /// The variables in the writable data of modules, and the thread-local ones of each thread: of all modules if the C
    /// library says where they are (thread_library.h), otherwise of the program, which is the file of the first
    /// mapping. Frames of stacks. Of a process of Windows its thread-local data (thread_environments.h), and no frames.
    [[nodiscard]] Found find(const ResidentSample& mappings, const std::vector<CopiedThread>& threads,
                             const references::ReadMemory& read);
    /// The memory of the copy, with its variables, without blocks. `read`: its memory; must outlive the result.
    [[nodiscard]] references::Memory memoryOf(const source::ProcessCopy& copy, references::ReadMemory read);

  private:
    const symbols::ElfVariables& variablesOf(const std::string& file, Address begin);
    void addThreadLocals(const ResidentSample& mappings, const std::vector<references::ModuleThreadLocals>& modules,
                         Found& found);
    void addThreadLocalsOfProgram(const ResidentSample& mappings, const std::vector<CopiedThread>& threads,
                                  Found& found);

    Read readFile_;
    std::map<std::string, symbols::ElfVariables> read_; ///< by file
};

} // namespace highwater::pipeline
