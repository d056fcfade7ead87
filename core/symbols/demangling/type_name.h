#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace highwater::symbols {

/// The readable name of the class that a table of virtual functions belongs to, from the linker's name of the table
/// (Itanium C++: "_ZTV7Session"). Of template arguments only the first one of each list is written:
/// "std::_Sp_counted_ptr_inplace<Session, ...>". Nothing: the symbol is no such table. Any thread.
[[nodiscard]] std::optional<std::string> typeOfVirtualTable(std::string_view linkageName);

} // namespace highwater::symbols
