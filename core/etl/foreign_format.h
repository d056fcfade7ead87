#pragma once

#include "core/base/byte_reader.h"

#include <string_view>

namespace highwater::etl {

/// What a file is instead of an event trace, judging by its first bytes: "a PNG picture". Empty when not known.
[[nodiscard]] std::string_view foreignFormat(ByteSpan bytes);

/// Whether the bytes begin as a zip archive does (.etl.zip, .diagsession).
[[nodiscard]] bool isZipArchive(ByteSpan bytes);

} // namespace highwater::etl
