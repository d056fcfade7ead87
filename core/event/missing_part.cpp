#include "core/event/missing_part.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater {
namespace {

std::string ended(std::string sentence) {
    if (!sentence.empty() && sentence.back() != '.') sentence += '.';
    return sentence;
}

} // namespace

std::string describe(const MissingPart& part, TraceTime first, TraceTime last) {
    if (!part.isEnd) {
        return ended(fmt::format("{} events between {:.3f} s and {:.3f} s are missing in the file: {}",
                                 thousands(part.events), first.seconds(), last.seconds(), part.reason));
    }
    auto sentence = fmt::format("The file was cut off at {:.3f} s, before the recording ended.", first.seconds());
    if (part.events > 0) sentence += fmt::format(" At least {} events are missing.", thousands(part.events));
    if (!part.reason.empty()) sentence += " " + ended(part.reason);
    return sentence;
}

} // namespace highwater
