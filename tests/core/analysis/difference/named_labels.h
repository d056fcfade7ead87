#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/symbols/answers/symbol_table.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace highwater::tests {

/// Labels in which each of these modules has one function; of two names, the second is inlined into the first.
inline std::shared_ptr<analysis::FrameLabels>
namedLabels(const store::PublishedTrace& trace, const std::map<std::string, std::vector<std::string>>& functions) {
    const auto names = std::make_shared<symbols::SymbolTable>();
    const auto& modules = trace.processes->modules();
    for (std::uint32_t module = 0; module < modules.size(); ++module) {
        const auto known = functions.find(modules[module].name);
        if (known == functions.end()) continue;
        symbols::ResolvedAddresses answers;
        std::vector<symbols::Rva> addresses;
        for (symbols::Rva address = 0; address < 0x40; ++address) {
            addresses.push_back(address);
            for (auto name = known->second.rbegin(); name != known->second.rend(); ++name) {
                symbols::ResolvedFrame frame;
                frame.function = static_cast<std::uint32_t>(answers.functions.size());
                frame.isInlined = name + 1 != known->second.rend();
                answers.functions.push_back({*name, symbols::NameOrigin::Private, 0});
                answers.frames.push_back(frame);
            }
            answers.firstFrame.push_back(static_cast<std::uint32_t>(answers.frames.size()));
        }
        names->add(store::ModuleIndex{module}, addresses, answers);
    }
    return std::make_shared<analysis::FrameLabels>(names);
}

} // namespace highwater::tests
