// Tests that the simulator behaves as docs/etw.md describes Windows. Plain C++, run with
//
//   etw_simulator_test.exe SIMULATOR.dll T1.etl
//
// where T1 is the trace that highwater-example writes. Prints failures, and exits with 1 if there were any.

#include "tests/etw_simulator/etw_client_windows.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <utility>

using namespace highwater::etw_client;

namespace {

std::wstring simulatorPath, tracePath, programPath;
int failures = 0;
const char* currentTest = "";

void expect(bool fact, const char* what, int line) {
    if (fact) return;
    ++failures;
    std::printf("FAIL  %s: %s (line %d)\n", currentTest, what, line);
}
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__, __LINE__)

// T1: process 4242 among others, 34 seconds.
constexpr std::uint32_t kApp = 4242, kShell = 1200;
constexpr std::size_t kVirtualAllocs = 72, kVirtualFrees = 55, kAppHeapAllocs = 6241, kAppHeapFrees = 5003,
                      kShellHeapAllocs = 100;
constexpr int kVirtualAlloc = 98, kVirtualFree = 99, kHeapCreate = 32, kHeapAlloc = 33, kHeapFree = 36, kStackWalk = 32;
constexpr std::uint32_t kHookOfAlloc = 0x1021;

// A test changes sessions before the play starts, and it waits for expected events, never for a fixed time, because
// Wine shares its machine with others.
void scenario(const std::wstring& text) {
    ::SetEnvironmentVariableW(L"HIGHWATER_ETW_SIMULATOR_SCENARIO", nullptr);
    sessionNames(); // the simulator detects this: nothing is left of the previous test
    ::SetEnvironmentVariableW(L"HIGHWATER_ETW_SIMULATOR_SCENARIO", text.c_str());
}
/// From the start of a heap session on.
std::wstring playing(const std::wstring& more = {}) { return L"trace=" + tracePath + L";speed=max" + more; }

/// From the start of a kernel session on.
std::wstring playingKernel() { return playing(L";begin=kernel"); }

ULONG startError(Properties properties, const std::wstring& name = L"Test") {
    return Session(name, std::move(properties)).error();
}
/// Result of StartTrace when one thing about good properties is changed.
ULONG errorWhen(const std::function<void(Properties&)>& change, Properties properties = kernelProperties()) {
    change(properties);
    return startError(std::move(properties));
}
ULONG extensionError(const std::vector<std::uint32_t>& words) {
    auto properties = heapProperties({kApp});
    properties.setExtension(words);
    return startError(std::move(properties));
}

std::int64_t fileTimeNow() {
    FILETIME now{};
    ::GetSystemTimeAsFileTime(&now);
    return static_cast<std::int64_t>(now.dwHighDateTime) << 32 | now.dwLowDateTime;
}

CLASSIC_EVENT_ID eventId(const GUID& eventClass, int type) {
    CLASSIC_EVENT_ID id{};
    id.EventGuid = eventClass;
    id.Type = static_cast<UCHAR>(type);
    return id;
}

/// A kernel session with stacks armed, its consumer running: its first records may have arrived already.
struct Kernel {
    Session session{L"Test Kernel", kernelProperties()};
    Reader reader{L"Test Kernel"};
    explicit Kernel(const std::vector<CLASSIC_EVENT_ID>& armed = {}) {
        EXPECT(session.armStacks(armed) == ERROR_SUCCESS);
        EXPECT(session.setFlags(kMemoryFlags) == ERROR_SUCCESS);
        reader.run();
    }
};
struct Heap {
    Session session;
    Reader reader{L"Test Heap"};
    explicit Heap(const std::vector<std::uint32_t>& pids, const std::vector<std::uint32_t>& hooks = {})
        : session(L"Test Heap", heapProperties(pids, hooks)) {
        reader.run();
    }
};

bool isListed(const std::wstring& name) {
    const auto names = sessionNames();
    return std::ranges::find(names, name) != names.end();
}

// --- sessions ---------------------------------------------------------------------------------------------------

