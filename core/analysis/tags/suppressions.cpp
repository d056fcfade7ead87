#include "core/analysis/tags/suppressions.h"

#include "core/analysis/tags/glob.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace highwater::analysis {
namespace {

constexpr std::string_view kLeak = "leak:";
constexpr std::size_t kMostWrongLines = 5;
/// Each pattern is compared with each name: this many take a second with the names of a large trace.
constexpr std::size_t kMostPatterns = 50'000;

/// "foo" as "*foo*", "^foo$" as "foo".
std::string wholePattern(std::string_view pattern) {
    const bool isFromStart = pattern.starts_with('^');
    if (isFromStart) pattern.remove_prefix(1);
    const bool isToEnd = pattern.ends_with('$');
    if (isToEnd) pattern.remove_suffix(1);
    return fmt::format("{}{}{}", isFromStart ? "" : "*", pattern, isToEnd ? "" : "*");
}

} // namespace

void Suppressions::add(std::string_view text, const std::string& name) {
    constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
    if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
    std::size_t wrong = 0;
    std::size_t leftOut = 0;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        const auto pattern = line.starts_with(kLeak) ? line.substr(kLeak.size()) : std::string_view();
        if (!pattern.empty() && patterns_.size() == kMostPatterns) {
            ++leftOut;
        } else if (!pattern.empty()) {
            patterns_.push_back(wholePattern(pattern));
        } else if (++wrong <= kMostWrongLines) {
            remarks_.push_back(fmt::format("Line {} of {} is not a suppression: \"{}\". Write leak:PATTERN.", number,
                                           name, startOfText(line, 60)));
        }
    }
    if (wrong > kMostWrongLines)
        remarks_.push_back(fmt::format("{}: {}.", name, counted(wrong - kMostWrongLines, "more such line")));
    if (leftOut > 0)
        remarks_.push_back(fmt::format("{}: the last {} {} not used because the limit is {}. Combine patterns with *.",
                                       name, counted(leftOut, "pattern"), byNumber(leftOut, "is", "are"),
                                       thousands(kMostPatterns)));
}

bool Suppressions::matches(std::string_view name) const {
    return !name.empty() && std::ranges::any_of(patterns_, [&](const auto& pattern) {
        return globMatches(pattern, name, QuestionMark::Itself);
    });
}

} // namespace highwater::analysis
