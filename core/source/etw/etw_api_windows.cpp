#include "core/source/etw/etw_api_windows.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace highwater::source {
namespace {

/// Fills the table from libraries, tried in this order.
class TableLoader {
  public:
    explicit TableLoader(const std::array<HMODULE, 3>& libraries) : libraries_(libraries) {}

    template <typename Function>
    void load(Function& function, const char* name) {
        for (const auto library : libraries_) {
            if (library == nullptr) continue;
            const auto found = ::GetProcAddress(library, name);
            if (found == nullptr) continue;
            function = reinterpret_cast<Function>(reinterpret_cast<void*>(found));
            return;
        }
        if (missing_ == nullptr) missing_ = name;
    }
    [[nodiscard]] const char* missing() const { return missing_; }

  private:
    std::array<HMODULE, 3> libraries_;
    const char* missing_ = nullptr;
};

Result<EtwApi> tableOf(TableLoader loader) {
    EtwApi api;
    loader.load(api.startTrace, "StartTraceW");
    loader.load(api.controlTrace, "ControlTraceW");
    loader.load(api.traceSetInformation, "TraceSetInformation");
    loader.load(api.enableTraceEx2, "EnableTraceEx2");
    loader.load(api.queryAllTraces, "QueryAllTracesW");
    loader.load(api.openTrace, "OpenTraceW");
    loader.load(api.processTrace, "ProcessTrace");
    loader.load(api.closeTrace, "CloseTrace");
    loader.load(api.ntSetSystemInformation, "NtSetSystemInformation");
    if (loader.missing() == nullptr) return api;
    return Error{ErrorKind::Unsupported, fmt::format("This version of Windows cannot record live because it lacks {}. "
                                                     "Recording needs Windows 10 or later. Traces can still be "
                                                     "opened.",
                                                     loader.missing())};
}

HMODULE systemLibrary(const wchar_t* name) { return ::LoadLibraryExW(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32); }

#ifdef HIGHWATER_TESTS
Result<EtwApi> simulatedTable(const wchar_t* path) {
    const HMODULE simulator = ::LoadLibraryW(path);
    if (simulator == nullptr) {
        return Error{ErrorKind::NotFound,
                     fmt::format("The simulator of event tracing cannot be loaded (error {}).", ::GetLastError())};
    }
    return tableOf(TableLoader({simulator, nullptr, nullptr}));
}
#endif

} // namespace

Result<EtwApi> loadEtwApi() {
#ifdef HIGHWATER_TESTS
    if (const auto* path = ::_wgetenv(L"HIGHWATER_ETW_SIMULATOR"); path != nullptr && *path != L'\0') {
        return simulatedTable(path);
    }
#endif
    // sechost has exported most of them since Windows 7; advapi32 exports the rest.
    return tableOf(
        TableLoader({systemLibrary(L"sechost.dll"), systemLibrary(L"advapi32.dll"), ::GetModuleHandleW(L"ntdll.dll")}));
}

} // namespace highwater::source
