#include "tests/core/symbols/symbol_programs.h"

#include "core/symbols/demangling/function_name.h"
#include "core/symbols/store/symbol_file_opener.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace highwater::tests {

using namespace symbols;

namespace {

/// LLVM leaves calling conventions in the types of functions, and has a shorter name for one kind of destructor.
QString asWeSpell(QString function) {
    static const QRegularExpression convention("(?<=[ (])__(cdecl|stdcall|thiscall|fastcall|vectorcall)( |(?=\\())");
    return function.remove(convention).replace("deleting dtor'", "deleting destructor'");
}

} // namespace

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
        frames.push_back({asWeSpell(lines[i]).toStdString(), file == "??" ? std::string() : file.toStdString(),
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

void writeFile(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

std::unique_ptr<SymbolFile> openProgram(const QString& name) {
    auto file = openSymbolFile(BuiltPrograms::instance().path(name).toStdString());
    if (!file.hasValue()) qFatal("%s", file.error().message.c_str());
    return std::move(file).value();
}

std::vector<Rva> allAddresses() {
    std::vector<Rva> addresses;
    for (Rva address = 0; address < 0x3000; ++address)
        addresses.push_back(address);
    return addresses;
}

} // namespace highwater::tests
