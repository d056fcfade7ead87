// The Windows parts of the recorder without event tracing, under Wine. Tests do not see how Windows handles their
// requests, but they see the requests, and everything left behind.

#include "core/etl/class_guids.h"
#include "core/etl/raw_record.h"
#include "core/event/opcodes.h"
#include "core/source/contract/capture.h"
#include "core/source/etw/etw_consumer_windows.h"
#include "core/source/etw/etw_properties_windows.h"
#include "core/source/etw/etw_session_windows.h"
#include "core/source/etw/heap_session_extension.h"
#include "core/source/etw/heap_tracing_flag_windows.h"
#include "core/source/etw/system_rundown_windows.h"
#include "core/source/etw/target_process_windows.h"
#include "core/source/etw/windows_handle_windows.h"

// after windows.h
#include <shellapi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

using namespace highwater;
using namespace highwater::source;

namespace {

int failures = 0;

void check(bool holds, const char* what, int line) {
    if (holds) return;
    ++failures;
    std::printf("  line %d: %s\n", line, what);
}
#define CHECK(condition) check((condition), #condition, __LINE__)

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::wstring ownPath() {
    std::array<wchar_t, 32768> path{};
    ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    return path.data();
}

/// This program in another role.
CaptureLaunch ownProgram(std::vector<std::string> arguments) {
    CaptureLaunch launch;
    launch.program = utf8Of(ownPath());
    launch.arguments = std::move(arguments);
    return launch;
}

constexpr DWORD kPatienceMs = 120'000; // only a stalled machine takes this long

template <typename Predicate>
bool waitFor(Predicate holds) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
    while (!holds()) {
        if (std::chrono::steady_clock::now() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return true;
}

// ---- the registry ----

constexpr wchar_t kOptions[] = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options\\";
constexpr wchar_t kProgram[] = L"highwater-flag-test.exe";
constexpr wchar_t kOwnKey[] = L"SOFTWARE\\Highwater";

std::wstring optionsKey() { return std::wstring(kOptions) + kProgram; }

bool keyExists(const std::wstring& path) {
    HKEY key = nullptr;
    if (::RegOpenKeyExW(HKEY_LOCAL_MACHINE, path.c_str(), 0, KEY_READ | KEY_WOW64_64KEY, &key) != ERROR_SUCCESS)
        return false;
    ::RegCloseKey(key);
    return true;
}

std::optional<DWORD> tracingFlags() {
    DWORD value = 0, bytes = sizeof(value);
    const auto code = ::RegGetValueW(HKEY_LOCAL_MACHINE, optionsKey().c_str(), L"TracingFlags",
                                     RRF_RT_REG_DWORD | RRF_SUBKEY_WOW6464KEY, nullptr, &value, &bytes);
    return code == ERROR_SUCCESS ? std::optional(value) : std::nullopt;
}

void setTracingFlags(DWORD value) {
    HKEY key = nullptr;
    ::RegCreateKeyExW(HKEY_LOCAL_MACHINE, optionsKey().c_str(), 0, nullptr, 0, KEY_WRITE | KEY_WOW64_64KEY, nullptr,
                      &key, nullptr);
    ::RegSetValueExW(key, L"TracingFlags", 0, REG_DWORD, reinterpret_cast<const BYTE*>(&value), sizeof(value));
    ::RegCloseKey(key);
}

void removeOptions() { ::RegDeleteKeyExW(HKEY_LOCAL_MACHINE, optionsKey().c_str(), KEY_WOW64_64KEY, 0); }

bool isListed() {
    const auto programs = programsWithHeapTracing();
    return std::any_of(programs.begin(), programs.end(),
                       [](const auto& program) { return program.name == utf8Of(kProgram); });
}

void flagComesAndGoes() {
    {
        const auto flag = HeapTracingFlag::set(kProgram);
        CHECK(flag.hasValue());
        CHECK(tracingFlags() == 1u);
        CHECK(keyExists(std::wstring(kOwnKey) + L"\\HeapTracing\\" + kProgram));
        CHECK(isListed());
        CHECK(!clearHeapTracing(utf8Of(kProgram)).hasValue()); // it is in use
    }
    CHECK(!keyExists(optionsKey()));
    CHECK(!keyExists(kOwnKey));
    CHECK(!isListed());
}

void existingSettingsStay() {
    setTracingFlags(6);
    {
        const auto flag = HeapTracingFlag::set(kProgram);
        CHECK(tracingFlags() == 7u);
    }
    CHECK(tracingFlags() == 6u);
    setTracingFlags(1); // by another program
    {
        const auto flag = HeapTracingFlag::set(kProgram);
        CHECK(!keyExists(kOwnKey));
    }
    CHECK(tracingFlags() == 1u);
    CHECK(isListed());
    CHECK(clearHeapTracing(utf8Of(kProgram)).hasValue());
    CHECK(!isListed());
    removeOptions();
}

/// Another program sets the flag and is killed; the next start removes it.
void flagOfAKilledProgramIsRestored(const char* how) {
    auto target = TargetProcess::launch(ownProgram({how}));
    CHECK(target.hasValue());
    if (!target.hasValue()) return;
    target.value().resume();
    if (std::string_view(how) == "hold-flag") {
        CHECK(waitFor([] { return tracingFlags().has_value(); }));
        CHECK(cleanUpCaptureLeftovers().empty()); // it is alive
        CHECK(tracingFlags() == 1u);
        const WindowsHandle process(::OpenProcess(PROCESS_TERMINATE | SYNCHRONIZE, FALSE, target.value().pid()));
        ::TerminateProcess(process.get(), 9);
        ::WaitForSingleObject(process.get(), kPatienceMs);
        CHECK(tracingFlags() == 1u);
        const auto sentences = cleanUpCaptureLeftovers();
        CHECK(sentences.size() == 1 && contains(sentences.front(), utf8Of(kProgram)));
    } else {
        CHECK(waitFor([&] { return target.value().hasEnded(); }));
    }
    CHECK(!keyExists(optionsKey()));
    CHECK(!keyExists(kOwnKey));
}

// ---- properties of sessions ----

void propertiesHaveTheirLayout() {
    EtwSessionShape shape;
    shape.name = L"Highwater Heap 77";
    shape.guid = {0x222962AB, 0x6180, 0x4B88, {0xA8, 0x25, 0x34, 0x6B, 0x75, 0xF2, 0xA2, 0x4A}};
    shape.mode = 0x0800'0100;
    shape.bufferKb = 1024;
    shape.leastBuffers = 128;
    shape.mostBuffers = 512;
    shape.extension = heapSessionExtension(std::vector<std::uint32_t>{0x1111, 0x2222}, heapHooks(false));
    EtwProperties properties(shape);
    const auto* bytes = reinterpret_cast<const std::byte*>(properties.get());
    const auto wordAt = [&](std::size_t at) { return loadUnchecked<std::uint32_t>(bytes + at); };
    // 120 bytes, 18 letters of the name, then the extension.
    constexpr std::size_t kExtension = 120 + 36;
    CHECK(wordAt(0) == properties.bytes());
    CHECK(properties.bytes() >= kExtension + 7 * 4);
    CHECK(std::memcmp(bytes + 24, &shape.guid, 16) == 0);
    CHECK(wordAt(40) == 1);           // the performance counter
    CHECK(wordAt(44) == 0x0002'0000); // WNODE_FLAG_TRACED_GUID
    CHECK(wordAt(48) == 1024);
    CHECK(wordAt(52) == 128);
    CHECK(wordAt(56) == 512);
    CHECK(wordAt(64) == 0x0800'0100);
    CHECK(wordAt(68) == 1);
    CHECK(wordAt(72) == (0x80FF'0000 | kExtension));
    CHECK(wordAt(112) == 0);   // no file
    CHECK(wordAt(116) == 120); // the name
    const std::vector<std::uint32_t> words{0x00020007, 0x00020003, 0x1111, 0x2222, 0x00030003, 0x1021, 0x1022};
    CHECK(std::memcmp(bytes + kExtension, words.data(), words.size() * 4) == 0);
    EtwProperties question;
    CHECK(question.get()->LogFileNameOffset == 0);
    CHECK(question.get()->LoggerNameOffset == 120);
    CHECK(question.name().empty());
}

// ---- programs ----

void argumentsArriveAsTheyAre() {
    const std::vector<std::string> arguments{"plain",  "two words",           "", "a\"b", "C:\\end\\",
                                             "\\\\\"", "\xC3\xA4\xE2\x82\xAC"};
    const auto line = commandLineOf("C:\\a folder\\program.exe", arguments);
    int count = 0;
    auto* const words = ::CommandLineToArgvW(line.c_str(), &count);
    CHECK(count == static_cast<int>(arguments.size()) + 1);
    for (int i = 1; i < count; ++i)
        CHECK(utf8Of(words[i]) == arguments[static_cast<std::size_t>(i) - 1]);
    ::LocalFree(words);
}

void aProgramRunsOnlyWhenItIsResumed() {
    auto target = TargetProcess::launch(ownProgram({"exit", "7"}));
    CHECK(target.hasValue());
    if (!target.hasValue()) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    CHECK(!target.value().hasEnded());
    CHECK(!target.value().is32Bit());
    const WindowsHandle process(
        ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, target.value().pid()));
    target.value().resume();
    CHECK(::WaitForSingleObject(process.get(), kPatienceMs) == WAIT_OBJECT_0);
    DWORD code = 0;
    ::GetExitCodeProcess(process.get(), &code);
    CHECK(code == 7);
    CHECK(target.value().hasEnded());
}

void aProgramThatIsGivenUpNeverRuns() {
    WindowsHandle process;
    {
        const auto target = TargetProcess::launch(ownProgram({"exit", "7"}));
        CHECK(target.hasValue());
        if (!target.hasValue()) return;
        process =
            WindowsHandle(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, target.value().pid()));
    }
    CHECK(::WaitForSingleObject(process.get(), kPatienceMs) == WAIT_OBJECT_0);
    DWORD code = 0;
    ::GetExitCodeProcess(process.get(), &code);
    CHECK(code == 1);
}

void theEnvironmentIsOursWithMore() {
    ::SetEnvironmentVariableW(L"HIGHWATER_OURS", L"ours");
    auto launch = ownProgram({"environment"});
    launch.environment = {"HIGHWATER_MORE=more", "highwater_OURS=theirs"};
    auto target = TargetProcess::launch(launch);
    CHECK(target.hasValue());
    if (!target.hasValue()) return;
    const WindowsHandle process(
        ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, target.value().pid()));
    target.value().resume();
    ::WaitForSingleObject(process.get(), kPatienceMs);
    DWORD code = 0;
    ::GetExitCodeProcess(process.get(), &code);
    CHECK(code == 11);
    launch.environment = {"NOTHING"};
    CHECK(!TargetProcess::launch(launch).hasValue());
}

void failedStartsAreNamed() {
    CaptureLaunch launch;
    launch.program = "no-such-program-anywhere";
    const auto target = TargetProcess::launch(launch);
    CHECK(!target.hasValue() && target.error().kind == ErrorKind::NotFound);
    CHECK(contains(target.error().message, "no-such-program-anywhere"));
    const auto gone = TargetProcess::attach(0xFFFFFFF0);
    CHECK(!gone.hasValue() && gone.error().kind == ErrorKind::NotFound);
}

// ---- the state before ----

void theSystemListsRunningProcesses() {
    const auto processes = systemProcesses();
    const auto own = std::find_if(processes.begin(), processes.end(),
                                  [](const auto& process) { return process.pid == ::GetCurrentProcessId(); });
    CHECK(own != processes.end() && contains(own->name, ".exe"));
    const auto modules = modulesOf(::GetCurrentProcessId());
    CHECK(modules.size() > 3);
    CHECK(std::any_of(modules.begin(), modules.end(), [](const auto& module) {
        return module.base == reinterpret_cast<Address>(::GetModuleHandleW(nullptr)) && module.size > 0;
    }));
    const auto names = volumes();
    CHECK(std::any_of(names.begin(), names.end(), [](const auto& volume) { return volume.second == "C:\\"; }));
    CHECK(isHighwaterRunning(::GetCurrentProcessId()));
    CHECK(!isHighwaterRunning(0xFFFFFFF0));
}

/// `path`: an image with a PDB; `expected`: "name guid age" as printed by LLVM.
void thePdbOfAnImageIsFound(const char* path, const char* pdb) {
    ImageIdentities identities;
    SystemImage image;
    image.path = path;
    const auto identity = identities.of(image);
    CHECK(identity.has_value());
    if (!identity) return;
    CHECK(identity->pdbName == pdb);
    CHECK(identity->pdbAge > 0);
    CHECK(identity->imageSize > 0);
    image.timeDateStamp = identity->timeDateStamp + 1;
    CHECK(!identities.of(image)); // another version of the file
    // Loaded, and its file deleted: the identity comes from memory.
    const auto module = ::LoadLibraryExW(wideOf(path).c_str(), nullptr, DONT_RESOLVE_DLL_REFERENCES);
    CHECK(module != nullptr);
    SystemImage loaded{static_cast<std::uint32_t>(::GetCurrentProcessId()), reinterpret_cast<Address>(module),
                       identity->imageSize, identity->timeDateStamp, "C:\\gone\\nowhere.dll"};
    const auto inMemory = identities.of(loaded);
    CHECK(inMemory.has_value() && *inMemory == *identity);
}

// ---- conversion of the system's records ----

/// The consumer that opened the session last.
EVENT_TRACE_LOGFILEW openedFile{};

EtwApi apiThatDeliversNothing() {
    EtwApi api;
    api.openTrace = [](PEVENT_TRACE_LOGFILEW file) -> TRACEHANDLE {
        openedFile = *file;
        return 1;
    };
    api.processTrace = [](PTRACEHANDLE, ULONG, LPFILETIME, LPFILETIME) -> ULONG { return ERROR_SUCCESS; };
    api.closeTrace = [](TRACEHANDLE) -> ULONG { return ERROR_SUCCESS; };
    return api;
}

struct Delivered {
    std::uint8_t group;
    std::uint32_t pid, tid;
    bool is32Bit = false;
};

/// The part of a record with 28 bytes of payload that the recorder keeps.
etl::RawRecord taken(LiveRing& ring, const Delivered& delivered) {
    std::array<std::byte, 28> payload{};
    payload.fill(std::byte{7});
    EVENT_RECORD event{};
    event.EventHeader.Flags = delivered.is32Bit ? EVENT_HEADER_FLAG_32_BIT_HEADER : EVENT_HEADER_FLAG_64_BIT_HEADER;
    const auto guid = etl::classOfGroup(delivered.group).value_or(Guid{});
    std::memcpy(&event.EventHeader.ProviderId, &guid, sizeof(guid));
    event.EventHeader.EventDescriptor.Opcode = 33;
    event.EventHeader.EventDescriptor.Version = 2;
    event.EventHeader.ProcessId = delivered.pid;
    event.EventHeader.ThreadId = delivered.tid;
    event.UserContext = openedFile.Context;
    event.UserData = payload.data();
    event.UserDataLength = static_cast<USHORT>(payload.size());
    openedFile.EventRecordCallback(&event);
    CHECK(ring.headTicks().has_value());
    const auto record = ring.head();
    CHECK(record.payloadBytes == payload.size());
    CHECK(std::equal(payload.begin(), payload.end(), record.payload));
    CHECK(record.opcode == 33 && record.version == 2 && record.group == delivered.group);
    ring.pop();
    return record;
}

/// So that a file contains them in the form in which Windows writes them, which other readers support.
void recordsGetTheHeadersOfWindowsFiles() {
    const auto api = apiThatDeliversNothing();
    LiveRing ring(std::size_t{1} << 20);
    const auto consumer = EtwConsumer::open(api, L"a session", ring);
    CHECK(consumer.hasValue());
    const auto heap = taken(ring, {group::kHeap, 7, 8});
    CHECK(heap.header == etl::HeaderType::System64 && heap.pid == 7 && heap.tid == 8);
    const auto heap32 = taken(ring, {group::kHeap, 7, 8, true});
    CHECK(heap32.header == etl::HeaderType::System32 && heap32.pointerBytes == 4);
    CHECK(taken(ring, {group::kProcess, 7, etl::kNoId}).header == etl::HeaderType::System64);
    CHECK(taken(ring, {group::kMemory, etl::kNoId, etl::kNoId}).header == etl::HeaderType::PerfInfo64);
    CHECK(taken(ring, {group::kStackWalk, 7, 8}).header == etl::HeaderType::PerfInfo64);
    CHECK(taken(ring, {group::kStackWalk, 7, 8, true}).header == etl::HeaderType::PerfInfo32);
}

// ---- a system without event tracing ----

void startReportsErrorsAndLeavesNothing() {
    CaptureOptions options;
    auto started = startCapture(ownProgram({"exit", "0"}), options);
    CHECK(!started.hasValue());
    if (started.hasValue()) return;
    CHECK(started.error().kind == ErrorKind::Unsupported);
    CHECK(contains(started.error().message, "does not support event tracing"));
    CHECK(!startCapture(::GetCurrentProcessId(), options).hasValue());
    CHECK(!keyExists(kOwnKey));
    const auto own = ownPath().substr(ownPath().find_last_of(L"\\/") + 1);
    CHECK(waitFor([&own] { // a process that was killed a moment ago may still be listed
        const auto processes = systemProcesses();
        return std::count_if(processes.begin(), processes.end(),
                             [&own](const auto& process) { return wideOf(process.name) == own; }) == 1;
    }));
    CHECK(cleanUpCaptureLeftovers().empty());
    std::printf("  %s\n", started.error().message.c_str());
}

void run(const char* name, const std::function<void()>& test) {
    const auto before = failures;
    test();
    std::printf("%s  %s\n", failures == before ? "ok  " : "FAIL", name);
    std::fflush(stdout);
}

int playPart(const std::string& part, char** words) {
    if (part == "exit") return std::atoi(words[2]);
    if (part == "environment") {
        const auto is = [](const char* name, const char* value) {
            const auto* text = std::getenv(name);
            return text != nullptr && std::string_view(text) == value;
        };
        return (is("HIGHWATER_MORE", "more") ? 1 : 0) + (is("HIGHWATER_OURS", "theirs") ? 10 : 0);
    }
    // Otherwise Wine would start its debugger. The previous handler is called as well.
    ::SetUnhandledExceptionFilter([](EXCEPTION_POINTERS*) -> LONG { return EXCEPTION_EXECUTE_HANDLER; });
    const auto flag = HeapTracingFlag::set(kProgram);
    if (part == "hold-flag") std::this_thread::sleep_for(std::chrono::milliseconds(kPatienceMs));
    if (part == "crash-with-flag") ::RaiseException(EXCEPTION_ACCESS_VIOLATION, 0, 0, nullptr);
    if (part == "exit-with-flag") std::exit(3);
    if (part == "terminate-with-flag") std::terminate();
    return 1;
}

} // namespace

int main(int count, char** words) {
    const std::string part = count > 1 ? words[1] : "";
    if (!part.empty() && part != "--image") return playPart(part, words);
    ::SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    run("the flag comes and goes", flagComesAndGoes);
    run("what was there before stays", existingSettingsStay);
    for (const auto* how : {"hold-flag", "crash-with-flag", "exit-with-flag", "terminate-with-flag"})
        run(how, [how] { flagOfAKilledProgramIsRestored(how); });
    run("properties have their layout", propertiesHaveTheirLayout);
    run("records get the headers of Windows' files", recordsGetTheHeadersOfWindowsFiles);
    run("arguments arrive as they are", argumentsArriveAsTheyAre);
    run("a program runs only when it is resumed", aProgramRunsOnlyWhenItIsResumed);
    run("a program that is given up never runs", aProgramThatIsGivenUpNeverRuns);
    run("the environment is ours with more", theEnvironmentIsOursWithMore);
    run("what cannot be started is named", failedStartsAreNamed);
    run("the system tells what runs", theSystemListsRunningProcesses);
    if (part == "--image" && count > 3) {
        run("the PDB of an image is found", [&] { thePdbOfAnImageIsFound(words[2], words[3]); });
    } else {
        std::printf("skip  the PDB of an image is found (no clang and lld)\n");
    }
    run("start says what is missing and leaves nothing", startReportsErrorsAndLeavesNothing);
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
