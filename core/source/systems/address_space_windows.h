#pragma once

#include "core/event/resident_sample.h"
#include "core/source/etw/windows_handle_windows.h"
#include "core/source/systems/memory_regions.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// Copies memory of a process. Returns the number of bytes until the first page that is not readable. Any thread.
[[nodiscard]] std::size_t readMemoryOf(HANDLE process, Address from, std::span<std::byte> to);

/// A process that is open while this exists, so that its pid is not assigned again. One thread.
class AddressSpace final : public MemoryRegions {
  public:
    /// `access`: rights that are required, with PROCESS_QUERY_INFORMATION and SYNCHRONIZE.
    AddressSpace(std::uint32_t pid, DWORD access);

    [[nodiscard]] bool isOpen() const { return handle_.isOpen(); }
    /// The error of the last query that the system refused.
    [[nodiscard]] DWORD error() const { return error_; }
    [[nodiscard]] bool hasEnded() const { return ::WaitForSingleObject(handle_.get(), 0) == WAIT_OBJECT_0; }
    /// "notepad.exe (1234)"
    [[nodiscard]] std::string described() const;
    /// Wine answers some questions of a process only about itself.
    [[nodiscard]] HANDLE process() const {
        return pid_ == ::GetCurrentProcessId() ? ::GetCurrentProcess() : handle_.get();
    }

    [[nodiscard]] std::optional<MemoryRegion> regionAfter(Address address) override;
    [[nodiscard]] bool readPages(Address begin, std::span<PageFacts> pages) override;
    [[nodiscard]] std::string fileAt(Address address) override;
    [[nodiscard]] ByteCount workingSet() override;

  private:
    [[nodiscard]] std::string userPath(std::string path);

    std::uint32_t pid_;
    WindowsHandle handle_;
    DWORD error_ = 0;
    std::vector<std::pair<std::string, std::string>> volumes_;
};

} // namespace highwater::source
