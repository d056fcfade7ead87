#include "core/decode/records/code_record.h"

#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "core/event/code_opcodes.h"
#include "core/event/il_map.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::decode {
namespace {

using Kind = CodeEvent::Kind;

constexpr std::uint32_t kDynamicMethod = 1; ///< flag of a method, as those below
constexpr std::uint32_t kJittedMethod = 8;
constexpr std::uint32_t kJitHelper = 16;
constexpr std::uint32_t kDynamicModule = 4; ///< flag of a module, as the one below
constexpr std::uint32_t kReadyToRun = 0x20;
constexpr std::string_view kDynamicName = "[dynamic]";
constexpr std::size_t kIlMapRest = 21; ///< bytes before the entries (8 bytes each) and of the u16 after them
constexpr unsigned kPartShift = 28;    ///< in a method's flags
constexpr std::size_t kMostNameBytes = 4096;

constexpr CodeRecord kTruncated{std::nullopt, true};

/// UTF-16 with its NUL. A text without one was cut, and is not used as a name.
std::optional<std::string> takeName(ByteReader& reader, const etl::RawRecord& record) {
    const auto rest = record.payloadSpan().subspan(reader.offset());
    for (std::size_t at = 0; at + 1 < rest.size(); at += 2) {
        if (rest[at] != std::byte{} || rest[at + 1] != std::byte{}) continue;
        auto text = reader.takeUtf16();
        text.resize(startOfText(text, kMostNameBytes).size());
        return text;
    }
    return std::nullopt;
}

CodeEvent eventOf(Kind kind, Occasion occasion, const etl::RawRecord& record) {
    CodeEvent event;
    event.kind = kind;
    event.occasion = occasion;
    event.pid = record.pid;
    return event;
}

/// Names of generic and other long types are truncated; the arguments identify the overload.
std::string_view argumentsOf(std::string_view signature) {
    const auto at = signature.find('(');
    return at == std::string_view::npos ? std::string_view() : signature.substr(at);
}

/// Namespace and type, name, signature. False if one of them was cut.
bool takeNames(ByteReader& reader, const etl::RawRecord& record, CodeEvent& event) {
    const auto type = takeName(reader, record);
    const auto name = type ? takeName(reader, record) : std::nullopt;
    const auto signature = name ? takeName(reader, record) : std::nullopt;
    if (!signature) return false;
    event.name = type->empty() || name->empty() ? *type + *name : *type + '.' + *name;
    event.signature = argumentsOf(*signature);
    return true;
}

// u64 method, u64 module, u64 start, u32 size, u32 token, u32 flags; verbose: namespace, name, signature
CodeRecord decodeMethod(const etl::RawRecord& record, Occasion occasion, bool isVerbose) {
    ByteReader reader(record.payloadSpan());
    const auto method = reader.take<std::uint64_t>();
    const auto module = reader.take<std::uint64_t>();
    const auto start = reader.take<std::uint64_t>();
    const auto size = reader.take<std::uint32_t>();
    const auto token = reader.take<std::uint32_t>();
    const auto flags = reader.take<std::uint32_t>();
    if (!method || !module || !start || !size || !token || !flags) return kTruncated;
    if (*size == 0 || record.pid == etl::kNoId) return {};
    auto event = eventOf(Kind::Range, occasion, record);
    event.start = *start;
    event.size = *size;
    event.module = (*flags & kDynamicMethod) != 0 ? CodeEvent::kNoModule : *module;
    event.method = *method;
    event.token = *token;
    event.part = static_cast<std::uint8_t>(*flags >> kPartShift);
    event.isPrecompiled = (*flags & (kDynamicMethod | kJittedMethod | kJitHelper)) == 0;
    if (isVerbose && !takeNames(reader, record, event)) return kTruncated;
    event.version = reader.skip(2) ? reader.take<std::uint64_t>().value_or(0) : 0; // since version 1, and since 2
    return {event, false};
}

// u64 method, namespace and type, name, signature, u64 entry point
CodeRecord decodeEntryPoint(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    auto event = eventOf(Kind::EntryPoint, Occasion::Start, record);
    const auto method = reader.take<std::uint64_t>();
    const auto start = method && takeNames(reader, record, event) ? reader.take<std::uint64_t>() : std::nullopt;
    if (!start) return kTruncated;
    if (*start == 0 || record.pid == etl::kNoId || event.name.empty()) return {};
    event.method = *method;
    event.start = *start;
    event.isPrecompiled = true;
    return {event, false};
}

CodeRecord countMethod(CodeRecord method, CodeCounts& counts) {
    counts.methods += method.event && !method.event->name.empty() ? 1 : 0;
    return method;
}

// GUID, u32 age, path where it was built
std::optional<ModuleIdentity> takePdb(ByteReader& reader, const etl::RawRecord& record) {
    ModuleIdentity pdb;
    const auto guid = reader.take<Guid>();
    const auto age = guid ? reader.take<std::uint32_t>() : std::nullopt;
    auto path = age ? takeName(reader, record) : std::nullopt;
    if (!path) return std::nullopt;
    if (*guid == Guid{} || path->empty()) return pdb;
    pdb.pdbGuid = *guid;
    pdb.pdbAge = *age;
    pdb.pdbName = std::move(*path);
    return pdb;
}

/// Fields after the path of the IL: the path of the native image, a u16 since version 1, both PDBs since version 2. Not
/// all versions have all of them.
std::shared_ptr<CodeFiles> takeFiles(ByteReader& reader, const etl::RawRecord& record, std::string path) {
    auto files = std::make_shared<CodeFiles>();
    files->path = std::move(path);
    auto nativePath = takeName(reader, record);
    if (!nativePath) return files;
    files->nativePath = std::move(*nativePath);
    const auto pdb = reader.skip(2) ? takePdb(reader, record) : std::nullopt;
    if (pdb) files->pdb = *pdb;
    const auto nativePdb = pdb ? takePdb(reader, record) : std::nullopt;
    if (nativePdb) files->nativePdb = *nativePdb;
    return files;
}

// u64 module, u64 assembly, [u64 app domain,] u32 flags, u32, path of the IL
CodeRecord decodeModule(const etl::RawRecord& record, bool hasDomain) {
    ByteReader reader(record.payloadSpan());
    const auto module = reader.take<std::uint64_t>();
    const auto flags = reader.skip(hasDomain ? 16 : 8) ? reader.take<std::uint32_t>() : std::nullopt;
    const auto path = flags && reader.skip(4) ? takeName(reader, record) : std::nullopt;
    if (!module || !path) return kTruncated;
    if (record.pid == etl::kNoId) return {};
    auto event = eventOf(Kind::Module, Occasion::Start, record);
    event.module = *module;
    const bool isDynamic = (*flags & kDynamicModule) != 0;
    event.name = isDynamic ? kDynamicName : fileName(*path);
    if (isDynamic || path->empty()) return {event, false};
    auto files = takeFiles(reader, record, *path);
    files->isReadyToRun = (*flags & kReadyToRun) != 0;
    event.files = std::move(files);
    return {event, false};
}

// u64 method, u64 version, u8 part, u16 n, n x i32 offset in the IL, n x u32 in the code, u16
CodeRecord decodeIlMap(const etl::RawRecord& record, Occasion occasion, CodeCounts& counts) {
    ByteReader reader(record.payloadSpan());
    const auto method = reader.take<std::uint64_t>();
    const auto version = reader.take<std::uint64_t>();
    const auto part = reader.take<std::uint8_t>();
    const auto count = reader.take<std::uint16_t>();
    if (!count || record.payloadBytes < kIlMapRest || *count > (record.payloadBytes - kIlMapRest) / 8)
        return kTruncated;
    ++counts.ilMaps;
    counts.ilMapEntries += *count;
    if (*method == 0 || record.pid == etl::kNoId) return {};
    const auto ilOffsets = *reader.takeBytes(std::size_t{*count} * 4);
    const auto nativeOffsets = *reader.takeBytes(std::size_t{*count} * 4);
    thread_local std::vector<IlMapEntry> entries; // as large as the largest map
    entries.clear();
    for (std::size_t i = 0; i < *count; ++i)
        entries.push_back({loadUnchecked<std::uint32_t>(nativeOffsets.data() + i * 4),
                           loadUnchecked<std::int32_t>(ilOffsets.data() + i * 4)});
    auto event = eventOf(Kind::IlMap, occasion, record);
    event.method = *method;
    event.version = *version;
    event.part = *part;
    event.ilMap = packIlMap(entries);
    if (event.ilMap.empty()) return {};
    return {event, false};
}

CodeRecord decodeClr(const etl::RawRecord& record, CodeCounts& counts) {
    using namespace clr_event;
    switch (record.eventId) {
    case kMethodLoad:
        return countMethod(decodeMethod(record, Occasion::Start, false), counts);
    case kMethodUnload:
        return countMethod(decodeMethod(record, Occasion::End, false), counts);
    case kMethodLoadVerbose:
        return countMethod(decodeMethod(record, Occasion::Start, true), counts);
    case kMethodUnloadVerbose:
        return countMethod(decodeMethod(record, Occasion::End, true), counts);
    case kOldStartVerbose:
        return countMethod(decodeMethod(record, Occasion::RundownStart, true), counts);
    case kOldEndVerbose:
        return countMethod(decodeMethod(record, Occasion::RundownEnd, true), counts);
    case kEntryPoint:
        return decodeEntryPoint(record);
    case kModuleLoad:
    case kModuleUnload:
        return decodeModule(record, false);
    case kDomainModuleLoad:
        return decodeModule(record, true);
    case kIlMap:
        return decodeIlMap(record, Occasion::Start, counts);
    case kRuntime:
        return {eventOf(Kind::Runtime, Occasion::Start, record), false};
    default:
        return {};
    }
}

CodeRecord decodeClrRundown(const etl::RawRecord& record, CodeCounts& counts) {
    using namespace clr_rundown_event;
    switch (record.eventId) {
    case kMethodStart:
        return countMethod(decodeMethod(record, Occasion::RundownStart, false), counts);
    case kMethodEnd:
        return countMethod(decodeMethod(record, Occasion::RundownEnd, false), counts);
    case kMethodStartVerbose:
        return countMethod(decodeMethod(record, Occasion::RundownStart, true), counts);
    case kMethodEndVerbose:
        return countMethod(decodeMethod(record, Occasion::RundownEnd, true), counts);
    case kModuleStart:
    case kModuleEnd:
        return decodeModule(record, false);
    case kDomainModuleStart:
    case kDomainModuleEnd:
        return decodeModule(record, true);
    case kIlMapStart:
    case kIlMapEnd:
        return decodeIlMap(record, Occasion::RundownEnd, counts);
    case kRuntime:
        return {eventOf(Kind::Runtime, Occasion::RundownEnd, record), false};
    case kComplete:
        return {eventOf(Kind::Complete, Occasion::RundownEnd, record), false};
    default:
        return {};
    }
}

// P context, P start, u64 size, u32 method, u16 flags, u16 range, u64 source, u32 line, u32 column, name
CodeRecord decodeScriptMethod(const etl::RawRecord& record, Occasion occasion) {
    ByteReader reader(record.payloadSpan());
    const bool hasContext = reader.skip(record.pointerBytes);
    const auto start = reader.takePointer(record.pointerBytes);
    const auto size = reader.take<std::uint64_t>();
    const bool hasNumbers = reader.skip(8);
    const auto source = reader.take<std::uint64_t>();
    const auto line = reader.take<std::uint32_t>();
    const bool hasColumn = reader.skip(4);
    const auto name = takeName(reader, record);
    if (!hasContext || !start || !size || !hasNumbers || !source || !line || !hasColumn || !name) return kTruncated;
    if (*size == 0 || record.pid == etl::kNoId) return {};
    if (*size > std::numeric_limits<std::uint32_t>::max()) return kTruncated; // no function is this large
    auto event = eventOf(Kind::Range, occasion, record);
    event.start = *start;
    event.size = static_cast<std::uint32_t>(*size);
    event.module = *source;
    event.name = *name;
    if (*line > 0 && !event.name.empty()) event.name += ':' + std::to_string(*line);
    return {event, false};
}

// u64 source, P context, u32 flags, URL
CodeRecord decodeScriptSource(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto source = reader.take<std::uint64_t>();
    const bool hasFlags = reader.skip(record.pointerBytes + std::size_t{4});
    const auto url = takeName(reader, record);
    if (!source || !hasFlags || !url) return kTruncated;
    if (record.pid == etl::kNoId) return {};
    auto event = eventOf(Kind::Module, Occasion::Start, record);
    event.module = *source;
    event.name = fileName(*url);
    return {event, false};
}

CodeRecord decodeScript(const etl::RawRecord& record, CodeCounts& counts) {
    using namespace script_event;
    switch (record.eventId) {
    case kMethodLoad:
        return countMethod(decodeScriptMethod(record, Occasion::Start), counts);
    case kMethodUnload:
        return countMethod(decodeScriptMethod(record, Occasion::End), counts);
    case kMethodStart:
        return countMethod(decodeScriptMethod(record, Occasion::RundownStart), counts);
    case kMethodEnd:
        return countMethod(decodeScriptMethod(record, Occasion::RundownEnd), counts);
    case kSourceLoad:
    case kSourceStart:
    case kSourceEnd:
        return decodeScriptSource(record);
    default:
        return {};
    }
}

/// 8-bit text with its NUL.
std::optional<std::string> takeOwnName(ByteReader& reader, const etl::RawRecord& record) {
    const auto rest = record.payloadSpan().subspan(reader.offset());
    if (rest.empty() || std::memchr(rest.data(), 0, rest.size()) == nullptr) return std::nullopt;
    return std::string(startOfText(reader.takeNarrow(), kMostNameBytes));
}

} // namespace

