#include "tests/built_programs/built_programs.h"

#include "core/symbols/answers/symbol_file.h"
#include "core/symbols/store/symbol_file_opener.h"

#include <QDebug>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>

#include <numeric>
#include <optional>

namespace highwater::tests {

QString llvmTool(const QString& name) {
    const auto path = QStringLiteral(HIGHWATER_LLVM_TOOLS "/") + name;
    return QFileInfo(path).isExecutable() ? path : QString();
}

QString runTool(const QString& program, const QStringList& arguments, const QString& input) {
    QProcess process;
    process.start(program, arguments);
    process.write(input.toUtf8());
    process.closeWriteChannel();
    const bool ended = process.waitForFinished(120'000);
    if (ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return QString::fromUtf8(process.readAllStandardOutput());
    qWarning().noquote() << program << arguments << "failed:" << process.readAllStandardError().left(500);
    return {};
}

const BuiltPrograms& BuiltPrograms::instance() {
    static const BuiltPrograms programs;
    return programs;
}

BuiltPrograms::BuiltPrograms() : folder_(qEnvironmentVariable("HIGHWATER_BUILT_PROGRAMS")) {
    if (!folder_.isEmpty()) return;
    folder_ = ownFolder_.path();
    build();
}

bool BuiltPrograms::run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(folder_);
    process.start(program, arguments);
    const bool succeeded = process.waitForFinished(60'000) && process.exitCode() == 0;
    if (!succeeded) problem_ = program + ": " + QString::fromUtf8(process.readAllStandardError()).left(500);
    return succeeded;
}

void BuiltPrograms::build() {
    const auto compiler = llvmTool("clang");
    const auto windowsLinker = llvmTool("lld-link");
    const auto linuxLinker = llvmTool("ld.lld");
    const auto objcopy = llvmTool("llvm-objcopy");
    if (compiler.isEmpty() || windowsLinker.isEmpty() || linuxLinker.isEmpty() || objcopy.isEmpty()) {
        problem_ = "clang-19, lld-19 or llvm-19 is not installed (installer/packages-test.txt)";
        return;
    }
    const QString programs = QStringLiteral(HIGHWATER_SYMBOL_PROGRAMS);
    const QString source = programs + "/exercise2.cpp";
    const QStringList common{
        "-O1", "-g", "-ffunction-sections", "-fno-exceptions", "-fno-stack-protector", "-Wno-main", "-c", source, "-o"};
    run(compiler, QStringList{"--target=x86_64-pc-windows-msvc", "-gcodeview"} + common + QStringList{"windows.obj"}) &&
        run(windowsLinker, {"/nodefaultlib", "/entry:entry", "/subsystem:console", "/debug", "/opt:ref", "/opt:icf",
                            "/pdb:exercise2.pdb", "/out:exercise2.exe", "windows.obj"}) &&
        run(compiler, QStringList{"--target=x86_64-linux-gnu", "-fPIE"} + common + QStringList{"linux.o"}) &&
        run(linuxLinker, {"-pie", "--build-id", "--icf=all", "--entry=entry", "-o", "exercise2.elf", "linux.o"}) &&
        run(objcopy, {"--only-keep-debug", "exercise2.elf", "stripped.debug"}) &&
        run(objcopy, {"--strip-all", "exercise2.elf", "stripped.elf"});
    buildTestApp("MemoryTestApp", {"-O1"});
    buildTestApp("Inlined", {"-O2", "-DINLINE_LOOP"});
}

void BuiltPrograms::buildTestApp(const QString& name, const QStringList& options) {
    if (!problem_.isEmpty()) return;
    const QStringList common{"--target=x86_64-pc-windows-msvc",
                             "-g",
                             "-gcodeview",
                             "-fno-exceptions",
                             "-fno-stack-protector",
                             "-Wno-main",
                             "-c",
                             QStringLiteral(HIGHWATER_SYMBOL_PROGRAMS) + "/memory_test_app.cpp",
                             "-o",
                             name + ".obj"};
    run(llvmTool("clang"), common + options) &&
        run(llvmTool("lld-link"),
            {"/nodefaultlib", "/entry:entry", "/subsystem:console", "/debug", "/opt:ref", "/opt:noicf",
             "/map:" + name + ".map", "/pdb:" + name + ".pdb", "/out:" + name + ".exe", name + ".obj"});
}

namespace {

/// Start of code that was inlined from the function, at or after `from`.
std::optional<symbols::Rva> inlinedCode(symbols::SymbolFile& file, symbols::Rva from, std::string_view function) {
    constexpr std::size_t kFurthest = 8192;
    std::vector<symbols::Rva> addresses(kFurthest);
    std::iota(addresses.begin(), addresses.end(), from);
    const auto answers = file.resolve(addresses, {});
    for (std::size_t i = 0; i < answers.addressCount(); ++i) {
        const auto first = answers.firstFrame[i];
        if (answers.firstFrame[i + 1] - first < 2) continue;
        if (answers.functions[answers.frames[first].function].linkageName.find(function) != std::string::npos)
            return addresses[i];
    }
    return std::nullopt;
}

} // namespace

fixtures::BuiltModule BuiltPrograms::module(const QString& name) const {
    fixtures::BuiltModule module;
    const auto pdb = symbols::openSymbolFile(path(name + ".pdb").toStdString());
    if (!pdb.hasValue()) qFatal("%s", pdb.error().message.c_str());
    module.identity.pdbGuid = pdb.value()->identity().pdbGuid;
    module.identity.pdbAge = pdb.value()->identity().pdbAge;
    module.identity.pdbName = name.toStdString() + ".pdb";
    // " 0001:00000010       ?Operation1@@YAXXZ         0000000140001010     app.obj"
    const QRegularExpression line(R"(^ *\d{4}:[0-9a-f]{8} +(\S+) +([0-9a-f]{16}) )",
                                  QRegularExpression::MultilineOption);
    const std::vector<std::pair<QString, std::string>> wanted{
        {"??2@", "operator new"},
        {"??3@", "operator delete"},
        {"main", "main"},
        {"?Operation1@", "Operation1"},
        {"?Operation2@", "Operation2"},
        {"?InnerLoopOperation@", "InnerLoopOperation"},
        {"?ManipulateTemporaryBuffer@", "ManipulateTemporaryBuffer"},
        {"?__scrt_common_main_seh@", "__scrt_common_main_seh"}};
    constexpr Address kImageBase = 0x140000000;
    QFile map(path(name + ".map"));
    if (!map.open(QIODevice::ReadOnly)) qFatal("no map");
    for (auto found = line.globalMatch(QString::fromUtf8(map.readAll())); found.hasNext();) {
        const auto match = found.next();
        for (const auto& [linkName, function] : wanted) {
            if (match.captured(1).startsWith(linkName))
                module.functions[function] = match.captured(2).toULongLong(nullptr, 16) - kImageBase;
        }
    }
    if (const auto inlined = inlinedCode(*pdb.value(), module.functions["main"], "InnerLoopOperation"))
        module.functions["InnerLoopOperation"] = *inlined;
    if (module.functions.size() != wanted.size()) qFatal("%zu functions in the map", module.functions.size());
    return module;
}

} // namespace highwater::tests
