#include "core/source/etw/windows_handle_windows.h"

#include <array>
#include <cwctype>

namespace highwater::source {
namespace {

std::wstring programOf(HANDLE process) {
    std::array<wchar_t, 32768> path{};
    auto length = static_cast<DWORD>(path.size());
    if (!::QueryFullProcessImageNameW(process, 0, path.data(), &length)) return {};
    std::wstring name(path.data(), length);
    name.erase(0, name.find_last_of(L"\\/") + 1);
    for (auto& letter : name)
        letter = static_cast<wchar_t>(std::towlower(letter));
    return name;
}

} // namespace

std::string utf8Of(std::wstring_view text) {
    const auto length = static_cast<int>(text.size());
    const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr);
    std::string result(static_cast<std::size_t>(bytes), '\0');
    ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, result.data(), bytes, nullptr, nullptr);
    return result;
}

std::wstring wideOf(std::string_view text) {
    const auto bytes = static_cast<int>(text.size());
    const int length = ::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, nullptr, 0);
    std::wstring result(static_cast<std::size_t>(length), L'\0');
    ::MultiByteToWideChar(CP_UTF8, 0, text.data(), bytes, result.data(), length);
    return result;
}

bool isHighwaterRunning(std::uint32_t pid) {
    const WindowsHandle process(::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, pid));
    if (!process.isOpen()) return ::GetLastError() == ERROR_ACCESS_DENIED;
    if (::WaitForSingleObject(process.get(), 0) == WAIT_OBJECT_0) return false;
    const auto program = programOf(process.get());
    return program.starts_with(L"highwater") || program == programOf(::GetCurrentProcess());
}

} // namespace highwater::source
