#include "core/source/etw/etw_session_windows.h"

#include "core/log/log.h"
#include "core/source/etw/crash_cleanup_windows.h"
#include "core/source/etw/etw_error.h"
#include "core/source/etw/heap_session_extension.h"
#include "core/source/etw/windows_handle_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <cwctype>
#include <thread>

namespace highwater::source {
namespace {

constexpr GUID kHeapGuid = {0x222962AB, 0x6180, 0x4B88, {0xA8, 0x25, 0x34, 0x6B, 0x75, 0xF2, 0xA2, 0x4A}};
/// Highwater's own: a session with kernel events may have any GUID except the system's.
constexpr GUID kKernelSessionGuid = {0x6A1D7C52, 0x93B4, 0x4E0F, {0x8C, 0x21, 0x5D, 0x0B, 0x7E, 0x94, 0xA3, 0x16}};
constexpr GUID kCodeSessionGuid = {0x2E0B5C41, 0x7D18, 0x4A6B, {0x9F, 0x33, 0xC4, 0x6A, 0x01, 0xD2, 0x58, 0x97}};
constexpr GUID kPageFaultClass = {0x3D6FA8D3, 0xFE05, 0x11D0, {0x9D, 0xDA, 0x00, 0xC0, 0x4F, 0xD7, 0xBA, 0x7C}};
constexpr UCHAR kVirtualAlloc = 98, kVirtualFree = 99;

// Constants that mingw's headers lack or define only for some versions.
constexpr ULONG kRealTimeSession = 0x100, kSystemLogger = 0x0200'0000, kIndependentSession = 0x0800'0000;
constexpr int kStackTracingInfo = 3, kSystemTraceEnableFlagsInfo = 4;
constexpr ULONG kPidFilter = 0x8000'0004, kStackFilter = 0x8000'1000, kWithStacks = 0x4;
constexpr ULONGLONG kProcess = 0x1, kThread = 0x2, kImageLoad = 0x4, kVirtualAllocFlag = 0x4000;
constexpr INT kSystemPerformanceTraceInformation = 31;
constexpr std::uint32_t kHeapTracingInformation = 8;

constexpr wchar_t kKernelPrefix[] = L"Highwater Kernel ", kHeapPrefix[] = L"Highwater Heap ",
                  kCodePrefix[] = L"Highwater Code ";

constexpr auto kAfterStop = std::chrono::milliseconds(100);
constexpr ULONG kFirstSessions = 64, kMostSessions = 256;

/// At most a sixteenth of the memory, because session buffers cannot be paged out.
ULONG mostBuffersOf(ULONG bufferKb, ULONG wanted) {
    MEMORYSTATUSEX memory{};
    memory.dwLength = sizeof(memory);
    if (!::GlobalMemoryStatusEx(&memory)) return wanted;
    const auto fits = memory.ullTotalPhys / 16 / (std::uint64_t{bufferKb} * 1024);
    return static_cast<ULONG>(std::clamp<std::uint64_t>(fits, 4, wanted));
}

void chooseBuffers(EtwSessionShape& shape, ULONG bufferKb, ULONG least, ULONG most) {
    shape.bufferKb = bufferKb;
    shape.mostBuffers = mostBuffersOf(bufferKb, most);
    shape.leastBuffers = std::min(least, shape.mostBuffers);
}

ULONG processors() {
    SYSTEM_INFO system{};
    ::GetSystemInfo(&system);
    return std::max<ULONG>(1, system.dwNumberOfProcessors);
}

bool isSameGuid(const GUID& a, const GUID& b) { return ::IsEqualGUID(a, b) != 0; }

struct RunningSession {
    std::wstring name;
    GUID guid{};
};

std::vector<RunningSession> runningSessions(const EtwApi& api) {
    for (auto room = kFirstSessions;; room = kMostSessions) {
        std::vector<EtwProperties> properties(room);
        std::vector<EVENT_TRACE_PROPERTIES*> places;
        for (auto& entry : properties) {
            entry.get()->LogFileNameOffset = // the file name is returned for every session, and must fit
                sizeof(EVENT_TRACE_PROPERTIES) + static_cast<ULONG>(entry.bytes() - sizeof(EVENT_TRACE_PROPERTIES)) / 2;
            places.push_back(entry.get());
        }
        ULONG count = 0;
        const auto code = api.queryAllTraces(places.data(), room, &count);
        if (code == etw_code::kMoreData && room < kMostSessions) continue;
        std::vector<RunningSession> sessions;
        for (ULONG i = 0; i < std::min(count, room); ++i)
            sessions.push_back({properties[i].name(), properties[i].get()->Wnode.Guid});
        return sessions;
    }
}

bool isSameName(const std::wstring& a, const std::wstring& b) { return ::_wcsicmp(a.c_str(), b.c_str()) == 0; }

GUID windowsGuidOf(const Guid& guid) {
    static_assert(sizeof(GUID) == sizeof(Guid));
    GUID copy;
    std::memcpy(&copy, &guid, sizeof(copy));
    return copy;
}

EVENT_FILTER_DESCRIPTOR filterOf(ULONG type, const void* data, std::size_t bytes) {
    EVENT_FILTER_DESCRIPTOR filter{};
    filter.Ptr = reinterpret_cast<ULONGLONG>(data);
    filter.Size = static_cast<ULONG>(bytes);
    filter.Type = type;
    return filter;
}

/// EVENT_FILTER_EVENT_ID, which mingw's headers lack: selects the events that have a stack.
class StackFilter {
  public:
    explicit StackFilter(const std::vector<USHORT>& ids) : words_{1, static_cast<USHORT>(ids.size())} {
        words_.insert(words_.end(), ids.begin(), ids.end());
    }
    [[nodiscard]] EVENT_FILTER_DESCRIPTOR descriptor() const {
        return filterOf(kStackFilter, words_.data(), words_.size() * sizeof(USHORT));
    }

