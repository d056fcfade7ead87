#pragma once

#include "core/base/units.h"
#include "core/event/process_events.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace highwater {

/// The files of a module of the CLR, as it knows them.
struct CodeFiles {
    std::string path;          ///< of the module: "C:\\app\\My.dll"
    std::string nativePath;    ///< of the image that NGEN made of it; empty: none
    ModuleIdentity pdb;        ///< of its source lines; only what names the PDB
    ModuleIdentity nativePdb;  ///< of the image that NGEN made
    bool isReadyToRun = false; ///< the image at `path` holds native code, too
};

/// One function whose code stands at an address. Its texts are numbers of CodeEvent::Kind::Text within its process:
/// many functions refer to one name.
struct NamedFunction {
    static constexpr std::uint32_t kNoText = 0; ///< the empty text, which no event tells

    std::uint32_t name = kNoText;
    std::uint32_t file = kNoText; ///< kNoText: not known, as line 0
    std::uint32_t line = 0;
};

/// What a runtime that generates code (the CLR, V8) says of it (docs/etl-format.md 6.7), or a file that brings the
/// names of its frames.
struct CodeEvent {
    enum class Kind : std::uint8_t {
        Range,      ///< code of one function: begins, ends, or was there
        EntryPoint, ///< code of a function of an image that was compiled beforehand begins there; nothing says how long
                    ///< it is
        IlMap,      ///< which IL the code of a method came from; it may come before it
        Module,     ///< what the module of ranges is called; they may come before it
        Runtime,    ///< the process has a runtime
        Complete,   ///< all code that was there when the recording ended has been told
        Text,       ///< `name` has the number `text`; it comes before what refers to it
        Names,      ///< what stands at one address of an image: no debug file is asked about that image
    };
    static constexpr std::uint64_t kNoModule = 0; ///< code that the runtime made up itself

    TraceTime time;
    Kind kind = Kind::Range;
    Occasion occasion = Occasion::Start; ///< of ranges
    std::uint32_t pid = 0;
    Address start = 0;
    std::uint32_t size = 0;     ///< bytes; not 0 but of entry points
    std::uint64_t module = 0;   ///< an id within the process
    std::uint64_t method = 0;   ///< the same; of the CLR only, as what follows
    std::uint64_t version = 0;  ///< of the method's IL (ReJIT)
    std::uint32_t token = 0;    ///< of the method in its module
    std::uint32_t text = 0;     ///< of Text: from 1 on
    std::uint8_t part = 0;      ///< of its code: 0 the hot one, 1 the cold one
    bool isPrecompiled = false; ///< lies in an image: nothing that was generated while the program ran
    std::string name;           ///< "Namespace.Type.Method"; of a module its file name. Empty: it is not said
    std::string signature;      ///< "(class System.String,bool)"
    std::string ilMap;          ///< packed (core/event/il_map.h)
    std::shared_ptr<const CodeFiles> files; ///< of a module of the CLR; null: not said
    std::vector<NamedFunction> functions;   ///< of Names: what was inlined first, last the function that holds the code
};

} // namespace highwater
