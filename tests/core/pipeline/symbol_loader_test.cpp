#include "core/pipeline/symbol_loader.h"

#include "core/analysis/frames/frame_labels.h"
#include "core/pipeline/trace_archives.h"
#include "core/pipeline/trace_loader.h"
#include "core/symbols/answers/symbol_identity.h"
#include "tests/built_programs/built_programs.h"
#include "tests/core/source/etl_files/zip_writer.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTcpServer>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace highwater;
using namespace highwater::pipeline;
using namespace highwater::tests;
using State = ModuleLoad::State;

namespace {

std::shared_ptr<const store::PublishedTrace> load(const fixtures::TraceBuilder& trace) {
    const QTemporaryDir folder;
    const auto path = folder.filePath("t1.etl").toStdString();
    if (!trace.writeTo(path).hasValue()) qFatal("cannot write");
    TraceLoader loader({path});
    loader.wait();
    return loader.latest();
}

const ModuleLoad* find(const SymbolLoadStatus& status, const store::PublishedTrace& trace, const std::string& name) {
    for (const auto& load : status.modules) {
        if (trace.processes->module(load.module).name == name) return &load;
    }
    return nullptr;
}

/// Accepts connections and sends nothing.
class MuteServer {
  public:
    MuteServer() {
        if (!server_.listen(QHostAddress::LocalHost)) qFatal("no port");
    }
    [[nodiscard]] QString url() const { return QStringLiteral("http://127.0.0.1:%1").arg(server_.serverPort()); }

  private:
    QTcpServer server_;
};

std::set<std::string> labelsOf(const store::PublishedTrace& trace, std::shared_ptr<symbols::SymbolTable> names) {
    analysis::FrameLabels labels(std::move(names));
    std::set<std::string> texts;
    for (const auto label : *labels.labelsOf(trace))
        texts.emplace(labels.text(label));
    return texts;
}

} // namespace

