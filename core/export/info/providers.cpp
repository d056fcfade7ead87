#include "core/export/info/providers.h"

#include "core/etl/class_guids.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <array>

namespace highwater::exports {
namespace {

/// Indexed by group (EVENT_TRACE_GROUP_... of the Windows SDK); empty: unused number.
constexpr std::array<std::string_view, 32> kGroups{
    "EventTrace",
    "DiskIo",
    "PageFault/VirtualAlloc",
    "Process",
    "FileIo",
    "Thread",
    "TcpIp",
    "Job",
    "UdpIp",
    "Registry",
    "DbgPrint",
    "SystemConfig",
    "",
    "Wnf",
    "Pool",
    "PerfInfo",
    "Heap",
    "Object",
    "Power",
    "ModBound",
    "Image",
    "DPC",
    "Cc",
    "CritSec",
    "StackWalk",
    "UMS",
    "ALPC",
    "SplitIo",
    "ThreadPool",
    "Hypervisor",
    "HypervisorX",
    "",
};

struct KnownProvider {
    Guid guid;
    std::string_view name;
};

constexpr std::array kProviders{
    KnownProvider{kImageIdProvider, "KernelTraceControl: ImageID"},
    KnownProvider{kSystemConfigProvider, "KernelTraceControl: SystemConfigEx"},
    KnownProvider{kHighwaterProvider, "Highwater"},
    KnownProvider{{0x6a399ae0, 0x4bc6, 0x4de9, {0x87, 0x0b, 0x36, 0x57, 0xf8, 0x94, 0x7e, 0x7e}}, "RT_LostEvent"},
    KnownProvider{{0x3d6fa8d4, 0xfe05, 0x11d0, {0x9d, 0xda, 0x00, 0xc0, 0x4f, 0xd7, 0xba, 0x7c}}, "DiskIo"},
    KnownProvider{{0x90cbdc39, 0x4a3e, 0x11d1, {0x84, 0xf4, 0x00, 0x00, 0xf8, 0x04, 0x64, 0xe3}}, "FileIo"},
    KnownProvider{{0x9a280ac0, 0xc8e0, 0x11d1, {0x84, 0xe2, 0x00, 0xc0, 0x4f, 0xb9, 0x98, 0xa2}}, "TcpIp"},
    KnownProvider{{0xbf3a50c5, 0xa9c9, 0x4988, {0xa0, 0x05, 0x2d, 0xf0, 0xb7, 0xc8, 0x0f, 0x80}}, "UdpIp"},
    KnownProvider{{0xae53722e, 0xc863, 0x11d2, {0x86, 0x59, 0x00, 0xc0, 0x4f, 0xa3, 0x21, 0xa1}}, "Registry"},
    KnownProvider{{0xb675ec37, 0xbdb6, 0x4648, {0xbc, 0x92, 0xf3, 0xfd, 0xc7, 0x4d, 0x3c, 0xa2}},
                  "Microsoft-Windows-Kernel-EventTracing"},
    KnownProvider{{0x22fb2cd6, 0x0e7b, 0x422b, {0xa0, 0xc7, 0x2f, 0xad, 0x1f, 0xd0, 0xe7, 0x16}},
                  "Microsoft-Windows-Kernel-Process"},
    KnownProvider{kKernelMemoryProvider, "Microsoft-Windows-Kernel-Memory"},
    KnownProvider{{0x8c416c79, 0xd49b, 0x4f01, {0xa4, 0x67, 0xe5, 0x6d, 0x3a, 0xa8, 0x23, 0x4c}},
                  "Microsoft-Windows-Win32k"},
    KnownProvider{{0xe13c0d23, 0xccbc, 0x4e12, {0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4}},
                  "Microsoft-Windows-DotNETRuntime"},
    KnownProvider{{0xa669021c, 0xc450, 0x4609, {0xa0, 0x35, 0x5a, 0xf5, 0x9a, 0xf4, 0xdf, 0x18}},
                  "Microsoft-Windows-DotNETRuntimeRundown"},
};

} // namespace

std::string_view nameOfProvider(const Guid& provider) {
    if (const auto group = etl::groupOfClass(provider)) return kGroups[*group];
    const auto known = std::find_if(kProviders.begin(), kProviders.end(),
                                    [&](const KnownProvider& entry) { return entry.guid == provider; });
    return known == kProviders.end() ? std::string_view() : known->name;
}

std::vector<ProviderCount> providersOf(const RecordCounts& counts) {
    std::vector<ProviderCount> providers;
    for (std::uint8_t group = 0; group < kGroups.size(); ++group) {
        if (const auto events = counts.group(group); events > 0)
            providers.push_back({etl::classOfGroup(group), kGroups[group], events});
    }
    for (const auto& [guid, events] : counts.byProvider)
        providers.push_back({guid, nameOfProvider(guid), events});
    if (counts.messages > 0) providers.push_back({std::nullopt, "WPP messages", counts.messages});
    std::stable_sort(providers.begin(), providers.end(),
                     [](const auto& a, const auto& b) { return a.events > b.events; });
    return providers;
}

} // namespace highwater::exports
