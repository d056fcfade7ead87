#pragma once

// clang-format off
/// The tools of highwater-cli and the window. app/tools/FOLDER/command contains the sub-command of a tool,
/// app/tools/FOLDER/page its page. COMMAND(FOLDER, NAME) is the sub-command created by cli::NAMECommand, in the order
/// of --help; PAGE(FOLDER, NAME) is the page created by app::NAMEPage, in the order of the View menu. CMake builds the
/// folders listed here.
#define HIGHWATER_TOOLS(COMMAND, PAGE) \
    COMMAND(leaks, leaks)              \
    PAGE(leaks, leaks)                 \
    COMMAND(generations, generations)  \
    PAGE(generations, generations)     \
    COMMAND(explain, explain)          \
    COMMAND(difference, diff)          \
    PAGE(difference, compare)          \
    COMMAND(flames, flames)            \
    COMMAND(histogram, histogram)      \
    PAGE(histogram, histogram)         \
    COMMAND(callers, callers)          \
    PAGE(callers, callers)             \
    COMMAND(heaps, heaps)              \
    PAGE(heaps, heaps)                 \
    COMMAND(balance, balance)          \
    PAGE(balance, balance)             \
    COMMAND(holders, holders)          \
    PAGE(holders, heldBy)              \
    COMMAND(addresses, addresses)      \
    PAGE(addresses, addressMap)        \
    COMMAND(formats, crop)             \
    COMMAND(formats, pprof)            \
    COMMAND(formats, sqlite)           \
    COMMAND(formats, report)           \
    COMMAND(fleet, fleet)              \
    COMMAND(check, check)
// clang-format on

namespace CLI {
class App;
}

#define HIGHWATER_NOT_DECLARED(folder, name)

namespace highwater::cli {

struct Command;

/// Adds the sub-command to the program: its options, and the function that runs it.
#define HIGHWATER_DECLARED(folder, name) [[nodiscard]] Command name##Command(CLI::App& app);
HIGHWATER_TOOLS(HIGHWATER_DECLARED, HIGHWATER_NOT_DECLARED)
#undef HIGHWATER_DECLARED

} // namespace highwater::cli

namespace highwater::app {

class Page;
struct PageContext;

/// Creates the page. The window of the context owns it. GUI thread only.
#define HIGHWATER_DECLARED(folder, name) [[nodiscard]] Page* name##Page(const PageContext& context);
HIGHWATER_TOOLS(HIGHWATER_NOT_DECLARED, HIGHWATER_DECLARED)
#undef HIGHWATER_DECLARED

} // namespace highwater::app

#undef HIGHWATER_NOT_DECLARED
