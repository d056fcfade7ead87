#pragma once

#include "core/base/units.h"
#include "core/event/process_events.h"

#include <cstdint>
#include <string>

namespace highwater {

/// What a runtime that generates code (the CLR, V8) says of it (docs/etl-format.md 6.7).
struct CodeEvent {
    enum class Kind : std::uint8_t {
        Range,    ///< code of one function: begins, ends, or was there
        Module,   ///< what the module of ranges is called; they may come before it
        Runtime,  ///< the process has a runtime
        Complete, ///< all code that was there when the recording ended has been told
    };
    static constexpr std::uint64_t kNoModule = 0; ///< code that the runtime made up itself

    TraceTime time;
    Kind kind = Kind::Range;
    Occasion occasion = Occasion::Start; ///< of ranges
    std::uint32_t pid = 0;
    Address start = 0;
    std::uint32_t size = 0;   ///< bytes; not 0
    std::uint64_t module = 0; ///< an id within the process
    std::string name;         ///< "Namespace.Type.Method"; of a module its file name. Empty: it is not said
    std::string signature;    ///< "(class System.String,bool)"
};

} // namespace highwater