void sessionsAreListedUntilTheyAreStopped() {
    scenario(L"session=WPR_initiated;session=UIforETW Heap/heap");
    Session session(L"Test", kernelProperties());
    EXPECT(sessionNames() == std::vector<std::wstring>{L"WPR_initiated", L"UIforETW Heap", L"Test"});
    EXPECT(session.stop() == ERROR_SUCCESS);
    EXPECT(!isListed(L"Test"));
    EXPECT(session.stop() == ERROR_WMI_INSTANCE_NOT_FOUND);
}

void namesAndGuidsAreUnique() {
    scenario(L"session=Taken;session=UIforETW Heap/heap");
    EXPECT(startError(kernelProperties(), L"tAKEN") == ERROR_ALREADY_EXISTS);
    EXPECT(startError(heapProperties({kApp})) == ERROR_ALREADY_EXISTS);
    Session first(L"First", kernelProperties());
    EXPECT(startError(kernelProperties(), L"Second") == ERROR_ALREADY_EXISTS); // the same GUID
}

void badPropertiesAreRefused() {
    scenario(L"");
    EXPECT(errorWhen([](Properties&) {}) == ERROR_SUCCESS);
    EXPECT(errorWhen([](Properties& p) { p->Wnode.BufferSize = 100; }) == ERROR_BAD_LENGTH);
    EXPECT(errorWhen([](Properties& p) { p->Wnode.BufferSize = sizeof(EVENT_TRACE_PROPERTIES) + 4; }) ==
           ERROR_BAD_LENGTH);
    EXPECT(errorWhen([](Properties& p) { p->Wnode.Flags = 0; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->Wnode.ClientContext = 4; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->BufferSize = 20000; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->LoggerNameOffset = 0; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->LogFileNameOffset = p->LoggerNameOffset; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->LogFileMode |= EVENT_TRACE_BUFFERING_MODE; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->LogFileMode |= EVENT_TRACE_USE_PAGED_MEMORY; }) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->LogFileMode |= EVENT_TRACE_FILE_MODE_SEQUENTIAL; }) == ERROR_BAD_PATHNAME);
    EXPECT(errorWhen([](Properties& p) { p->Wnode.Guid = kHeapClass; }) == ERROR_INVALID_PARAMETER); // a system logger
    EXPECT(errorWhen([](Properties& p) { p->EnableFlags = 1; }, heapProperties({kApp})) == ERROR_INVALID_PARAMETER);
}

void theHeapExtensionMustBeWellFormed() {
    scenario(L"");
    EXPECT(extensionError({0x00020007, 0x00020003, kApp, kShell, 0x00030003, 0x1021, 0x1022}) == ERROR_SUCCESS);
    EXPECT(extensionError({0x00020006, 0x00020003, kApp, kShell, 0x00030003, 0x1021, 0x1022}) ==
           ERROR_INVALID_PARAMETER);
    EXPECT(extensionError({0x00010007, 0x00020003, kApp, kShell, 0x00030003, 0x1021, 0x1022}) ==
           ERROR_INVALID_PARAMETER);
    EXPECT(extensionError({0x00010003, 0x00020005, kApp}) == ERROR_INVALID_PARAMETER);
    EXPECT(extensionError({0x00010003, 0x00070002, kApp}) == ERROR_INVALID_PARAMETER);
    EXPECT(extensionError({0x00010004, 0x00050003, 64, 16}) == ERROR_INVALID_PARAMETER); // stack caching
    EXPECT(errorWhen([](Properties& p) { p->EnableFlags += 2; }, heapProperties({kApp})) == ERROR_INVALID_PARAMETER);
    EXPECT(errorWhen([](Properties& p) { p->EnableFlags |= 0xFFF0; }, heapProperties({kApp})) ==
           ERROR_INVALID_PARAMETER);
    EXPECT(startError(heapProperties({1, 2, 3, 4, 5, 6, 7, 8})) == ERROR_SUCCESS);
    EXPECT(startError(heapProperties({1, 2, 3, 4, 5, 6, 7, 8, 9})) == ERROR_INVALID_PARAMETER);
}

void theNumberOfSessionsIsLimited() {
    scenario(L"fill=64");
    EXPECT(startError(heapProperties({kApp})) == ERROR_NO_SYSTEM_RESOURCES);
    scenario(L"fill=63");
    EXPECT(startError(heapProperties({kApp})) == ERROR_SUCCESS);
    scenario(L"fill_system=6");
    EXPECT(startError(kernelProperties()) == ERROR_NO_SYSTEM_RESOURCES);
    EXPECT(startError(heapProperties({kApp})) == ERROR_SUCCESS);
}

