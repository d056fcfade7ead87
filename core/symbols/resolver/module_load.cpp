#include "core/symbols/resolver/module_load.h"

#include "core/symbols/store/symbol_fetcher.h"

#include <algorithm>

namespace highwater::symbols {
namespace {

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

std::size_t SymbolLoadStatus::count(ModuleLoad::State state) const {
    return static_cast<std::size_t>(
        std::count_if(modules.begin(), modules.end(), [&](const auto& module) { return module.state == state; }));
}

std::size_t SymbolLoadStatus::doneCount() const {
    return modules.size() - count(ModuleLoad::State::Waiting) - count(ModuleLoad::State::Loading);
}

std::vector<std::string> SymbolLoadStatus::problems() const {
    std::vector<std::string> sentences;
    const auto add = [&](std::string sentence) {
        if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end())
            sentences.push_back(std::move(sentence));
    };
    for (const auto& load : modules) {
        for (const auto& tried : load.tried) {
            // Parts of the fetcher's sentences. A server is listed once, not for every file.
            if (has(tried.outcome, "does not answer")) add(serverOf(tried.place) + ": " + tried.outcome);
            if (has(tried.outcome, "cannot be written") || has(tried.outcome, "disk is full")) add(tried.outcome);
        }
    }
    return sentences;
}

} // namespace highwater::symbols
