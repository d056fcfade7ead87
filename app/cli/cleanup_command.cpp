#include "app/cli/cleanup_command.h"

#include "core/source/contract/capture.h"

namespace highwater::cli {

ExitCode runCleanup(const Console& console) {
    const auto sentences = source::cleanUpCaptureLeftovers();
    for (const auto& sentence : sentences) {
        console.answers << sentence << '\n';
    }
    if (sentences.empty()) console.answers << "Nothing to clean up.\n";
    return ExitCode::Done;
}

} // namespace highwater::cli
