#include "core/analysis/balance/balance.h"
#include "core/pipeline/recording.h"
#include "core/source/contract/capture.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

constexpr double kMostUnknown = 0.02;
constexpr std::size_t kSamples = 8;
constexpr qint64 kPatienceMs = 60'000;

using TracePtr = std::shared_ptr<const store::PublishedTrace>;

/// The first of these programs that is installed, or nothing.
std::string find(std::initializer_list<const char*> names) {
    for (const auto* name : names)
        if (const auto path = QStandardPaths::findExecutable(name, {"/usr/bin", "/usr/lib/qt6/bin"}); !path.isEmpty())
            return path.toStdString();
    return {};
}

/// Those of at least this size: programs whose memory is still very small are starting.
std::vector<SharedResidentSample> samplesAbove(const TracePtr& trace, ByteCount least) {
    std::vector<SharedResidentSample> samples;
    if (trace && trace->residentSamples)
        std::ranges::copy_if(*trace->residentSamples, std::back_inserter(samples),
                             [least](const auto& sample) { return sample->resident() >= least; });
    return samples;
}

std::string describe(const analysis::Balance& balance) {
    auto text = fmt::format("{} at {:.3f} s: {} bytes, of which unknown:", balance.name,
                            static_cast<double>(balance.point.time.ns) / 1e9, balance.point.resident);
    for (const auto& part : balance.parts)
        if (part.layer == analysis::MemoryLayer::Unknown && part.resident > 0)
            text += fmt::format(" {} in {} {};", part.resident, part.mappings, part.name);
    return text;
}

} // namespace

