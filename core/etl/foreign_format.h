#pragma once

#include "core/base/byte_reader.h"

#include <string>
#include <string_view>

namespace highwater::etl {

/// The format of a file that is not an event trace, according to its first bytes: "a PNG image". Empty if unknown.
[[nodiscard]] std::string_view foreignFormat(ByteSpan bytes);

/// The rest of a sentence that begins with the name of a file that cannot be opened: what it is according to its first
/// bytes, and what to do with it or what Highwater opens instead. "a PNG image. Highwater opens event traces (.etl)
/// ..."
[[nodiscard]] std::string describeForeign(ByteSpan bytes);

/// Whether the bytes are the start of a zip archive (.etl.zip, .diagsession).
[[nodiscard]] bool isZipArchive(ByteSpan bytes);

} // namespace highwater::etl
