#include "core/source/generated_code/runtime_options_linux.h"

#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

using namespace highwater::source;

namespace {

namespace fs = std::filesystem;

std::string textWith(Runtime runtime, const std::map<std::string, std::string>& variables = {}) {
    return runtimeOptions(runtime,
                          [&](const std::string& name) {
                              const auto found = variables.find(name);
                              return found == variables.end() ? std::string() : found->second;
                          })
        .text();
}

} // namespace

/// The options with which runtimes are started so that they report the names of their functions.
class RuntimeOptionsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    fs::path file(const std::string& name, const std::string& content = {}) {
        const auto path = fs::path(folder_.path().toStdString()) / name;
        std::ofstream(path) << content;
        return path;
    }
    Runtime runtimeOf(const fs::path& path) {
        return runtimeOfProgram(path, [this](const std::string& name) {
            return fs::path(folder_.path().toStdString()) / name; // "PATH"
        });
    }

  private slots:
    void programsAndInterpretersAreKnown() {
        QVERIFY(runtimeOf(file("node")) == Runtime::V8);
        QVERIFY(runtimeOf(file("java")) == Runtime::HotSpot);
        QVERIFY(runtimeOf(file("mono-sgen")) == Runtime::Mono);
        QVERIFY(runtimeOf(file("dotnet")) == Runtime::DotNet);
        QVERIFY(runtimeOf(file("python3.11")) == Runtime::Unknown);
        QVERIFY(runtimeOf(file("python3.12")) == Runtime::Python);
        QVERIFY(runtimeOf(file("sh")) == Runtime::Unknown);
        fs::create_symlink(file("node"), fs::path(folder_.path().toStdString()) / "js");
        QVERIFY(runtimeOf(fs::path(folder_.path().toStdString()) / "js") == Runtime::V8);
        QVERIFY(runtimeOf(file("tool", "#!/usr/bin/env node\nconsole.log(1)\n")) == Runtime::V8);
        QVERIFY(runtimeOf(file("split", "#!/usr/bin/env -S A=1 node --flag\n")) == Runtime::V8);
        QVERIFY(runtimeOf(file("direct", "#!" + file("node").string() + "\n")) == Runtime::V8);
        QVERIFY(runtimeOf(file("shell", "#!/bin/sh\nnode\n")) == Runtime::Unknown);
        QVERIFY(runtimeOf(file("empty")) == Runtime::Unknown);
        QVERIFY(runtimeOf("/no/such/program") == Runtime::Unknown);
        QVERIFY(runtimeOf(file("Server")) == Runtime::Unknown);
        (void)file("Server.runtimeconfig.json");
        QVERIFY(runtimeOf(file("Server")) == Runtime::DotNet);
    }

    void whatIsThereAlreadyIsKept() {
        QCOMPARE(textWith(Runtime::V8),
                 std::string("NODE_OPTIONS=--perf-basic-prof --interpreted-frames-native-stack"));
        QCOMPARE(
            textWith(Runtime::V8, {{"NODE_OPTIONS", "--max-old-space-size=100"}}),
            std::string("NODE_OPTIONS=--max-old-space-size=100 --perf-basic-prof --interpreted-frames-native-stack"));
        QCOMPARE(textWith(Runtime::Mono, {{"MONO_DEBUG", "explicit-null-checks"}}),
                 std::string("MONO_ENV_OPTIONS=--jitmap -O=-aot MONO_DEBUG=explicit-null-checks,disable_omit_fp"));
        QVERIFY(textWith(Runtime::HotSpot).find("-XX:+PreserveFramePointer") != std::string::npos);
        QCOMPARE(textWith(Runtime::Unknown), std::string());
    }

    /// A user who requests the files wants to keep them, so they are not removed.
    void whoTellsAlreadyIsLeftAlone() {
        const auto alone = [](Runtime runtime, const std::string& name, const std::string& value) {
            return runtimeOptions(runtime, [&](const std::string& asked) {
                       return asked == name ? value : std::string();
                   }).runtime == Runtime::Unknown;
        };
        QVERIFY(alone(Runtime::V8, "NODE_OPTIONS", "--perf-basic-prof"));
        QVERIFY(alone(Runtime::V8, "NODE_OPTIONS", "--perf-basic-prof-only-functions"));
        QVERIFY(alone(Runtime::Mono, "MONO_ENV_OPTIONS", "--jitmap"));
        QVERIFY(alone(Runtime::DotNet, "DOTNET_PerfMapEnabled", "1"));
        QVERIFY(alone(Runtime::Python, "PYTHONPERFSUPPORT", "1"));
        QVERIFY(!alone(Runtime::V8, "MONO_ENV_OPTIONS", "--jitmap"));
    }
};
HIGHWATER_TEST(RuntimeOptionsTest);
#include "runtime_options_test_linux.moc"
