#include "app/cli/spool_place.h"

#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater::cli {

Result<NewFile> makeSpool(const std::filesystem::path& place, const Console& console) {
    constexpr const char* kEnding = ".recording";
    auto usual = place;
    usual += kEnding;
    if (OutputFile::isBeingWritten(usual)) {
        return Error{ErrorKind::AccessDenied,
                     fmt::format("Cannot create {} because another program is writing to it.", utf8(usual))};
    }
    auto made = createBeside(place, kEnding);
    if (made.hasValue() && made.value().path != usual) {
        console.say(
            fmt::format("{} contains an unsaved recording and is kept. To open it, rename it to a name that ends in "
                        ".etl; otherwise delete it. The new recording is written to {} until it is saved.",
                        utf8(usual), utf8(made.value().path)));
    }
    return made;
}

} // namespace highwater::cli
