#include "core/symbols/store/cabinet_unpacker.h"

#include <cstdlib>
#include <memory>
#include <windows.h>
// after windows.h
#include <fdi.h>

namespace highwater::symbols {
namespace {

constexpr INT_PTR kFailed = -1;

/// One pass over a cabinet. FDI opens files by narrow names without a user pointer, so this thread's cabinet is used.
struct Pass {
    const std::filesystem::path& cabinet;
    std::uint64_t mostBytes = 0;
    const CabinetSink* sink = nullptr; ///< nullptr: only count
    int files = 0;
    std::uint64_t bytes = 0; ///< unpacked
    bool isTooLarge = false;
    bool isTaken = true; ///< by the sink
};
thread_local Pass* currentPass = nullptr;

/// Handle of the unpacked file, which is not a real file.
constexpr INT_PTR kOutput = -2;

INT_PTR handleValue(HANDLE file) { return file == INVALID_HANDLE_VALUE ? kFailed : reinterpret_cast<INT_PTR>(file); }
HANDLE handleOf(INT_PTR value) { return reinterpret_cast<HANDLE>(value); }

void* DIAMONDAPI allocate(ULONG bytes) { return std::malloc(bytes); }
void DIAMONDAPI release(void* room) { std::free(room); }

INT_PTR DIAMONDAPI openCabinet(char*, int, int) {
    return handleValue(::CreateFileW(currentPass->cabinet.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE,
                                     nullptr, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr));
}
UINT DIAMONDAPI readCabinet(INT_PTR file, void* room, UINT bytes) {
    DWORD taken = 0;
    return ::ReadFile(handleOf(file), room, bytes, &taken, nullptr) ? taken : static_cast<UINT>(-1);
}
UINT DIAMONDAPI writeTarget(INT_PTR, void* bytes, UINT count) {
    auto& pass = *currentPass;
    pass.bytes += count;
    pass.isTooLarge = pass.isTooLarge || pass.bytes > pass.mostBytes;
    if (pass.isTooLarge) return static_cast<UINT>(-1);
    pass.isTaken = (*pass.sink)({static_cast<const std::byte*>(bytes), count});
    return pass.isTaken ? count : static_cast<UINT>(-1);
}
int DIAMONDAPI closeFile(INT_PTR file) {
    if (file == kOutput) return 0;
    return ::CloseHandle(handleOf(file)) ? 0 : -1;
}
long DIAMONDAPI seekCabinet(INT_PTR file, long distance, int from) {
    const DWORD method = from == SEEK_SET ? FILE_BEGIN : from == SEEK_CUR ? FILE_CURRENT : FILE_END;
    const DWORD at = ::SetFilePointer(handleOf(file), distance, nullptr, method);
    return at == INVALID_SET_FILE_POINTER ? -1 : static_cast<long>(at);
}

INT_PTR DIAMONDAPI notify(FDINOTIFICATIONTYPE type, PFDINOTIFICATION notification) {
    auto& pass = *currentPass;
    switch (type) {
    case fdintCOPY_FILE:
        ++pass.files;
        pass.isTooLarge = static_cast<ULONG>(notification->cb) > pass.mostBytes;
        if (pass.isTooLarge) return kFailed;
        return pass.sink == nullptr ? 0 : kOutput;
    case fdintCLOSE_FILE_INFO:
        closeFile(notification->hf);
        return TRUE;
    case fdintNEXT_CABINET:
        return kFailed; // all cabinets are complete
    default:
        return 0;
    }
}

struct FdiDelete {
    void operator()(void* fdi) const { ::FDIDestroy(fdi); }
};

bool run(Pass& pass) {
    ERF error{};
    const std::unique_ptr<void, FdiDelete> fdi(::FDICreate(&allocate, &release, &openCabinet, &readCabinet,
                                                           &writeTarget, &closeFile, &seekCabinet, cpuUNKNOWN, &error));
    if (!fdi) return false;
    char name[] = "cabinet";
    char folder[] = "";
    currentPass = &pass;
    const bool isDone = ::FDICopy(fdi.get(), name, folder, 0, &notify, nullptr, nullptr);
    currentPass = nullptr;
    return isDone;
}

} // namespace

CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, std::uint64_t mostBytes, const CabinetSink& sink) {
    Pass counting{cabinet, mostBytes};
    const bool isRead = run(counting);
    if (counting.isTooLarge) return CabinetEnd::TooLarge;
    if (!isRead || counting.files != 1) return CabinetEnd::Damaged;
    Pass unpacking{cabinet, mostBytes, &sink};
    if (run(unpacking)) return CabinetEnd::Unpacked;
    if (unpacking.isTooLarge) return CabinetEnd::TooLarge;
    return unpacking.isTaken ? CabinetEnd::Damaged : CabinetEnd::NotTaken;
}

} // namespace highwater::symbols
