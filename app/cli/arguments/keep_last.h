#pragma once

#include "core/base/result.h"
#include "core/pipeline/recording_window.h"

#include <string_view>

namespace highwater::cli {

/// "90s", "5min", "2h"; "500MB", "2GB" (1 MB = 1,048,576 bytes). Fractions are allowed; zero is not.
[[nodiscard]] Result<pipeline::KeepLast> parseKeepLast(std::string_view text);

} // namespace highwater::cli
