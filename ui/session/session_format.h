#pragma once

namespace highwater::ui::session_format {

/// Constants shared by session.cpp and session_reader.cpp.
inline constexpr const char* kFormat = "highwater-session";
inline constexpr int kVersion = 1;
inline constexpr const char* kParts[] = {"graph and table", "graph", "table"}; ///< by GraphParts

} // namespace highwater::ui::session_format
