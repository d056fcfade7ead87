#include "app/settings/outline_store.h"

#include "core/files/private_folder.h"
#include "ui/format/qt_text.h"

#include <QCryptographicHash>
#include <QDir>
#include <QSaveFile>

#include <algorithm>
#include <cmath>

namespace highwater::app {
namespace {

const QByteArray kMagic("HWO1");
constexpr qsizetype kFileBytes = 4 + OutlineStore::kSlices;
const auto kSuffix = QStringLiteral(".outline");

/// Stores the maximum of each slice, so that spikes stay visible.
QByteArray sliced(const QList<qint64>& amounts, qint64 highest) {
    QByteArray bytes(OutlineStore::kSlices, '\0');
    for (qsizetype i = 0; i < OutlineStore::kSlices; ++i) {
        const auto first = i * amounts.size() / OutlineStore::kSlices;
        const auto last = std::max(first + 1, (i + 1) * amounts.size() / OutlineStore::kSlices);
        const auto most = std::max<qint64>(0, *std::max_element(amounts.begin() + first, amounts.begin() + last));
        const auto part = static_cast<double>(most) / static_cast<double>(highest);
        bytes[i] = static_cast<char>(std::lround(part * OutlineStore::kHighest));
    }
    return bytes;
}

} // namespace

/// Hashed, because paths may be long or contain characters that are invalid in file names.
QString OutlineStore::fileOf(const QString& trace) const {
    const auto hash = QCryptographicHash::hash(trace.toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return folder_ + QLatin1Char('/') + QString::fromLatin1(hash) + kSuffix;
}

QList<qint64> OutlineStore::load(const QString& trace) const {
    const auto file = openPrivateFile(ui::toPath(fileOf(trace)));
    if (!file.hasValue()) return {};
    const auto found = file.value()->bytes();
    if (found.size() != static_cast<std::size_t>(kFileBytes)) return {};
    const QByteArray bytes(reinterpret_cast<const char*>(found.data()), kFileBytes);
    if (!bytes.startsWith(kMagic)) return {};
    QList<qint64> values;
    for (const auto byte : bytes.mid(kMagic.size()))
        values << static_cast<unsigned char>(byte);
    return values;
}

void OutlineStore::save(const QString& trace, const QList<qint64>& amounts) {
    const auto highest = amounts.isEmpty() ? 0 : *std::max_element(amounts.begin(), amounts.end());
    if (highest <= 0) return;
    std::error_code failed; // outlines are not stored then
    (void)makePrivateFolder(ui::toPath(folder_), failed);
    QSaveFile file(fileOf(trace));
    if (!file.open(QIODevice::WriteOnly)) return;
    // Outlines reveal which traces were opened. QSaveFile uses the default permissions or those of the replaced file.
    if (!file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner)) return;
    file.write(kMagic + sliced(amounts, highest));
    (void)file.commit();
}

void OutlineStore::keepOnly(const QStringList& traces) {
    QStringList kept;
    for (const auto& trace : traces)
        kept << QFileInfo(fileOf(trace)).fileName();
    QDir folder(folder_);
    for (const auto& name : folder.entryList({QLatin1Char('*') + kSuffix}, QDir::Files | QDir::System))
        if (!kept.contains(name)) folder.remove(name);
}

} // namespace highwater::app
