#include "core/event/missing_part.h"

#include "core/base/counted.h"

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
        return ended(fmt::format("{} {} {} missing from the file: {}", counted(part.events, "event"),
                                 betweenText(first, last, 3), byNumber(part.events, "is", "are"), part.reason));
    }
    auto sentence = fmt::format("The file was cut off at {:.3f} s, before the recording ended.", first.seconds());
    if (part.events > 0)
        sentence +=
            fmt::format(" At least {} {} missing.", counted(part.events, "event"), byNumber(part.events, "is", "are"));
    if (!part.reason.empty()) sentence += " " + ended(part.reason);
    return sentence;
}

} // namespace highwater
