#include "app/tools/difference/command/rename_messages.h"

#include "core/analysis/difference/renames.h"
#include "core/analysis/difference/suggested_renames.h"
#include "core/base/counted.h"
#include "core/export/shell_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace highwater::cli {
namespace {

constexpr std::size_t kMostSaid = 3;

void printUnusedRenames(const analysis::Difference& difference, const Console& console) {
    const auto unused = difference.unusedRenames();
    for (std::size_t i = 0; i < std::min(kMostSaid, unused.size()); ++i)
        console.say(fmt::format("The rename {} matches nothing on the earlier side.",
                                analysis::Renames::lineOf(unused[i].before, unused[i].after)));
    if (unused.size() > kMostSaid) {
        const auto more = unused.size() - kMostSaid;
        console.say(fmt::format("{} {} nothing.", counted(more, "more rename"), byNumber(more, "matches", "match")));
    }
}

} // namespace

void printRenames(const analysis::Difference& difference, const Console& console) {
    printUnusedRenames(difference, console);
    const auto suggestions = difference.suggestedRenames();
    if (!suggestions.hasValue()) return;
    for (std::size_t i = 0; i < std::min(kMostSaid, suggestions.value().size()); ++i) {
        const auto& one = suggestions.value()[i];
        const auto line = analysis::Renames::lineOf(one.before, one.after);
        console.say(fmt::format("{} To treat them as one, use {}", analysis::reasonOf(one), exports::renameHint(line)));
    }
    if (suggestions.value().size() > kMostSaid)
        console.say(fmt::format("{} may have changed.", counted(suggestions.value().size() - kMostSaid, "more name")));
}

} // namespace highwater::cli
