#include "app/tools/fleet/command/fleet_name.h"

#include "app/cli/arguments/text_file.h"
#include "app/cli/traces/loaded_trace.h"
#include "app/tools/fleet/command/frame_names.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/fleet/stores/open_fleet_store.h"

#include <fmt/format.h>

#include <memory>

namespace highwater::cli {
namespace {

void sayWhatWasFound(const NamesOfFleet& found, const Console& console) {
    for (const auto& module : found.modules)
        if (module.named > 0 || console.showsAll)
            console.say(fmt::format("{} ({}): {} of {} named.", printable(module.module), module.buildId,
                                    thousands(module.named), counted(module.frames, "function")));
    std::size_t without = 0;
    for (const auto& module : found.modules)
        without += module.named == 0 ? 1 : 0;
    if (without > 0)
        console.say(
            fmt::format("{} of {} {} no debug file on this computer. Specify folders and servers with debug files in "
                        "--symbols or _NT_SYMBOL_PATH.",
                        thousands(without), counted(found.modules.size(), "module"), byNumber(without, "has", "have")));
    if (found.withoutBuild > 0)
        console.say(
            fmt::format("{} cannot be named because the traces do not contain the build identities of the modules.",
                        counted(found.withoutBuild, "function")));
}

} // namespace

Result<ExitCode> nameFleet(const FleetRequest& request, const Console& console) {
    auto allocators = analysis::AllocatorFrames::builtIn();
    if (!request.allocatorFramesFile.empty()) {
        const auto text = TRY(contentOf(request.allocatorFramesFile));
        allocators = std::make_shared<const analysis::AllocatorFrames>(text);
    }
    const auto store = TRY(fleet::openFleetStore(request.store));
    const auto frames = TRY(store->framesWithoutNames({}));
    const auto environment = symbols::systemEnvironment();
    const auto path = request.symbols.path.empty() ? symbols::localSymbolPath(environment)
                                                   : symbols::SymbolPath::parse(request.symbols.path);
    const auto found = nameFrames(frames, path, symbols::defaultCacheFolder(environment));
    sayWhatWasFound(found, console);
    const auto isPlumbing = [&](std::string_view function) {
        return allocators->matches(function) || analysis::AllocatorFrames::builtInRuntime()->matches(function);
    };
    const auto named = TRY(store->name(found.frames, isPlumbing, {}));
    console.say(fmt::format("{} of {} named, in {}.", thousands(found.frames.size()),
                            counted(frames.size(), "function"), counted(named, "stack")));
    return ExitCode::Done;
}

} // namespace highwater::cli