void onlyAdministratorsStartSessions() {
    scenario(L"elevated=no");
    EXPECT(startError(kernelProperties()) == ERROR_ACCESS_DENIED);
    EXPECT(startError(heapProperties({kApp})) == ERROR_ACCESS_DENIED);
}

void theScenarioMakesCallsFail() {
    scenario(L"fail=StartTraceW/heap:183;fail=StartTraceW/kernel#2:1450;fail=OpenTraceW:5");
    EXPECT(startError(heapProperties({kApp})) == ERROR_ALREADY_EXISTS);
    EXPECT(startError(kernelProperties()) == ERROR_SUCCESS);
    EXPECT(startError(kernelProperties()) == ERROR_NO_SYSTEM_RESOURCES);
    EXPECT(startError(kernelProperties()) == ERROR_SUCCESS);
    Session session(L"Test", kernelProperties());
    EXPECT(Reader(L"Test").error() == ERROR_ACCESS_DENIED);
}

void aMisprintInTheScenarioFailsEverything() {
    for (const auto* text :
         {L"sped=max", L"speed=fast", L"fail=StartTraceW", L"lose_events_at=3", L"loss_told=nobody"}) {
        scenario(text);
        EXPECT(startError(kernelProperties()) == ERROR_INVALID_DATA);
    }
}

void callersMustProvideEnoughSpace() {
    scenario(L"fill=3");
    Properties two[2];
    EVENT_TRACE_PROPERTIES* places[] = {two[0].get(), two[1].get()};
    ULONG count = 0;
    EXPECT(etw().queryAllTraces(places, 2, &count) == ERROR_MORE_DATA);
    EXPECT(count == 3);
    Properties tooSmall;
    tooSmall->Wnode.BufferSize = sizeof(EVENT_TRACE_PROPERTIES) + 4;
    EXPECT(etw().controlTrace(0, L"Other 1", tooSmall.get(), EVENT_TRACE_CONTROL_QUERY) == ERROR_MORE_DATA);
    ULONG most = 0;
    EXPECT(etw().traceQueryInformation(0, static_cast<TRACE_INFO_CLASS>(19), &most, sizeof(most), nullptr) == 0);
    EXPECT(most == 64);
}

void sessionsOutliveTheProcessThatStartedThem() {
    const auto state = std::filesystem::temp_directory_path() / L"etw_simulator_test_state";
    std::filesystem::remove(state);
    scenario(L"state=" + state.wstring());
    auto command = L"\"" + programPath + L"\" \"" + simulatorPath + L"\" --start-and-die";
    STARTUPINFOW startup{};
    startup.cb = sizeof(startup);
    PROCESS_INFORMATION process{};
    EXPECT(::CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr, &startup, &process));
    EXPECT(::WaitForSingleObject(process.hProcess, kPatienceMs) == WAIT_OBJECT_0);
    ::CloseHandle(process.hThread);
    ::CloseHandle(process.hProcess);
    EXPECT(isListed(L"Orphan"));
    EXPECT(startError(kernelProperties(), L"Orphan") == ERROR_ALREADY_EXISTS);
    Properties properties;
    EXPECT(etw().controlTrace(0, L"Orphan", properties.get(), EVENT_TRACE_CONTROL_STOP) == ERROR_SUCCESS);
    EXPECT(!isListed(L"Orphan"));
    scenario(L"");
    std::filesystem::remove(state);
}

// --- deliveries ---------------------------------------------------------------------------------------------------

void theKernelSessionRecordsTheWholeMachine() {
    scenario(playingKernel());
    Kernel kernel;
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualAlloc, kVirtualAllocs));
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualFree, kVirtualFrees));
    EXPECT(kernel.session.stop() == ERROR_SUCCESS);
    EXPECT(kernel.reader.wait() == ERROR_SUCCESS);
    EXPECT(kernel.reader.count(kMemoryClass, kVirtualAlloc) == kVirtualAllocs);
    EXPECT(kernel.reader.count(kMemoryClass, kVirtualFree) == kVirtualFrees);
    EXPECT(kernel.reader.count(kProcessClass, 1) == 2);
    EXPECT(kernel.reader.count(kProcessClass, 3) > 0);
    EXPECT(kernel.reader.count(kImageClass, 3) > 0);
    EXPECT(kernel.reader.count(kHeapClass, kHeapAlloc) == 0);
    EXPECT(kernel.reader.count(kStackClass, kStackWalk) == 0);
}