  private:
    std::vector<USHORT> words_; ///< FilterIn and a reserved byte, the count, the ids
};

/// The pid of the Highwater process that owns a session, from the session's name; nothing: another program's session.
std::optional<std::uint32_t> ownerOf(const std::wstring& name) {
    for (const std::wstring prefix : {kKernelPrefix, kHeapPrefix, kCodePrefix}) {
        if (name.size() <= prefix.size() || !isSameName(name.substr(0, prefix.size()), prefix)) continue;
        const auto digits = name.substr(prefix.size());
        if (!std::all_of(digits.begin(), digits.end(), [](wchar_t c) { return c >= L'0' && c <= L'9'; })) continue;
        return static_cast<std::uint32_t>(std::wcstoul(digits.c_str(), nullptr, 10));
    }
    return std::nullopt;
}

void stopByName(const EtwApi& api, const std::wstring& name) {
    EtwProperties properties;
    (void)api.controlTrace(0, name.c_str(), properties.get(), EVENT_TRACE_CONTROL_STOP);
}

std::wstring ownName(const wchar_t* prefix) { return prefix + std::to_wstring(::GetCurrentProcessId()); }

/// The session that conflicts with this one because it has the same name or GUID.
std::optional<RunningSession> sessionInTheWay(const EtwApi& api, const EtwSessionShape& shape) {
    const auto sessions = runningSessions(api);
    const auto found = std::find_if(sessions.begin(), sessions.end(), [&](const auto& session) {
        return isSameName(session.name, shape.name) || isSameGuid(session.guid, shape.guid);
    });
    if (found == sessions.end()) return std::nullopt;
    return *found;
}

/// True: it was a leftover of Highwater and has been stopped.
bool stopIfOurs(const EtwApi& api, const RunningSession& session) {
    const auto owner = ownerOf(session.name);
    if (!owner) return false;
    if (*owner != ::GetCurrentProcessId() && isHighwaterRunning(*owner)) return false;
    stopByName(api, session.name);
    log(LogLevel::Warning, LogArea::Recording,
        fmt::format("The session \"{}\" of an interrupted recording was in the way and was stopped.",
                    utf8Of(session.name)));
    std::this_thread::sleep_for(kAfterStop);
    return true;
}

Error isTaken(const RunningSession& session, const EtwSessionShape& shape) {
    const auto name = utf8Of(session.name);
    if (const auto owner = ownerOf(session.name)) {
        return {ErrorKind::Usage,
                fmt::format("Highwater is already recording, as process {}. Stop that recording first.", *owner)};
    }
    const auto* what = isSameGuid(shape.guid, kHeapGuid) ? "Windows supports only one heap recording at a time, and "
                                                           "the session \"{0}\" of another program is running."
                                                         : "The session \"{0}\" of another program is in the way.";
    return {ErrorKind::Usage,
            fmt::format(fmt::runtime(what), name) +
                fmt::format(" Highwater does not stop sessions of other programs. End it in that program, or as "
                            "administrator with: logman stop \"{}\" -ets",
                            name)};
}

} // namespace

Result<std::unique_ptr<EtwSession>> EtwSession::start(const EtwApi& api, EtwSessionShape shape, std::string_view what) {
    std::unique_ptr<EtwSession> session(new EtwSession(api, std::move(shape)));
    const auto tryToStart = [&session, &api] {
        EtwProperties properties(session->shape_);
        return api.startTrace(&session->handle_, session->name().c_str(), properties.get());
    };
    auto code = tryToStart();
    if (code == etw_code::kAlreadyExists) {
        const auto other = sessionInTheWay(api, session->shape_);
        if (other && !stopIfOurs(api, *other)) return isTaken(*other, session->shape_);
        if (other) code = tryToStart();
    }
    if (code != etw_code::kDone) return etwError(code, what);
    session->isRunning_ = true;
    crash_cleanup::add(api, session->name());
    const auto& begun = session->shape_;
    log(LogLevel::Information, LogArea::Recording,
        fmt::format("The session \"{}\" started with {} to {} buffers of {} KB.", utf8Of(begun.name),
                    begun.leastBuffers, begun.mostBuffers, begun.bufferKb));
    return session;
}

Result<std::unique_ptr<EtwSession>> EtwSession::startKernel(const EtwApi& api, bool virtualAlloc) {
    constexpr ULONG kBufferKb = 512, kLeastBuffers = 64, kBuffersPerProcessor = 4;
    EtwSessionShape shape;
    shape.name = ownName(kKernelPrefix);
    shape.guid = kKernelSessionGuid;
    shape.mode = kSystemLogger | kRealTimeSession | kIndependentSession;
    const auto least = std::max(kLeastBuffers, kBuffersPerProcessor * processors());
    chooseBuffers(shape, kBufferKb, least, 2 * least);
    auto started = TRY(start(api, std::move(shape), "start recording system events"));
    auto& session = *started;
    // Enables stacks before events, so that no event is without one.
    if (virtualAlloc) {
        CLASSIC_EVENT_ID events[] = {{kPageFaultClass, kVirtualAlloc, {}}, {kPageFaultClass, kVirtualFree, {}}};
        static_assert(sizeof(events) == 48, "24 bytes each");
        TRY(session.setInformation(kStackTracingInfo, events, sizeof(events), "enable stacks of VirtualAlloc"));
    }
    ULONGLONG flags = kProcess | kThread | kImageLoad | (virtualAlloc ? kVirtualAllocFlag : 0);
    TRY(session.setInformation(kSystemTraceEnableFlagsInfo, &flags, sizeof(flags), "enable system events"));
    return started;
}

Result<std::unique_ptr<EtwSession>> EtwSession::startHeap(const EtwApi& api, std::vector<std::uint32_t> pids,
                                                          std::vector<std::uint32_t> hooks) {
    constexpr ULONG kBufferKb = 1024, kLeastBuffers = 128, kMostBuffers = 512;
    for (;;) {
        EtwSessionShape shape;
        shape.name = ownName(kHeapPrefix);
        shape.guid = kHeapGuid;
        shape.mode = kRealTimeSession | kIndependentSession;
        shape.extension = heapSessionExtension(pids, hooks);
        chooseBuffers(shape, kBufferKb, kLeastBuffers, kMostBuffers);
        auto started = start(api, std::move(shape), "start recording heaps");
        if (started.hasValue()) {
            started.value()->pids_ = std::move(pids);
            started.value()->hooks_ = std::move(hooks);
            return started;
        }
        // The maximum number of processes is not documented.
        if (started.error().kind != ErrorKind::Unsupported || pids.size() <= 1) return started;
        pids.pop_back();
    }
}

Result<std::unique_ptr<EtwSession>> EtwSession::startCode(const EtwApi& api) {
    constexpr ULONG kBufferKb = 256, kLeastBuffers = 32, kMostBuffers = 256; // a rundown arrives in one burst
    EtwSessionShape shape;
    shape.name = ownName(kCodePrefix);
    shape.guid = kCodeSessionGuid;
    shape.mode = kRealTimeSession | kIndependentSession;
    chooseBuffers(shape, kBufferKb, kLeastBuffers, kMostBuffers);
    return start(api, std::move(shape), "start recording runtime events");
}

EtwSession::~EtwSession() { stop(); }

Result<void> EtwSession::setInformation(int informationClass, void* information, std::size_t bytes,
                                        std::string_view what) {
    const auto code = api_.traceSetInformation(handle_, static_cast<TRACE_INFO_CLASS>(informationClass), information,
                                               static_cast<ULONG>(bytes));
    if (code != etw_code::kDone) return etwError(code, what);
    return {};
}

ULONG EtwSession::control(ULONG code, EtwProperties& properties) {
    return api_.controlTrace(0, name().c_str(), properties.get(), code);
}

void EtwSession::flush() {
    EtwProperties properties;
    (void)control(EVENT_TRACE_CONTROL_FLUSH, properties);
}

void EtwSession::stop() {
    if (!isRunning_) return;
    isRunning_ = false;
    EtwProperties properties;
    (void)control(EVENT_TRACE_CONTROL_STOP, properties);
    crash_cleanup::remove(name());
    log(LogLevel::Information, LogArea::Recording, fmt::format("The session \"{}\" was stopped.", utf8Of(name())));
}

std::optional<EtwLosses> EtwSession::losses() {
    EtwProperties properties;
    if (control(EVENT_TRACE_CONTROL_QUERY, properties) != etw_code::kDone) return std::nullopt;
    const auto& told = *properties.get();
    return EtwLosses{told.EventsLost, std::uint64_t{told.LogBuffersLost} + told.RealTimeBuffersLost};
}

ULONG EtwSession::updatePids(const std::vector<std::uint32_t>& pids) {
    auto shape = shape_;
    shape.extension = heapSessionExtension(pids, hooks_);
    EtwProperties properties(shape);
    return control(EVENT_TRACE_CONTROL_UPDATE, properties);
}

/// Calls the function that the documented way uses internally, for systems where that does not accept an extension.
bool EtwSession::setHeapTracing(const std::vector<std::uint32_t>& pids) {
    std::vector<std::uint32_t> information{kHeapTracingInformation};
    information.insert(information.end(), pids.begin(), pids.end());
    return api_.ntSetSystemInformation(kSystemPerformanceTraceInformation, information.data(),
                                       static_cast<ULONG>(information.size() * sizeof(std::uint32_t))) >= 0;
}

Result<void> EtwSession::setPids(std::vector<std::uint32_t> pids) {
    const auto code = updatePids(pids);
    if (code != etw_code::kDone && !setHeapTracing(pids)) return etwError(code, "add a process to the heap recording");
    pids_ = std::move(pids);
    return {};
}

Result<void> EtwSession::enable(const EtwProvider& provider, const std::vector<std::uint32_t>& pids) {
    auto named = pids;
    named.resize(std::min(named.size(), kMostFilteredPids));
    StackFilter stacks(provider.stacksOf);
    std::vector<EVENT_FILTER_DESCRIPTOR> filters{
        filterOf(kPidFilter, named.data(), named.size() * sizeof(std::uint32_t))};
    if (!provider.stacksOf.empty()) filters.push_back(stacks.descriptor());
    ENABLE_TRACE_PARAMETERS parameters{};
    parameters.Version = ENABLE_TRACE_PARAMETERS_VERSION_2;
    parameters.EnableProperty = provider.stacksOf.empty() ? 0 : kWithStacks;
    parameters.EnableFilterDesc = filters.data();
    parameters.FilterDescCount = static_cast<ULONG>(filters.size());
    const auto guid = windowsGuidOf(provider.guid);
    const auto code = api_.enableTraceEx2(handle_, &guid, EVENT_CONTROL_CODE_ENABLE_PROVIDER, provider.level,
                                          provider.keywords, 0, 0, &parameters);
    if (code != etw_code::kDone) return etwError(code, "enable runtime events");
    return {};
}

void EtwSession::disable(const Guid& provider) {
    const auto guid = windowsGuidOf(provider);
    (void)api_.enableTraceEx2(handle_, &guid, EVENT_CONTROL_CODE_DISABLE_PROVIDER, 0, 0, 0, 0, nullptr);
}

std::vector<std::wstring> stopOrphanedSessions(const EtwApi& api) {
    std::vector<std::wstring> stopped;
    for (const auto& session : runningSessions(api)) {
        const auto owner = ownerOf(session.name);
        if (!owner || isHighwaterRunning(*owner)) continue;
        stopByName(api, session.name);
        stopped.push_back(session.name);
    }
    return stopped;
}

} // namespace highwater::source
