#include "core/source/etw/heap_tracing_flag_windows.h"

#include "core/log/log.h"
#include "core/source/etw/crash_cleanup_windows.h"
#include "core/source/etw/etw_error.h"
#include "core/source/etw/windows_handle_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <optional>
#include <utility>

namespace highwater::source {
namespace {

constexpr wchar_t kImageOptions[] = L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Image File Execution Options";
constexpr wchar_t kTracingFlags[] = L"TracingFlags";
constexpr DWORD kHeapBit = 1;

constexpr wchar_t kOwnKey[] = L"SOFTWARE\\Highwater";
constexpr wchar_t kJournal[] = L"SOFTWARE\\Highwater\\HeapTracing";
constexpr wchar_t kOwner[] = L"Owner", kBefore[] = L"FlagsBefore", kKeyExisted[] = L"KeyExisted";

/// The key for programs of both sizes.
constexpr REGSAM kRead = KEY_READ | KEY_WOW64_64KEY, kWrite = KEY_READ | KEY_WRITE | KEY_WOW64_64KEY;

class Key {
  public:
    static Key open(const std::wstring& path, REGSAM access) {
        Key key;
        key.code_ = ::RegOpenKeyExW(HKEY_LOCAL_MACHINE, path.c_str(), 0, access, &key.key_);
        return key;
    }
    static Key create(const std::wstring& path) {
        Key key;
        DWORD happened = 0;
        key.code_ =
            ::RegCreateKeyExW(HKEY_LOCAL_MACHINE, path.c_str(), 0, nullptr, 0, kWrite, nullptr, &key.key_, &happened);
        return key;
    }
    ~Key() {
        if (key_ != nullptr) ::RegCloseKey(key_);
    }
    Key(Key&& other) noexcept : key_(std::exchange(other.key_, nullptr)), code_(other.code_) {}
    Key& operator=(Key&&) = delete;
    Key(const Key&) = delete;
    Key& operator=(const Key&) = delete;

    [[nodiscard]] bool isOpen() const { return code_ == ERROR_SUCCESS; }
    [[nodiscard]] LONG code() const { return code_; }

    [[nodiscard]] std::optional<DWORD> number(const wchar_t* name) const {
        DWORD value = 0, bytes = sizeof(value), type = 0;
        const auto code = ::RegQueryValueExW(key_, name, nullptr, &type, reinterpret_cast<BYTE*>(&value), &bytes);
        if (code != ERROR_SUCCESS || type != REG_DWORD || bytes != sizeof(value)) return std::nullopt;
        return value;
    }
    LONG setNumber(const wchar_t* name, DWORD value) {
        return ::RegSetValueExW(key_, name, 0, REG_DWORD, reinterpret_cast<const BYTE*>(&value), sizeof(value));
    }
    LONG removeValue(const wchar_t* name) { return ::RegDeleteValueW(key_, name); }
    /// Writes to disk now, because the next write depends on it.
    void flush() { ::RegFlushKey(key_); }

    [[nodiscard]] std::vector<std::wstring> subkeys() const {
        std::vector<std::wstring> names;
        for (DWORD i = 0;; ++i) {
            std::array<wchar_t, 256> name{};
            auto length = static_cast<DWORD>(name.size());
            if (::RegEnumKeyExW(key_, i, name.data(), &length, nullptr, nullptr, nullptr, nullptr) != ERROR_SUCCESS)
                break;
            names.emplace_back(name.data(), length);
        }
        return names;
    }
    [[nodiscard]] bool isEmpty() const {
        DWORD keys = 0, values = 0;
        const auto code = ::RegQueryInfoKeyW(key_, nullptr, nullptr, nullptr, &keys, nullptr, nullptr, &values, nullptr,
                                             nullptr, nullptr, nullptr);
        return code == ERROR_SUCCESS && keys == 0 && values == 0;
    }

