#pragma once

#include "app/cli/arguments/requests.h"
#include "app/cli/traces/console.h"
#include "core/base/result.h"

namespace highwater::cli {

/// Takes a picture of the memory of a running process, now or when its resident memory has grown, saves it as a trace,
/// and lists the holders. Ends early on an interrupt (Ctrl+C).
[[nodiscard]] Result<ExitCode> runPicture(const PictureRequest& request, const Console& console);

} // namespace highwater::cli