void flagsSelectTheEventsOfTheKernelSession() {
    scenario(playing());
    Kernel kernel;
    EXPECT(kernel.session.setFlags(0x4000) == ERROR_SUCCESS);
    const Heap begin({kApp});
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualAlloc, kVirtualAllocs));
    EXPECT(kernel.reader.count(kProcessClass, 1) == 0);
    EXPECT(kernel.reader.count(kImageClass, 3) == 0);
}

void theHeapSessionRecordsOnlyItsProcesses() {
    scenario(playing());
    Heap heap({kShell});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kShellHeapAllocs));
    EXPECT(heap.reader.count(kHeapClass, kHeapAlloc) == kShellHeapAllocs);
    EXPECT(heap.reader.count(kHeapClass, kHeapCreate) == 0);
    EXPECT(heap.reader.count(kMemoryClass, kVirtualAlloc) == 0);
}

void anOrdinarySessionWithTheHeapProviderGetsNothing() {
    scenario(playingKernel());
    auto properties = heapProperties({kApp});
    properties->EnableFlags = 0;
    properties->Wnode.Guid.Data1 ^= 1;
    Session session(L"Test Heap", properties);
    Reader reader(L"Test Heap");
    EXPECT(etw().enableTraceEx2(session.handle(), &kHeapClass, 1, 5, 0, 0, 0, nullptr) == ERROR_SUCCESS);
    Heap other({kApp});
    EXPECT(other.session.error() == ERROR_ALREADY_EXISTS); // the name
    reader.run();
    Kernel kernel;
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualFree, kVirtualFrees)); // everything has happened
    session.stop();
    reader.wait();
    EXPECT(reader.count(kHeapClass, kHeapAlloc) == 0);
}

void pidsChangeWhileASessionRuns() {
    scenario(playingKernel());
    {
        Heap heap({7});
        EXPECT(heap.session.update(heapProperties({7, kShell})) == ERROR_SUCCESS);
        const Kernel begin;
        EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kShellHeapAllocs));
        EXPECT(heap.reader.events(kHeapClass, kHeapAlloc)[0].pid == kShell);
    }
    scenario(playingKernel());
    {
        Heap heap({7});
        ULONG words[] = {8, kApp};
        EXPECT(etw().ntSetSystemInformation(31, words, sizeof(words)) == 0);
        const Kernel begin;
        EXPECT(heap.reader.waitFor(kHeapClass, kHeapFree, kAppHeapFrees));
        EXPECT(heap.reader.events(kHeapClass, kHeapFree)[0].pid == kApp);
    }
    scenario(L"heap_update=refused");
    Session session(L"Refused", heapProperties({7}));
    EXPECT(session.update(heapProperties({kApp})) == ERROR_INVALID_PARAMETER);
}

void flaggedProgramsAreRecordedFromTheirStart() {
    constexpr auto* kKey =
        L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\MemoryTestApp.exe";
    const DWORD flags = 1;
    EXPECT(::RegSetKeyValueW(HKEY_LOCAL_MACHINE, kKey, L"TracingFlags", REG_DWORD, &flags, sizeof(flags)) == 0);
    scenario(playing());
    {
        Heap heap({0});
        EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kAppHeapAllocs));
        EXPECT(heap.reader.count(kHeapClass, kHeapAlloc) == kAppHeapAllocs);
    }
    ::RegDeleteTreeW(HKEY_LOCAL_MACHINE, kKey);
    scenario(playing());
    Kernel kernel;
    Heap heap({0});
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualFree, kVirtualFrees)); // everything has happened
    heap.session.stop();
    heap.reader.wait();
    EXPECT(heap.reader.count(kHeapClass, kHeapAlloc) == 0);
}

