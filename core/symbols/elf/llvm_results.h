#pragma once

#include <llvm/Support/Error.h>

#include <optional>

namespace highwater::symbols {

/// The value, or nullopt for an error: a damaged debug file only yields fewer names. Every llvm::Error must be
/// consumed, or LLVM ends the program.
template <typename T>
[[nodiscard]] std::optional<T> valueOf(llvm::Expected<T> result) {
    if (result) return std::move(*result);
    llvm::consumeError(result.takeError());
    return std::nullopt;
}

inline void ignoreError(llvm::Error error) { llvm::consumeError(std::move(error)); }

} // namespace highwater::symbols
