#include "core/symbols/cabinet_unpacker.h"

#include <mspack.h>

#include <functional>
#include <memory>

namespace highwater::symbols {
namespace {

struct DecompressorDelete {
    void operator()(mscab_decompressor* decompressor) const { mspack_destroy_cab_decompressor(decompressor); }
};

} // namespace

CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, const std::filesystem::path& target) {
    const std::unique_ptr<mscab_decompressor, DecompressorDelete> decompressor(mspack_create_cab_decompressor(nullptr));
    if (!decompressor) return CabinetEnd::NoUnpacker;
    const auto name = cabinet.string(); // libmspack keeps the pointer, and opens the file again
    auto* open = decompressor->open(decompressor.get(), name.c_str());
    if (open == nullptr) return CabinetEnd::Damaged;
    const std::unique_ptr<mscabd_cabinet, std::function<void(mscabd_cabinet*)>> closer(
        open, [&](mscabd_cabinet* opened) { decompressor->close(decompressor.get(), opened); });
    if (open->files == nullptr || open->files->next != nullptr) return CabinetEnd::Damaged;
    switch (decompressor->extract(decompressor.get(), open->files, target.string().c_str())) {
    case MSPACK_ERR_OK:
        return CabinetEnd::Unpacked;
    case MSPACK_ERR_OPEN:
    case MSPACK_ERR_WRITE:
        return CabinetEnd::CannotWrite;
    default:
        return CabinetEnd::Damaged;
    }
}

} // namespace highwater::symbols
