#include "tests/core/symbols/symbol_programs.h"

#include "core/symbols/function_name.h"

#include <QDebug>
#include <QFile>
#include <QFileInfo>
#include <QProcess>

namespace highwater::tests {

using namespace symbols;

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

BuiltPrograms::BuiltPrograms() { build(); }

bool BuiltPrograms::run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(folder_.path());
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
    const QString source = QStringLiteral(HIGHWATER_SYMBOL_PROGRAMS "/exercise2.cpp");
    const QStringList common{
        "-O1", "-g", "-ffunction-sections", "-fno-exceptions", "-fno-stack-protector", "-Wno-main", "-c", source, "-o"};
    run(compiler, QStringList{"--target=x86_64-pc-windows-msvc", "-gcodeview"} + common + QStringList{"windows.obj"}) &&
        run(windowsLinker, {"/nodefaultlib", "/entry:entry", "/subsystem:console", "/debug", "/opt:ref", "/opt:icf",
                            "/pdb:exercise2.pdb", "/out:exercise2.exe", "windows.obj"}) &&
        run(compiler, QStringList{"--target=x86_64-linux-gnu", "-fPIE"} + common + QStringList{"linux.o"}) &&
        run(linuxLinker, {"-pie", "--build-id", "--icf=all", "--entry=entry", "-o", "exercise2.elf", "linux.o"}) &&
        run(objcopy, {"--only-keep-debug", "exercise2.elf", "stripped.debug"}) &&
        run(objcopy, {"--strip-all", "exercise2.elf", "stripped.elf"});
}

std::vector<TextFrames> askSymbolizer(const QString& image, const std::vector<Rva>& addresses) {
    QString input;
    for (const auto address : addresses)
        input += QString("0x%1\n").arg(address, 0, 16);
    const auto output =
        runTool(llvmTool("llvm-symbolizer"), {"--obj=" + image, "--relative-address", "--inlines"}, input);
    std::vector<TextFrames> answers;
    TextFrames frames;
    const auto lines = output.split('\n');
    // Frames of two lines, the first of which may be empty; an empty line after the last frame of an address.
    for (qsizetype i = 0; i + 1 < lines.size(); ++i) {
        if (lines[i].isEmpty() && !frames.empty()) {
            answers.push_back(std::move(frames));
            frames.clear();
            continue;
        }
        // function, then file:line:column
        const auto place = lines[i + 1].section(':', 0, -2);
        const auto file = place.section(':', 0, -2);
        frames.push_back({lines[i].toStdString(), file == "??" ? std::string() : file.toStdString(),
                          place.section(':', -1).toUInt()});
        ++i;
    }
    for (auto& answer : answers) {
        if (answer.back().function.empty() || answer.back().function == "??") answer.clear();
    }
    return answers;
}

std::vector<TextFrames> askReader(SymbolFile& file, const std::vector<Rva>& addresses) {
    const auto found = file.resolve(addresses);
    std::vector<TextFrames> answers(addresses.size());
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        for (auto k = found.firstFrame[i]; k < found.firstFrame[i + 1]; ++k) {
            const auto& frame = found.frames[k];
            answers[i].push_back({readableName(found.functions[frame.function].linkageName, NameStyle::Full),
                                  frame.file == kNoFile ? std::string() : found.files[frame.file], frame.line});
        }
    }
    return answers;
}

std::string toText(const TextFrames& frames) {
    std::string text;
    for (const auto& frame : frames)
        text += (text.empty() ? "" : " < ") + frame.function + "|" + frame.file + ":" + std::to_string(frame.line);
    return text;
}

std::vector<std::byte> bytesOfFile(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    const auto content = file.readAll();
    const auto* begin = reinterpret_cast<const std::byte*>(content.constData());
    return {begin, begin + content.size()};
}

} // namespace highwater::tests
