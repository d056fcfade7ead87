#include "tests/etw_simulator/sessions_windows.h"

#include <algorithm>
#include <functional>
#include <string>
#include <system_error>

namespace highwater::etw_simulator {
namespace {

constexpr std::string_view kPidMark = "{pid}";

Session otherSession(const std::wstring& name, bool isHeap, bool isSystem, std::uint32_t number) {
    Session session;
    session.guid = isHeap ? kHeapGuid : GUID{0x07E50000u + number, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10}};
    name.copy(session.name.data(), kNameCharacters - 1);
    session.mode = EVENT_TRACE_REAL_TIME_MODE | (isSystem ? EVENT_TRACE_SYSTEM_LOGGER_MODE : 0u);
    session.bufferKilobytes = 64;
    return session;
}

std::wstring wide(const std::string& text) {
    return std::filesystem::path(std::u8string(text.begin(), text.end())).wstring();
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(static_cast<int>(::GetLastError()), std::system_category(), what);
}

} // namespace

Session* Machine::byId(std::uint64_t id) {
    const auto found = std::ranges::find(sessions, id, &Session::id);
    return id == 0 || found == sessions.end() ? nullptr : &*found;
}

Session* Machine::byName(const wchar_t* name) {
    const auto found = std::ranges::find_if(sessions, [name](const Session& session) {
        return session.exists() && ::CompareStringOrdinal(session.name.data(), -1, name, -1, TRUE) == CSTR_EQUAL;
    });
    return found == sessions.end() ? nullptr : &*found;
}

Session* Machine::byGuid(const GUID& guid) {
    const auto found = std::ranges::find_if(
        sessions, [&guid](const Session& session) { return session.exists() && IsEqualGUID(session.guid, guid); });
    return found == sessions.end() ? nullptr : &*found;
}

ULONG Machine::whyNotAdd(const Session& session, std::size_t mostSessions) {
    if (byName(session.name.data()) != nullptr || byGuid(session.guid) != nullptr) return ERROR_ALREADY_EXISTS;
    const auto all = std::ranges::count_if(sessions, &Session::exists);
    const auto system =
        std::ranges::count_if(sessions, [](const Session& other) { return other.exists() && other.isSystemLogger(); });
    const bool isFull = static_cast<std::size_t>(all) >= std::min(mostSessions, kMostSessions) ||
                        (session.isSystemLogger() && static_cast<std::size_t>(system) >= kMostSystemLoggers);
    return isFull ? ERROR_NO_SYSTEM_RESOURCES : ERROR_SUCCESS;
}

std::uint64_t Machine::add(Session session, Begin begin) {
    const auto isPlaying = [](const Session& other) { return other.exists() && other.owner != 0; };
    // Only now, because the consumer of a stopped session needs the start of its play.
    if (session.owner != 0 && std::ranges::none_of(sessions, isPlaying)) playedSince = heapTarget = 0;
    if (session.owner != 0 && session.isHeap()) heapTarget = session.pids[0];
    session.id = ++lastId;
    session.startTicks = ticksNow();
    session.startFileTime = fileTimeNow();
    const auto beginner = session.isHeap() ? Begin::Heap : Begin::Kernel;
    if (session.owner != 0 && begin == beginner) playedSince = session.startTicks;
    *std::ranges::find(sessions, std::uint64_t{0}, &Session::id) = session;
    return session.id;
}

LockedMachine::LockedMachine(HANDLE mutex, Machine& machine) : mutex_(mutex), machine_(machine) {
    ::WaitForSingleObject(mutex, INFINITE); // abandoned by a killed process: still ours
}

LockedMachine::~LockedMachine() { ::ReleaseMutex(mutex_); }

MachineStore::MachineStore(const Scenario& scenario) {
    if (scenario.state.empty()) {
        own_ = std::make_unique<Machine>();
        machine_ = own_.get();
        mutex_ = ::CreateMutexW(nullptr, FALSE, nullptr);
    } else {
        mapFile(scenario.state);
    }
    if (mutex_ == nullptr) fail("mutex");
    addOthers(scenario);
}

MachineStore::~MachineStore() {
    if (!own_) ::UnmapViewOfFile(machine_);
    ::CloseHandle(mutex_);
}

void MachineStore::mapFile(const std::filesystem::path& path) {
    const HANDLE file = ::CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                      nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
    if (file == INVALID_HANDLE_VALUE) fail("state file");
    const HANDLE mapping = ::CreateFileMappingW(file, nullptr, PAGE_READWRITE, 0, sizeof(Machine), nullptr);
    ::CloseHandle(file);
    if (mapping == nullptr) fail("state file");
    machine_ = static_cast<Machine*>(::MapViewOfFile(mapping, FILE_MAP_ALL_ACCESS, 0, 0, sizeof(Machine)));
    ::CloseHandle(mapping);
    if (machine_ == nullptr) fail("state file");
    const auto name = L"highwater-etw-simulator-" + std::to_wstring(std::hash<std::wstring>{}(path.wstring()));
    mutex_ = ::CreateMutexW(nullptr, FALSE, name.c_str());
}

void MachineStore::addOthers(const Scenario& scenario) {
    const auto machine = lock();
    if (machine->isSet) return;
    machine->isSet = true;
    std::uint32_t number = 0;
    const auto add = [&](const std::wstring& name, bool isHeap, bool isSystem) {
        const auto session = otherSession(name, isHeap, isSystem, ++number);
        if (machine->whyNotAdd(session, scenario.mostSessions) == ERROR_SUCCESS) machine->add(session, scenario.begin);
    };
    for (unsigned i = 0; i < scenario.fill; ++i)
        add(L"Other " + std::to_wstring(i), false, false);
    for (unsigned i = 0; i < scenario.fillSystem; ++i)
        add(L"Other system logger " + std::to_wstring(i), false, true);
    for (const auto& session : scenario.sessions) {
        auto name = session.name;
        if (const auto at = name.find(kPidMark); at != std::string::npos) {
            name.replace(at, kPidMark.size(), std::to_string(::GetCurrentProcessId()));
        }
        add(wide(name), session.isHeap, session.isSystem);
    }
}

std::int64_t fileTimeNow() {
    FILETIME time{};
    ::GetSystemTimePreciseAsFileTime(&time);
    return static_cast<std::int64_t>(time.dwHighDateTime) << 32 | time.dwLowDateTime;
}

} // namespace highwater::etw_simulator