  private:
    Key() = default;
    HKEY key_ = nullptr;
    LONG code_ = ERROR_SUCCESS;
};

/// Number of flags that this process has set. Pids are reused, so a journal with our pid may be from another process.
std::atomic<int> flagsHeld{0};

std::wstring below(const wchar_t* key, const std::wstring& name) { return std::wstring(key) + L"\\" + name; }

void removeIfEmpty(const std::wstring& path) {
    if (const auto key = Key::open(path, kRead); !key.isOpen() || !key.isEmpty()) return;
    ::RegDeleteKeyExW(HKEY_LOCAL_MACHINE, path.c_str(), KEY_WOW64_64KEY, 0);
}

void logFlag(const std::wstring& program, const char* what) {
    log(LogLevel::Information, LogArea::Recording,
        fmt::format("The heap tracing flag of {} {}.", utf8Of(program), what));
}

Error cannotChange(const std::string& program, LONG code) {
    return etwError(static_cast<std::uint32_t>(code), fmt::format("change the heap tracing flag of {}", program));
}

/// Stores the owner, the previous value, and whether the key existed.
LONG writeJournal(const std::wstring& program, std::optional<DWORD> before, bool keyExisted) {
    auto journal = Key::create(below(kJournal, program));
    if (!journal.isOpen()) return journal.code();
    LONG code = before ? journal.setNumber(kBefore, *before) : ERROR_SUCCESS;
    if (code == ERROR_SUCCESS) code = journal.setNumber(kKeyExisted, keyExisted ? 1 : 0);
    if (code == ERROR_SUCCESS) code = journal.setNumber(kOwner, ::GetCurrentProcessId());
    journal.flush();
    return code;
}

void removeJournal(const std::wstring& program) {
    ::RegDeleteKeyExW(HKEY_LOCAL_MACHINE, below(kJournal, program).c_str(), KEY_WOW64_64KEY, 0);
    removeIfEmpty(kJournal);
    removeIfEmpty(kOwnKey);
}

/// Restores only our bit, because other bits may have changed meanwhile.
LONG restoreBit(const std::wstring& program, std::optional<DWORD> before) {
    auto options = Key::open(below(kImageOptions, program), kWrite);
    if (options.code() == ERROR_FILE_NOT_FOUND) return ERROR_SUCCESS;
    if (!options.isOpen()) return options.code();
    const auto now = options.number(kTracingFlags);
    if (!now) return ERROR_SUCCESS;
    const auto restored = (*now & ~kHeapBit) | (before.value_or(0) & kHeapBit);
    const auto code =
        !before && restored == 0 ? options.removeValue(kTracingFlags) : options.setNumber(kTracingFlags, restored);
    options.flush();
    return code;
}

void restore(const std::wstring& program) {
    std::optional<DWORD> before;
    bool keyExisted = true;
    {
        const auto journal = Key::open(below(kJournal, program), kRead);
        if (!journal.isOpen()) return;
        before = journal.number(kBefore);
        keyExisted = journal.number(kKeyExisted).value_or(1) != 0;
    }
    if (restoreBit(program, before) != ERROR_SUCCESS) return; // retried at the next start
    if (!keyExisted) removeIfEmpty(below(kImageOptions, program));
    removeJournal(program);
}

std::optional<DWORD> setterOf(const std::wstring& program) {
    const auto journal = Key::open(below(kJournal, program), kRead);
    if (!journal.isOpen()) return std::nullopt;
    return journal.number(kOwner).value_or(0);
}

} // namespace

Result<std::unique_ptr<HeapTracingFlag>> HeapTracingFlag::set(const std::wstring& program) {
    std::optional<DWORD> before;
    bool keyExisted = false;
    {
        const auto options = Key::open(below(kImageOptions, program), kRead);
        keyExisted = options.isOpen();
        if (keyExisted) before = options.number(kTracingFlags);
    }
    if ((before.value_or(0) & kHeapBit) != 0) {
        logFlag(program, "was already set by another program");
        return std::unique_ptr<HeapTracingFlag>(new HeapTracingFlag(program, false));
    }
    if (const auto code = writeJournal(program, before, keyExisted); code != ERROR_SUCCESS) {
        removeJournal(program);
        return cannotChange(utf8Of(program), code);
    }
    std::unique_ptr<HeapTracingFlag> flag(new HeapTracingFlag(program, true));
    ++flagsHeld;
    crash_cleanup::setRestorer([] { (void)restoreHeapTracingFlags(FlagOwner::ThisProcess); });
    auto options = Key::create(below(kImageOptions, program));
    const auto code =
        options.isOpen() ? options.setNumber(kTracingFlags, before.value_or(0) | kHeapBit) : options.code();
    if (code != ERROR_SUCCESS) return cannotChange(utf8Of(program), code);
    logFlag(program, "was set");
    return flag;
}

HeapTracingFlag::~HeapTracingFlag() {
    if (!isOurs_) return;
    restore(program_);
    --flagsHeld;
    crash_cleanup::setRestorer(nullptr);
    // Not in restore(), which is also called after a crash.
    logFlag(program_,
            setterOf(program_) ? "could not be restored; Highwater tries again at the next start" : "was restored");
}

std::vector<std::wstring> restoreHeapTracingFlags(FlagOwner owner) {
    std::vector<std::wstring> restored;
    std::vector<std::wstring> programs;
    if (const auto journal = Key::open(kJournal, kRead); journal.isOpen()) programs = journal.subkeys();
    for (const auto& program : programs) {
        const auto pid = setterOf(program).value_or(0);
        const bool isOwn = pid == ::GetCurrentProcessId();
        const bool isHeld = isOwn ? flagsHeld > 0 : isHighwaterRunning(pid);
        if (owner == FlagOwner::ThisProcess ? !isOwn : isHeld) continue;
        restore(program);
        restored.push_back(program);
    }
    return restored;
}

// ---- for users ----

bool hasHeapTracingFlags() { return true; }

std::vector<FlaggedProgram> programsWithHeapTracing() {
    std::vector<FlaggedProgram> programs;
    const auto all = Key::open(kImageOptions, kRead);
    if (!all.isOpen()) return programs;
    for (const auto& name : all.subkeys()) {
        const auto options = Key::open(below(kImageOptions, name), kRead);
        if (!options.isOpen() || (options.number(kTracingFlags).value_or(0) & kHeapBit) == 0) continue;
        const auto owner = setterOf(name);
        programs.push_back({utf8Of(name), owner && isHighwaterRunning(*owner)});
    }
    return programs;
}

Result<void> clearHeapTracing(const std::string& program) {
    const auto name = wideOf(program);
    if (name.empty() || name.find(L'\\') != std::wstring::npos) {
        return Error{ErrorKind::Usage, fmt::format("{} is not the name of a program.", program)};
    }
    if (const auto owner = setterOf(name); owner && isHighwaterRunning(*owner)) {
        return Error{ErrorKind::Usage, fmt::format("{} is being recorded. Its flag is removed when the recording "
                                                   "ends.",
                                                   program)};
    }
    const bool wasOurs = setterOf(name).has_value();
    if (wasOurs) restore(name);
    const auto code = restoreBit(name, std::nullopt);
    if (code != ERROR_SUCCESS) return cannotChange(program, code);
    logFlag(name, "was cleared at the user's request");
    return {};
}

} // namespace highwater::source
