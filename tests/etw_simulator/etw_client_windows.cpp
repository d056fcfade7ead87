#include "tests/etw_simulator/etw_client_windows.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>

namespace highwater::etw_client {
namespace {

constexpr std::size_t kNamesOffset = sizeof(EVENT_TRACE_PROPERTIES), kNameBytes = 1024, kExtensionOffset = 2048;
Etw table;

template <typename Function>
bool find(HMODULE library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(reinterpret_cast<void*>(::GetProcAddress(library, name)));
    if (function == nullptr) std::fprintf(stderr, "%s is missing\n", name);
    return function != nullptr;
}

} // namespace

bool load(const wchar_t* path) {
    const HMODULE library = ::LoadLibraryW(path);
    if (library == nullptr) {
        std::fprintf(stderr, "cannot load %ls: %lu\n", path, ::GetLastError());
        return false;
    }
    return find(library, "StartTraceW", table.startTrace) && find(library, "ControlTraceW", table.controlTrace) &&
           find(library, "FlushTraceW", table.flushTrace) && find(library, "QueryAllTracesW", table.queryAllTraces) &&
           find(library, "TraceSetInformation", table.traceSetInformation) &&
           find(library, "TraceQueryInformation", table.traceQueryInformation) &&
           find(library, "EnableTraceEx2", table.enableTraceEx2) && find(library, "OpenTraceW", table.openTrace) &&
           find(library, "ProcessTrace", table.processTrace) && find(library, "CloseTrace", table.closeTrace) &&
           find(library, "NtSetSystemInformation", table.ntSetSystemInformation);
}

const Etw& etw() { return table; }

bool waitUntil(const std::function<bool()>& condition) {
    const auto until = ticksNow() + ticksPerSecond() * kPatienceMs / 1000;
    while (!condition()) {
        if (ticksNow() > until) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

Properties::Properties() : bytes_(512) {
    auto& p = *get();
    p.Wnode.BufferSize = static_cast<ULONG>(bytes_.size() * sizeof(std::uint64_t));
    p.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    p.Wnode.ClientContext = 1;
    p.BufferSize = 64;
    p.MinimumBuffers = 4;
    p.MaximumBuffers = 64;
    p.FlushTimer = 1;
    p.LoggerNameOffset = kNamesOffset;
}

std::wstring Properties::name() const {
    return reinterpret_cast<const wchar_t*>(reinterpret_cast<const std::byte*>(bytes_.data()) + kNamesOffset);
}

void Properties::setExtension(const std::vector<std::uint32_t>& words) {
    std::memcpy(reinterpret_cast<std::byte*>(bytes_.data()) + kExtensionOffset, words.data(), words.size() * 4);
    get()->EnableFlags = 0x80FF0000u | kExtensionOffset;
}

Properties kernelProperties() {
    Properties properties;
    properties->Wnode.Guid = {0x48574B01, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
    properties->LogFileMode =
        EVENT_TRACE_SYSTEM_LOGGER_MODE | EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_INDEPENDENT_SESSION_MODE;
    return properties;
}

Properties heapProperties(const std::vector<std::uint32_t>& pids, const std::vector<std::uint32_t>& hooks) {
    Properties properties;
    properties->Wnode.Guid = kHeapClass;
    properties->LogFileMode = EVENT_TRACE_REAL_TIME_MODE | EVENT_TRACE_INDEPENDENT_SESSION_MODE;
    properties.setExtension(extensionWords(pids, hooks));
    return properties;
}

std::vector<std::uint32_t> extensionWords(const std::vector<std::uint32_t>& pids,
                                          const std::vector<std::uint32_t>& hooks) {
    std::vector<std::uint32_t> words{0};
    const auto add = [&words](std::uint32_t type, const std::vector<std::uint32_t>& data) {
        if (data.empty()) return;
        words.push_back(type << 16 | static_cast<std::uint32_t>(data.size() + 1));
        words.insert(words.end(), data.begin(), data.end());
        words[0] += 1u << 16;
    };
    add(2, pids);
    add(3, hooks);
    words[0] |= static_cast<std::uint32_t>(words.size());
    return words;
}

Session::Session(std::wstring name, Properties properties)
    : name_(std::move(name)), properties_(std::move(properties)) {
    error_ = etw().startTrace(&handle_, name_.c_str(), properties_.get());
}

Session::~Session() {
    if (error_ == ERROR_SUCCESS) stop();
}

ULONG Session::stop() {
    Properties properties;
    return etw().controlTrace(0, name_.c_str(), properties.get(), EVENT_TRACE_CONTROL_STOP);
}

ULONG Session::flush() {
    Properties properties;
    return etw().controlTrace(handle_, nullptr, properties.get(), EVENT_TRACE_CONTROL_FLUSH);
}

ULONG Session::update(Properties properties) {
    return etw().controlTrace(handle_, nullptr, properties.get(), EVENT_TRACE_CONTROL_UPDATE);
}

Properties Session::query() {
    Properties properties;
    etw().controlTrace(handle_, nullptr, properties.get(), EVENT_TRACE_CONTROL_QUERY);
    return properties;
}

ULONG Session::armStacks(const std::vector<CLASSIC_EVENT_ID>& events) {
    auto copy = events;
    return etw().traceSetInformation(handle_, TraceStackTracingInfo, copy.data(),
                                     static_cast<ULONG>(copy.size() * sizeof(CLASSIC_EVENT_ID)));
}

ULONG Session::setFlags(std::uint64_t flags) {
    return etw().traceSetInformation(handle_, TraceSystemTraceEnableFlagsInfo, &flags, sizeof(flags));
}

std::vector<std::wstring> sessionNames() {
    std::vector<Properties> all(64);
    std::vector<EVENT_TRACE_PROPERTIES*> places;
    for (auto& properties : all)
        places.push_back(properties.get());
    ULONG count = 0;
    std::vector<std::wstring> names;
    if (etw().queryAllTraces(places.data(), static_cast<ULONG>(places.size()), &count) != ERROR_SUCCESS) return names;
    for (ULONG i = 0; i < count; ++i)
        names.push_back(all[i].name());
    return names;
}

bool Event::is(const GUID& otherClass, int otherOpcode) const {
    return IsEqualGUID(eventClass, otherClass) && opcode == otherOpcode;
}

std::uint32_t Event::u32At(std::size_t offset) const {
    std::uint32_t value = 0;
    if (offset + sizeof(value) <= payload.size()) std::memcpy(&value, payload.data() + offset, sizeof(value));
    return value;
}

std::int64_t Event::i64At(std::size_t offset) const {
    std::int64_t value = 0;
    if (offset + sizeof(value) <= payload.size()) std::memcpy(&value, payload.data() + offset, sizeof(value));
    return value;
}

Reader::Reader(const std::wstring& session, bool raw) : name_(session) {
    logFile_.LoggerName = name_.data();
    logFile_.ProcessTraceMode = PROCESS_TRACE_MODE_REAL_TIME | PROCESS_TRACE_MODE_EVENT_RECORD;
    if (raw) logFile_.ProcessTraceMode |= PROCESS_TRACE_MODE_RAW_TIMESTAMP;
    logFile_.EventRecordCallback = &Reader::take;
    logFile_.BufferCallback = &Reader::endBuffer;
    logFile_.Context = this;
    handle_ = etw().openTrace(&logFile_);
    isOpen_ = handle_ != static_cast<TRACEHANDLE>(-1);
    error_ = isOpen_ ? ERROR_SUCCESS : ::GetLastError();
}

Reader::~Reader() {
    if (isOpen_) close();
    if (thread_.joinable()) thread_.join();
}

Reader& Reader::run() {
    thread_ = std::thread([this] { result_ = etw().processTrace(&handle_, 1, startTime, nullptr); });
    return *this;
}

ULONG Reader::wait() {
    if (thread_.joinable()) thread_.join();
    return result_;
}

ULONG Reader::close() {
    isOpen_ = false;
    return etw().closeTrace(handle_);
}

bool Reader::waitFor(const GUID& eventClass, int opcode, std::size_t wanted) {
    return waitUntil([&] { return count(eventClass, opcode) >= wanted; });
}

std::size_t Reader::count(const GUID& eventClass, int opcode) {
    const std::lock_guard lock(mutex_);
    return static_cast<std::size_t>(
        std::ranges::count_if(events_, [&](const Event& event) { return event.is(eventClass, opcode); }));
}

std::vector<Event> Reader::events() {
    const std::lock_guard lock(mutex_);
    return events_;
}

std::vector<Event> Reader::events(const GUID& eventClass, int opcode) {
    auto all = events();
    std::erase_if(all, [&](const Event& event) { return !event.is(eventClass, opcode); });
    return all;
}

void WINAPI Reader::take(PEVENT_RECORD record) {
    auto& reader = *static_cast<Reader*>(record->UserContext);
    if (reader.onEvent) reader.onEvent(*record);
    const auto* payload = static_cast<const std::byte*>(record->UserData);
    Event event{.eventClass = record->EventHeader.ProviderId,
                .opcode = record->EventHeader.EventDescriptor.Opcode,
                .pid = record->EventHeader.ProcessId,
                .tid = record->EventHeader.ThreadId,
                .ticks = record->EventHeader.TimeStamp.QuadPart,
                .arrivedTicks = ticksNow(),
                .payload = {payload, payload + record->UserDataLength},
                .memory = record->UserData};
    const std::lock_guard lock(reader.mutex_);
    reader.events_.push_back(std::move(event));
}

ULONG WINAPI Reader::endBuffer(PEVENT_TRACE_LOGFILEW logFile) {
    auto& reader = *static_cast<Reader*>(logFile->Context);
    reader.lossOfCallback_ = logFile->EventsLost;
    return !reader.onBuffer || reader.onBuffer(*logFile) ? TRUE : FALSE;
}

} // namespace highwater::etw_client
