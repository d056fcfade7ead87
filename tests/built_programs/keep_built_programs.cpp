#include "tests/built_programs/built_programs.h"

#include <QDir>
#include <QFile>

#include <cstdio>

/// keep_built_programs FOLDER: builds the programs and keeps them there, for HIGHWATER_BUILT_PROGRAMS.
int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const auto& programs = highwater::tests::BuiltPrograms::instance();
    if (!programs.problem().isEmpty()) {
        std::printf("%s\n", qPrintable(programs.problem()));
        return 1;
    }
    const QDir target(QString::fromLocal8Bit(argv[1]));
    if (!target.mkpath(".")) return 1;
    for (const auto& name : QDir(programs.folder()).entryList(QDir::Files)) {
        QFile::remove(target.filePath(name));
        if (!QFile::copy(programs.path(name), target.filePath(name))) return 1;
    }
    return 0;
}
