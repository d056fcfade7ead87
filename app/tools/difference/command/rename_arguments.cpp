#include "app/tools/difference/command/rename_arguments.h"

#include "app/cli/arguments/text_file.h"

#include <fmt/format.h>

namespace highwater::cli {

using analysis::Renames;

Result<std::shared_ptr<const Renames>> readRenames(const RenamesRequest& request) {
    Renames renames;
    if (!request.file.empty()) {
        const auto text = TRY(contentOf(request.file));
        auto parsed = Renames::parse(text);
        if (!parsed.hasValue())
            return Error{ErrorKind::Usage, fmt::format("{}: {}", request.file, parsed.error().message)};
        renames = std::move(parsed).value();
    }
    for (const auto& text : request.lines) {
        const auto line = Renames::parse(text);
        if (!line.hasValue() || line.value().lines().size() != 1)
            return Error{
                ErrorKind::Usage,
                fmt::format("--rename expects OLD=NEW with two modules or two module!function names (not \"{}\").",
                            text)};
        const auto& [before, after] = line.value().lines().front();
        if (const auto added = renames.add(before, after); !added.hasValue())
            return Error{ErrorKind::Usage, fmt::format("--rename \"{}\": {}.", text, added.error().message)};
    }
    if (renames.isEmpty()) return std::shared_ptr<const Renames>();
    return std::make_shared<const Renames>(std::move(renames));
}

} // namespace highwater::cli
