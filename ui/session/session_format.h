#pragma once

namespace highwater::ui::session_format {

/// What session.cpp writes and session_reader.cpp reads.
inline constexpr const char* kFormat = "highwater-session";
inline constexpr int kVersion = 1;
inline constexpr const char* kParts[] = {"graph and table", "graph", "table"}; ///< by GraphParts

} // namespace highwater::ui::session_format
