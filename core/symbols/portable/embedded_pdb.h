#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"

#include <memory>
#include <optional>

namespace highwater::symbols {

/// The portable PDB that a managed module has inside, unpacked. Nothing: it has none. An error: it has, and cannot be
/// read.
[[nodiscard]] std::optional<Result<std::unique_ptr<SymbolFile>>> openEmbeddedPdb(ByteSpan image);

} // namespace highwater::symbols
