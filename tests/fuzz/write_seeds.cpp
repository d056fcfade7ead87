// Seeds that only the program itself can write: small traces in every shape of the builder, a file of the name cache,
// and PDBs of managed modules. `write_seeds TRACE_FOLDER CACHE_FOLDER SYMBOL_FOLDER`
#include "core/symbols/store/name_cache.h"
#include "tests/fixtures/exercise2.h"
#include "tests/fixtures/managed_pdbs.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

using namespace highwater;
using namespace highwater::fixtures;

namespace {

constexpr Address kHeap = 0x1D0000;
constexpr std::uint32_t kPid = 10, kTid = 11;

Moment at(double s) { return {seconds(s), kPid, kTid}; }

TraceBuilder smallTrace(TraceShape shape) {
    shape.bufferBytes = 4096;
    TraceBuilder trace(shape);
    trace.kernelModules({"ntoskrnl.exe"});
    trace.processRunsAlready({.pid = kPid, .name = "a.exe", .mainTid = kTid, .modules = {"ntdll.dll"}});
    trace.processStarts(seconds(0.5), {.pid = 20, .name = "b.exe", .mainTid = 21, .modules = {"ntdll.dll"}});
    trace.volumeMapping("\\Device\\HarddiskVolume3\\", "C:\\");
    trace.virtualRundownStart(seconds(0), kPid, {0x100000, kMiB}, 64 * kKiB);
    trace.virtualAlloc(at(1), {0x900000, kMiB}, virtual_flag::kReserve, "a.exe!main");
    trace.virtualAlloc(at(1.1), {0x900000, 64 * kKiB}, virtual_flag::kCommit, "a.exe!main;ntoskrnl.exe!NtAllocate");
    trace.virtualFree(at(1.4), {0x904000, 16 * kKiB}, virtual_flag::kDecommit, "a.exe!main");
    trace.virtualFree(at(1.5), {0x900000, 0}, virtual_flag::kRelease);
    trace.heapCreate(at(1), kHeap, "a.exe!main");
    for (unsigned i = 0; i < 12; ++i)
        trace.heapAlloc(at(1.2 + i * 0.01), kHeap, {kHeap + 64 * i, 40 + i}, "a.exe!main;ntdll.dll!RtlAllocateHeap");
    for (unsigned i = 0; i < 6; ++i)
        trace.heapFree(at(1.5 + i * 0.01), kHeap, kHeap + 64 * i, "a.exe!main");
    trace.heapReAlloc(at(1.6), kHeap, {kHeap + 64 * 7, 47}, {kHeap + 0x2000, 400}, "a.exe!grow");
    CodeEvent code;
    code.start = 0x20000;
    code.size = 0x100;
    code.module = 7;
    code.method = 9;
    code.token = 0x06000001;
    code.name = "App.Main";
    trace.code(at(1.1), code);
    code.kind = CodeEvent::Kind::IlMap;
    code.ilMap = "0:-2 8:0 16:5 4:2";
    trace.code(at(1.11), code);
    code.kind = CodeEvent::Kind::EntryPoint;
    trace.code(at(1.12), code);
    code.kind = CodeEvent::Kind::Module;
    code.name = "App.dll";
    trace.code(at(1.13), code);
    trace.heapAlloc(at(1.7), kHeap, {kHeap + 0x3000, 40}, "a.exe!main;0x20012;ntdll.dll!RtlAllocateHeap");
    trace.heapDestroy(at(1.8), kHeap);
    for (std::uint8_t version = 0; version <= 4; ++version) {
        ManagedAllocation allocation;
        allocation.version = version;
        allocation.isSample = version == 1;
        trace.managedAlloc(at(1.81 + version * 0.01), allocation, version > 2 ? "a.exe!main" : "");
    }
    for (const auto kind : {GcEvent::Kind::Sizes, GcEvent::Kind::SegmentCreated, GcEvent::Kind::SegmentFreed}) {
        GcEvent event;
        event.kind = kind;
        event.address = 0x900000;
        event.size = kMiB;
        event.generations = kGcGenerations;
        trace.gc(at(1.87), event);
    }
    trace.processMemory({{seconds(1.6), kPid, 8 * kMiB, 4 * kMiB}, {seconds(1.6), 20, kMiB, kMiB}});
    trace.threadStarts(at(1.88), {0xA00000, 64 * kKiB});
    trace.processEnds(seconds(1.9), 20);
    trace.virtualRundownEnd(seconds(2), kPid, {0x100000, kMiB}, 64 * kKiB);
    trace.endsAt(seconds(2));
    return trace;
}

/// Two addresses, three frames, two functions, one file.
bool writeNames(const std::filesystem::path& folder) {
    symbols::ResolvedAddresses names;
    names.firstFrame = {0, 2, 3};
    names.frames = {{0, 0, 7, 4, false}, {1, 0, 9, 8, true}, {0, symbols::kNoFile, 0, 1, false}};
    names.functions.resize(2);
    names.functions[0].linkageName = "main";
    names.functions[1].linkageName = "_Z4workv";
    names.files = {"a.cpp"};
    symbols::NameCache::Entry entry;
    entry.names = symbols::ModuleNames({0x1000, 0x2000}, std::move(names));
    entry.quality = symbols::NameCache::Quality::Private;
    symbols::SymbolIdentity identity;
    identity.buildId = "fuzz";
    return symbols::NameCache(folder).save(identity, entry).hasValue();
}

bool writeManagedPdbs(const std::filesystem::path& folder) {
    std::error_code failed; // writing reports it
    std::filesystem::create_directories(folder, failed);
    ManagedLines lines;
    lines.guid = Guid{1, 2, 3, {}};
    lines.documents = {"C:\\src\\a.cs", "/src/b.cs"};
    lines.methods = {{{0, 12}, {3, 0}, {9, 15}}, {}, {{0, 300, 2}, {200, 20, 1}, {201, 70000, 1}}};
    const auto write = [&](const char* name, const std::vector<std::byte>& bytes) {
        std::ofstream file(folder / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return file.good();
    };
    return write("portable.pdb", portablePdb(lines)) && write("managed.pdb", managedWindowsPdb(lines)) &&
           write("embedded.dll", moduleWithPdb(lines));
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "Usage: write_seeds TRACE_FOLDER CACHE_FOLDER SYMBOL_FOLDER\n");
        return 1;
    }
    for (const auto& shape : exercise2Shapes()) {
        const auto path = std::filesystem::path(argv[1]) / (std::string(shape.name) + ".etl");
        const auto written = smallTrace(shape.shape).writeTo(path);
        if (written.hasValue()) continue;
        std::fprintf(stderr, "write_seeds: %s\n", written.error().message.c_str());
        return 2;
    }
    return writeNames(argv[2]) && writeManagedPdbs(argv[3]) ? 0 : 2;
}
