#include "core/pipeline/picture_variables.h"

#include "core/base/text.h"
#include "core/references/mapping_search.h"
#include "core/references/stack_frames.h"
#include "core/references/thread_environments.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace highwater::pipeline {
namespace {

using references::Variable;

bool hasFlags(const Mapping& mapping, std::uint32_t flags) { return (mapping.flags & flags) == flags; }

/// Saturates, for files that changed after they were mapped.
Address plus(Address address, std::uint64_t bytes) {
    Address sum = 0;
    return __builtin_add_overflow(address, bytes, &sum) ? ~Address{0} : sum;
}

void add(std::vector<Variable>& all, std::string_view module, Address base,
         const std::vector<symbols::ElfVariable>& variables, RootKind kind) {
    for (const auto& variable : variables) {
        const auto begin = plus(base, variable.begin);
        all.push_back({begin, plus(begin, variable.bytes), fmt::format("{}!{}", module, variable.name), kind});
    }
}

void add(std::vector<references::VirtualTable>& all, Address base,
         const std::vector<symbols::ElfVirtualTable>& tables) {
    for (const auto& table : tables)
        all.push_back(
            {plus(base, table.begin), plus(base, table.end), plus(base, table.point), table.isStored, table.type});
}

/// A file that a process has mapped: successive mappings with its name, and memory without a file between them.
struct MappedModule {
    std::uint32_t name = 0;
    Address begin = 0;
    bool mayHaveData = false; ///< a file that is only read has none
};

/// By address. The program may have mapped a file several times.
std::vector<MappedModule> modulesIn(const ResidentSample& mappings) {
    std::vector<MappedModule> modules;
    for (const auto& mapping : mappings.mappings) {
        if (!hasFlags(mapping, mapping_flag::kFile)) continue;
        if (modules.empty() || modules.back().name != mapping.name) modules.push_back({mapping.name, mapping.begin});
        constexpr auto kLoaded = mapping_flag::kWrite | mapping_flag::kExecute;
        if (!hasFlags(mapping, mapping_flag::kShared) && (mapping.flags & kLoaded) != 0)
            modules.back().mayHaveData = true;
    }
    return modules;
}

bool isOfCLibrary(std::string_view file) {
    return file.starts_with("libc.so") || file.starts_with("libpthread") || file.starts_with("ld-linux");
}

void addSymbols(references::LibrarySymbols& all, Address base, const std::vector<symbols::ElfVariable>& variables) {
    for (const auto& variable : variables)
        if (references::isLibrarySymbol(variable.name)) all.try_emplace(variable.name, plus(base, variable.begin));
}

references::ModuleData dataOf(Address begin, std::optional<std::uint64_t> dataEnd) {
    if (!dataEnd) return {begin, references::kUnknownEnd};
    return {begin, plus(plus(begin, *dataEnd), kResidentPageBytes - 1) / kResidentPageBytes * kResidentPageBytes};
}

} // namespace

const symbols::ElfVariables& PictureVariables::variablesOf(const std::string& file, Address begin) {
    const auto known = read_.find(file);
    return known != read_.end() ? known->second : read_.emplace(file, readFile_(file, begin)).first->second;
}

PictureVariables::Found PictureVariables::find(const ResidentSample& mappings, const std::vector<CopiedThread>& threads,
                                               const references::ReadMemory& read) {
    Found found;
    references::LibrarySymbols library;
    for (const auto& [name, begin, mayHaveData] : modulesIn(mappings)) {
        if (!mayHaveData) continue;
        const auto file = fileName(mappings.names[name]);
        const auto& own = variablesOf(mappings.names[name], begin);
        found.modules.push_back(dataOf(begin, own.dataEnd));
        add(found.variables, file, begin, own.shared, RootKind::Variable);
        if (isOfCLibrary(file)) addSymbols(library, begin, own.shared);
        add(found.virtualTables, begin, own.virtualTables);
    }
    found.threadLocals = references::readThreadEnvironments(mappings, threads, read);
    found.isOfWindows = !found.threadLocals.empty();
    if (found.isOfWindows) return found;
    auto [modules, ended] = references::readThreadLibrary(library, threads, read);
    found.endedStacks = std::move(ended);
    std::ranges::move(references::findStackFrames(mappings, threads, read).all(), std::back_inserter(found.variables));
    if (modules.empty())
        addThreadLocalsOfProgram(mappings, threads, found);
    else
        addThreadLocals(mappings, modules, found);
    return found;
}

void PictureVariables::addThreadLocals(const ResidentSample& mappings,
                                       const std::vector<references::ModuleThreadLocals>& modules, Found& found) {
    for (const auto& module : modules) {
        const auto* const mapping = references::mappingAt(mappings, module.dynamicSection);
        if (mapping == nullptr || !hasFlags(*mapping, mapping_flag::kFile)) continue;
        const auto& file = mappings.names[mapping->name];
        const auto& own = variablesOf(file, references::moduleBegin(mappings, *mapping));
        for (std::uint32_t thread = 0; thread < module.blocks.size(); ++thread) {
            const auto begin = module.blocks[thread];
            if (begin == 0 || own.threadLocalSize == 0) continue;
            found.threadLocals.push_back({begin, plus(begin, own.threadLocalSize), thread, mapping->name});
            add(found.variables, fileName(file), begin, own.threadLocal, RootKind::ThreadLocal);
        }
    }
}

void PictureVariables::addThreadLocalsOfProgram(const ResidentSample& mappings,
                                                const std::vector<CopiedThread>& threads, Found& found) {
    const auto program = std::ranges::find_if(
        mappings.mappings, [](const Mapping& mapping) { return hasFlags(mapping, mapping_flag::kFile); });
    if (program == mappings.mappings.end()) return;
    const auto& file = mappings.names[program->name];
    const auto& own = variablesOf(file, program->begin);
    found.threadLocalBytes = own.threadLocalBytes;
    for (const auto& thread : threads)
        if (thread.threadPointer > own.threadLocalBytes)
            add(found.variables, fileName(file), thread.threadPointer - own.threadLocalBytes, own.threadLocal,
                RootKind::ThreadLocal);
}

references::Memory PictureVariables::memoryOf(const source::ProcessCopy& copy, references::ReadMemory read) {
    references::Memory memory;
    memory.mappings = copy.mappings();
    memory.threads = copy.threads();
    memory.read = std::move(read);
    auto found = find(memory.mappings, memory.threads, memory.read);
    memory.variables = std::move(found.variables);
    memory.modules = std::move(found.modules);
    memory.virtualTables = std::move(found.virtualTables);
    memory.threadLocalBytes = found.threadLocalBytes;
    memory.threadLocals = std::move(found.threadLocals);
    memory.endedStacks = std::move(found.endedStacks);
    if (found.isOfWindows) memory.chunks.emplace(); // it has no heap of glibc
    return memory;
}

} // namespace highwater::pipeline
