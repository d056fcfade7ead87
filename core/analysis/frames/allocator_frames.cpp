#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/tags/glob.h"
#include "core/base/text.h"

#include <algorithm>
#include <utility>

namespace highwater::analysis {

/// resources/allocator_frames.txt, managed_allocator_frames.txt and runtime_frames.txt; made by CMake.
extern const char* const kBuiltInAllocatorFrames;
extern const char* const kBuiltInManagedAllocatorFrames;
extern const char* const kBuiltInRuntimeFrames;

namespace {

constexpr std::string_view kAnyModule = "*!";

} // namespace

AllocatorFrames::AllocatorFrames(std::string_view text) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto line = trimmed(text.substr(0, end).substr(0, text.substr(0, end).find('#')));
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
        if (line.empty()) continue;
        if (line.find('!') == std::string_view::npos) {
            rejected_.emplace_back(line);
        } else {
            const auto pattern = lowered(line);
            if (pattern.starts_with(kAnyModule))
                ofFunctions_.add(pattern.substr(kAnyModule.size()));
            else
                ofLabels_.add(pattern);
        }
    }
}

std::shared_ptr<const AllocatorFrames> AllocatorFrames::builtIn() {
    static const auto frames = std::make_shared<const AllocatorFrames>(kBuiltInAllocatorFrames);
    return frames;
}

std::shared_ptr<const AllocatorFrames> AllocatorFrames::builtInManaged() {
    static const auto frames = std::make_shared<const AllocatorFrames>(kBuiltInManagedAllocatorFrames);
    return frames;
}

std::shared_ptr<const AllocatorFrames> AllocatorFrames::builtInRuntime() {
    static const auto frames = std::make_shared<const AllocatorFrames>(kBuiltInRuntimeFrames);
    return frames;
}

std::string_view AllocatorFrames::builtInText() { return kBuiltInAllocatorFrames; }

void AllocatorFrames::ByStart::add(std::string pattern) {
    const bool isOpen = pattern.empty() || pattern.front() == '*';
    auto& patterns = isOpen ? others_ : byFirst_[static_cast<unsigned char>(pattern.front())];
    patterns.push_back(std::move(pattern));
}

bool AllocatorFrames::ByStart::matches(std::string_view text) const {
    const auto isMatch = [&](const std::string& pattern) { return globMatches(pattern, text, QuestionMark::Itself); };
    if (std::ranges::any_of(others_, isMatch)) return true;
    return !text.empty() && std::ranges::any_of(byFirst_[static_cast<unsigned char>(text.front())], isMatch);
}

// There may be a hundred patterns and millions of labels: most patterns are ruled out by one character. A module's or a
// function's name may have a ! in it, too.
bool AllocatorFrames::matches(std::string_view label) const {
    const auto text = lowered(withoutInlinedMark(label));
    if (ofLabels_.matches(text)) return true;
    for (auto mark = text.find('!'); mark != std::string::npos; mark = text.find('!', mark + 1)) {
        if (ofFunctions_.matches(std::string_view(text).substr(mark + 1))) return true;
    }
    return false;
}

} // namespace highwater::analysis
