#include "core/symbols/cabinet_file.h"

#include <fmt/format.h>
#include <mspack.h>

#include <functional>
#include <memory>
#include <random>

namespace highwater::symbols {
namespace {

struct DecompressorDelete {
    void operator()(mscab_decompressor* decompressor) const { mspack_destroy_cab_decompressor(decompressor); }
};

Error damaged(const std::filesystem::path& cabinet) {
    return {ErrorKind::Damaged, fmt::format("{} is no cabinet with one file, or it is damaged.", cabinet.string())};
}

} // namespace

Result<void> unpackCabinet(const std::filesystem::path& cabinet, const std::filesystem::path& target) {
    const std::unique_ptr<mscab_decompressor, DecompressorDelete> decompressor(mspack_create_cab_decompressor(nullptr));
    if (!decompressor) return Error{ErrorKind::Io, "libmspack could not be started."};
    const auto name = cabinet.string(); // libmspack keeps the pointer, and opens the file again
    auto* open = decompressor->open(decompressor.get(), name.c_str());
    if (open == nullptr) return damaged(cabinet);
    const std::unique_ptr<mscabd_cabinet, std::function<void(mscabd_cabinet*)>> closer(
        open, [&](mscabd_cabinet* opened) { decompressor->close(decompressor.get(), opened); });
    if (open->files == nullptr || open->files->next != nullptr) return damaged(cabinet);
    std::error_code error;
    std::filesystem::create_directories(target.parent_path(), error);
    std::random_device random;
    auto part = target;
    part += fmt::format(".{:08x}{:08x}.part", random(), random());
    const auto code = decompressor->extract(decompressor.get(), open->files, part.string().c_str());
    if (code == MSPACK_ERR_OK) std::filesystem::rename(part, target, error);
    if (code == MSPACK_ERR_OK && !error) return {};
    std::error_code gone;
    std::filesystem::remove(part, gone);
    if (code == MSPACK_ERR_OK || code == MSPACK_ERR_OPEN || code == MSPACK_ERR_WRITE)
        return Error{ErrorKind::Io, fmt::format("{} cannot be written.", target.string())};
    return damaged(cabinet);
}

} // namespace highwater::symbols
