#include "core/source/contract/resident_memory.h"

#include "core/source/contract/process_memory.h"
#include "core/source/etw/system_rundown_windows.h"
#include "core/source/etw/windows_handle_windows.h"
#include "core/source/systems/region_sample.h"
#include "core/source/systems/sampling_error.h"

// after windows.h
#include <psapi.h>

#include <array>
#include <fmt/format.h>
#include <vector>

namespace highwater::source {
namespace {

constexpr DWORD kNeverUsed = PAGE_GUARD | PAGE_NOACCESS;

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

/// A process that is open while this exists, so that its pid is not assigned again.
class AddressSpace final : public MemoryRegions {
  public:
    explicit AddressSpace(std::uint32_t pid)
        : pid_(pid), handle_(::OpenProcess(PROCESS_QUERY_INFORMATION | SYNCHRONIZE, FALSE, pid)) {
        if (!handle_.isOpen()) error_ = ::GetLastError();
    }

    [[nodiscard]] bool isOpen() const { return handle_.isOpen(); }
    /// The error of the last query that the system refused.
    [[nodiscard]] DWORD error() const { return error_; }
    [[nodiscard]] bool hasEnded() const { return ::WaitForSingleObject(handle_.get(), 0) == WAIT_OBJECT_0; }
    /// "notepad.exe (1234)"
    [[nodiscard]] std::string described() const {
        const WindowsHandle limited(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, pid_));
        std::array<wchar_t, 1024> path{};
        auto length = static_cast<DWORD>(path.size());
        const bool isKnown =
            limited.isOpen() && ::QueryFullProcessImageNameW(limited.get(), 0, path.data(), &length) != 0;
        if (!isKnown) return fmt::format("process {}", pid_);
        const std::wstring_view whole(path.data(), length);
        return fmt::format("{} ({})", utf8Of(whole.substr(whole.find_last_of(L"\\/") + 1)), pid_);
    }

    std::optional<MemoryRegion> regionAfter(Address address) override {
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
    bool readPages(Address begin, std::span<PageFacts> pages) override {
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
    std::string fileAt(Address address) override {
        thread_local std::vector<wchar_t> room(32768);
        const auto length = ::K32GetMappedFileNameW(process(), reinterpret_cast<void*>(address), room.data(),
                                                    static_cast<DWORD>(room.size()));
        return userPath(utf8Of({room.data(), length}));
    }
    ByteCount workingSet() override {
        const auto memory = memoryOf(pid_);
        return memory ? memory->residentBytes : 0;
    }

  private:
    /// Wine lists the pages of a process only for itself.
    [[nodiscard]] HANDLE process() const {
        return pid_ == ::GetCurrentProcessId() ? ::GetCurrentProcess() : handle_.get();
    }
    static MemoryRegion regionOf(const MEMORY_BASIC_INFORMATION& found) {
        MemoryRegion region;
        region.begin = reinterpret_cast<Address>(found.BaseAddress);
        region.end = region.begin + found.RegionSize;
        region.allocation = reinterpret_cast<Address>(found.AllocationBase);
        region.kind = kindOf(found.Type);
        region.isCommitted = found.State == MEM_COMMIT;
        region.isGuard = region.isCommitted && (found.Protect & PAGE_GUARD) != 0;
        region.access = region.isCommitted ? accessOf(found.Protect) : 0;
        return region;
    }
    /// As modules of a recording are named: \Device\HarddiskVolume3\x.dll is C:\x.dll.
    [[nodiscard]] std::string userPath(std::string path) {
        if (path.empty()) return path;
        if (volumes_.empty()) volumes_ = volumes();
        for (const auto& [ofKernel, ofUser] : volumes_)
            if (path.starts_with(ofKernel)) return path.replace(0, ofKernel.size(), ofUser);
        return path;
    }

    std::uint32_t pid_;
    WindowsHandle handle_;
    DWORD error_ = 0;
    std::vector<std::pair<std::string, std::string>> volumes_;
};

using Answer = std::optional<ResidentSample>;

/// Windows refuses numbers that are not of a process as a wrong parameter.
Result<Answer> notOpened(const AddressSpace& process) {
    if (process.error() == ERROR_INVALID_PARAMETER) return Answer();
    if (process.error() == ERROR_ACCESS_DENIED)
        return notSampled(process.described(),
                          "Windows denied access to it. The process belongs to another user, has more rights, or is "
                          "protected");
    return notSampled(process.described(), fmt::format("Windows did not open it (error {})", process.error()));
}

} // namespace

Result<Answer> residentMemoryOf(std::uint32_t pid) {
    AddressSpace process(pid);
    if (!process.isOpen()) return notOpened(process);
    auto sample = sampleOf(process);
    if (process.hasEnded() || (sample && sample->mappings.empty())) return Answer();
    if (!sample)
        return notSampled(process.described(),
                          fmt::format("Windows did not list its resident pages (error {})", process.error()));
    sample->pid = pid;
    if (!isValid(*sample)) return notSampled(process.described(), "the system reported contradictory mappings");
    return Answer(std::move(*sample));
}

} // namespace highwater::source
