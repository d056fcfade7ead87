#include "core/source/records/machine_id.h"

#include "core/base/text.h"

#include <array>
#include <windows.h>

namespace highwater::source {

std::string systemIdentity() {
    std::array<wchar_t, 128> value{};
    auto bytes = static_cast<DWORD>(value.size() * sizeof(wchar_t));
    constexpr DWORD kHow = RRF_RT_REG_SZ | RRF_SUBKEY_WOW6464KEY;
    if (::RegGetValueW(HKEY_LOCAL_MACHINE, L"SOFTWARE\\Microsoft\\Cryptography", L"MachineGuid", kHow, nullptr,
                       value.data(), &bytes) != ERROR_SUCCESS)
        return {};
    return utf8(std::filesystem::path(value.data()));
}

} // namespace highwater::source
