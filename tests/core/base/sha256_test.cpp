#include "core/base/sha256.h"

#include "core/base/text.h"
#include "tests/support/test_registry.h"

#include <QCryptographicHash>
#include <QTest>

#include <span>

using namespace highwater;

class Sha256Test : public QObject {
    Q_OBJECT
  private slots:
    void hashesAsEverybodyElse() {
        for (int bytes = 0; bytes < 300; ++bytes) {
            const QByteArray text(bytes, static_cast<char>('a' + bytes % 26));
            const auto hash = sha256(std::as_bytes(std::span(text.constData(), static_cast<std::size_t>(bytes))));
            const QByteArray ours(reinterpret_cast<const char*>(hash.data()), static_cast<int>(hash.size()));
            QCOMPARE(ours, QCryptographicHash::hash(text, QCryptographicHash::Sha256));
        }
    }
};
HIGHWATER_TEST(Sha256Test);
#include "sha256_test.moc"
