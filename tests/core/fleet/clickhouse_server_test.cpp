#include "core/fleet/clickhouse/clickhouse_server.h"

#include "core/fleet/clickhouse/clickhouse_store.h"
#include "core/fleet/clickhouse/clickhouse_text.h"
#include "core/fleet/clickhouse/row_binary.h"
#include "tests/core/fleet/made_fleet.h"
#include "tests/core/fleet/odd_server.h"
#include "tests/support/test_registry.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstring>
#include <fmt/format.h>
#include <set>
#include <zlib.h>

using namespace highwater;
using namespace highwater::fleet;
using namespace highwater::tests;

namespace {

using Answer = OddServer::Answer;
using Request = OddServer::Request;

const std::string kVersion{"\2\0\0\0", 4};

bool asks(const Request& request, const char* what) {
    return request.head.find(what) != std::string::npos || request.body.find(what) != std::string::npos;
}

/// A store that is empty, as far as adding a run requires.
Answer emptyStore(const Request& request) {
    if (asks(request, "FROM fleet")) return OddServer::fine(kVersion);
    if (asks(request, "SELECT count()")) return OddServer::fine(std::string(8, '\0'));
    return OddServer::fine({});
}

ClickHouseStore storeOf(const std::string& place) {
    ClickHouseLimits limits;
    limits.connect = std::chrono::milliseconds(500);
    limits.stall = std::chrono::milliseconds(500);
    limits.whole = std::chrono::milliseconds(3000);
    limits.answerBytes = 1 << 20;
    return ClickHouseStore(parseClickHouseAddress(place).value(), limits);
}

std::string gzipOfZeros(std::size_t count) {
    std::string packed(count / 500 + 1000, '\0');
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    if (::deflateInit2(&stream, 9, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) return {};
    std::string zeros(count, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(zeros.data());
    stream.avail_in = static_cast<uInt>(zeros.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    const bool isWhole = ::deflate(&stream, Z_FINISH) == Z_STREAM_END;
    packed.resize(isWhole ? stream.total_out : 0);
    ::deflateEnd(&stream);
    return packed;
}

} // namespace

/// Exchanges with servers that are not ClickHouse, or misbehave, and the requests sent to them.
class ClickHouseServerTest : public QObject {
    Q_OBJECT

    static QString errorOf(const Answer& answer) {
        OddServer server([&](const Request&) { return answer; });
        const auto runs = storeOf(server.place()).runs({}, {});
        auto error = runs.hasValue() ? "none" : QString::fromStdString(runs.error().message);
        return error.replace(QString::fromStdString(server.place()).mid(13).section('/', 0, 0), "HERE");
    }

  private slots:
    void init() {
        qunsetenv("HIGHWATER_CLICKHOUSE_USER");
        qunsetenv("HIGHWATER_CLICKHOUSE_PASSWORD");
    }

    void placesAreReadStrictly() {
        QCOMPARE(parseClickHouseAddress("clickhouse://lab/fleet").value().url, std::string("http://lab:8123/"));
        QCOMPARE(parseClickHouseAddress("clickhouse://lab:99/fleet").value().host, std::string("lab:99"));
        QCOMPARE(parseClickHouseAddress("clickhouses://[::1]/a_1").value().url, std::string("https://[::1]:8443/"));
        for (const auto* wrong :
             {"clickhouse://lab", "clickhouse:///fleet", "clickhouse://lab/a b", "clickhouse://lab/a?x=1",
              "clickhouse://lab/a;b", "clickhouse://la b/fleet", "clickhouse://lab/fleet/", "clickhouse://lab#/fleet"})
            QCOMPARE(parseClickHouseAddress(wrong).error().kind, ErrorKind::Usage);
        const auto withUser = parseClickHouseAddress("clickhouse://me:secret@lab/fleet");
        QCOMPARE(withUser.error().kind, ErrorKind::Usage);
        QVERIFY(withUser.error().message.find("secret") == std::string::npos);
        qputenv("HIGHWATER_CLICKHOUSE_USER", "a\r\nX-Evil: 1");
        QCOMPARE(parseClickHouseAddress("clickhouse://lab/fleet").error().kind, ErrorKind::Usage);
    }
    void textsAreQuotedWhateverIsInThem() {
        QCOMPARE(quotedForClickHouse("a"), std::string("'a'"));
        QCOMPARE(quotedForClickHouse("o'c\\k"), std::string("'o\\'c\\\\k'"));
        QCOMPARE(quotedForClickHouse(std::string("\n\0\t", 3)), std::string("'\\x0A\\x00\\x09'"));
        QCOMPARE(quotedForClickHouse("\xE2\x82\xAC"), std::string("'\xE2\x82\xAC'"));
    }
    void placesInsideOfValuesAreNone() {
        QCOMPARE(filledIn("SELECT {a:String}, {b:Int64} -- {c:String} isn't one\nFROM {t:Identifier}",
                          {{"a", std::string("{b:Int64}")}, {"b", std::int64_t{-5}}, {"t", SqlWord{"x"}}}),
                 std::string("SELECT '{b:Int64}', -5 \nFROM x"));
        QCOMPARE(filledIn("has({l:Array(String)}, 1)", {{"l", std::vector<std::string>{"a'", "b"}}}),
                 std::string("has(['a\\'','b'], 1)"));
        QCOMPARE(filledIn("{} {x} {:y}", {}), std::string("{} {x} {:y}"));
    }
    void rowsAreReadBackAndShortOnesNoticed() {
        RowBinaryWriter rows;
        rows.add(std::int64_t{-7}).addText(std::string(300, 'x')).addLength(2).addText("a").addText("");
        const auto bytes = rows.take();
        for (std::size_t size = 0; size <= bytes.size(); ++size) {
            RowBinaryReader reader({reinterpret_cast<const std::byte*>(bytes.data()), size});
            const auto number = reader.take<std::int64_t>();
            const auto text = reader.takeText();
            const auto list = reader.takeTexts();
            QCOMPARE(reader.isWhole(), size == bytes.size());
            if (!reader.isWhole()) continue;
            QCOMPARE(number, -7);
            QCOMPARE(text.size(), 300u);
            QCOMPARE(list, (std::vector<std::string>{"a", ""}));
        }
        const std::string longest(11, '\xFF'); // a length that does not end
        RowBinaryReader reader({reinterpret_cast<const std::byte*>(longest.data()), longest.size()});
        QCOMPARE(reader.takeTexts().size(), 0u);
        QVERIFY(!reader.isWhole());
    }

    /// An empty text is one byte in an answer and 32 bytes in memory.
    void listsOfMoreThanAMillionTextsAreNotRead() {
        for (const std::size_t count : {std::size_t{1} << 20, (std::size_t{1} << 20) + 1}) {
            RowBinaryWriter rows;
            rows.addLength(count).addBytes(std::vector<std::byte>(count));
            const auto bytes = rows.take();
            RowBinaryReader reader({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
            const bool isRead = count <= std::size_t{1} << 20;
            QCOMPARE(reader.takeTexts().size(), isRead ? count : 0u);
            QCOMPARE(reader.isWhole(), isRead);
        }
    }

    void whatIsNoClickHouseIsTold_data() {
        QTest::addColumn<QString>("bytes");
        QTest::addColumn<QString>("sentence");
        const QString notUnderstood = "Cannot understand the answer from HERE. Is it a ClickHouse server?";
        QTest::newRow("a page") << "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n<html>" << notUnderstood;
        QTest::newRow("an empty page") << "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n" << notUnderstood;
        QTest::newRow("not found") << "HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnope" << notUnderstood;
        QTest::newRow("elsewhere") << "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
                                   << notUnderstood;
        QTest::newRow("no HTTP") << "SSH-2.0-OpenSSH_9.2\r\n" << notUnderstood;
    }
    void whatIsNoClickHouseIsTold() {
        QFETCH(QString, bytes);
        QFETCH(QString, sentence);
        QCOMPARE(errorOf({bytes.toStdString()}), sentence);
    }
    void refusalsAreTold() {
        QCOMPARE(errorOf(OddServer::exception(243, "Not enough space")),
                 QString("The disk of ClickHouse at HERE is full. Free some space and try again."));
        QCOMPARE(errorOf(OddServer::exception(1001, "write: No space left on device")),
                 QString("The disk of ClickHouse at HERE is full. Free some space and try again."));
        QCOMPARE(errorOf(OddServer::exception(241, "Memory limit (for query) exceeded")),
                 QString("ClickHouse at HERE does not have enough memory for this query. Narrow the query or raise "
                         "max_memory_usage."));
        QCOMPARE(errorOf(OddServer::exception(164, "Cannot insert in readonly mode.")),
                 QString("ClickHouse at HERE: Cannot insert in readonly mode."));
        QCOMPARE(errorOf({"HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"}),
                 QString("ClickHouse at HERE rejected a request without a user. Set HIGHWATER_CLICKHOUSE_USER and "
                         "HIGHWATER_CLICKHOUSE_PASSWORD."));
    }
    void passwordsAreNeverRepeated() {
        qputenv("HIGHWATER_CLICKHOUSE_USER", "me");
        qputenv("HIGHWATER_CLICKHOUSE_PASSWORD", "hunter2");
        QCOMPARE(errorOf(OddServer::exception(36, "bad hunter2, really hunter2")),
                 QString("ClickHouse at HERE: bad ***, really ***."));
        OddServer server(emptyStore);
        QVERIFY(storeOf(server.place()).runs({}, {}).hasValue());
        for (const auto& request : server.requests()) {
            QVERIFY(request.head.find("X-ClickHouse-Key: hunter2") != std::string::npos);
            QVERIFY(request.head.substr(0, request.head.find("\r\n")).find("hunter2") ==
                    std::string::npos); // never in a URL
        }
    }
    void noTimeIsUnlimited() {
        QElapsedTimer time;
        time.start();
        const auto silent = errorOf({"", 0, true});
        QVERIFY2(silent.startsWith("ClickHouse at HERE does not answer"), qPrintable(silent));
        const auto stalled = errorOf({"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc", 0, true});
        QVERIFY2(stalled.startsWith("The answer from ClickHouse at HERE is incomplete"), qPrintable(stalled));
        const auto trickling = errorOf({"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + std::string(1000, 'x'), 5});
        QCOMPARE(trickling, QString("ClickHouse at HERE did not complete its answer within 3 s. Narrow the query."));
        const auto headers = errorOf({"HTTP/1.1 200 OK\r\nX-Slow: " + std::string(1000, 'x'), 20}); // no body ever
        QVERIFY2(headers.startsWith("ClickHouse at HERE does not answer"), qPrintable(headers));
        const auto endless = errorOf(OddServer::fine(std::string(3 << 20, 'x')));
        QCOMPARE(endless, QString("The answer from ClickHouse at HERE exceeds 1.0 MB. Narrow the query."));
        QVERIFY2(time.elapsed() < 30'000, qPrintable(QString::number(time.elapsed())));
    }
    /// Three megabytes may unpack to three gigabytes.
    void whatIsPackedIsNotUnpacked() {
        const auto packed = gzipOfZeros(std::size_t{64} << 20);
        QVERIFY(packed.size() < 200'000);
        for (const auto* coding : {"gzip", "x-gzip", "deflate", "br", "gzip, gzip"}) {
            const auto error =
                errorOf({fmt::format("HTTP/1.1 200 OK\r\nContent-Encoding: {}\r\nContent-Length: {}\r\n\r\n{}", coding,
                                     packed.size(), packed)});
            QCOMPARE(error,
                     QString("The server at HERE sent a compressed answer although none was requested. The answer was "
                             "discarded because its length is unknown."));
        }
        OddServer server(emptyStore);
        QVERIFY(storeOf(server.place()).runs({}, {}).hasValue());
        for (const auto& request : server.requests())
            QVERIFY(request.head.find("Accept-Encoding: identity") != std::string::npos);
    }
    void limitsAreThoseThatArePromised() {
        const ClickHouseLimits limits;
        QCOMPARE(limits.answerBytes, std::size_t{64} << 20);
        QCOMPARE(limits.whole, std::chrono::milliseconds(30'000));
    }
    void answersThatMakeNoSenseAreTold() {
        std::mt19937 random(4);
        for (int i = 0; i < 200; ++i) {
            OddServer server([&](const Request& request) {
                if (asks(request, "FROM fleet")) return OddServer::fine(kVersion);
                std::string bytes(1 + random() % 300, '\0');
                for (auto& byte : bytes)
                    byte = static_cast<char>(random() % (i % 2 == 0 ? 256 : 4));
                return OddServer::fine(bytes);
            });
            auto store = storeOf(server.place());
            const auto slopes = store.slopes("1", {}, 10, {});
            QVERIFY(!slopes.hasValue());
            (void)store.worst({MadeFleet::key(1), analysis::Table::Heap, {}, {}, 10}, {});
        }
    }
    /// Names reported as present are not sent, so a truncated one would never be sent.
    void namesThatAreThereAreReadToTheirEnd() {
        MadeFleet made(8);
        const auto run = made.run("1", "m", 12);
        for (const auto* asked : {"FROM stacks", "FROM frames", "FROM processes"}) {
            OddServer server([&](const Request& request) {
                return asks(request, asked) ? OddServer::fine("abc") : emptyStore(request);
            });
            auto store = storeOf(server.place());
            const auto added = store.add(run, {});
            QVERIFY2(!added.hasValue(), asked);
            QVERIFY2(added.error().message.find("Cannot understand the answer") != std::string::npos, asked);
            for (const auto& request : server.requests())
                QVERIFY(!asks(request, "INSERT"));
        }
    }
    void whatBreaksOffIsSentAgainAsAnotherLoad() {
        MadeFleet made(8);
        const auto run = made.run("1", "m", 12);
        int samples = 0;
        OddServer server([&](const Request& request) {
            if (asks(request, "INSERT%20INTO%20samples") && ++samples < 3)
                return Answer{"HTTP/1.1 200 OK\r\nContent-Le"};
            return emptyStore(request);
        });
        auto store = storeOf(server.place());
        const auto added = store.add(run, {});
        QVERIFY2(added.hasValue(), added.hasValue() ? "" : added.error().message.c_str());
        std::vector<std::uint64_t> ofSamples;
        std::vector<std::uint64_t> ofRuns;
        const auto loadAt = [](const std::string& body, std::size_t at) {
            std::uint64_t load = 0;
            std::memcpy(&load, body.data() + at, sizeof(load));
            return load;
        };
        for (const auto& request : server.requests()) {
            if (asks(request, "INSERT%20INTO%20samples")) ofSamples.push_back(loadAt(request.body, 16 + 1 + 8 + 8));
            if (asks(request, "INSERT%20INTO%20runs")) ofRuns.push_back(loadAt(request.body, 32));
        }
        QCOMPARE(ofSamples.size(), 3u);
        QCOMPARE(std::set(ofSamples.begin(), ofSamples.end()).size(), 3u);
        QCOMPARE(ofRuns, std::vector{ofSamples.back()});
    }
    void whatStaysRefusedIsNotTriedForEver() {
        OddServer server([&](const Request& request) {
            return asks(request, "INSERT") ? OddServer::exception(243, "Not enough space") : emptyStore(request);
        });
        MadeFleet made(8);
        auto store = storeOf(server.place());
        const auto added = store.add(made.run("1", "m", 12), {});
        QVERIFY(!added.hasValue());
        const auto requests = server.requests();
        QCOMPARE(std::count_if(requests.begin(), requests.end(), [](const auto& r) { return asks(r, "INSERT"); }), 1);
    }
    void whatIsAskedCanBeCancelled() {
        OddServer server([](const Request&) { return Answer{"", 0, true}; });
        std::stop_source stop;
        stop.request_stop();
        const auto runs = storeOf(server.place()).runs({}, stop.get_token());
        QVERIFY(!runs.hasValue());
        QCOMPARE(runs.error().kind, ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(ClickHouseServerTest);
#include "clickhouse_server_test.moc"
