#include "core/symbols/cabinet_file.h"

#include "core/symbols/cabinet_unpacker.h"

#include <fmt/format.h>

#include <random>

namespace highwater::symbols {

Result<void> unpackCabinet(const std::filesystem::path& cabinet, const std::filesystem::path& target) {
    std::error_code error;
    std::filesystem::create_directories(target.parent_path(), error);
    std::random_device random;
    auto part = target;
    part += fmt::format(".{:08x}{:08x}.part", random(), random());
    auto end = unpackOnlyFile(cabinet, part);
    if (end == CabinetEnd::Unpacked) {
        std::filesystem::rename(part, target, error);
        if (!error) return {};
        end = CabinetEnd::CannotWrite;
    }
    std::filesystem::remove(part, error);
    switch (end) {
    case CabinetEnd::CannotWrite:
        return Error{ErrorKind::Io, fmt::format("{} cannot be written.", target.string())};
    case CabinetEnd::NoUnpacker:
        return Error{ErrorKind::Io, "The library that unpacks cabinets could not be started."};
    default:
        return Error{ErrorKind::Damaged,
                     fmt::format("{} is no cabinet with one file, or it is damaged.", cabinet.string())};
    }
}

} // namespace highwater::symbols
