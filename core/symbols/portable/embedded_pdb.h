#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"
#include "core/symbols/answers/symbol_file.h"

#include <memory>
#include <optional>

namespace highwater::symbols {

/// Opens the portable PDB that is embedded in a managed module. nullopt: there is none. Error: it cannot be read.
[[nodiscard]] std::optional<Result<std::unique_ptr<SymbolFile>>> openEmbeddedPdb(ByteSpan image);

} // namespace highwater::symbols
