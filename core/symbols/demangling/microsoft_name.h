#pragma once

#include <string_view>

namespace highwater::symbols {

/// Whether a Microsoft C++ name ("?...") is safe for a demangler without limits. Digits refer back to earlier names and
/// parameters, which may contain digits themselves, so that 300 characters can expand beyond the available memory. This
/// function reads the name like a demangler, writes nothing, and adds up the length of each part. A name with an
/// unknown part is judged by its number of digits and of parts that can contain digits. Any thread.
[[nodiscard]] bool isBoundedMicrosoftName(std::string_view name);

} // namespace highwater::symbols
