#include "core/source/contract/no_data_diagnosis.h"

#include "core/source/contract/process_memory.h"

#include <fmt/format.h>

namespace highwater::source {

NoDataDiagnosis diagnoseNoEvents(std::uint32_t pid, const std::string& program, const CaptureOptions& options) {
    const auto name =
        program.empty() ? fmt::format("Process {}", pid) : program.substr(program.find_last_of("\\/") + 1);
    if (!memoryOf(pid)) {
        return {
            options.children
                ? fmt::format("{} has ended.", name)
                : fmt::format("{} has ended. If it only started another program, record its children as well.", name),
            options.children ? NoDataDiagnosis::Fix::None : NoDataDiagnosis::Fix::RecordChildren};
    }
    if (!options.heap) {
        return {fmt::format("Only VirtualAlloc is recorded, and {} has not requested memory from the system since the "
                            "recording started. Record the heap as well.",
                            name),
                NoDataDiagnosis::Fix::RecordHeap};
    }
    if (program.empty()) {
        return {"The process was already running. Windows only partly traces the heap of a process that started "
                "without heap tracing. Launch the program from here."};
    }
    return {fmt::format(
        "{} is running but has not allocated anything since the recording started, or uses its own allocator.", name)};
}

} // namespace highwater::source
