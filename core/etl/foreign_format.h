#pragma once

#include "core/base/byte_reader.h"

#include <string_view>

namespace highwater::etl {

/// The format of a file that is not an event trace, according to its first bytes: "a PNG image". Empty if unknown.
[[nodiscard]] std::string_view foreignFormat(ByteSpan bytes);

/// Whether the bytes are the start of a zip archive (.etl.zip, .diagsession).
[[nodiscard]] bool isZipArchive(ByteSpan bytes);

} // namespace highwater::etl
