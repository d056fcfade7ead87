#include "core/pipeline/picture_variables.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

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

} // namespace

const symbols::ElfVariables& PictureVariables::variablesOf(const std::string& file) {
    const auto known = read_.find(file);
    return known != read_.end() ? known->second : read_.emplace(file, symbols::variablesOf(file)).first->second;
}

PictureVariables::Found PictureVariables::find(const ResidentSample& mappings,
                                               const std::vector<CopiedThread>& threads) {
    std::map<std::uint32_t, Address> base; ///< by name: the lowest address of the file
    std::map<std::uint32_t, Address> modules;
    for (const auto& mapping : mappings.mappings) {
        if (!hasFlags(mapping, mapping_flag::kFile)) continue;
        base.try_emplace(mapping.name, mapping.begin);
        if (hasFlags(mapping, mapping_flag::kWrite) && !hasFlags(mapping, mapping_flag::kShared))
            modules.try_emplace(mapping.name, base[mapping.name]);
    }
    Found found;
    auto& all = found.variables;
    for (const auto& [name, begin] : modules)
        add(all, fileName(mappings.names[name]), begin, variablesOf(mappings.names[name]).shared, false);
    const auto program = std::ranges::find_if(
        mappings.mappings, [](const Mapping& mapping) { return hasFlags(mapping, mapping_flag::kFile); });
    if (program == mappings.mappings.end()) return found;
    const auto& file = mappings.names[program->name];
    const auto& own = variablesOf(file);
    found.threadLocalBytes = own.threadLocalBytes;
    for (const auto& thread : threads)
        if (thread.threadPointer > own.threadLocalBytes)
            add(all, fileName(file), thread.threadPointer - own.threadLocalBytes, own.threadLocal, true);
    return found;
}

} // namespace highwater::pipeline
