#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/base/retired_work.h"
#include "core/pipeline/symbol_loader.h"
#include "core/symbols/demangling/function_name.h"
#include "ui/state/symbol_choices.h"

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <vector>

namespace highwater::app {

/// Loads symbols of the open trace when a stack is expanded, or at once if requested by the user, and reports changed
/// names. Frames on screen are loaded first. GUI thread only; never blocks.
class SymbolSession : public QObject {
    Q_OBJECT
  public:
    using VisibleFrames = std::function<std::vector<analysis::LabelId>()>;

    explicit SymbolSession(symbols::Environment environment, QObject* parent = nullptr);
    ~SymbolSession() override;

    /// Called during loading to find preferred frames. Empty: no preference.
    void setVisibleFrames(VisibleFrames frames) { visibleFrames_ = std::move(frames); }

    /// Another trace is requested. Returns the name source for its labels. The names of the current trace remain until
    /// the first publication of the other one, because it may never have one.
    [[nodiscard]] std::shared_ptr<const symbols::NameSource> begin(const QStringList& traces);
    /// The trace is closed, and no other one is requested.
    void close();
    /// A publication of the current trace, or the first one of the requested trace.
    void setTrace(std::shared_ptr<const store::PublishedTrace> trace, std::shared_ptr<analysis::FrameLabels> labels);
    /// There are no further publications.
    void noteEnd();

    /// Off: stops loading and removes names. On: names are loaded as soon as a stack is visible.
    void setEnabled(bool enabled);
    [[nodiscard]] bool isEnabled() const { return isEnabled_; }
    /// Stacks are visible.
    void loadLazily();
    /// On request, even if no stack is expanded.
    void loadNow();
    /// Whether C++ and Rust names include parameters and template arguments.
    void setNameStyle(symbols::NameStyle style);
    [[nodiscard]] symbols::NameStyle nameStyle() const { return style_; }
    /// The definitions for the stack tag columns, also for the open trace. Not null.
    void setStackTags(std::shared_ptr<const analysis::StackTags> tags);
    [[nodiscard]] const std::shared_ptr<const analysis::StackTags>& stackTags() const { return stackTags_; }
    /// Used from now on, also for the open trace.
    void setChoices(const ui::SymbolChoices& choices);
    [[nodiscard]] const ui::SymbolChoices& choices() const { return choices_; }
    /// Treat the open trace as recorded on this computer, and search modules at the paths in the trace.
    [[nodiscard]] bool isRecordedHere() const;
    [[nodiscard]] QString usualCacheFolder() const;

    void cancel(const std::vector<store::ModuleIndex>& modules = {});
    void retry(const std::vector<store::ModuleIndex>& modules = {});
    void locate(store::ModuleIndex module, const QString& file);

    /// The frames on screen have changed and are loaded next.
    void preferVisible();
    [[nodiscard]] bool isLoading() const { return loader_ != nullptr; }
    /// Whether requested names are still loading: namesChanged() follows, or statusChanged() if there are none.
    [[nodiscard]] bool areNamesComing() const;
    /// The number of publications of which all available names are loaded.
    [[nodiscard]] std::uint64_t namedPublications() const { return named_; }
    [[nodiscard]] symbols::SymbolLoadStatus status() const;
    [[nodiscard]] std::shared_ptr<const store::ProcessTable> processes() const;
    [[nodiscard]] const std::shared_ptr<const store::PublishedTrace>& trace() const { return trace_; }
    [[nodiscard]] const std::shared_ptr<analysis::FrameLabels>& labels() const { return labels_; }
    /// Empty: a recording that was not saved.
    [[nodiscard]] const QStringList& traces() const { return traces_; }
    /// The trace is now in this file.
    void noteSaved(const QString& path) { traces_ = QStringList{path}; }

  signals:
    /// Labels must be queried again.
    void namesChanged();
    /// status() may have changed, or there is no loader any more.
    void statusChanged();

  private:
    struct Names {
        QStringList traces;
        std::shared_ptr<symbols::SymbolTable> table = std::make_shared<symbols::SymbolTable>();
    };
    void startOver(Names names);
    void load();
    void retire();
    void poll();
    void pollSoon();
    void notifyNamesChanged(bool isLast);
    [[nodiscard]] pipeline::SymbolSources sources() const;
    [[nodiscard]] pipeline::SymbolScope scope() const;

    symbols::Environment environment_;
    ui::SymbolChoices choices_;
    symbols::NameStyle style_ = symbols::NameStyle::Short;
    std::shared_ptr<const analysis::StackTags> stackTags_ = analysis::StackTags::builtIn();
    bool isEnabled_ = true;
    bool isWanted_ = false;    ///< a stack of this trace was visible, or names were requested
    bool isCancelled_ = false; ///< requested by the user; later publications do not restart
    bool hasEnded_ = false;
    std::optional<Names> requested_; ///< names for a trace that has no publication yet
    QStringList traces_;
    std::shared_ptr<symbols::SymbolTable> table_;
    std::unique_ptr<pipeline::SymbolLoader> loader_;
    std::shared_ptr<const store::PublishedTrace> trace_, loaded_; ///< the newest publication; the one being loaded
    std::shared_ptr<analysis::FrameLabels> labels_;
    std::map<std::uint32_t, std::filesystem::path> located_;
    VisibleFrames visibleFrames_;
    std::vector<analysis::LabelId> preferred_;
    std::uint64_t reportedRevision_ = 0;
    std::uint64_t named_ = 0;
    QElapsedTimer sinceReport_, sinceLoad_;
    QTimer timer_;
    RetiredWork retired_; ///< loaders being destroyed
};

} // namespace highwater::app
