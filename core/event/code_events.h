#pragma once

#include "core/base/units.h"
#include "core/event/process_events.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace highwater {

/// The files of a CLR module, as reported by the CLR.
struct CodeFiles {
    std::string path;          ///< Path of the module: "C:\\app\\My.dll"
    std::string nativePath;    ///< Path of its NGEN image; empty: none
    ModuleIdentity pdb;        ///< PDB of its source lines; only the fields that identify the PDB
    ModuleIdentity nativePdb;  ///< PDB of its NGEN image
    bool isReadyToRun = false; ///< the image at `path` also holds native code
};

/// One function whose code is at an address. Its texts are numbers of CodeEvent::Kind::Text within its process, because
/// many functions share one name.
struct NamedFunction {
    static constexpr std::uint32_t kNoText = 0; ///< the empty text, which has no event

    std::uint32_t name = kNoText;
    std::uint32_t file = kNoText; ///< kNoText: not known, like line 0
    std::uint32_t line = 0;
};

/// An event about generated code, from a runtime that generates it (the CLR, V8; docs/etl-format.md 6.7) or from a file
/// that contains the names of its frames.
struct CodeEvent {
    enum class Kind : std::uint8_t {
        Range,      ///< code of one function: created, discarded, or already present
        EntryPoint, ///< start of a function in a precompiled image; its length is not known
        IlMap,      ///< maps the code of a method to its IL; may precede the code
        Module,     ///< names the module of ranges; may follow them
        Runtime,    ///< the process has a runtime
        Complete,   ///< all code that existed when the recording ended has been reported
        Text,       ///< `name` has the number `text`; precedes all events that refer to it
        Names,      ///< names the code at one address of an image; no debug file is consulted for that image
    };
    static constexpr std::uint64_t kNoModule = 0; ///< code that the runtime generated for itself

    TraceTime time;
    Kind kind = Kind::Range;
    Occasion occasion = Occasion::Start; ///< for ranges
    std::uint32_t pid = 0;
    Address start = 0;
    std::uint32_t size = 0;     ///< bytes; 0 only for entry points
    std::uint64_t module = 0;   ///< an id within the process
    std::uint64_t method = 0;   ///< an id within the process; CLR only, like the following fields
    std::uint64_t version = 0;  ///< IL version of the method (ReJIT)
    std::uint32_t token = 0;    ///< token of the method in its module
    std::uint32_t text = 0;     ///< for Text: starts at 1
    std::uint8_t part = 0;      ///< part of its code: 0 hot, 1 cold
    bool isPrecompiled = false; ///< is in an image, not generated at run time
    std::string name;           ///< "Namespace.Type.Method"; for a module its file name. Empty: not known
    std::string signature;      ///< "(class System.String,bool)"
    std::string ilMap;          ///< packed (core/event/il_map.h)
    std::shared_ptr<const CodeFiles> files; ///< for a CLR module; null: not known
    std::vector<NamedFunction> functions;   ///< for Names: from the innermost inlined to the outermost
};

} // namespace highwater