/// Every byte of real programs is accounted for. Programs that are not installed are skipped. On kernels that do not
/// name private memory, that of the agent is also unknown.
class RealProgramsTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_{folderInMemory()};
    [[nodiscard]] std::string path(const char* name) const { return folder_.filePath(name).toStdString(); }

    /// Records it until it has ended or has had enough samples above this size.
    [[nodiscard]] TracePtr record(const source::CaptureLaunch& launch, ByteCount least) const {
        const auto spool = path("spool.etl");
        Recording recording([&launch](TraceHealth&) { return source::startCapture(launch, {}); }, {.spool = spool});
        QElapsedTimer passed;
        passed.start();
        while (!recording.trace().isDone() && passed.elapsed() < kPatienceMs) {
            recording.mark("sample");
            QTest::qWait(100);
            if (samplesAbove(recording.trace().latest(), least).size() >= kSamples) break;
        }
        recording.stop();
        recording.wait();
        if (!recording.trace().facts().programEnd) // it would outlive the recording
            ::kill(static_cast<pid_t>(recording.targets().at(0)), SIGKILL);
        return recording.trace().latest();
    }

    /// Each sample adds up, and those of at least this size are explained. Returns the problem.
    static std::string wrongIn(const TracePtr& trace, ByteCount least) {
        if (samplesAbove(trace, least).size() < kSamples) return "it has too few samples of that size";
        double largest = 0;
        for (const auto& sample : *trace->residentSamples) {
            const auto balances = analysis::balanceAt(*trace, {analysis::upTo(sample->time)});
            if (!balances.hasValue()) return balances.error().message;
            const auto& point = balances.value().at(0).point;
            if (point.layers.sum() != sample->resident()) return "the layers do not add up to Rss";
            if (sample->resident() < least) continue;
            largest = std::max(largest, 1 - analysis::explainedShare(point));
            if (largest > kMostUnknown) return describe(balances.value().at(0));
        }
        qInfo("at most %.2f %% are unknown", largest * 100);
        return {};
    }

    void check(const std::string& program, const std::vector<std::string>& arguments, ByteCount megabytes) const {
        source::CaptureLaunch launch;
        launch.program = program;
        launch.arguments = arguments;
        launch.folder = folder_.path().toStdString();
        const auto least = megabytes << 20;
        const auto wrong = wrongIn(record(launch, least), least);
        QVERIFY2(wrong.empty(), wrong.c_str());
    }
    [[nodiscard]] std::string write(const char* name, const QByteArray& text) const {
        return writeFile(folder_, name, {reinterpret_cast<const std::byte*>(text.data()), std::size_t(text.size())})
            .string();
    }

  private slots:
    void sqlite3() {
        const auto program = find({"sqlite3"});
        if (program.empty()) QSKIP("sqlite3 is not installed.");
        check(program,
              {":memory:",
               "create table t(a, b); with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000) "
               "insert into t select x, hex(x * 7919) || x from c; create index i on t(b);",
               ".shell sleep 60"},
              10);
    }
    void redis() {
        const auto program = find({"redis-server"}), load = find({"redis-benchmark"});
        if (program.empty() || load.empty()) QSKIP("redis-server or redis-benchmark (redis-tools) is not installed.");
        const auto socket = path("redis");
        QProcess client;
        QTimer::singleShot(1500, &client, [&] {
            client.start(QString::fromStdString(load), {"-s", QString::fromStdString(socket), "-t", "set,lpush,hset",
                                                        "-n", "30000", "-r", "30000", "-d", "600", "-c", "10", "-l"});
        });
        check(program, {"--port", "0", "--unixsocket", socket, "--save", ""}, 15);
        client.kill();
        client.waitForFinished();
    }
    void python3() {
        if (!QFile::exists("/usr/bin/python3")) QSKIP("python3 is not installed.");
        check("/usr/bin/python3",
              {"-c",
               "import json, time\nrows = [json.dumps({'id': i, 'text': 'x' * (i % 700)}) for i in range(60000)]\n"
               "time.sleep(60)"},
              30);
    }
    void node() {
        const auto program = find({"node"});
        if (program.empty()) QSKIP("node (nodejs) is not installed.");
        check(program,
              {"-e", "const kept = []; setInterval(() => { for (let i = 0; i < 3000; ++i) "
                     "kept.push({id: i, text: 'x'.repeat(i % 100) + i}, Buffer.alloc(i)); }, 50)"},
              60);
    }
    void java() {
        const auto program = find({"java"}), compiler = find({"javac"});
        if (program.empty() || compiler.empty()) QSKIP("java (default-jdk-headless) is not installed.");
        const auto source = write("Keep.java", R"(
import java.util.ArrayList;
import java.util.HashMap;
public class Keep {
    public static void main(String[] arguments) throws Exception {
        var kept = new ArrayList<Object>();
        for (int round = 0; round < 3000; ++round) {
            for (int i = 0; i < 2000; ++i) {
                var map = new HashMap<String, byte[]>();
                map.put("key" + i, new byte[i % 64]);
                if (i % 10 == 0 && kept.size() < 300000) kept.add(map);
            }
            Thread.sleep(20);
        }
    }
})");
        QCOMPARE(
            QProcess::execute(QString::fromStdString(compiler), {"-d", folder_.path(), QString::fromStdString(source)}),
            0);
        check(program, {"-cp", folder_.path().toStdString(), "Keep"}, 60);
    }
    void clang() {
        const auto program = find({"clang++", "clang++-19", "clang++-14"});
        if (program.empty()) QSKIP("clang is not installed.");
        QByteArray text = "#include <algorithm>\n#include <map>\n#include <regex>\n#include <string>\n";
        for (int i = 0; i < 60; ++i)
            text += "template <int> struct T" + QByteArray::number(i) + " {}; std::map<std::string, T" +
                    QByteArray::number(i) + "<1>*> map" + QByteArray::number(i) + "; bool has" + QByteArray::number(i) +
                    "(const std::string& text) { map" + QByteArray::number(i) +
                    ".clear(); return std::regex_search(text, std::regex(text)); }\n";
        check(program, {"-O2", "-std=c++17", "-c", "-o", path("out.o"), write("in.cpp", text)}, 60);
    }
    void aQtProgram() {
        const auto program = find({"qdbusxml2cpp"});
        if (program.empty()) QSKIP("qdbusxml2cpp (qt6-base-dev-tools) is not installed.");
        QByteArray text = "<node>";
        for (int i = 0; i < 3000; ++i) {
            text += "<interface name=\"org.a" + QByteArray::number(i) + "\">";
            for (int j = 0; j < 30; ++j)
                text += "<method name=\"call" + QByteArray::number(j) +
                        "\"><arg name=\"a\" type=\"s\" direction=\"in\"/></method>";
            text += "</interface>";
        }
        check(program, {"-p", path("out"), write("interface.xml", text + "</node>")}, 20);
    }
    /// They free 98 % of their memory, and wait for input that does not come.
    void sixtyFourThreads() {
        check("/bin/sh", {"-c", "mkfifo gate; exec \"$0\" 64 4 0 0<>gate", HIGHWATER_AGENT_TARGETS "/freed_memory"},
              20);
    }
};

HIGHWATER_TEST(RealProgramsTest);
#include "real_programs_test_linux.moc"
