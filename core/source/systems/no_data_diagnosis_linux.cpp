#include "core/event/agent_names.h"
#include "core/source/contract/no_data_diagnosis.h"
#include "core/source/contract/running_processes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace highwater::source {
namespace {

namespace fs = std::filesystem;

/// The mapped files of a process, as one text.
std::string mappings(std::uint32_t pid) {
    std::ifstream file(fs::path("/proc") / std::to_string(pid) / "maps");
    std::string text, line;
    while (std::getline(file, line)) {
        const auto path = line.find('/');
        if (path != std::string::npos) text.append(line, path, std::string::npos).append("\n");
    }
    return text;
}

std::optional<std::string_view> ownAllocator(const std::string& mapped) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kAllocators{
        {{"libjemalloc", "jemalloc"}, {"libtcmalloc", "tcmalloc"}, {"libmimalloc", "mimalloc"}, {"libhoard", "Hoard"}}};
    for (const auto& [library, name] : kAllocators) {
        if (mapped.find(library) != std::string::npos) return name;
    }
    return std::nullopt;
}

bool hasChildren(std::uint32_t pid) {
    const auto processes = runningProcesses();
    return std::any_of(processes.begin(), processes.end(), [pid](const auto& other) { return other.parentPid == pid; });
}

/// Explains why the agent is not in the process.
NoDataDiagnosis withoutAgent(const std::string& name, const std::string& mapped) {
    if (mapped.find("ld-musl") != std::string::npos) {
        return {
            fmt::format("{} uses the musl C library, but the recorder needs glibc. Record a build for glibc.", name)};
    }
    if (mapped.find("libc.so") == std::string::npos) {
        return {fmt::format("{} is statically linked, so the recorder cannot be loaded into it. Link it against the "
                            "shared C library to record it.",
                            name)};
    }
    return {fmt::format("The recorder was not loaded into {} because it runs with elevated privileges, was built for "
                        "another processor, or had its environment cleared (sudo, env -i). Launch the program itself "
                        "from here.",
                        name)};
}

} // namespace

NoDataDiagnosis diagnoseNoEvents(std::uint32_t pid, const std::string& program, const CaptureOptions& options) {
    std::error_code gone;
    const auto file = fs::read_symlink(fs::path("/proc") / std::to_string(pid) / "exe", gone);
    const auto launched = program.empty() ? fmt::format("Process {}", pid) : fs::path(program).filename().string();
    if (gone) {
        return {options.children
                    ? fmt::format("{} has ended.", launched)
                    : fmt::format("{} has ended. If it only started another program, record its children as well.",
                                  launched),
                options.children ? NoDataDiagnosis::Fix::None : NoDataDiagnosis::Fix::RecordChildren};
    }
    const auto name = file.filename().string();
    const auto mapped = mappings(pid);
    if (mapped.find(kAgentLibraryFile) == std::string::npos) return withoutAgent(name, mapped);
    if (!options.children && hasChildren(pid)) {
        return {fmt::format("{} has started other programs, which may do the work. Record its children as well.", name),
                NoDataDiagnosis::Fix::RecordChildren};
    }
    if (!options.heap) {
        return {fmt::format("Only VirtualAlloc is recorded, and {} has not requested memory from the system since the "
                            "recording started. Record the heap as well.",
                            name),
                NoDataDiagnosis::Fix::RecordHeap};
    }
    if (const auto allocator = ownAllocator(mapped)) {
        return {fmt::format("{} has its own allocator ({}), whose blocks may not be visible{}", name, *allocator,
                            options.virtualAlloc ? "; the memory that it requests from the system is."
                                                 : ". Record VirtualAlloc as well to see the memory that it requests "
                                                   "from the system."),
                options.virtualAlloc ? NoDataDiagnosis::Fix::None : NoDataDiagnosis::Fix::RecordVirtualAlloc};
    }
    return {fmt::format("The recorder is running in {}, which has not allocated anything yet. Run the operation in it "
                        "that you want to examine.",
                        name)};
}

} // namespace highwater::source
