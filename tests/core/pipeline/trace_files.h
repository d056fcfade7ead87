#pragma once

#include "core/base/byte_reader.h"
#include "core/pipeline/trace_loader.h"
#include "core/source/etl_files/etl_file_source.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace highwater {

inline std::filesystem::path writeFile(const QTemporaryDir& folder, const char* name, ByteSpan bytes) {
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(file.fileName()));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
    return file.fileName().toStdString();
}

/// For QTemporaryDir: in memory, where the system has such a place. Recordings are flushed to the disk again and again,
/// which takes long on a busy disk.
inline QString folderInMemory() {
    const QString memory = QStringLiteral("/dev/shm");
    return (QFileInfo(memory).isWritable() ? memory : QDir::tempPath()) + QStringLiteral("/highwater-XXXXXX");
}

/// The whole file.
inline std::shared_ptr<const store::PublishedTrace> load(const std::filesystem::path& path) {
    pipeline::TraceLoader loader({path});
    loader.wait();
    return loader.latest();
}
inline std::shared_ptr<const store::PublishedTrace> load(const std::vector<std::byte>& bytes) {
    pipeline::TraceInput input;
    input.open = [bytes](TraceHealth& health) -> Result<std::unique_ptr<source::RecordSource>> {
        auto file = TRY(source::EtlFileSource::fromMemory(bytes, "trace.etl", health));
        return std::unique_ptr<source::RecordSource>(std::move(file));
    };
    pipeline::TraceLoader loader(std::move(input));
    loader.wait();
    return loader.latest();
}

} // namespace highwater
