#include "core/symbols/store/cabinet_file.h"

#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/files/private_folder.h"
#include "core/symbols/store/cabinet_unpacker.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace highwater::symbols {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostRatio = 200;
constexpr std::uint64_t kAnyRatioBelow = std::uint64_t{64} << 20;

std::uint64_t limitFor(const fs::path& cabinet, std::uint64_t mostBytes) {
    std::error_code error;
    const auto packed = fs::file_size(cabinet, error);
    if (error) return mostBytes;
    const auto byRatio = packed > mostBytes / kMostRatio ? mostBytes : packed * kMostRatio;
    return std::min(mostBytes, std::max(kAnyRatioBelow, byRatio));
}

Error cabinetError(CabinetEnd end, const fs::path& cabinet, const fs::path& target, std::uint64_t limit) {
    switch (end) {
    case CabinetEnd::NotTaken:
        return {ErrorKind::Io, fmt::format("{} cannot be written.", target.string())};
    case CabinetEnd::NoUnpacker:
        return {ErrorKind::Io, "The cabinet library could not be initialized."};
    case CabinetEnd::TooLarge:
        return {ErrorKind::Unsupported, fmt::format("{} expands to more than {}, the limit for a cabinet of its size.",
                                                    cabinet.string(), megabytes(limit))};
    default:
        return {ErrorKind::Damaged,
                fmt::format("{} is not a cabinet with one file, or it is damaged.", cabinet.string())};
    }
}

} // namespace

Result<void> unpackCabinet(const fs::path& cabinet, const fs::path& target, std::uint64_t mostBytes) {
    std::error_code error;
    (void)makePrivateFolder(target.parent_path(), error);
    std::random_device random;
    auto part = target;
    part += fmt::format(".{:08x}{:08x}.part", random(), random());
    const auto limit = limitFor(cabinet, mostBytes);
    auto output = OutputFile::createNew(part);
    if (!output.hasValue()) return cabinetError(CabinetEnd::NotTaken, cabinet, target, limit);
    auto end = unpackOnlyFile(cabinet, limit, [&](ByteSpan bytes) { return output.value()->append(bytes).hasValue(); });
    output.value().reset(); // close it, because Windows does not rename open files
    if (end == CabinetEnd::Unpacked) {
        error.clear();
        fs::rename(part, target, error);
        if (!error) return {};
        end = CabinetEnd::NotTaken;
    }
    fs::remove(part, error);
    return cabinetError(end, cabinet, target, limit);
}

Result<std::vector<std::byte>> unpackCabinetToMemory(const fs::path& cabinet, std::uint64_t mostBytes) {
    const auto limit = limitFor(cabinet, mostBytes);
    std::vector<std::byte> content;
    const auto end = unpackOnlyFile(cabinet, limit, [&](ByteSpan bytes) {
        try { // the caller is C code
            content.insert(content.end(), bytes.begin(), bytes.end());
        } catch (const std::bad_alloc&) {
            return false;
        }
        return true;
    });
    if (end == CabinetEnd::Unpacked) return content;
    return cabinetError(end, cabinet, "The unpacked file", limit);
}

} // namespace highwater::symbols