/// With MemoryTestApp.exe as clang and lld-link build it.
class SymbolLoaderTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const store::PublishedTrace> trace_;
    std::unique_ptr<QTemporaryDir> folder_;

    SymbolSources sources(const QString& path) {
        SymbolSources sources;
        sources.path = symbols::SymbolPath::parse(path.toStdString());
        sources.options.cacheFolder = folder_->filePath("cache").toStdString();
        sources.nameCacheFolder = folder_->filePath("names").toStdString();
        return sources;
    }

    /// The label of the module's frame of this number, which has no name.
    analysis::LabelId labelOf(analysis::FrameLabels& labels, const std::string& module, int number) {
        std::set<std::string> seen;
        for (const auto label : *labels.labelsOf(*trace_)) {
            const auto text = labels.text(label);
            if (!text.starts_with(module + "!+0x") || !seen.emplace(text).second) continue;
            if (number-- == 0) return label;
        }
        return analysis::FrameLabels::kNoStack;
    }
    std::size_t namedOf(analysis::FrameLabels& labels, const std::string& module) {
        std::set<std::string> texts;
        for (const auto label : *labels.labelsOf(*trace_)) {
            if (labels.text(label).starts_with(module + "!") && !labels.text(label).starts_with(module + "!+0x"))
                texts.emplace(labels.text(label));
        }
        return texts.size();
    }

  private slots:
    void init() {
        if (!BuiltPrograms::instance().problem().isEmpty()) QSKIP(qPrintable(BuiltPrograms::instance().problem()));
        folder_ = std::make_unique<QTemporaryDir>();
        if (trace_) return;
        const auto program = BuiltPrograms::instance().memoryTestApp();
        trace_ = load(fixtures::exercise2Trace({}, &program));
    }

    void namesWhatIsFoundAndTellsTheRest() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(BuiltPrograms::instance().folder()));
        loader.load(trace_);
        loader.wait();
        const auto status = loader.status();
        QVERIFY(!status.isBusy);
        QCOMPARE(status.doneCount(), status.modules.size());
        QCOMPARE(status.count(State::Found), std::size_t{1});
        QVERIFY(std::is_sorted(status.modules.begin(), status.modules.end(),
                               [](const auto& a, const auto& b) { return a.bytes > b.bytes; }));
        const auto* app = find(status, *trace_, "MemoryTestApp.exe");
        QVERIFY(app != nullptr && app->hasPrivateSymbols && app->path.filename() == "MemoryTestApp.pdb");
        const auto* ntdll = find(status, *trace_, "ntdll.dll");
        QVERIFY(ntdll != nullptr && !ntdll->tried.empty());
        // Windows has one of another build in its place.
        QVERIFY(ntdll->state == State::NotFound || ntdll->state == State::Mismatched);
        const auto labels = labelsOf(*trace_, names);
        for (const auto* name : {"main", "Operation1", "ManipulateTemporaryBuffer", "InnerLoopOperation", "Operation2",
                                 "operator new", "__scrt_common_main_seh"})
            QVERIFY2(labels.contains(std::string("MemoryTestApp.exe!") + name), name);
        QVERIFY(std::none_of(labels.begin(), labels.end(),
                             [](const auto& label) { return label.starts_with("MemoryTestApp.exe!+0x"); }));
    }

    void asksNothingTwice() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(BuiltPrograms::instance().folder()));
        loader.load(trace_);
        loader.wait();
        const auto revision = names->view()->revision();
        loader.load(trace_);
        loader.wait();
        QCOMPARE(names->view()->revision(), revision);
        QCOMPARE(loader.status().count(State::Found), std::size_t{1});
    }

    void takesNamesFromTheCacheWhenTheDebugFileIsGone() {
        const auto pdb = folder_->filePath("MemoryTestApp.pdb");
        QVERIFY(QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"), pdb));
        SymbolLoader first(std::make_shared<symbols::SymbolTable>(), sources(folder_->path()));
        first.load(trace_);
        first.wait();
        QVERIFY(QFile::remove(pdb));
        SymbolLoader elsewhere(std::make_shared<symbols::SymbolTable>(), sources(folder_->filePath("nothing")));
        elsewhere.load(trace_);
        elsewhere.wait();
        QCOMPARE(find(elsewhere.status(), *trace_, "MemoryTestApp.exe")->state, State::NotFound);
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader second(names, sources(folder_->path()));
        second.load(trace_);
        second.wait();
        QVERIFY(find(second.status(), *trace_, "MemoryTestApp.exe")->isFromCache);
        QVERIFY(labelsOf(*trace_, names).contains("MemoryTestApp.exe!InnerLoopOperation"));
    }

    void findsOnRetryWhatCameLater() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(folder_->path()));
        loader.load(trace_);
        loader.wait();
        QCOMPARE(find(loader.status(), *trace_, "MemoryTestApp.exe")->state, State::NotFound);
        QVERIFY(
            QFile::copy(BuiltPrograms::instance().path("MemoryTestApp.pdb"), folder_->filePath("MemoryTestApp.pdb")));
        loader.retry();
        loader.wait();
        QCOMPARE(find(loader.status(), *trace_, "MemoryTestApp.exe")->state, State::Found);
        QVERIFY(labelsOf(*trace_, names).contains("MemoryTestApp.exe!main"));
    }

    void takesAFileThatTheUserLocated() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(folder_->path()));
        loader.load(trace_);
        loader.wait();
        const auto module = find(loader.status(), *trace_, "MemoryTestApp.exe")->module;
        loader.locate(module, BuiltPrograms::instance().path("exercise2.pdb").toStdString());
        loader.wait();
        QCOMPARE(find(loader.status(), *trace_, "MemoryTestApp.exe")->state, State::Mismatched);
        QVERIFY(!labelsOf(*trace_, names).contains("MemoryTestApp.exe!main"));
        loader.locate(module, BuiltPrograms::instance().path("MemoryTestApp.pdb").toStdString());
        loader.wait();
        QCOMPARE(find(loader.status(), *trace_, "MemoryTestApp.exe")->state, State::Found);
        QVERIFY(labelsOf(*trace_, names).contains("MemoryTestApp.exe!main"));
    }

    void aWrongFileTakesNothingAway() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(BuiltPrograms::instance().folder()));
        loader.load(trace_);
        loader.wait();
        const auto module = find(loader.status(), *trace_, "MemoryTestApp.exe")->module;
        loader.locate(module, BuiltPrograms::instance().path("exercise2.pdb").toStdString());
        loader.wait();
        const auto load = *find(loader.status(), *trace_, "MemoryTestApp.exe");
        QCOMPARE(load.state, State::Found);
        QVERIFY(labelsOf(*trace_, names).contains("MemoryTestApp.exe!main"));
        QVERIFY(!load.tried.empty());
        QVERIFY(load.tried.front().place.ends_with("exercise2.pdb")); // and the reason for not using it is reported
    }

    void cancelsAndGoesOnLater() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(BuiltPrograms::instance().folder()));
        loader.load(trace_);
        loader.cancel();
        loader.wait();
        QVERIFY(!loader.status().isBusy);
        loader.load(trace_);
        loader.wait();
        QCOMPARE(loader.status().count(State::Cancelled), std::size_t{0});
        QVERIFY(labelsOf(*trace_, names).contains("MemoryTestApp.exe!main"));
    }

    void namesWhatIsOnScreenWhileAllWorkersWaitForAServer() {
        const MuteServer server;
        const auto names = std::make_shared<symbols::SymbolTable>();
        const auto labels = std::make_shared<analysis::FrameLabels>(names);
        SymbolLoader loader(names, sources("srv*" + server.url() + ";" + BuiltPrograms::instance().folder()), 2);
        loader.prefer(labels, {labelOf(*labels, "MemoryTestApp.exe", 3)});
        loader.load(trace_);
        QTRY_COMPARE(namedOf(*labels, "MemoryTestApp.exe"), std::size_t{1});
        QVERIFY(loader.status().isBusy); // the server sends nothing
        loader.prefer(labels, {labelOf(*labels, "MemoryTestApp.exe", 1), labelOf(*labels, "MemoryTestApp.exe", 2)});
        QTRY_VERIFY(namedOf(*labels, "MemoryTestApp.exe") >= 2);
        QVERIFY(loader.status().isBusy);
        loader.cancel();
        loader.wait();
        QVERIFY(loader.status().count(State::Cancelled) > 0);
    }

    void asksNoServerForWhatTheScreenFoundOnThisMachine() {
        const MuteServer server;
        const auto names = std::make_shared<symbols::SymbolTable>();
        const auto labels = std::make_shared<analysis::FrameLabels>(names);
        SymbolLoader loader(names, sources("srv*" + server.url() + ";" + BuiltPrograms::instance().folder()));
        loader.prefer(labels, {labelOf(*labels, "MemoryTestApp.exe", 0)});
        loader.load(trace_);
        QTRY_COMPARE(find(loader.status(), *trace_, "MemoryTestApp.exe")
                         ? find(loader.status(), *trace_, "MemoryTestApp.exe")->state
                         : State::Waiting,
                     State::Found);
        const auto texts = labelsOf(*trace_, names);
        QVERIFY(std::none_of(texts.begin(), texts.end(),
                             [](const auto& label) { return label.starts_with("MemoryTestApp.exe!+0x"); }));
    }

    void nothingIsAddedAfterCancelling() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources(BuiltPrograms::instance().folder()));
        for (int i = 0; i < 20; ++i) {
            loader.load(trace_);
            loader.cancel();
            names->forgetAll();
            const auto revision = names->view()->revision();
            loader.wait();
            QCOMPARE(names->view()->revision(), revision);
        }
    }

    void cancelsAndRetriesOneModule() {
        const MuteServer server;
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader loader(names, sources("srv*" + server.url()), 8);
        loader.load(trace_);
        QTRY_VERIFY(loader.status().count(State::Loading) > 1);
        const auto ntdll = find(loader.status(), *trace_, "ntdll.dll")->module;
        loader.cancel(ntdll);
        QTRY_COMPARE(find(loader.status(), *trace_, "ntdll.dll")->state, State::Cancelled);
        QVERIFY(loader.status().isBusy);
        loader.load(trace_); // a later publication does not bring it back
        loader.retry(ntdll);
        QCOMPARE(find(loader.status(), *trace_, "ntdll.dll")->state, State::Cancelled);
    }

    void keepsWhatWasLocatedForTheNextLoader() {
        const auto names = std::make_shared<symbols::SymbolTable>();
        SymbolLoader first(names, sources(folder_->path()));
        first.load(trace_);
        first.wait();
        const auto module = find(first.status(), *trace_, "MemoryTestApp.exe")->module;
        first.locate(module, BuiltPrograms::instance().path("MemoryTestApp.pdb").toStdString());
        first.wait();
        names->forgetAll();
        auto next = sources(folder_->path());
        next.located = first.located();
        SymbolLoader second(names, next);
        second.load(trace_);
        second.wait();
        QCOMPARE(find(second.status(), *trace_, "MemoryTestApp.exe")->state, State::Found);
    }

    /// PerfView packs the PDBs that no server has beside the trace.
    void findsWhatLiesInTheArchiveOfTheTrace() {
        namespace zip = tests::zip_writer;
        QFile pdb(BuiltPrograms::instance().path("MemoryTestApp.pdb"));
        QVERIFY(pdb.open(QIODevice::ReadOnly));
        const auto content = zip::bytesOf(pdb.readAll().toStdString());
        const auto identity = BuiltPrograms::instance().memoryTestApp().identity;
        const auto key = symbols::pdbKey({identity.pdbGuid, identity.pdbAge, {}});
        const auto searched = [&](const std::string& entry, const zip::Bytes& bytes) {
            const auto archive = folder_->filePath("t1.etl.zip");
            const auto packed = zip::zip({{.name = entry, .content = bytes}});
            QFile file(archive);
            if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write");
            file.write(reinterpret_cast<const char*>(packed.data()), static_cast<qint64>(packed.size()));
            file.close();
            auto options = sources(folder_->filePath("elsewhere"));
            options.options.archives = traceArchives(std::vector<std::filesystem::path>{archive.toStdString()});
            SymbolLoader loader(std::make_shared<symbols::SymbolTable>(), options);
            loader.load(trace_);
            loader.wait();
            return find(loader.status(), *trace_, "MemoryTestApp.exe")->state;
        };
        QCOMPARE(searched("symbols/MemoryTestApp.pdb/" + key + "/MemoryTestApp.pdb", content), State::Found);
        QCOMPARE(searched("t1\\Symbols\\memorytestapp.PDB\\" + key + "\\MemoryTestApp.pdb", content), State::Found);
        QVERIFY(searched("symbols/MemoryTestApp.pdb/0/MemoryTestApp.pdb", content) != State::Found);
        QVERIFY(searched("xsymbols/MemoryTestApp.pdb/" + key + "/MemoryTestApp.pdb", content) != State::Found);
        const zip::Bytes cut(content.begin(), content.begin() + 1000);
        QVERIFY(searched("symbols/MemoryTestApp.pdb/" + key + "/MemoryTestApp.pdb", cut) != State::Found);
        const std::vector<std::filesystem::path> others{"a.etl", "b.txt"};
        QVERIFY(traceArchives(others).empty());
    }

    void findsTheFolderBesideTheTrace() {
        const auto trace = folder_->filePath("t1.etl");
        QCOMPARE(withTraceFolders({}, std::vector<std::filesystem::path>{trace.toStdString()}).entries().size(),
                 std::size_t{0});
        QVERIFY(QDir().mkpath(trace + ".NGENPDB"));
        const std::vector<std::filesystem::path> traces{trace.toStdString()};
        const auto path = withTraceFolders(symbols::SymbolPath::parse("elsewhere"), traces);
        QCOMPARE(path.toText(), ("elsewhere;" + trace + ".NGENPDB").toStdString());
        QCOMPARE(traceFolders(traces).size(), std::size_t{1});
        QCOMPARE(withTraceFolders(path, traces), path);
    }
};
HIGHWATER_TEST(SymbolLoaderTest);
#include "symbol_loader_test.moc"
