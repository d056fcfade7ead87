#include "core/symbols/cabinet_unpacker.h"

#include <cstdlib>
#include <memory>
#include <windows.h>
// after windows.h
#include <fdi.h>

namespace highwater::symbols {
namespace {

constexpr INT_PTR kFailed = -1;

/// One pass over a cabinet. FDI asks for files by narrow names without telling for whom: the cabinet of this thread.
struct Pass {
    const std::filesystem::path& cabinet;
    const std::filesystem::path* target = nullptr; ///< null: only counts
    int files = 0;
    bool cannotWrite = false;
};
thread_local Pass* currentPass = nullptr;

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
UINT DIAMONDAPI writeTarget(INT_PTR file, void* bytes, UINT count) {
    DWORD written = 0;
    const bool isWritten = ::WriteFile(handleOf(file), bytes, count, &written, nullptr) && written == count;
    if (!isWritten) currentPass->cannotWrite = true;
    return isWritten ? written : static_cast<UINT>(-1);
}
int DIAMONDAPI closeFile(INT_PTR file) { return ::CloseHandle(handleOf(file)) ? 0 : -1; }
long DIAMONDAPI seekCabinet(INT_PTR file, long distance, int from) {
    const DWORD method = from == SEEK_SET ? FILE_BEGIN : from == SEEK_CUR ? FILE_CURRENT : FILE_END;
    const DWORD at = ::SetFilePointer(handleOf(file), distance, nullptr, method);
    return at == INVALID_SET_FILE_POINTER ? -1 : static_cast<long>(at);
}

INT_PTR DIAMONDAPI notify(FDINOTIFICATIONTYPE type, PFDINOTIFICATION notification) {
    auto& pass = *currentPass;
    switch (type) {
    case fdintCOPY_FILE: {
        ++pass.files;
        if (pass.target == nullptr) return 0;
        const auto file = handleValue(::CreateFileW(pass.target->c_str(), GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS,
                                                    FILE_ATTRIBUTE_NORMAL, nullptr));
        pass.cannotWrite = file == kFailed;
        return file;
    }
    case fdintCLOSE_FILE_INFO:
        closeFile(notification->hf);
        return TRUE;
    case fdintNEXT_CABINET:
        return kFailed; // ours are whole
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

CabinetEnd unpackOnlyFile(const std::filesystem::path& cabinet, const std::filesystem::path& target) {
    Pass counting{cabinet};
    if (!run(counting) || counting.files != 1) return CabinetEnd::Damaged;
    Pass unpacking{cabinet, &target};
    if (run(unpacking)) return CabinetEnd::Unpacked;
    return unpacking.cannotWrite ? CabinetEnd::CannotWrite : CabinetEnd::Damaged;
}

} // namespace highwater::symbols
