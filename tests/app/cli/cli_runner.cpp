#include "tests/app/cli/cli_runner.h"

#include "app/cli/command_line.h"

#include <QProcess>
#include <QTemporaryDir>

#include <map>
#include <sstream>

namespace highwater::tests {

Answer runCli(const std::vector<std::string>& arguments) {
    std::ostringstream answers, messages;
    const auto exitCode = cli::runCommandLine(arguments, {answers, messages});
    return {static_cast<int>(exitCode), answers.str(), messages.str()};
}

Answer runCliProgram(const std::vector<std::string>& arguments) { return runProgram(HIGHWATER_CLI, arguments); }

Answer runProgram(const std::string& program, const std::vector<std::string>& arguments) {
    QProcess process;
    QStringList list;
    for (const auto& argument : arguments) {
        list << QString::fromStdString(argument);
    }
    process.start(QString::fromStdString(program), list);
    if (!process.waitForFinished(120'000) || process.exitStatus() != QProcess::NormalExit) return {};
    return {process.exitCode(), process.readAllStandardOutput().toStdString(),
            process.readAllStandardError().toStdString()};
}

std::string temporaryPath(std::string_view name) {
    static const QTemporaryDir folder;
    return folder.filePath(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))).toStdString();
}

std::string exercise2File(std::string_view shapeName) {
    static std::map<std::string, std::string, std::less<>> written;
    if (const auto known = written.find(shapeName); known != written.end()) return known->second;
    const auto shape = fixtures::findExercise2Shape(shapeName);
    const auto path = temporaryPath(std::string(shapeName) + ".etl");
    if (!shape || !fixtures::exercise2Trace(*shape).writeTo(path).hasValue()) return {};
    return written.emplace(shapeName, path).first->second;
}

Json rowWithKey(const Json& rows, std::string_view key) {
    for (const auto& row : rows) {
        if (row["key"] == key) return row;
    }
    return nullptr;
}

Json rowAt(const Json& answer, std::initializer_list<std::string_view> path) {
    auto row = answer;
    for (const auto key : path) {
        if (row.is_object()) row = rowWithKey(row["rows"], key);
    }
    return row;
}

std::vector<std::string> chainBelow(const Json& row) {
    std::vector<std::string> keys;
    for (const auto* rows = &row["rows"]; rows->size() == 1; rows = &rows->front()["rows"]) {
        keys.push_back(rows->front()["key"]);
    }
    return keys;
}

std::uint64_t lossOf(const Json& answer, std::string_view what) {
    for (const auto& loss : answer["health"]) {
        if (loss["what"] == what) return loss["count"];
    }
    return 0;
}

} // namespace highwater::tests