void theTargetPlaysTheRecordedProcess() {
    scenario(playing(L";target=4242"));
    Kernel kernel;
    Heap heap({777});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kAppHeapAllocs));
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualAlloc, kVirtualAllocs));
    const auto memory = kernel.reader.events(kMemoryClass, kVirtualAlloc);
    EXPECT(std::ranges::count_if(memory, [](const Event& e) { return e.u32At(16) == 777; }) == 25);
    EXPECT(std::ranges::none_of(memory, [](const Event& e) { return e.u32At(16) == kApp; }));
    EXPECT(heap.reader.events(kHeapClass, kHeapAlloc)[0].pid == 777);
}

/// A consumer whose thread does not run until both sessions are over.
void lateConsumersReceiveAllRecords() {
    scenario(playing(L";target=4242"));
    Session session(L"Test Kernel", kernelProperties());
    EXPECT(session.setFlags(kMemoryFlags) == ERROR_SUCCESS);
    Reader reader(L"Test Kernel");
    {
        Heap heap({777});
        EXPECT(heap.reader.waitFor(kHeapClass, kHeapFree, kAppHeapFrees));
    }
    EXPECT(session.stop() == ERROR_SUCCESS);
    EXPECT(reader.run().wait() == ERROR_SUCCESS);
    const auto memory = reader.events(kMemoryClass, kVirtualAlloc);
    EXPECT(memory.size() == kVirtualAllocs);
    EXPECT(std::ranges::count_if(memory, [](const Event& e) { return e.u32At(16) == 777; }) == 25);
}

// --- stacks -------------------------------------------------------------------------------------------------------

void stacksComeOnlyWhereTheyAreArmed() {
    scenario(playing());
    Kernel kernel({eventId(kMemoryClass, kVirtualAlloc)});
    Heap heap({kApp}, {kHookOfAlloc});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapFree, kAppHeapFrees));
    EXPECT(heap.reader.waitFor(kStackClass, kStackWalk, kAppHeapAllocs));
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualFree, kVirtualFrees));
    for (auto* session : {&heap.session, &kernel.session})
        session->stop();
    heap.reader.wait();
    kernel.reader.wait();
    const auto allocations = kernel.reader.events(kMemoryClass, kVirtualAlloc);
    const auto stacks = kernel.reader.events(kStackClass, kStackWalk);
    EXPECT(stacks.size() == 2 * kVirtualAllocs); // the kernel's half and the user's
    EXPECT(std::ranges::all_of(stacks, [&](const Event& stack) {
        return std::ranges::any_of(allocations, [&](const Event& a) { return a.ticks == stack.i64At(0); });
    }));
    EXPECT(heap.reader.count(kStackClass, kStackWalk) == kAppHeapAllocs); // and none for realloc, create
}

void imageStacksBelongToTheProcessClass() {
    scenario(playingKernel());
    Kernel kernel({eventId(kImageClass, 10), eventId(kMemoryClass, kVirtualAlloc)});
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualAlloc, kVirtualAllocs));
    const auto loads = kernel.reader.events(kProcessClass, 10);
    const auto stacks = kernel.reader.events(kStackClass, kStackWalk);
    EXPECT(!loads.empty());
    EXPECT(std::ranges::none_of(stacks, [&](const Event& stack) {
        return std::ranges::any_of(loads, [&](const Event& load) { return load.ticks == stack.i64At(0); });
    }));
}

void anArmingReplacesTheOneBefore() {
    scenario(playing());
    Kernel kernel({eventId(kMemoryClass, kVirtualAlloc)});
    EXPECT(kernel.session.armStacks({}) == ERROR_SUCCESS);
    const Heap begin({kApp});
    EXPECT(kernel.reader.waitFor(kMemoryClass, kVirtualAlloc, kVirtualAllocs));
    EXPECT(kernel.reader.count(kStackClass, kStackWalk) == 0);
}

void stacksMayComeLateOrNotAtAll() {
    scenario(playing(L";late_stacks=300"));
    {
        Heap heap({kShell}, {kHookOfAlloc});
        EXPECT(heap.reader.waitFor(kStackClass, kStackWalk, kShellHeapAllocs));
        const auto event = heap.reader.events(kHeapClass, kHeapAlloc)[0];
        const auto stack = heap.reader.events(kStackClass, kStackWalk)[0];
        EXPECT(stack.i64At(0) == event.ticks);
        EXPECT(stack.ticks - event.ticks >= ticksPerSecond() * 3 / 10);
        EXPECT(stack.arrivedTicks >= stack.ticks);
    }
    scenario(playing(L";lost_stacks=2"));
    Heap heap({kApp}, {kHookOfAlloc});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kAppHeapAllocs));
    const auto stacks = heap.reader.count(kStackClass, kStackWalk);
    EXPECT(stacks > kAppHeapAllocs / 3 && stacks < kAppHeapAllocs * 2 / 3);
}

