#include "core/source/systems/address_space_windows.h"

#include "core/source/contract/process_memory.h"
#include "core/source/etw/system_rundown_windows.h"

// after windows.h
#include <psapi.h>

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace highwater::source {
namespace {

constexpr DWORD kNeverUsed = PAGE_GUARD | PAGE_NOACCESS;
constexpr DWORD kCopiedOnWrite = PAGE_WRITECOPY | PAGE_EXECUTE_WRITECOPY;

/// Bits of PSAPI_WORKING_SET_EX_BLOCK, whose fields some headers lack.
constexpr ULONG_PTR kIsValid = 1, kShareCountShift = 1, kShareCountMask = 7, kIsShared = ULONG_PTR{1} << 15;

std::uint32_t accessOf(DWORD protection) {
    using namespace mapping_flag;
    if ((protection & kNeverUsed) != 0) return 0;
    switch (protection & 0xFF) {
    case PAGE_READONLY:
        return kRead;
    case PAGE_READWRITE:
    case PAGE_WRITECOPY:
        return kRead | kWrite;
    case PAGE_EXECUTE:
        return kExecute;
    case PAGE_EXECUTE_READ:
        return kRead | kExecute;
    case PAGE_EXECUTE_READWRITE:
    case PAGE_EXECUTE_WRITECOPY:
        return kRead | kWrite | kExecute;
    default:
        return 0;
    }
}

MemoryRegion::Kind kindOf(DWORD type) {
    return type == MEM_IMAGE    ? MemoryRegion::Kind::Image
           : type == MEM_MAPPED ? MemoryRegion::Kind::Mapped
                                : MemoryRegion::Kind::Private;
}

MemoryRegion regionOf(const MEMORY_BASIC_INFORMATION& found) {
    MemoryRegion region;
    region.begin = reinterpret_cast<Address>(found.BaseAddress);
    region.end = region.begin + found.RegionSize;
    region.allocation = reinterpret_cast<Address>(found.AllocationBase);
    region.kind = kindOf(found.Type);
    region.isCommitted = found.State == MEM_COMMIT;
    region.isGuard = region.isCommitted && (found.Protect & PAGE_GUARD) != 0;
    region.access = region.isCommitted ? accessOf(found.Protect) : 0;
    region.isCopiedOnWrite = found.Type == MEM_MAPPED && (found.AllocationProtect & kCopiedOnWrite) != 0;
    return region;
}

} // namespace

std::size_t readMemoryOf(HANDLE process, Address from, std::span<std::byte> to) {
    const auto read = [&](std::size_t at, std::size_t bytes) {
        SIZE_T got = 0;
        const auto* const place = reinterpret_cast<const void*>(from + at);
        return ::ReadProcessMemory(process, place, to.data() + at, bytes, &got) != 0 && got == bytes;
    };
    if (read(0, to.size())) return to.size();
    std::size_t done = 0;
    while (done < to.size()) {
        const auto page = static_cast<std::size_t>(kResidentPageBytes - (from + done) % kResidentPageBytes);
        const auto bytes = std::min(page, to.size() - done);
        if (!read(done, bytes)) break;
        done += bytes;
    }
    return done;
}

AddressSpace::AddressSpace(std::uint32_t pid, DWORD access)
    : pid_(pid), handle_(::OpenProcess(access | PROCESS_QUERY_INFORMATION | SYNCHRONIZE, FALSE, pid)) {
    if (!handle_.isOpen()) error_ = ::GetLastError();
}

std::string AddressSpace::described() const {
    const WindowsHandle limited(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid_));
    std::array<wchar_t, 1024> path{};
    auto length = static_cast<DWORD>(path.size());
    const bool isKnown = limited.isOpen() && ::QueryFullProcessImageNameW(limited.get(), 0, path.data(), &length) != 0;
    if (!isKnown) return fmt::format("process {}", pid_);
    const std::wstring_view whole(path.data(), length);
    return fmt::format("{} ({})", utf8Of(whole.substr(whole.find_last_of(L"\\/") + 1)), pid_);
}

std::optional<MemoryRegion> AddressSpace::regionAfter(Address address) {
    MEMORY_BASIC_INFORMATION found{};
    for (auto at = address;;) {
        if (::VirtualQueryEx(process(), reinterpret_cast<const void*>(at), &found, sizeof(found)) == 0)
            return std::nullopt;
        const auto begin = reinterpret_cast<Address>(found.BaseAddress);
        if (found.RegionSize == 0 || begin + found.RegionSize <= at) return std::nullopt;
        if (found.State != MEM_FREE) return regionOf(found);
        at = begin + found.RegionSize;
    }
}

bool AddressSpace::readPages(Address begin, std::span<PageFacts> pages) {
    thread_local std::vector<PSAPI_WORKING_SET_EX_INFORMATION> room;
    room.resize(pages.size());
    for (std::size_t i = 0; i < pages.size(); ++i)
        room[i].VirtualAddress = reinterpret_cast<void*>(begin + i * kResidentPageBytes);
    const auto bytes = static_cast<DWORD>(room.size() * sizeof(room[0]));
    if (!::K32QueryWorkingSetEx(process(), room.data(), bytes)) {
        error_ = ::GetLastError();
        return false;
    }
    for (std::size_t i = 0; i < pages.size(); ++i) {
        const auto bits = room[i].VirtualAttributes.Flags;
        pages[i].isResident = (bits & kIsValid) != 0;
        pages[i].isShared = (bits & kIsShared) != 0;
        pages[i].sharedBy = static_cast<std::uint8_t>(bits >> kShareCountShift & kShareCountMask);
    }
    return true;
}

std::string AddressSpace::fileAt(Address address) {
    thread_local std::vector<wchar_t> room(32768);
    const auto length = ::K32GetMappedFileNameW(process(), reinterpret_cast<void*>(address), room.data(),
                                                static_cast<DWORD>(room.size()));
    return userPath(utf8Of({room.data(), length}));
}

ByteCount AddressSpace::workingSet() {
    const auto memory = memoryOf(pid_);
    return memory ? memory->residentBytes : 0;
}

/// As modules of a recording are named: \Device\HarddiskVolume3\x.dll is C:\x.dll.
std::string AddressSpace::userPath(std::string path) {
    if (path.empty()) return path;
    if (volumes_.empty()) volumes_ = volumes();
    for (const auto& [ofKernel, ofUser] : volumes_)
        if (path.starts_with(ofKernel)) return path.replace(0, ofKernel.size(), ofUser);
    return path;
}

} // namespace highwater::source
