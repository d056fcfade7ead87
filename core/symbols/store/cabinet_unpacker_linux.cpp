#include "core/symbols/store/cabinet_unpacker.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mspack.h>

namespace highwater::symbols {
namespace {

struct DecompressorDelete {
    void operator()(mscab_decompressor* decompressor) const { mspack_destroy_cab_decompressor(decompressor); }
};

struct CabinetClose {
    mscab_decompressor* decompressor = nullptr;
    void operator()(mscabd_cabinet* cabinet) const { decompressor->close(decompressor, cabinet); }
};

/// Callbacks of libmspack: reads the cabinet from a file, and passes output to the sink.
struct CabinetSystem {
    mspack_system calls{}; ///< first member: libmspack passes a pointer to it
    const CabinetSink* sink = nullptr;
    std::uint64_t mostBytes = 0;
    bool isTooLarge = false;
};

struct CabinetStream {
    std::FILE* input = nullptr; ///< nullptr: the output
    CabinetSystem* system = nullptr;
    std::uint64_t bytes = 0; ///< written
};

CabinetStream& streamOf(mspack_file* file) { return *reinterpret_cast<CabinetStream*>(file); }

mspack_file* openStream(mspack_system* calls, const char* name, int mode) {
    std::unique_ptr<CabinetStream> stream(new (std::nothrow) CabinetStream); // the caller is C code
    if (!stream) return nullptr;
    stream->system = reinterpret_cast<CabinetSystem*>(calls);
    if (mode == MSPACK_SYS_OPEN_READ) {
        std::error_code unknown;
        if (!std::filesystem::is_regular_file(name, unknown)) return nullptr; // a pipe would block
        stream->input = std::fopen(name, "rbe");
        if (stream->input == nullptr) return nullptr;
    }
    return reinterpret_cast<mspack_file*>(stream.release());
}

void closeStream(mspack_file* file) {
    const std::unique_ptr<CabinetStream> stream(&streamOf(file));
    if (stream->input != nullptr) std::fclose(stream->input);
}

int readStream(mspack_file* file, void* room, int bytes) {
    auto* input = streamOf(file).input;
    if (input == nullptr || bytes < 0) return -1;
    const auto read = std::fread(room, 1, static_cast<std::size_t>(bytes), input);
    return std::ferror(input) != 0 ? -1 : static_cast<int>(read);
}

int writeStream(mspack_file* file, void* bytes, int count) {
    auto& stream = streamOf(file);
    if (stream.input != nullptr || count < 0) return -1;
    const auto added = static_cast<std::size_t>(count);
    stream.bytes += added;
    if (stream.bytes > stream.system->mostBytes) stream.system->isTooLarge = true;
    if (stream.system->isTooLarge) return -1;
    return (*stream.system->sink)({static_cast<const std::byte*>(bytes), added}) ? count : -1;
}

int seekStream(mspack_file* file, off_t offset, int mode) {
    auto* input = streamOf(file).input;
    const int from = mode == MSPACK_SYS_SEEK_START ? SEEK_SET : mode == MSPACK_SYS_SEEK_CUR ? SEEK_CUR : SEEK_END;
    return input != nullptr && ::fseeko(input, offset, from) == 0 ? 0 : -1;
}

off_t tellStream(mspack_file* file) {
    const auto& stream = streamOf(file);
    return stream.input != nullptr ? ::ftello(stream.input) : static_cast<off_t>(stream.bytes);
}

void keepSilent(mspack_file*, const char*, ...) {}

mspack_system cabinetCalls() {
    mspack_system calls{};
    calls.open = openStream;
    calls.close = closeStream;
    calls.read = readStream;
    calls.write = writeStream;
    calls.seek = seekStream;
    calls.tell = tellStream;
    calls.message = keepSilent;
    calls.alloc = [](mspack_system*, std::size_t bytes) { return std::malloc(bytes); };
    calls.free = [](void* room) { std::free(room); };
    calls.copy = [](void* from, void* to, std::size_t bytes) { std::memcpy(to, from, bytes); };
    return calls;
}

} // namespace

CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, std::uint64_t mostBytes, const CabinetSink& sink) {
    CabinetSystem system{cabinetCalls(), &sink, mostBytes, false};
    const std::unique_ptr<mscab_decompressor, DecompressorDelete> decompressor(
        mspack_create_cab_decompressor(&system.calls));
    if (!decompressor) return CabinetEnd::NoUnpacker;
    const auto name = cabinet.string(); // libmspack keeps the pointer and opens the file again
    const std::unique_ptr<mscabd_cabinet, CabinetClose> open(decompressor->open(decompressor.get(), name.c_str()),
                                                             {decompressor.get()});
    if (!open || open->files == nullptr || open->files->next != nullptr) return CabinetEnd::Damaged;
    if (open->files->length > mostBytes) return CabinetEnd::TooLarge;
    const auto end = decompressor->extract(decompressor.get(), open->files, "");
    if (system.isTooLarge) return CabinetEnd::TooLarge;
    if (end == MSPACK_ERR_OK) return CabinetEnd::Unpacked;
    return end == MSPACK_ERR_WRITE ? CabinetEnd::NotTaken : CabinetEnd::Damaged;
}

} // namespace highwater::symbols