// --- time ---------------------------------------------------------------------------------------------------------

void recordsComeWhenTheirTimeHasCome() {
    scenario(L"trace=" + tracePath + L";speed=10");
    const auto begin = ticksNow();
    Heap heap({kShell}); // its first block comes 0.25 s into the trace, the 100th at 30.94 s
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kShellHeapAllocs));
    const auto events = heap.reader.events(kHeapClass, kHeapAlloc);
    const auto second = ticksPerSecond();
    EXPECT(std::ranges::all_of(events, [](const Event& e) { return e.ticks <= e.arrivedTicks; }));
    EXPECT(events.front().ticks >= begin);
    const auto span = events.back().ticks - events.front().ticks;
    EXPECT(span > second * 306 / 100 && span < second * 308 / 100);
}

void theFlushTimerBringsThemMeanwhile() {
    scenario(L"trace=" + tracePath + L";speed=1");
    Heap heap({kShell});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, 1));
    EXPECT(heap.reader.count(kHeapClass, kHeapAlloc) < kShellHeapAllocs); // half a minute before the last one
}

void aFlushDeliversPendingRecords() {
    scenario(L"trace=" + tracePath + L";speed=1");
    auto properties = heapProperties({kShell});
    properties->FlushTimer = 60;
    Session session(L"Test", properties);
    Reader reader(L"Test");
    reader.run();
    ::Sleep(700); // the first block comes at 0.25 s
    EXPECT(reader.count(kHeapClass, kHeapAlloc) == 0);
    EXPECT(session.flush() == ERROR_SUCCESS);
    EXPECT(reader.waitFor(kHeapClass, kHeapAlloc, 1));
}

void timesAreRawOnlyWhenAskedFor() {
    scenario(playing());
    const auto begin = fileTimeNow();
    Session session(L"Test", heapProperties({kShell}));
    Reader reader(L"Test", false);
    EXPECT(reader.logFile().LogfileHeader.PointerSize == 4); // wrong, as on Windows
    EXPECT(reader.logFile().LogfileHeader.PerfFreq.QuadPart == ticksPerSecond());
    EXPECT(reader.logFile().LogfileHeader.ReservedFlags == 1);
    reader.run();
    EXPECT(reader.waitFor(kHeapClass, kHeapAlloc, 1));
    const auto at = reader.events(kHeapClass, kHeapAlloc)[0].ticks;
    constexpr std::int64_t kSecond = 10'000'000; // the clocks are not read at the same moment
    EXPECT(at > begin - kSecond && at < fileTimeNow() + kSecond);
}

void memoryOfARecordIsGoneAfterItsCallback() {
    scenario(playing());
    Heap heap({kShell});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kShellHeapAllocs));
    heap.session.stop();
    heap.reader.wait();
    const auto last = heap.reader.events(kHeapClass, kHeapAlloc).back();
    EXPECT(last.payload[0] != std::byte{0xDD});
    EXPECT(*static_cast<const std::byte*>(last.memory) == std::byte{0xDD});
}

// --- the end ------------------------------------------------------------------------------------------------------

void closingFromAnotherThreadIsPending() {
    scenario(playing());
    Heap heap({kShell});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, 1));
    EXPECT(heap.reader.close() == ERROR_CTX_CLOSE_PENDING);
    EXPECT(heap.reader.wait() == ERROR_SUCCESS);
    EXPECT(isListed(L"Test Heap")); // the session continues
    EXPECT(heap.reader.close() == ERROR_INVALID_HANDLE);
}

void theBufferCallbackCanEndIt() {
    scenario(playing());
    Session session(L"Test Heap", heapProperties({kShell}));
    Reader reader(L"Test Heap");
    reader.onBuffer = [](const EVENT_TRACE_LOGFILEW&) { return false; };
    EXPECT(reader.run().wait() == ERROR_CANCELLED);
}

