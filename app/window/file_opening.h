#pragma once

#include <QObject>
#include <QStringList>

class QMimeData;
class QWidget;

namespace highwater::app {

class AnalysisSettings;
class ProfileController;
class SessionController;

/// Opens files of all kinds that the window takes: hands each to who reads its kind, and asks for them. GUI thread
/// only.
class FileOpening : public QObject {
    Q_OBJECT
  public:
    /// Those who read files that are no traces. All must outlive it.
    struct Readers {
        SessionController& sessions;
        ProfileController& profiles;
        AnalysisSettings& definitions; ///< of stack tags and suppressions
    };
    FileOpening(const Readers& readers, QWidget& window);

    /// False: none of them is to be shown, as of presets alone.
    bool open(const QStringList& paths);
    void ask();
    /// Of what is dragged.
    [[nodiscard]] static QStringList filesOf(const QMimeData& dragged);

  signals:
    /// Several files make one trace.
    void traceWanted(const QStringList& paths);
    void fleetWanted(const QString& path);

  private:
    Readers readers_;
    QWidget& window_;
};

} // namespace highwater::app
