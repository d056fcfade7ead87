#pragma once

#include <string_view>

namespace highwater::symbols {

/// Whether a name of Microsoft's C++ ("?...") may be given to a demangler that writes whatever it comes to. Its digits
/// refer back to names and parameters before them, and those may have digits again, so that 300 characters can come to
/// more than the memory has. This goes over the name as a demangler does, writes nothing, and adds up how long each
/// part would be. A name with something in it that this does not know is judged by its number of digits and of parts
/// that can hold any. Any thread.
[[nodiscard]] bool isModestMicrosoftName(std::string_view name);

} // namespace highwater::symbols