void stoppingDeliversTheRestAndTheRundown() {
    scenario(L"trace=" + tracePath + L";speed=1;begin=kernel");
    auto properties = kernelProperties();
    properties->FlushTimer = 60;
    Session session(L"Test", properties);
    session.setFlags(kMemoryFlags);
    Reader reader(L"Test");
    reader.run();
    ::Sleep(900); // the first VirtualAlloc comes at 0.7 s
    EXPECT(reader.count(kMemoryClass, kVirtualAlloc) == 0);
    EXPECT(reader.count(kProcessClass, 4) == 0);
    EXPECT(session.stop() == ERROR_SUCCESS);
    EXPECT(reader.wait() == ERROR_SUCCESS);
    const auto told = reader.count(kMemoryClass, kVirtualAlloc);
    EXPECT(told >= 1 && told < kVirtualAllocs);
    EXPECT(reader.count(kProcessClass, 4) > 0);
    EXPECT(reader.count(kImageClass, 4) > 0);
}

void othersCanStopASession() {
    scenario(playing(L";stopped_by_others_at=10/heap;stopped_result=4201"));
    Heap heap({kShell});
    EXPECT(heap.reader.wait() == ERROR_WMI_INSTANCE_NOT_FOUND);
    EXPECT(heap.reader.count(kHeapClass, kHeapAlloc) == 32); // those before 10 s
    EXPECT(!isListed(L"Test Heap"));
}

void consumersMustNameOneRunningSession() {
    scenario(playing());
    EXPECT(Reader(L"Nobody").error() == ERROR_WMI_INSTANCE_NOT_FOUND);
    TRACEHANDLE two[] = {1, 2};
    EXPECT(etw().processTrace(two, 2, nullptr, nullptr) == ERROR_WMI_ALREADY_ENABLED);
}

void aStartTimeDropsTheRundown() {
    scenario(playingKernel());
    Session session(L"Test Kernel", kernelProperties());
    session.setFlags(kMemoryFlags);
    Reader reader(L"Test Kernel");
    FILETIME start{};
    reader.startTime = &start;
    reader.run();
    EXPECT(reader.waitFor(kMemoryClass, kVirtualAlloc, kVirtualAllocs));
    EXPECT(reader.count(kProcessClass, 3) == 0);
    EXPECT(reader.count(kProcessClass, 1) == 2);
}

// --- loss ---------------------------------------------------------------------------------------------------------

void lossesAreReportedInThreeWays() {
    scenario(playing(L";lose_events_at=5:7;lose_buffers_at=10:2"));
    Heap heap({kApp});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapFree, kAppHeapFrees - 207));
    EXPECT(waitUntil([&heap] { return heap.session.query()->EventsLost == 207; }));
    EXPECT(heap.session.query()->RealTimeBuffersLost == 2);
    heap.session.stop();
    heap.reader.wait();
    EXPECT(heap.reader.count(kLostClass, 32) == 7);
    EXPECT(heap.reader.count(kLostClass, 33) == 2);
    EXPECT(heap.reader.lossOfCallback() == 207);
    const auto all = heap.reader.events();
    const auto heapEvents =
        std::ranges::count_if(all, [](const Event& e) { return IsEqualGUID(e.eventClass, kHeapClass); });
    EXPECT(heapEvents == 11247 - 207);
}

void someoneMayKeepQuietAboutLosses() {
    scenario(playing(L";lose_events_at=5:7;loss_told=query"));
    Heap heap({kApp});
    EXPECT(heap.reader.waitFor(kHeapClass, kHeapAlloc, kAppHeapAllocs - 7));
    EXPECT(waitUntil([&heap] { return heap.session.query()->EventsLost == 7; }));
    heap.session.stop();
    heap.reader.wait();
    EXPECT(heap.reader.count(kLostClass, 32) == 0);
    EXPECT(heap.reader.lossOfCallback() == 0);
}

