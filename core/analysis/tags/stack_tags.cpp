#include "core/analysis/tags/stack_tags.h"

#include "core/analysis/tags/glob.h"
#include "core/base/text.h"

#include <cassert>
#include <fmt/format.h>

namespace highwater::analysis {

/// resources/built_in.stacktags; made by CMake.
extern const char* const kBuiltInStackTags;

namespace {

bool isPattern(std::string_view text) { return text.find_first_of("*?") != std::string_view::npos; }

bool matchesFunction(std::string_view pattern, std::string_view text) {
    return globMatches(pattern, text, QuestionMark::AnyCharacter);
}

} // namespace

std::shared_ptr<const StackTags> StackTags::builtIn() {
    static const auto tags = [] {
        auto made = std::make_shared<StackTags>();
        [[maybe_unused]] const auto read = made->add(kBuiltInStackTags, "built_in.stacktags");
        assert(read.hasValue() && made->remarks().empty());
        return std::shared_ptr<const StackTags>(std::move(made));
    }();
    return tags;
}

std::string_view StackTags::builtInText() { return kBuiltInStackTags; }

Result<void> StackTags::add(std::string_view bytes, const std::string& name) {
    auto file = TRY(readStackTagFile(bytes, name));
    for (const auto& tag : file.tags)
        add(tag);
    remarks_.insert(remarks_.end(), file.remarks.begin(), file.remarks.end());
    return {};
}

void StackTags::add(const Definition& definition) {
    const auto index = static_cast<StackTagIndex>(tags_.size());
    tags_.push_back({definition.name, definition.priority, index});
    kinds_.push_back(definition.kind);
    showsModuleOnly_.push_back(definition.showsModuleOnly);
    for (const auto& entry : definition.entries) {
        auto& patterns = isPattern(entry.module) ? ofAnyModule_ : ofModule_[entry.module];
        patterns.push_back({entry.module, entry.method, index});
    }
}

/// A module's name has no !, a function's may: operator!. Without any it is an address outside all modules.
StackTags::Function StackTags::functionOf(std::string_view label) {
    const auto mark = label.find('!');
    if (mark == std::string_view::npos) return {{}, lowered(label)};
    return {lowered(label.substr(0, mark)), lowered(label.substr(mark + 1))};
}

template <typename Visit>
void StackTags::eachTagOf(const Function& function, const Visit& visit) const {
    if (const auto own = ofModule_.find(function.module); own != ofModule_.end()) {
        for (const auto& pattern : own->second)
            if (matchesFunction(pattern.method, function.method)) visit(pattern.tag);
    }
    for (const auto& pattern : ofAnyModule_)
        if (matchesFunction(pattern.module, function.module) && matchesFunction(pattern.method, function.method))
            visit(pattern.tag);
}

bool StackTags::isBefore(StackTagIndex tag, StackTagIndex other) const {
    const auto& a = tags_[tag];
    const auto& b = tags_[other];
    return a.priority != b.priority ? a.priority > b.priority : a.rank < b.rank;
}

FunctionTags StackTags::of(std::string_view label) const {
    FunctionTags found;
    if (tags_.empty() || label.empty() || label.front() == '(') return found; // "(no stack)" and the like
    eachTagOf(functionOf(label), [&](StackTagIndex tag) {
        const auto take = [&](StackTagIndex& place) {
            if (place == kNoStackTag || isBefore(tag, place)) place = tag;
        };
        take(found.own);
        if (kinds_[tag] == Definition::Kind::OfCallee) take(found.ofCallee);
        if (kinds_[tag] == Definition::Kind::OfCaller) take(found.ofCaller);
    });
    return found;
}

bool StackTags::isEntryOf(StackTagIndex tag, std::string_view label) const {
    bool isEntry = false;
    eachTagOf(functionOf(label), [&](StackTagIndex each) { isEntry = isEntry || each == tag; });
    return isEntry;
}

std::string StackTags::hintedName(StackTagIndex tag, std::string_view label) const {
    const auto mark = label.find('!');
    const auto module = mark == std::string_view::npos ? label : label.substr(0, mark);
    if (showsModuleOnly_[tag] || mark == std::string_view::npos) return fmt::format("{}\\{}", tags_[tag].name, module);
    return fmt::format("{}\\{}\\{}", tags_[tag].name, module, label.substr(mark + 1));
}

} // namespace highwater::analysis
