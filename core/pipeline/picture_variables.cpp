#include "core/pipeline/picture_variables.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
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
         const std::vector<symbols::ElfVariable>& variables, bool areThreadLocal) {
    for (const auto& variable : variables) {
        const auto begin = plus(base, variable.begin);
        all.push_back(
            {begin, plus(begin, variable.bytes), fmt::format("{}!{}", module, variable.name), areThreadLocal});
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
        const bool isPrivate = !hasFlags(mapping, mapping_flag::kShared);
        if (isPrivate && (mapping.flags & (mapping_flag::kWrite | mapping_flag::kExecute)) != 0)
            modules.back().mayHaveData = true;
    }
    return modules;
}

references::ModuleData dataOf(Address begin, std::optional<std::uint64_t> dataEnd) {
    if (!dataEnd) return {begin, references::kUnknownEnd};
    constexpr auto kPage = kResidentPageBytes;
    return {begin, plus(plus(begin, *dataEnd), kPage - 1) / kPage * kPage};
}

} // namespace

const symbols::ElfVariables& PictureVariables::variablesOf(const std::string& file, Address begin) {
    const auto known = read_.find(file);
    return known != read_.end() ? known->second : read_.emplace(file, readFile_(file, begin)).first->second;
}

PictureVariables::Found PictureVariables::find(const ResidentSample& mappings,
                                               const std::vector<CopiedThread>& threads) {
    Found found;
    auto& all = found.variables;
    for (const auto& [name, begin, mayHaveData] : modulesIn(mappings)) {
        if (!mayHaveData) continue;
        const auto& own = variablesOf(mappings.names[name], begin);
        found.modules.push_back(dataOf(begin, own.dataEnd));
        add(all, fileName(mappings.names[name]), begin, own.shared, false);
        add(found.virtualTables, begin, own.virtualTables);
    }
    const auto program = std::ranges::find_if(
        mappings.mappings, [](const Mapping& mapping) { return hasFlags(mapping, mapping_flag::kFile); });
    if (program == mappings.mappings.end()) return found;
    const auto& file = mappings.names[program->name];
    const auto& own = variablesOf(file, program->begin);
    found.threadLocalBytes = own.threadLocalBytes;
    for (const auto& thread : threads)
        if (thread.threadPointer > own.threadLocalBytes)
            add(all, fileName(file), thread.threadPointer - own.threadLocalBytes, own.threadLocal, true);
    return found;
}

references::Memory PictureVariables::memoryOf(const source::ProcessCopy& copy) {
    auto found = find(copy.mappings(), copy.threads());
    references::Memory memory;
    memory.mappings = copy.mappings();
    memory.threads = copy.threads();
    memory.variables = std::move(found.variables);
    memory.modules = std::move(found.modules);
    memory.virtualTables = std::move(found.virtualTables);
    memory.threadLocalBytes = found.threadLocalBytes;
    memory.read = [&copy](Address from, std::span<std::byte> to) { return copy.read(from, to); };
    return memory;
}

} // namespace highwater::pipeline