void burstsBeyondTheBuffersAreLostAndCounted() {
    constexpr std::size_t kBlocks = 200'000;
    scenario(L"speed=1;target=4242;burst=0.2:200000");
    Session session(L"Test Heap", heapProperties({kApp})); // 64 buffers of 64 KB
    Reader reader(L"Test Heap");
    reader.onEvent = [slept = false](const EVENT_RECORD& record) mutable {
        const bool isHeap = IsEqualGUID(record.EventHeader.ProviderId, kHeapClass);
        if (isHeap && !std::exchange(slept, true)) ::Sleep(500); // a consumer that is slow at the critical time
    };
    reader.run();
    EXPECT(reader.waitFor(kHeapClass, kHeapAlloc, 10'000)); // after its sleep: the whole burst has happened
    session.stop();
    reader.wait();
    const auto delivered = reader.count(kHeapClass, kHeapAlloc);
    EXPECT(delivered < kBlocks);
    EXPECT(delivered + reader.lossOfCallback() == kBlocks);
    EXPECT(reader.count(kLostClass, 32) > 0);
}

struct Test {
    const char* name;
    void (*run)();
};
#define TEST(function)                                                                                                 \
    { #function, function }
const Test kTests[] = {
    TEST(sessionsAreListedUntilTheyAreStopped),
    TEST(namesAndGuidsAreUnique),
    TEST(badPropertiesAreRefused),
    TEST(theHeapExtensionMustBeWellFormed),
    TEST(theNumberOfSessionsIsLimited),
    TEST(onlyAdministratorsStartSessions),
    TEST(theScenarioMakesCallsFail),
    TEST(aMisprintInTheScenarioFailsEverything),
    TEST(callersMustProvideEnoughSpace),
    TEST(sessionsOutliveTheProcessThatStartedThem),
    TEST(theKernelSessionRecordsTheWholeMachine),
    TEST(flagsSelectTheEventsOfTheKernelSession),
    TEST(theHeapSessionRecordsOnlyItsProcesses),
    TEST(anOrdinarySessionWithTheHeapProviderGetsNothing),
    TEST(pidsChangeWhileASessionRuns),
    TEST(flaggedProgramsAreRecordedFromTheirStart),
    TEST(theTargetPlaysTheRecordedProcess),
    TEST(lateConsumersReceiveAllRecords),
    TEST(stacksComeOnlyWhereTheyAreArmed),
    TEST(imageStacksBelongToTheProcessClass),
    TEST(anArmingReplacesTheOneBefore),
    TEST(stacksMayComeLateOrNotAtAll),
    TEST(recordsComeWhenTheirTimeHasCome),
    TEST(theFlushTimerBringsThemMeanwhile),
    TEST(aFlushDeliversPendingRecords),
    TEST(timesAreRawOnlyWhenAskedFor),
    TEST(memoryOfARecordIsGoneAfterItsCallback),
    TEST(closingFromAnotherThreadIsPending),
    TEST(theBufferCallbackCanEndIt),
    TEST(stoppingDeliversTheRestAndTheRundown),
    TEST(othersCanStopASession),
    TEST(consumersMustNameOneRunningSession),
    TEST(aStartTimeDropsTheRundown),
    TEST(lossesAreReportedInThreeWays),
    TEST(someoneMayKeepQuietAboutLosses),
    TEST(burstsBeyondTheBuffersAreLostAndCounted),
};

/// The other process of sessionsOutliveTheProcessThatStartedThem.
[[noreturn]] void startAndDie() {
    Session session(L"Orphan", kernelProperties());
    ::TerminateProcess(::GetCurrentProcess(), 1);
    std::abort();
}

} // namespace

int wmain(int argc, wchar_t** argv) {
    if (argc < 3 || !load(argv[1])) return 2;
    programPath = argv[0];
    simulatorPath = argv[1];
    if (std::wstring_view(argv[2]) == L"--start-and-die") startAndDie();
    tracePath = argv[2];
    for (const auto& test : kTests) {
        if (argc > 3 && std::filesystem::path(argv[3]).string() != test.name) continue;
        currentTest = test.name;
        const auto before = failures;
        const auto begin = ticksNow();
        test.run();
        const auto ms = (ticksNow() - begin) * 1000 / ticksPerSecond();
        std::printf("%s  %s (%lld ms)\n", failures == before ? "PASS" : "FAIL", test.name, static_cast<long long>(ms));
        std::fflush(stdout);
    }
    return failures == 0 ? 0 : 1;
}