CodeRecord decodeOwnCode(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto pid = reader.take<std::uint32_t>();
    const auto kind = reader.take<std::uint32_t>();
    const auto start = reader.take<std::uint64_t>();
    const auto module = reader.take<std::uint64_t>();
    const auto size = reader.take<std::uint32_t>();
    if (!pid || !kind || !start || !module || !size) return kTruncated;
    CodeEvent event;
    event.pid = *pid;
    event.start = *start;
    event.module = *module;
    event.size = *size;
    event.kind = *kind == code_record::kModule ? Kind::Module : Kind::Range;
    event.occasion = *kind == code_record::kBegins ? Occasion::Start : Occasion::RundownEnd;
    auto name = takeOwnName(reader, record);
    auto signature = name ? takeOwnName(reader, record) : std::nullopt;
    if (!signature) return kTruncated;
    event.name = std::move(*name);
    event.signature = std::move(*signature);
    const bool isKnown = *kind >= code_record::kBegins && *kind <= code_record::kModule;
    if (!isKnown || (event.kind == Kind::Range && event.size == 0)) return {};
    return {event, false};
}

CodeRecord decodeText(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto pid = reader.take<std::uint32_t>();
    const auto number = pid ? reader.take<std::uint32_t>() : std::nullopt;
    auto text = number ? takeOwnName(reader, record) : std::nullopt;
    if (!text || *number == NamedFunction::kNoText) return kTruncated;
    CodeEvent event;
    event.kind = Kind::Text;
    event.pid = *pid;
    event.text = *number;
    event.name = std::move(*text);
    return {event, false};
}

CodeRecord decodeNames(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto pid = reader.take<std::uint32_t>();
    const auto count = reader.take<std::uint32_t>();
    const auto address = reader.take<std::uint64_t>();
    if (!pid || !count || !address || *count == 0 || *count > kMostNamedFunctions) return kTruncated;
    CodeEvent event;
    event.kind = Kind::Names;
    event.pid = *pid;
    event.start = *address;
    for (std::uint32_t i = 0; i < *count; ++i) {
        const auto line = reader.take<std::uint32_t>();
        const auto name = reader.take<std::uint32_t>();
        const auto file = reader.take<std::uint32_t>();
        if (!line || !name || !file) return kTruncated;
        event.functions.push_back({*name, *file, *line});
    }
    return {event, false};
}

bool isCodeProvider(const Guid& provider) {
    return provider == kClrProvider || provider == kClrRundownProvider || provider == kScriptProvider;
}

CodeRecord decodeCode(const etl::RawRecord& record, const Guid& provider, CodeCounts& counts) {
    if (provider == kClrProvider) return decodeClr(record, counts);
    if (provider == kClrRundownProvider) return decodeClrRundown(record, counts);
    return decodeScript(record, counts);
}

} // namespace highwater::decode
