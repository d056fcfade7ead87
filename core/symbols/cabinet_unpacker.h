#pragma once

#include <filesystem>

namespace highwater::symbols {

enum class CabinetEnd {
    Unpacked,
    Damaged, ///< or no cabinet with exactly one file
    CannotWrite,
    NoUnpacker, ///< the library could not be started
};

/// Unpacks the only file of a cabinet to `target`, which is left half written when it fails. Through libmspack, on
/// Windows through its cabinet.dll. Any thread.
[[nodiscard]] CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, const std::filesystem::path& target);

} // namespace highwater::symbols
